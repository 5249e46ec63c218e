/* A million small cases of chance, of every operator and type, held against integers of thousands of bits: every result
 * is the nearest float. A sample of them, unless JR_TESTS=whole. */
#include <stdlib.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/whole.h"
#include "support/oracle/exact_cases.h"

enum { WHOLE = 1000000, SAMPLE = 4000, FLAT_EVERY = 50 };

static const jr_op ops[] = {JR_OP_SUM,   JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUMSQ,
                            JR_OP_NORM2, JR_OP_DOT,  JR_OP_VAR,   JR_OP_STD};
static const jr_type types[] = {JR_F32, JR_F64, JR_F16, JR_BF16};
enum { OPS = sizeof ops / sizeof *ops, TYPES = sizeof types / sizeof *types };

static void hold(const exact_cases *cases, uint64_t which, const jr_spec *spec, uint64_t got, const char *how) {
    if (exact_case_holds(cases, which, spec, got)) return;
    print_error("%s of %s to %s %s is %#llx of x, y:\n", jr_op_name(spec->op), jr_type_name(spec->type),
                jr_type_name(spec->result), how, (unsigned long long)got);
    for (uint64_t i = cases->offsets[which]; i < cases->offsets[which + 1]; i++)
        print_error("  %#llx %#llx\n", (unsigned long long)exact_element(cases->format, cases->x, i),
                    (unsigned long long)exact_element(cases->format, cases->y, i));
    fail_msg("that is not the nearest one");
}

static void hold_segments(const opened *device, const jr_spec *spec, const exact_cases *cases) {
    void *results = exact_cases_results(device, spec, cases);
    for (uint64_t c = 0; c < cases->count; c++)
        hold(cases, c, spec, exact_element(exact_format_of(spec->result), results, c), "by segments");
    free(results);
}

/* Some cases, each by a run of its own. */
static void hold_flat(const opened *device, jr_spec spec, const exact_cases *cases) {
    const size_t size = jr_type_size(spec.type);
    jr_plan *plan = NULL;
    char *d_x = device_new(device, EXACT_CASE_MAX * size), *d_y = device_new(device, EXACT_CASE_MAX * size);
    uint64_t *d_out = device_new(device, sizeof *d_out), got = 0;
    spec.block = 128;
    spec.grid = 1;
    works(jr_plan_create(device->context, &spec, &plan));
    for (uint64_t c = 0; c < cases->count; c += FLAT_EVERY) {
        const uint64_t count = cases->offsets[c + 1] - cases->offsets[c];
        const void *const arrays[] = {d_x, d_y};
        device_write(device, d_x, (const char *)cases->x + cases->offsets[c] * size, count * size);
        device_write(device, d_y, (const char *)cases->y + cases->offsets[c] * size, count * size);
        works(jr_plan_run_arrays(plan, arrays, count, d_out, NULL, NULL));
        device_read(device, &got, d_out, jr_type_size(spec.result));
        hold(cases, c, &spec, got, "by itself");
    }
    jr_plan_destroy(plan);
    device_free(device, d_x);
    device_free(device, d_y);
    device_free(device, d_out);
}

/* The sample: f32 with all operators, other types with two each. */
static bool is_wanted(int o, int t) {
    return tests_are_whole() || t == 0 || o % 4 == t;
}

/* Into its own type and, of the whole, into another one. */
TEST(every_small_case_is_rounded_once) {
    const opened *device = *state;
    const bool whole = tests_are_whole();
    const int results = whole ? 2 : 1;
    const uint64_t each = (whole ? WHOLE : SAMPLE) / (uint64_t)(OPS * TYPES * results);
    uint64_t seed = 20, done = 0;
    for (int i = 0; i < OPS * TYPES * results; i++) {
        const int o = i % OPS, t = i / OPS % TYPES, other = i / (OPS * TYPES);
        if (!is_wanted(o, t)) continue;
        const jr_spec spec = exact_cases_spec(ops[o], types[t], types[(t + (other ? 1 + o % 3 : 0)) % TYPES]);
        exact_cases cases = exact_cases_new(types[t], each + 1, &seed);
        hold_segments(device, &spec, &cases);
        if (whole || t == 0) hold_flat(device, spec, &cases);
        done += cases.count;
        exact_cases_free(&cases);
    }
    assert_true(done >= (uint64_t)(whole ? WHOLE : SAMPLE / 4));
}

/* The judge is no rubber stamp: of true results each neighbour is refused. */
TEST(neighbours_of_the_nearest_are_refused) {
    uint64_t seed = 3, refused = 0;
    exact_cases cases = exact_cases_new(JR_F32, 3000, &seed);
    const jr_spec sum = exact_cases_spec(JR_OP_SUM, JR_F32, JR_F32);
    const exact_format *format = exact_format_of(JR_F32);
    for (uint64_t c = 0; c < cases.count; c++) {
        if (cases.offsets[c + 1] - cases.offsets[c] != 1) continue;
        const uint64_t x = exact_element(format, cases.x, cases.offsets[c]);
        const exact_float apart = exact_take_apart(format, x);
        if (apart.kind != EXACT_FINITE || apart.magnitude == 0) continue;
        assert_true(exact_case_holds(&cases, c, &sum, x));
        assert_false(exact_case_holds(&cases, c, &sum, x + 1));
        assert_false(exact_case_holds(&cases, c, &sum, x - 1));
        assert_false(exact_case_holds(&cases, c, &sum, x ^ 0x80000000));
        refused++;
    }
    assert_true(refused > 100);
    exact_cases_free(&cases);
}

RUN_TESTS(open_context, close_context)
