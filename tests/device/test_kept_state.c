/* Kept states: in whatever parts, the values are those of all elements at once; of exact sums whatever is added to
 * what, and the bytes are, too. tests/judge/exact_states.py reads those by Python's fractions. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/kept_state_case.h"
#include "support/fixtures/plan_case.h"

enum { COUNT = 5003, PARTS = 5 };

/* Where parts begin; one is empty, one has one element. */
static const uint64_t begins[PARTS + 1] = {0, 1, 1, 1027, 4000, COUNT};

/* Finite floats of every exponent and sign. */
static void fill(float *x, float *y) {
    uint64_t seed = 31;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t random = random_bits(&seed);
        const uint32_t one = ((uint32_t)random & 0x807fffff) | (uint32_t)((random >> 32) % 255) << 23;
        const uint32_t other = ((uint32_t)(random >> 20) & 0x807fffff) | (uint32_t)((random >> 40) % 255) << 23;
        memcpy(&x[i], &one, sizeof one);
        memcpy(&y[i], &other, sizeof other);
    }
}

static kept_state part_of(const opened *device, const jr_spec *spec, const float *x, const float *y, int p) {
    const void *const arrays[] = {x + begins[p], y + begins[p]};
    return kept_state_of(device, spec, arrays, begins[p + 1] - begins[p], begins[p]);
}

/* All parts in their order, or from the last to the first, each through its bytes. */
static kept_state of_parts(const opened *device, const jr_spec *spec, const float *x, const float *y, bool backwards) {
    kept_state all = part_of(device, spec, x, y, backwards ? PARTS - 1 : 0);
    for (int p = 1; p < PARTS; p++) {
        const kept_state part = part_of(device, spec, x, y, backwards ? PARTS - 1 - p : p);
        const written_state bytes = kept_state_written(spec, &part), so_far = kept_state_written(spec, &all);
        const kept_state more = kept_state_read(spec, &bytes);
        all = kept_state_read(spec, &so_far);
        kept_state_add(device, spec, &all, &more);
    }
    assert_int_equal(all.elements, COUNT);
    return all;
}

static void assert_values(const opened *device, const jr_spec *spec, const kept_state *kept, const jr_value *wanted) {
    jr_value found[JR_OPS_MAX];
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(spec, &layout));
    kept_state_values(device, spec, kept, found);
    for (int i = 0; i < layout.count; i++) {
        assert_int_equal(found[i].type, wanted[i].type);
        assert_memory_equal(&found[i].as, &wanted[i].as, jr_type_size(wanted[i].type));
    }
}

static void assert_parts_are_the_whole(const opened *device, const jr_spec *spec, const float *x, const float *y) {
    const bool exact = spec->accuracy == JR_ACCURACY_EXACT;
    jr_value wanted[JR_OPS_MAX];
    const void *const arrays[] = {x, y};
    jr_spec at_once = *spec;
    if (exact) { /* by what compiles in a fifth of the time */
        at_once.algorithm = JR_ALGORITHM_ONE_BLOCK;
        at_once.grid = 0;
    }
    works(jr_work_run_host(device->context, WORK(&at_once), DATA(.in = arrays, .count = COUNT, .values = wanted)));
    const kept_state whole = kept_state_of(device, spec, arrays, COUNT, 0);
    const written_state bytes = kept_state_written(spec, &whole);
    const kept_state forwards = of_parts(device, spec, x, y, false);
    assert_values(device, spec, &forwards, wanted);
    if (!exact) return;
    const kept_state backwards = of_parts(device, spec, x, y, true);
    kept_state_assert(spec, &forwards, &bytes);
    kept_state_assert(spec, &backwards, &bytes);
}

