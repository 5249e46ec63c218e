/* Kernels that other threads get: one, with a callback or without, and many at once. */
/* cache: own */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

static const char good[] = "extern \"C\" __global__ void k(int *x) {\n    *x = N;\n}\n",
                  wrong[] = "extern \"C\" __global__ void k(int *x) {\n    *x = y;\n}\n";

/* A program that no other number's is. */
typedef struct numbered {
    char number[16];
    jr_named_text constant;
    jr_program program;
} numbered;

static void number_program(numbered *out, int number, const char *source) {
    snprintf(out->number, sizeof out->number, "%d", number);
    out->constant = (jr_named_text){"N", out->number};
    out->program =
        JR_INIT(jr_program, .name = "k.cu", .source = source, .constants = &out->constant, .constant_count = 1);
}

static uint64_t compiles(const opened *device) {
    jr_counters counters = JR_INIT(jr_counters);
    works(jr_context_counters(device->context, &counters));
    return counters.compiles;
}

DEVICE_TEST(a_kernel_comes_by_and_by_and_stays) {
    numbered one;
    jr_kernel_order *order = NULL;
    jr_kernel *kernel = NULL, *again = NULL;
    number_program(&one, 1, good);
    works(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &order));
    memset(&one, 0x5a, sizeof one); /* all of it was copied */
    works(jr_kernel_order_wait(order, 0, &kernel));
    works(jr_kernel_order_wait(order, INFINITY, &kernel));
    assert_non_null(kernel);
    works(jr_kernel_order_wait(order, 0, &again));
    assert_ptr_equal(kernel, again);
    jr_kernel_order_end(order);
    number_program(&one, 1, good);
    works(jr_kernel_get(device->context, &one.program, &again));
    assert_ptr_equal(kernel, again);
}

DEVICE_TEST(a_failure_is_told_to_everyone_who_waits) {
    numbered one;
    jr_kernel_order *order = NULL;
    jr_kernel *kernel = NULL;
    number_program(&one, 2, wrong);
    works(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &order));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(jr_kernel_order_wait(order, INFINITY, &kernel), JR_ERROR_COMPILE);
        assert_non_null(strstr(jr_last_error()->log, "k.cu(2): error"));
        assert_null(kernel);
    }
    jr_kernel_order_end(order);
    one.program.name = NULL;
    works(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &order));
    fails(jr_kernel_order_wait(order, INFINITY, &kernel), JR_ERROR_INVALID_ARGUMENT, "program->name is NULL");
    jr_kernel_order_end(order);
}

/* What a callback saw. */
typedef struct seen {
    pthread_mutex_t lock;
    pthread_cond_t called;
    int calls;
    jr_status status;
    char message[256];
    jr_kernel *kernel, *other;
    jr_context *context;
    jr_kernel_order *order;
    bool ends;
} seen;

static void seen_open(seen *self, const opened *device) {
    *self = (seen){.context = device->context};
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->called, NULL);
}

static void see(void *user, jr_status status, jr_kernel *kernel) {
    seen *self = user;
    numbered other;
    number_program(&other, 1000, good);
    if (status != JR_OK) snprintf(self->message, sizeof self->message, "%s", jr_last_error()->message);
    (void)jr_kernel_get(self->context, &other.program, &self->other);
    if (self->ends) jr_kernel_order_end(self->order);
    pthread_mutex_lock(&self->lock);
    self->calls++;
    self->status = status;
    self->kernel = kernel;
    pthread_cond_signal(&self->called);
    pthread_mutex_unlock(&self->lock);
}

static void await(seen *self) {
    pthread_mutex_lock(&self->lock);
    while (self->calls == 0) pthread_cond_wait(&self->called, &self->lock);
    pthread_mutex_unlock(&self->lock);
}

DEVICE_TEST(a_callback_is_called_once_and_may_call_the_library) {
    for (int fails_it = 0; fails_it < 2; fails_it++) {
        numbered one;
        seen saw;
        seen_open(&saw, device);
        number_program(&one, 3 + fails_it, fails_it ? wrong : good);
        works(jr_kernel_get_async(device->context, &one.program, see, &saw, &saw.order));
        jr_kernel_order_end(saw.order); /* waits for the callback */
        assert_int_equal(saw.calls, 1);
        assert_int_equal(saw.status, fails_it ? JR_ERROR_COMPILE : JR_OK);
        assert_true((saw.kernel == NULL) == (fails_it == 1));
        assert_true((saw.message[0] == '\0') == (fails_it == 0));
        assert_non_null(saw.other);
    }
}

