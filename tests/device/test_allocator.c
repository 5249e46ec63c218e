/* An allocator of the caller's: all device memory comes from it and goes back to it, and its errors are reported. */
#include <stdbool.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { PIECES = 64, COUNT = 30000 };

/* Takes device memory from the driver and keeps account of it. */
typedef struct pool {
    const opened *device;
    void *given[PIECES];
    uint64_t bytes[PIECES];
    int alive, calls, fail_at;
    size_t shift; /* that addresses are off alignment */
    bool strange; /* it was given something back that it never gave */
} pool;

static void *pool_allocate(void *self, uint64_t bytes, jr_stream stream) {
    pool *p = self;
    jr_cu_context current = NULL;
    (void)stream;
    drives(p->device->driver.cuCtxGetCurrent(&current));
    assert_ptr_equal(current, p->device->cuda);
    assert_true(bytes > 0);
    if (++p->calls == p->fail_at) return NULL;
    for (int i = 0; i < PIECES; i++) {
        if (p->given[i] != NULL) continue;
        p->given[i] = (char *)device_new(p->device, bytes + p->shift) + p->shift;
        p->bytes[i] = bytes;
        p->alive++;
        return p->given[i];
    }
    return NULL;
}

static void pool_free(void *self, void *address, jr_stream stream) {
    pool *p = self;
    (void)stream;
    for (int i = 0; i < PIECES; i++) {
        if (p->given[i] != address || address == NULL) continue;
        device_free(p->device, (char *)address - p->shift);
        p->given[i] = NULL;
        p->alive--;
        return;
    }
    p->strange = true;
}

static jr_context *open_with(pool *p) {
    const jr_options options =
        JR_INIT(jr_options, .allocate = pool_allocate, .free = pool_free, .allocator = p, .wisdom = "");
    jr_context *context = NULL;
    works(jr_context_open(&options, &context));
    return context;
}

/* ---- what calls take ---- */

static int32_t data[COUNT];
static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .capacity = COUNT};

static jr_status reduce(jr_context *context) {
    jr_value value;
    const jr_status status = jr_reduce_host(context, &sum, data, COUNT, &value);
    if (status == JR_OK) assert_int_equal(value.as.i64, (int64_t)COUNT * (COUNT - 1) / 2);
    return status;
}

static jr_status reduce_in_parts(jr_context *context) {
    jr_spec spec = sum;
    jr_value value;
    spec.device_bytes = 1 << 16;
    const jr_status status = jr_reduce_host(context, &spec, data, COUNT, &value);
    if (status == JR_OK) assert_int_equal(value.as.i64, (int64_t)COUNT * (COUNT - 1) / 2);
    return status;
}

static jr_status scan(jr_context *context) {
    static int64_t sums[COUNT];
    const jr_status status = jr_work_run_host(context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE),
                                              DATA(.in = FROM(data), .count = COUNT, .out = sums));
    if (status == JR_OK) assert_int_equal(sums[COUNT - 1], (int64_t)COUNT * (COUNT - 1) / 2);
    return status;
}

static jr_status reduce_segments(jr_context *context) {
    const uint64_t offsets[] = {0, 10, COUNT};
    const void *arrays[] = {data};
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = 2, .offsets = offsets);
    int64_t sums[2];
    const jr_status status = jr_work_run_host(context, WORK(&sum, .layout = &ragged), DATA_OF(segments, arrays, sums));
    if (status == JR_OK) assert_int_equal(sums[0], 45);
    return status;
}

static jr_status make_plan(jr_context *context) {
    jr_plan *plan = NULL;
    const jr_status status = jr_work_plan_create(context, WORK(&sum), &plan);
    jr_plan_destroy(plan);
    return status;
}

static jr_status take_memory(jr_context *context) {
    void *address = NULL;
    const jr_status status = jr_memory_new(context, 100, &address);
    jr_memory_free(context, address);
    return status;
}

static jr_status measure(jr_context *context) {
    jr_tuned tuned = JR_INIT(jr_tuned);
    const jr_tune_options options = JR_INIT(jr_tune_options, .limit_ms = 1);
    return jr_work_tune(context, WORK(&sum), 100, &options, &tuned);
}

