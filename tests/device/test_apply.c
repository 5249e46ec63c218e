/* Rows that are reduced and applied: softmax and normalisations of every length at every boundary, held against long
 * doubles; types, weights, values that replace elements, long rows and many short ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"
#include "support/oracle/row_formulas.h"

/* What is computed of a row, and by whom else. weights: bits of arrays that all rows share. */
typedef struct formula {
    const char *name;
    jr_op ops[2];
    int op_count; /* 0: ops[0] alone */
    const char *map, *where, *apply;
    jr_type accumulate, result;
    int inputs;
    unsigned weights;
    void (*expect)(const long double *const *in, uint64_t length, long double *out);
} formula;

static const formula formulas[] = {
    {"softmax", {JR_OP_LOGSUMEXP}, .apply = "exp(x - r)", .inputs = 1, .expect = row_softmax},
    {"log_softmax", {JR_OP_LOGSUMEXP}, .apply = "x - r", .inputs = 1, .expect = row_log_softmax},
    {"layer_norm",
     {JR_OP_MEAN, JR_OP_SUMSQ},
     .op_count = 2,
     .accumulate = JR_F64,
     .result = JR_F64,
     .apply = "(x - r0) / sqrt(r1 / n - r0 * r0 + 0.001) * y + z",
     .inputs = 3,
     .weights = 6,
     .expect = row_layer_norm},
    {"rms_norm of a sum",
     {JR_OP_SUMSQ},
     .map = "x + y",
     .apply = "(x + y) * rsqrt(r / n + 0.001) * z",
     .inputs = 3,
     .weights = 4,
     .expect = row_rms_norm_of_sum},
    {"l2_normalize", {JR_OP_NORM2}, .apply = "x / fmax(r, 1e-12)", .inputs = 1, .expect = row_l2_normalize},
    {"ramp",
     {JR_OP_MAX, JR_OP_SUM},
     .op_count = 2,
     .where = "x > 0",
     .apply = "x - (r0 > 0 ? r0 : 0) + i + n",
     .inputs = 1,
     .expect = row_ramp}};
enum { FORMULAS = sizeof formulas / sizeof *formulas, INPUTS = 3 };

/* Rows, and where their first element lies beyond a 16-byte boundary, in elements. */
typedef struct row_case {
    const formula *of;
    jr_type type, out;
    uint64_t rows, length;
    int beyond;
    long double scale, shift; /* of the elements, which are of -1 to 1 before */
    bool in_place;
    int unroll, block;
} row_case;

/* Device memory of a case, and the same elements as numbers. */
typedef struct row_data {
    unsigned char *d_in[INPUTS], *d_out, *h_in[INPUTS];
    long double *numbers[INPUTS];
} row_data;

static uint64_t count_of(const row_case *of, int input) {
    return of->of->weights >> input & 1 ? of->length : of->rows * of->length;
}

static void fill(const opened *device, const row_case *of, row_data *data) {
    const size_t bytes = element_bytes(of->type);
    uint64_t seed = of->length * 7 + (uint64_t)of->beyond;
    for (int i = 0; i < of->of->inputs; i++) {
        const uint64_t count = count_of(of, i), before = (uint64_t)of->beyond;
        data->h_in[i] = test_zeros(count + before + 1, bytes);
        data->numbers[i] = test_zeros(count + 1, sizeof(long double));
        data->d_in[i] = device_new(device, (count + before + 1) * bytes);
        for (uint64_t k = 0; k < count; k++) {
            const long double number = (long double)random_below(&seed, 2001) / 1000 - 1;
            element_store_float(of->type, data->h_in[i] + (before + k) * bytes,
                                (double)(i == 0 ? number * of->scale + of->shift : number));
            data->numbers[i][k] = element_float(of->type, data->h_in[i], before + k);
        }
        device_write(device, data->d_in[i], data->h_in[i], (count + before + 1) * bytes);
    }
    data->d_out = device_new(device, (of->rows * of->length + 32) * element_bytes(of->out));
}