DEVICE_TEST(a_callback_may_end_its_own_order) {
    numbered one;
    seen saw;
    seen_open(&saw, device);
    saw.ends = true;
    number_program(&one, 5, good);
    works(jr_kernel_get_async(device->context, &one.program, see, &saw, &saw.order));
    await(&saw);
    assert_non_null(saw.kernel);
}

TEST(many_orders_of_one_program_compile_it_once) {
    enum { ORDERS = 20 };
    const opened *device = *state;
    const uint64_t before = compiles(device);
    numbered one;
    jr_kernel_order *orders[ORDERS];
    jr_kernel *kernels[ORDERS];
    number_program(&one, 6, good);
    for (int i = 0; i < ORDERS; i++) works(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &orders[i]));
    for (int i = 0; i < ORDERS; i++) works(jr_kernel_order_wait(orders[i], INFINITY, &kernels[i]));
    for (int i = 0; i < ORDERS; i++) {
        jr_kernel_order_end(orders[i]);
        assert_ptr_equal(kernels[i], kernels[0]);
    }
    assert_int_equal(compiles(device) - before, 1);
}

DEVICE_TEST(times_that_are_none_are_refused) {
    numbered one;
    jr_kernel_order *order = NULL;
    jr_kernel *kernel = NULL;
    number_program(&one, 7, good);
    works(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &order));
    fails(jr_kernel_order_wait(order, -1, &kernel), JR_ERROR_INVALID_ARGUMENT, "wait_ms -1");
    fails(jr_kernel_order_wait(order, NAN, &kernel), JR_ERROR_INVALID_ARGUMENT, "wait_ms");
    fails(jr_kernel_order_wait(NULL, 1, &kernel), JR_ERROR_INVALID_ARGUMENT, "order is NULL");
    jr_kernel_order_end(order);
    jr_kernel_order_end(NULL);
    fails(jr_kernel_get_async(device->context, NULL, NULL, NULL, &order), JR_ERROR_INVALID_ARGUMENT, "program is NULL");
    one.program.size = 1;
    fails(jr_kernel_get_async(device->context, &one.program, NULL, NULL, &order), JR_ERROR_INVALID_ARGUMENT,
          "jr_program.size is 1");
}

enum { LISTED = 12 };

DEVICE_TEST(a_list_is_compiled_whole_and_each_program_once) {
    const uint64_t before = compiles(device);
    numbered all[LISTED];
    const jr_program *programs[LISTED];
    jr_kernel *kernels[LISTED];
    for (int i = 0; i < LISTED; i++) {
        number_program(&all[i], 100 + i % 7, good);
        programs[i] = &all[i].program;
    }
    works(jr_kernels_get(device->context, programs, LISTED, kernels));
    for (int i = 0; i < LISTED; i++) assert_non_null(kernels[i]);
    for (int i = 7; i < LISTED; i++) assert_ptr_equal(kernels[i], kernels[i - 7]);
    assert_int_equal(compiles(device) - before, 7);
}

DEVICE_TEST(a_program_that_fails_holds_the_others_not_up) {
    numbered all[LISTED];
    const jr_program *programs[LISTED];
    jr_kernel *kernels[LISTED];
    for (int i = 0; i < LISTED; i++) {
        number_program(&all[i], 200 + i, i == 3 || i == 8 ? wrong : good);
        programs[i] = &all[i].program;
    }
    fails(jr_kernels_get(device->context, programs, LISTED, kernels), JR_ERROR_COMPILE, "programs[3]: ");
    assert_non_null(strstr(jr_last_error()->log, "k.cu(2): error"));
    for (int i = 0; i < LISTED; i++) assert_true((kernels[i] == NULL) == (i == 3 || i == 8));
}

DEVICE_TEST(lists_of_nothing_and_of_null) {
    numbered one;
    number_program(&one, 300, good);
    const jr_program *const programs[] = {&one.program, NULL};
    jr_kernel *kernels[2];
    works(jr_kernels_get(device->context, NULL, 0, NULL));
    fails(jr_kernels_get(device->context, programs, 2, kernels), JR_ERROR_INVALID_ARGUMENT, "programs[1]: it is NULL");
    fails(jr_kernels_get(device->context, NULL, 2, kernels), JR_ERROR_INVALID_ARGUMENT, "programs is NULL");
    fails(jr_kernels_get(NULL, programs, 1, kernels), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
}

RUN_TESTS(open_context, close_context)