static const struct {
    const char *name;
    jr_status (*make)(jr_context *context);
    bool goes_on; /* without a piece */
} calls[] = {{.name = "a reduction", .make = reduce},
             {.name = "a reduction in parts", .make = reduce_in_parts},
             {.name = "a scan", .make = scan},
             {.name = "segments", .make = reduce_segments},
             {.name = "a plan", .make = make_plan},
             {.name = "memory", .make = take_memory},
             {.name = "a tuning", .make = measure, .goes_on = true}};
#define FOR_EACH_CALL(i) for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)

/* ---- tests ---- */

TEST(all_device_memory_comes_from_the_allocator_and_goes_back) {
    pool p = {.device = *state};
    jr_context *context = open_with(&p);
    FOR_EACH_CALL(i) works(calls[i].make(context)); /* images take memory of their own */
    const size_t free_before = device_free_bytes(p.device);
    FOR_EACH_CALL(i) {
        const int before = p.calls;
        works(calls[i].make(context));
        if (p.calls == before) fail_msg("%s asks for no memory", calls[i].name);
        if (p.alive != 0) fail_msg("%s keeps %d pieces", calls[i].name, p.alive);
    }
    assert_false(p.strange);
    if (p.device->info.simulated) assert_int_equal(device_free_bytes(p.device), free_before);
    jr_context_close(context);
}

/* What is alive in a plan is its own, and no more is taken by its runs. */
TEST(a_plan_takes_its_workspace_once) {
    pool p = {.device = *state};
    jr_context *context = open_with(&p);
    jr_plan *plan;
    void *d_in, *d_out;
    works(jr_memory_new(context, sizeof data, &d_in));
    works(jr_memory_new(context, sizeof(int64_t), &d_out));
    works(jr_work_plan_create(context, WORK(&sum), &plan));
    const int calls_before = p.calls;
    for (int i = 0; i < 3; i++)
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL));
    works(jr_context_wait(context));
    assert_int_equal(p.calls, calls_before);
    jr_plan_destroy(plan);
    jr_memory_free(context, d_in);
    jr_memory_free(context, d_out);
    assert_int_equal(p.alive, 0);
    jr_context_close(context);
}

TEST(whichever_piece_is_refused_the_call_says_so_and_keeps_nothing) {
    pool p = {.device = *state};
    jr_context *context = open_with(&p);
    FOR_EACH_CALL(i) {
        p.fail_at = 0;
        p.calls = 0;
        works(calls[i].make(context));
        const int pieces = p.calls;
        for (int n = 1; n <= pieces; n++) {
            p.calls = 0;
            p.fail_at = n;
            const jr_status status = calls[i].make(context);
            if (!calls[i].goes_on || status != JR_OK)
                fails(status, JR_ERROR_DEVICE_OUT_OF_MEMORY, "the allocator of the options has no ");
            if (p.alive != 0) fail_msg("%s keeps %d pieces when piece %d is refused", calls[i].name, p.alive, n);
        }
    }
    assert_false(p.strange);
    jr_context_close(context);
}

TEST(misaligned_memory_is_refused_and_given_back) {
    pool p = {.device = *state, .shift = 16};
    jr_context *context = open_with(&p);
    void *address = &p;
    fails(jr_memory_new(context, 100, &address), JR_ERROR_INVALID_ARGUMENT, "must be aligned to 256 bytes");
    assert_ptr_equal(address, &p);
    fails(reduce(context), JR_ERROR_INVALID_ARGUMENT, "must be aligned to 256 bytes");
    assert_int_equal(p.alive, 0);
    assert_false(p.strange);
    jr_context_close(context);
}

TEST(one_half_of_an_allocator_is_refused) {
    jr_context *context = NULL;
    const jr_options taking = JR_INIT(jr_options, .allocate = pool_allocate);
    const jr_options giving = JR_INIT(jr_options, .free = pool_free);
    fails(jr_context_open(&taking, &context), JR_ERROR_INVALID_ARGUMENT, "options.free is NULL");
    fails(jr_context_open(&giving, &context), JR_ERROR_INVALID_ARGUMENT, "options.allocate is NULL");
    assert_null(context);
}

int main(void) {
    for (int i = 0; i < COUNT; i++) data[i] = i;
    return check_run(open_context, close_context);
}