/* A sum of bf16 would be rounded to bf16 before it is squared: the type of map is said. */
static jr_spec spec_of(const row_case *of) {
    const formula *f = of->of;
    const jr_type mapped = of->type == JR_F64 ? JR_F64 : JR_F32;
    return JR_INIT(jr_spec, .op = f->op_count > 0 ? JR_OP_NONE : f->ops[0], .ops = f->op_count > 0 ? f->ops : NULL,
                   .op_count = f->op_count, .type = of->type, .map = f->map,
                   .map_type = f->map != NULL ? mapped : JR_TYPE_NONE, .where = f->where, .apply = f->apply,
                   .accumulate = f->accumulate, .result = f->result, .input_count = f->inputs, .row_inputs = f->weights,
                   .apply_type = of->out == of->type ? JR_TYPE_NONE : of->out, .unroll = of->unroll,
                   .block = of->block);
}

/* How far a value may be off: some steps of what it is computed in, and half a step of what it is written in. */
static long double allowed(const row_case *of, long double wanted) {
    const bool wide = of->type == JR_F64 && of->out == JR_F64;
    const long double computed = (wide ? 4e-14L : 4e-6L) * (1 + fabsl(wanted) + fabsl(of->shift) * 1e-3L);
    const long double step = of->out == JR_BF16 ? 0x1p-8L : of->out == JR_F16 ? 0x1p-11L : 0;
    return computed + fabsl(wanted) * step;
}

static void judge(const row_case *of, const row_data *data, const unsigned char *found) {
    const uint64_t length = of->length;
    long double *wanted = test_zeros(length + 1, sizeof *wanted);
    for (uint64_t r = 0; r < of->rows; r++) {
        const long double *rows[INPUTS];
        for (int i = 0; i < of->of->inputs; i++)
            rows[i] = data->numbers[i] + (of->of->weights >> i & 1 ? 0 : r * length);
        of->of->expect(rows, length, wanted);
        for (uint64_t k = 0; k < length; k++) {
            const long double got = element_float(of->out, found, r * length + k);
            if (!(fabsl(got - wanted[k]) <= allowed(of, wanted[k])) && !(isnan(got) && isnan(wanted[k])))
                fail_msg("%s, type %d to %d, row %llu of %llu, element %llu of %llu, %d beyond: %Lg, not %Lg",
                         of->of->name, (int)of->type, (int)of->out, (unsigned long long)r, (unsigned long long)of->rows,
                         (unsigned long long)k, (unsigned long long)length, of->beyond, got, wanted[k]);
        }
    }
}

static jr_segment_layout rows_of(uint64_t length) {
    return JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
}

/* Runs a case and judges every value; what lies after the last one stays. */
static void check_case(const opened *device, const row_case *of) {
    const jr_spec spec = spec_of(of);
    const jr_segment_layout layout = rows_of(of->length);
    const size_t bytes = element_bytes(of->out), all = of->rows * of->length * bytes;
    const size_t before = (size_t)of->beyond * element_bytes(of->type);
    row_data data;
    fill(device, of, &data);
    unsigned char *found = test_zeros(1, all + 16), *out = of->in_place ? data.d_in[0] + before : data.d_out;
    const void *in[INPUTS];
    for (int i = 0; i < of->of->inputs; i++) in[i] = data.d_in[i] + before;
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &layout));
    assert_int_equal(jr_plan_result_type(plan), of->out);
    assert_int_equal(jr_plan_result_bytes(plan), bytes);
    const unsigned char after = 0x5a;
    if (!of->in_place) device_write(device, out + all, &after, 1);
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = of->rows, .out = out), NULL, NULL));
    device_read(device, found, out, all + (of->in_place ? 0 : 1));
    if (!of->in_place) assert_int_equal(found[all], after);
    judge(of, &data, found);
}

