/* A state of exact variances of f64 has 828 bytes: parts of host memory were folded into a place on the stack that had
 * room for results alone. */
#include "support/fixtures/open_context.h"

static const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_VAR, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT};
static const double data[] = {1, 2, 4, 5};
static const void *const arrays[] = {data};

/* Compiling this takes seconds, and where much else runs more than the usual limit. */
static int open_patiently(void **state) {
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .compile_limit_ms = 600000), &context));
    *state = context;
    return 0;
}

static int close_it(void **state) {
    jr_context_close(*state);
    return 0;
}

TEST(kept_states_have_room_for_the_largest_ones) {
    jr_exact_state *kept = NULL;
    jr_value value;
    works(jr_exact_state_create(*state, &spec, &kept));
    works(jr_exact_state_fold_host(kept, arrays, 4, 0));
    works(jr_exact_state_value(kept, &value));
    assert_true(value.as.f64 == 2.5);
    jr_exact_state_destroy(kept);
}

TEST(groups_have_room_for_the_largest_states) {
    jr_context *const contexts[] = {*state, *state};
    jr_group *group = NULL;
    jr_value value;
    works(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 2), &group));
    works(jr_group_reduce_host(group, &spec, arrays, 4, &value));
    assert_true(value.as.f64 == 2.5);
    jr_group_close(group);
}

RUN_TESTS(open_patiently, close_it)
