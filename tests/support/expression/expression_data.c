/* Random inputs. Most numbers are small, so that sums and products of them are exact; some are at the ends of types. */
#include "expression_parts.h"

#include <math.h>
#include <stdio.h>

#include "expression_fold.h"
#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

jr_type expression_random_type(uint64_t *seed) {
    return every_type[random_below(seed, EVERY_TYPES)];
}

/* ---- elements ---- */

static uint64_t integer_end(jr_type type, bool least) {
    const int bits = 8 * (int)element_bytes(type);
    const bool is_signed = element_is_signed(type);
    if (type == JR_BOOL) return !least;
    if (least) return is_signed ? ~UINT64_C(0) << (bits - 1) : 0;
    return ~UINT64_C(0) >> (64 - bits + is_signed);
}

static c_number random_integer(jr_type type, bool ends, uint64_t *seed) {
    const c_type seen = c_element_type(type);
    if (ends && random_below(seed, 6) == 0) return c_integer(seen, integer_end(type, random_below(seed, 2) == 0));
    if (type == JR_BOOL) return c_integer(seen, random_below(seed, 2));
    const uint64_t size = random_below(seed, random_below(seed, 4) == 0 ? 100 : 12);
    return c_integer(seen, element_is_signed(type) && random_below(seed, 2) == 0 ? 0 - size : size);
}

/* Half of what is special is NaN. */
static double random_special(uint64_t *seed) {
    static const double special[] = {(double)__builtin_inff(), -(double)__builtin_inff(), -0.0, 1e30, 0.1};
    if (random_below(seed, 2) == 0) return (double)__builtin_nanf("");
    return special[random_below(seed, sizeof special / sizeof special[0])];
}

/* Quarters, whose products are exact; of few arrays thirds. */
static c_number random_float(jr_type type, bool ends, bool thirds, uint64_t *seed) {
    const double parts = (double)random_below(seed, random_below(seed, 2) == 0 ? 16 : 130) / (thirds ? 3 : 4);
    const double value = random_below(seed, 2) == 0 ? -parts : parts;
    const bool special = ends && random_below(seed, 5) == 0;
    return c_element_converted(type, c_floating(C_DOUBLE, special ? random_special(seed) : value));
}

static void fill_array(expression_case *of, int input, uint64_t *seed) {
    const jr_type type = of->types[input];
    const bool ends = random_below(seed, of->spec.nan == JR_NAN_IGNORE ? 2 : 4) == 0,
               thirds = random_below(seed, 8) == 0;
    for (uint64_t i = 0; i < of->count; i++)
        c_element_write(type, of->data[input], i,
                        element_is_float(type) ? random_float(type, ends, thirds, seed)
                                               : random_integer(type, ends, seed));
}

static const jr_type with_nan[] = {JR_F16, JR_BF16, JR_F32, JR_F64};

/* Often of one type; often one with NaNs if these are skipped. */
static void make_inputs(expression_case *of, uint64_t *seed) {
    if (random_below(seed, 3) == 0) of->spec.nan = JR_NAN_IGNORE;
    of->spec.input_count = random_below(seed, 2) == 0 ? 1 : 1 + (int)random_below(seed, JR_INPUTS_MAX);
    for (int i = 0; i < of->spec.input_count; i++) {
        of->types[i] = i > 0 && random_below(seed, 3) == 0 ? of->types[0] : expression_random_type(seed);
        if (of->spec.nan == JR_NAN_IGNORE && random_below(seed, 2) == 0)
            of->types[i] = with_nan[random_below(seed, sizeof with_nan / sizeof with_nan[0])];
        fill_array(of, i, seed);
        if (i > 0) of->spec.more_types[i - 1] = of->types[i];
    }
    of->spec.type = of->types[0];
}

static void make_parameters(expression_case *of, uint64_t *seed) {
    static const char *const names[] = {"scale", "p2"};
    static const jr_type types[] = {JR_I32, JR_U32, JR_I64, JR_U64, JR_F32, JR_F64};
    of->spec.parameter_count = random_below(seed, 2) == 0 ? 0 : 1 + (int)random_below(seed, CASE_PARAMETERS_MAX);
    for (int i = 0; i < of->spec.parameter_count; i++) {
        const jr_type type = types[random_below(seed, sizeof types / sizeof types[0])];
        of->parameters[i] = (jr_parameter){.name = names[i], .value = {.type = type}};
        c_element_write(type, &of->parameters[i].value.as, 0,
                        element_is_float(type) ? random_float(type, false, false, seed)
                                               : random_integer(type, false, seed));
    }
    of->spec.parameters = of->parameters;
}

/* ---- layouts ---- */