TEST(rows_of_every_length_at_every_boundary_are_softmax) {
    static const uint64_t lengths[] = {1,  2,   3,   4,   5,   7,   8,    15,   16,   31,   33,
                                       64, 100, 127, 256, 257, 300, 1000, 1001, 1024, 2047, 4097};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int beyond = 0; beyond < 4; beyond++) {
            if (beyond > 1 && lengths[l] > 300) continue;
            check_case(*state, &(row_case){.of = &formulas[0],
                                           .type = JR_F32,
                                           .out = JR_F32,
                                           .rows = 7,
                                           .length = lengths[l],
                                           .beyond = beyond,
                                           .scale = 8});
        }
}

TEST(every_formula_is_right_for_every_float_type) {
    static const jr_type types[] = {JR_F32, JR_F16, JR_BF16, JR_F64};
    static const uint64_t lengths[] = {5, 40, 200, 1003};
    for (int f = 0; f < FORMULAS; f++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
                check_case(*state, &(row_case){.of = &formulas[f],
                                               .type = types[t],
                                               .out = types[t],
                                               .rows = 5,
                                               .length = lengths[l],
                                               .beyond = (int)l % 3,
                                               .scale = 1});
}

TEST(values_have_another_type_than_elements) {
    static const jr_type types[] = {JR_F32, JR_F16, JR_BF16, JR_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t o = 0; o < sizeof types / sizeof *types; o++)
            if (t != o)
                check_case(*state, &(row_case){.of = &formulas[0],
                                               .type = types[t],
                                               .out = types[o],
                                               .rows = 3,
                                               .length = 77,
                                               .beyond = 1,
                                               .scale = 4});
}

TEST(values_replace_the_elements_that_they_are_computed_from) {
    static const uint64_t lengths[] = {3, 50, 700, 40000};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        check_case(*state, &(row_case){.of = &formulas[0],
                                       .type = JR_F32,
                                       .out = JR_F32,
                                       .rows = 4,
                                       .length = lengths[l],
                                       .beyond = 1,
                                       .scale = 3,
                                       .in_place = true});
}

TEST(long_rows_and_those_that_a_tuning_does_not_hold_are_read_twice) {
    check_case(
        *state,
        &(row_case){
            .of = &formulas[0], .type = JR_F32, .out = JR_F32, .rows = 2, .length = 70001, .beyond = 3, .scale = 2});
    check_case(
        *state,
        &(row_case){
            .of = &formulas[2], .type = JR_BF16, .out = JR_BF16, .rows = 2, .length = 70003, .beyond = 0, .scale = 1});
    check_case(*state, &(row_case){.of = &formulas[0],
                                   .type = JR_F32,
                                   .out = JR_F32,
                                   .rows = 3,
                                   .length = 1000,
                                   .beyond = 1,
                                   .scale = 2,
                                   .unroll = 1,
                                   .block = 64});
    check_case(
        *state,
        &(row_case){
            .of = &formulas[0], .type = JR_F32, .out = JR_F32, .rows = 3, .length = 16384, .beyond = 0, .scale = 2});
}

TEST(a_softmax_of_large_elements_has_no_greater_error) {
    check_case(
        *state,
        &(row_case){
            .of = &formulas[0], .type = JR_F32, .out = JR_F32, .rows = 3, .length = 300, .scale = 3, .shift = 0x1p20L});
    check_case(*state, &(row_case){.of = &formulas[1],
                                   .type = JR_F32,
                                   .out = JR_F32,
                                   .rows = 3,
                                   .length = 300,
                                   .scale = 3,
                                   .shift = -0x1p20L});
}

TEST(a_hundred_thousand_rows_have_one_element) {
    check_case(
        *state,
        &(row_case){.of = &formulas[0], .type = JR_F32, .out = JR_F32, .rows = 100000, .length = 1, .scale = 100});
}

RUN_TESTS(open_context, close_context)