DEVICE_TEST(any_parts_have_the_values_of_the_whole) {
    static const jr_op list[] = {JR_OP_SUM, JR_OP_NORM1, JR_OP_VAR, JR_OP_MEAN};
    static const jr_op several[] = {JR_OP_SUM, JR_OP_MIN};
    const jr_parameter scale = {"scale", {JR_F32, {.f32 = 0.5F}}};
    const jr_value initial = {JR_F32, {.f32 = 0.125F}};
    jr_spec specs[] = {
        EXACT_SPEC(.op = JR_OP_SUM),
        EXACT_SPEC(.op = JR_OP_SUM, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 3),
        EXACT_SPEC(.op = JR_OP_SUM, .result = JR_F64, .initial = &(jr_value){JR_F64, {.f64 = 0x1p-500}}),
        EXACT_SPEC(.op = JR_OP_SUM, .initial = &initial, .finish = "a * 2 + (float)n"),
        EXACT_SPEC(.op = JR_OP_MEAN, .where = "x > 1", .kept = 1),
        EXACT_SPEC(.op = JR_OP_NORM1),
        EXACT_SPEC(.op = JR_OP_NORM2, .map = "x * scale", .parameters = &scale, .parameter_count = 1),
        EXACT_SPEC(.op = JR_OP_SUMSQ, .nan = JR_NAN_IGNORE),
        EXACT_SPEC(.op = JR_OP_SUM, .map = "x * (double)i", .map_type = JR_F64, .where = "i % 3 != 1"),
        EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2),
        EXACT_SPEC(.op = JR_OP_STD, .ddof = 1),
        EXACT_SPEC(.ops = list, .op_count = 4, .where = "x < 1", .kept = 1),
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .nan = JR_NAN_IGNORE, .kept = 1),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .map = "x * scale", .parameters = &scale,
                .parameter_count = 1),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "(long long)(i % 7)", .map_type = JR_I64,
                .accuracy = JR_ACCURACY_FAST),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "b == 0 ? a : b", .identity = "0"),
        JR_INIT(jr_spec, .ops = several, .op_count = 2, .type = JR_F32, .input_count = 2, .map = "x > y"),
    };
    float *x = test_bytes(COUNT * sizeof *x), *y = test_bytes(COUNT * sizeof *y);
    fill(x, y);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) { /* a sample: exact ones by what compiles soonest, too */
        const bool exact = specs[s].accuracy == JR_ACCURACY_EXACT;
        if (exact && specs[s].grid == 0 && !tests_take((int)s, 4)) specs[s].algorithm = JR_ALGORITHM_ONE_BLOCK;
        assert_parts_are_the_whole(device, &specs[s], x, y);
    }
}

/* By every algorithm, and as its plans leave them in device memory. */
DEVICE_TEST(every_algorithm_comes_to_the_same_bytes) {
    float *x = test_bytes(COUNT * sizeof *x), *y = test_bytes(COUNT * sizeof *y);
    fill(x, y);
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    const written_state wanted = kept_state_of_floats(device, &spec, x, COUNT);
    float *d_x = device_new(device, COUNT * sizeof *x);
    unsigned char *d_state = device_new(device, 256);
    device_write(device, d_x, x, COUNT * sizeof *x);
    int done = 0;
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = NULL;
        const jr_spec by = EXACT_SPEC(.op = JR_OP_SUM, .algorithm = algorithm, .capacity = COUNT, .result = JR_F64);
        const jr_status made = jr_work_plan_create(device->context, WORK(&by, .kind = JR_WORK_STATE), &plan);
        if (made == JR_ERROR_NOT_APPLICABLE) continue;
        works(made);
        const void *const d_arrays[] = {d_x};
        kept_state left = {.elements = COUNT};
        size_t size;
        works(jr_work_plan_run(plan, DATA(.in = d_arrays, .count = COUNT, .out = d_state), NULL, NULL));
        assert_true(jr_plan_result_bytes(plan) <= 256);
        device_read(device, left.state, d_state, jr_plan_result_bytes(plan));
        kept_state_assert(&by, &left, &wanted);
        fails(jr_state_write(&by, left.state, COUNT - 1, NULL, 0, &size), JR_ERROR_STATE, "5003 elements");
        jr_plan_destroy(plan);
        done++;
    }
    assert_true(done >= 3);
}

RUN_TESTS(open_context, close_context)
