/* The data that tunings are found with: what it must be for results to be comparable. */
#include "support/fixtures/open_context.h"

#include <math.h>
#include <stdlib.h>

#include "spec/dtype.h"
#include "support/oracle/element.h"
#include "tune/tune_arena.h"

/* A job of count elements. */
static jr_job make(const opened *device, jr_job_kind kind, jr_op op, jr_type type, uint64_t count) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type, .capacity = count);
    jr_job job = {.context = device->context, .kind = kind};
    works(jr_job_make(&spec, &job));
    return job;
}

/* The first place's elements as numbers. */
static double *numbers_of(const opened *device, const jr_job *job) {
    const jr_dtype *row = jr_dtype_find(job->reduction->inputs[0].type);
    const uint64_t count = job->requested.capacity;
    jr_arena arena = {0};
    bool pushed;
    works(jr_device_enter(&job->context->device, &pushed));
    works(jr_arena_make(job, &arena));
    const jr_run run = jr_arena_run(&arena, 0);
    unsigned char *elements = test_bytes(count * row->bytes);
    double *numbers = test_bytes(count * sizeof *numbers);
    device_read(device, elements, jr_cu_pointer(run.in[0]), count * row->bytes);
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = jr_dtype_is_float(row) ? jr_dtype_read_float(row, elements + i * row->bytes)
                                            : (double)(int64_t)jr_dtype_read_integer(row, elements + i * row->bytes);
    jr_arena_free(&arena);
    jr_device_leave(&job->context->device, pushed);
    return numbers;
}

/* More elements than a pattern of 4 MiB has, which is then repeated. */
TEST(sums_of_a_scans_neighbours_stay_below_2_to_the_17) {
    static const jr_type types[] = {JR_F32, JR_F64, JR_F16, JR_BF16, JR_E4M3, JR_E5M2, JR_I32, JR_I8};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const uint64_t count = 3 * (UINT64_C(4) << 20) / element_bytes(types[t]) / 2;
        jr_job job = make(*state, JR_JOB_SCAN, JR_OP_SUM, types[t], count);
        double *numbers = numbers_of(*state, &job), sum = 0, least = 0, greatest = 0;
        for (uint64_t i = 0; i < count; i++) {
            assert_true(fabs(numbers[i]) <= 64 && numbers[i] == floor(numbers[i]));
            sum += numbers[i];
            least = fmin(least, sum);
            greatest = fmax(greatest, sum);
        }
        if (greatest - least >= 0x1p17) fail_msg("%s: %g to %g", jr_type_name(types[t]), least, greatest);
        assert_true(greatest - least > 1000);
        jr_job_free(&job);
    }
}

/* So that a scan which forgets what was before has another minimum, wherever that is. */
TEST(extremes_of_a_scan_come_up_to_its_end) {
    enum { COUNT = 64000, PARTS = 32 };
    jr_job job = make(*state, JR_JOB_SCAN, JR_OP_MAX, JR_F32, COUNT);
    double *numbers = numbers_of(*state, &job), least = 0, greatest = 0;
    for (int part = 0; part < PARTS; part++) {
        const double least_before = least, greatest_before = greatest;
        for (int i = part * (COUNT / PARTS); i < (part + 1) * (COUNT / PARTS); i++) {
            least = fmin(least, numbers[i]);
            greatest = fmax(greatest, numbers[i]);
        }
        assert_true(least < least_before && greatest > greatest_before);
    }
    assert_true(least == -64 && greatest == 63);
    jr_job_free(&job);
}

TEST(a_reductions_extremes_stand_once) {
    enum { COUNT = 64000 };
    jr_job job = make(*state, JR_JOB_FLAT, JR_OP_SUM, JR_I16, COUNT);
    double *numbers = numbers_of(*state, &job);
    int least = 0, greatest = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(numbers[i] >= -64 && numbers[i] <= 63);
        least += numbers[i] == -64;
        greatest += numbers[i] == 63;
    }
    assert_int_equal(least, 1);
    assert_int_equal(greatest, 1);
    jr_job_free(&job);
}

TEST(products_are_of_ones) {
    enum { COUNT = 1000 };
    jr_job job = make(*state, JR_JOB_SCAN, JR_OP_PROD, JR_F32, COUNT);
    double *numbers = numbers_of(*state, &job);
    int minus = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(fabs(numbers[i]) == 1);
        minus += numbers[i] < 0;
    }
    assert_true(minus > COUNT / 4 && minus < COUNT * 3 / 4);
    jr_job_free(&job);
}

/* Every place of a scan's has results of its own, as every place has an input. */
TEST(runs_in_different_places_write_to_different_places) {
    jr_job scan = make(*state, JR_JOB_SCAN, JR_OP_SUM, JR_F32, 1000),
           flat = make(*state, JR_JOB_FLAT, JR_OP_SUM, JR_F32, 1000);
    jr_arena arena = {0};
    bool pushed;
    works(jr_device_enter(&scan.context->device, &pushed));
    works(jr_arena_make(&scan, &arena));
    assert_true(arena.slots > 1);
    const jr_run first = jr_arena_run(&arena, 0), second = jr_arena_run(&arena, 1);
    assert_true(second.out >= first.out + 1000 * sizeof(float));
    assert_int_equal(jr_arena_run(&arena, arena.slots + 1).out, second.out);
    assert_int_equal(arena.result_count, 1000);
    jr_arena_free(&arena);
    works(jr_arena_make(&flat, &arena));
    assert_ptr_equal(jr_arena_run(&arena, 0).out, jr_arena_run(&arena, 1).out);
    assert_int_equal(arena.result_count, 1);
    jr_arena_free(&arena);
    jr_device_leave(&scan.context->device, pushed);
    jr_job_free(&scan);
    jr_job_free(&flat);
}

RUN_TESTS(open_context, close_context)