static void make_offsets(expression_case *of, uint64_t *seed) {
    uint64_t end = 0;
    of->segment_count = 0;
    of->offsets[0] = 0;
    while (end < of->count && of->segment_count < CASE_ELEMENTS_MAX) {
        end += random_below(seed, of->length + 1);
        if (end > of->count || of->segment_count == CASE_ELEMENTS_MAX - 1) end = of->count;
        of->offsets[++of->segment_count] = end;
    }
    for (uint64_t s = 0; s < of->segment_count; s++)
        for (uint64_t i = of->offsets[s]; i < of->offsets[s + 1]; i++) {
            of->segment_of[i] = s;
            of->index[i] = i - of->offsets[s];
        }
}

static void make_keys(expression_case *of, uint64_t *seed) {
    of->segment_count = 0;
    for (uint64_t i = 0; i < of->count; i++) {
        const bool begins = i == 0 || random_below(seed, of->length) == 0;
        of->segment_count += begins;
        of->keys[i] = (int32_t)of->segment_count * 3;
        of->segment_of[i] = of->segment_count - 1;
        of->index[i] = i;
    }
}

static void place(expression_case *of, uint64_t length, uint64_t inner) {
    of->segment_count = of->count / length;
    for (uint64_t i = 0; i < of->count; i++) {
        of->segment_of[i] = i / (length * inner) * inner + i % inner;
        of->index[i] = i / inner % length;
    }
}

/* Half of all segments are of one or two elements, whose fold no operator rounds twice. */
static void make_layout(expression_case *of, uint64_t *seed) {
    of->layout = (case_layout)random_below(seed, CASE_LAYOUTS);
    of->length = random_below(seed, 2) == 0 ? 1 + random_below(seed, 2) : 1 + random_below(seed, 12);
    of->inner = of->layout == CASE_AXIS ? 1 + random_below(seed, 3) : 1;
    of->exclusive = random_below(seed, 3) == 0;
    const uint64_t segment = of->length * of->inner;
    of->count = 1 + random_below(seed, CASE_ELEMENTS_MAX);
    if (of->layout == CASE_FLAT && random_below(seed, 2) == 0) of->count = random_below(seed, 4);
    if (of->layout == CASE_ROWS || of->layout == CASE_AXIS || of->layout == CASE_SCAN_ROWS)
        of->count = segment * (1 + random_below(seed, CASE_ELEMENTS_MAX / segment));
    if (of->layout == CASE_AXIS) of->count = segment;
    switch (of->layout) {
    case CASE_OFFSETS: make_offsets(of, seed); break;
    case CASE_KEYS: make_keys(of, seed); break;
    case CASE_ROWS:
    case CASE_AXIS:
    case CASE_SCAN_ROWS: place(of, of->length, of->inner); break;
    default: place(of, of->count > 0 ? of->count : 1, 1); break;
    }
    if (of->layout == CASE_FLAT) of->segment_count = 1;
    of->result_count = of->layout == CASE_SCAN || of->layout == CASE_SCAN_ROWS ? of->count : of->segment_count;
}

void expression_data_make(expression_case *of, uint64_t *seed) {
    of->spec = JR_INIT(jr_spec, .unroll = 1, .block = 32);
    make_layout(of, seed);
    make_inputs(of, seed);
    make_parameters(of, seed);
}

/* ---- operators ---- */

static jr_op random_op(jr_type type, uint64_t *seed) {
    static const jr_op ops[] = {JR_OP_SUM,  JR_OP_SUM,           JR_OP_MIN,  JR_OP_MAX,    JR_OP_MAX,
                                JR_OP_MEAN, JR_OP_AND,           JR_OP_OR,   JR_OP_XOR,    JR_OP_ANY,
                                JR_OP_ALL,  JR_OP_COUNT_NONZERO, JR_OP_PROD, JR_OP_ARGMIN, JR_OP_ARGMAX};
    for (;;) {
        const jr_op op = ops[random_below(seed, sizeof ops / sizeof ops[0])];
        if (fold_takes(op, type)) return op;
    }
}

/* Scans take no lists. */
void expression_data_choose_ops(expression_case *of, uint64_t *seed) {
    const bool scans = of->layout == CASE_SCAN || of->layout == CASE_SCAN_ROWS;
    of->op_count = scans || random_below(seed, 6) > 0 ? 1 : 2 + (int)random_below(seed, CASE_OPS_MAX - 1);
    for (int i = 0; i < of->op_count; i++) of->ops[i] = random_op(of->mapped_type, seed);
    if (of->op_count == 1) {
        of->spec.op = of->ops[0];
        return;
    }
    of->spec.ops = of->ops;
    of->spec.op_count = of->op_count;
}
