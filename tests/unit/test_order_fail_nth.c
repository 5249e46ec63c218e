/* Every allocation and thread of orders and lists of kernels fails once: each failure has its reason, and nothing
 * leaks. */
/* link: fail_nth */
#include <math.h>

#include "base/error.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/open_context.h"

static const char source[] = "extern \"C\" __global__ void k(int *x) {\n    *x = 1;\n}\n";
static const jr_named_text constant = {"N", "1"};
static const char *const options[] = {"--fmad=false"};

static jr_program program_of(const char *name) {
    return JR_INIT(jr_program, .name = name, .source = source, .constants = &constant, .constant_count = 1,
                   .options = options, .option_count = 1);
}

static jr_status order_one(void *state) {
    const opened *device = state;
    const jr_program program = program_of("order.cu");
    jr_kernel_order *order = NULL;
    jr_kernel *kernel = NULL;
    JR_TRY(jr_kernel_get_async(device->context, &program, NULL, NULL, &order));
    const jr_status status = jr_kernel_order_wait(order, INFINITY, &kernel);
    jr_kernel_order_end(order);
    return status;
}

static jr_status order_many(void *state) {
    const opened *device = state;
    const jr_program one = program_of("one.cu"), two = program_of("two.cu");
    const jr_program *const programs[] = {&one, &two};
    jr_kernel *kernels[2];
    return jr_kernels_get(device->context, programs, 2, kernels);
}

/* The kernels are there: what is walked through is the orders' own. */
TEST(an_order_fails_whole) {
    works(order_one(*state));
    assert_true(fail_nth_walk(FAIL_MEMORY | FAIL_THREADS, order_one, *state) >= 3);
}

/* Where no thread can be had, the caller's does all. */
TEST(a_list_fails_whole_or_goes_on_without_threads) {
    works(order_many(*state));
    assert_true(fail_nth_walk(FAIL_MEMORY, order_many, *state) >= 1);
    fail_nth_begin(FAIL_THREADS, 1);
    const jr_status status = order_many(*state);
    (void)fail_nth_end();
    works(status);
}

RUN_TESTS(open_context, close_context)
