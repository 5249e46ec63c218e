/* The table of operators. */
#include "operator.h"

#include <string.h>

#include "base/error.h"

/* The template has the operator's name. */
#define ROW(NAME, text, ...)                                                                                           \
    { .op = JR_OP_##NAME, .name = text, .c_name = "jr_" text, __VA_ARGS__ }

static const jr_operator rows[] = {
    ROW(SUM, "sum", .exact = "jr_sum_exact", .accumulates = JR_ACCUMULATES_SUM,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OPERATOR_ADDS | JR_OPERATOR_ASKS | JR_OPERATOR_IS_WORD |
                 JR_OPERATOR_KEEPS_WHOLE | JR_OPERATOR_STATES_ADD),
    ROW(PROD, "prod", .accumulates = JR_ACCUMULATES_SUM,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OPERATOR_ASKS | JR_OPERATOR_IS_WORD |
                 JR_OPERATOR_KEEPS_WHOLE | JR_OPERATOR_MULTIPLIES),
    ROW(MIN, "min", .number = "jr_min_number", .file = JR_OPERATORS_ORDER, .accumulates = JR_ACCUMULATES_ELEMENT,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OP_FLAG_NO_EMPTY | JR_OP_FLAG_SELECTS |
                 JR_OPERATOR_HAS_END | JR_OPERATOR_IS_WORD),
    ROW(MAX, "max", .number = "jr_max_number", .file = JR_OPERATORS_ORDER, .accumulates = JR_ACCUMULATES_ELEMENT,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OP_FLAG_NO_EMPTY | JR_OP_FLAG_SELECTS |
                 JR_OPERATOR_HAS_END | JR_OPERATOR_IS_WORD),
    ROW(AND, "and", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_ELEMENT,
        .flags = JR_OP_FLAG_INITIAL | JR_OPERATOR_HAS_END | JR_OPERATOR_IS_WORD),
    ROW(OR, "or", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_ELEMENT,
        .flags = JR_OP_FLAG_INITIAL | JR_OPERATOR_IS_WORD),
    ROW(XOR, "xor", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_ELEMENT,
        .flags = JR_OP_FLAG_INITIAL | JR_OPERATOR_IS_WORD),
    ROW(ANY, "any", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_FLAG, .flags = JR_OP_FLAG_FLOATS),
    ROW(ALL, "all", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_FLAG, .flags = JR_OP_FLAG_FLOATS),
    ROW(COUNT_NONZERO, "count_nonzero", .file = JR_OPERATORS_BITS, .accumulates = JR_ACCUMULATES_COUNT,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_STATES_ADD),
    ROW(ARGMIN, "argmin", .number = "jr_argmin_number", .file = JR_OPERATORS_INDEX, .accumulates = JR_ACCUMULATES_INDEX,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_NO_EMPTY | JR_OP_FLAG_SELECTS),
    ROW(ARGMAX, "argmax", .number = "jr_argmax_number", .file = JR_OPERATORS_INDEX, .accumulates = JR_ACCUMULATES_INDEX,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_NO_EMPTY | JR_OP_FLAG_SELECTS),
    ROW(MEAN, "mean", .exact = "jr_mean_exact", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_MEAN,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS | JR_OPERATOR_DIVIDES | JR_OPERATOR_KEEPS_WHOLE),
    ROW(VAR, "var", .exact = "jr_var_exact", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_MOMENTS,
        .flags = JR_OP_FLAG_FLOATS),
    ROW(STD, "std", .exact = "jr_std_exact", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_MOMENTS,
        .flags = JR_OP_FLAG_FLOATS),
    ROW(NORM1, "norm1", .exact = "jr_norm1_exact", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_NORM,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS | JR_OPERATOR_OF_SIZES),
    ROW(NORM2, "norm2", .exact = "jr_norm2_exact", .file = JR_OPERATORS_STATISTICS,
        .accumulates = JR_ACCUMULATES_SCALED,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS_FLOAT | JR_OPERATOR_OF_PRODUCTS | JR_OPERATOR_OF_SIZES),
    ROW(NORMINF, "norminf", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_NORM,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS | JR_OP_FLAG_SELECTS),
    ROW(SUMSQ, "sumsq", .exact = "jr_sumsq_exact", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_NORM,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS | JR_OPERATOR_OF_PRODUCTS | JR_OPERATOR_OF_SIZES),
    {.op = JR_OP_DOT,
     .name = "dot",
     .c_name = "jr_sum",
     .exact = "jr_dot_exact",
     .accumulates = JR_ACCUMULATES_NORM,
     .inputs = 2,
     .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OPERATOR_ADDS | JR_OPERATOR_ASKS | JR_OPERATOR_ALONE |
              JR_OPERATOR_OF_PRODUCTS},
    ROW(LOGSUMEXP, "logsumexp", .file = JR_OPERATORS_STATISTICS, .accumulates = JR_ACCUMULATES_EXPONENTIAL,
        .flags = JR_OP_FLAG_FLOATS | JR_OPERATOR_ASKS_FLOAT),
    ROW(CUSTOM, "custom", .accumulates = JR_ACCUMULATES_CUSTOM,
        .flags = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OPERATOR_ASKS | JR_OPERATOR_ALONE)};
#undef ROW

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

#define JR_OP_ONE(name, number, text) +1
_Static_assert(ROW_COUNT == 0 JR_OPS(JR_OP_ONE), "an operator without a row");
#undef JR_OP_ONE

const jr_operator *jr_operator_find(jr_op op) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].op == op) return &rows[i];
    return NULL;
}

jr_status jr_operator_get(jr_op op, const jr_operator **row) {
    *row = jr_operator_find(op);
    if (*row != NULL) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown operator %d: set spec.op to a JR_OP_ value", (int)op);
}

const jr_operator *jr_operator_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

bool jr_operator_is(const jr_operator *row, unsigned flags) {
    return (row->flags & flags) == flags;
}

/* f32 for floats up to f32, else f64. */
static jr_type norm_type(const jr_dtype *dtype) {
    return jr_dtype_value_type(dtype) == JR_F32 ? JR_F32 : JR_F64;
}

/* The type of sums: the widest integer for integers, the type of their values for floats. */
static jr_type sum_type(const jr_dtype *dtype) {
    if (jr_dtype_is_float(dtype)) return jr_dtype_value_type(dtype);
    return dtype->class == JR_CLASS_SIGNED ? JR_I64 : JR_U64;
}

static jr_accumulation of_number(jr_type number, jr_type result) {
    const jr_dtype *row = jr_dtype_find(number);
    return (jr_accumulation){number, result, row->c_name, row->bytes};
}

/* Parts of a compound: so many numbers, which c_name names one of or all. */
static jr_accumulation of_numbers(jr_type number, size_t count, const char *c_name, jr_type result) {
    jr_accumulation made = of_number(number, result);
    if (c_name != NULL) made.c_name = c_name;
    made.bytes *= count;
    return made;
}

static jr_accumulation of_index(jr_type number) {
    jr_accumulation made = of_number(number, JR_I64);
    made.bytes += sizeof(uint64_t);
    return made;
}

/* Sums of integers of 4 bytes and more take 128 bits. */
static jr_accumulation of_mean(const jr_dtype *dtype, jr_type asked) {
    const jr_type result = asked == JR_F64 ? JR_F64 : norm_type(dtype);
    if (asked != JR_TYPE_NONE) return of_number(asked, result);
    if (jr_dtype_is_float(dtype)) return of_number(JR_F64, result);
    return dtype->bytes < 4 ? of_number(JR_I64, result) : of_numbers(JR_I64, 2, "jr_wide", result);
}

jr_accumulation jr_operator_accumulation(const jr_operator *row, const jr_dtype *dtype, jr_type asked) {
    const jr_type norm = asked != JR_TYPE_NONE ? asked : norm_type(dtype);
    const jr_type sum = asked != JR_TYPE_NONE ? asked : sum_type(dtype);
    const jr_type value = jr_dtype_value_type(dtype);
    switch (row->accumulates) {
    case JR_ACCUMULATES_SUM: return of_number(sum, sum);
    case JR_ACCUMULATES_ELEMENT: return of_number(value, dtype->type);
    case JR_ACCUMULATES_FLAG: return of_number(JR_U32, JR_BOOL);
    case JR_ACCUMULATES_COUNT: return of_number(JR_U64, JR_U64);
    case JR_ACCUMULATES_INDEX: return of_index(value);
    case JR_ACCUMULATES_MEAN: return of_mean(dtype, asked);
    case JR_ACCUMULATES_MOMENTS: return of_numbers(JR_F64, 3, NULL, norm);
    case JR_ACCUMULATES_NORM: return of_number(norm, norm);
    case JR_ACCUMULATES_SCALED:
        return dtype->type == JR_F64 ? of_numbers(JR_F64, 3, "jr_blue", norm) : of_number(JR_F64, norm);
    case JR_ACCUMULATES_EXPONENTIAL: return of_numbers(norm, 2, NULL, norm);
    case JR_ACCUMULATES_CUSTOM: break;
    }
    return asked != JR_TYPE_NONE ? of_number(asked, asked) : of_number(value, dtype->type);
}

jr_status jr_operator_result(jr_op op, jr_type type, jr_type *result) {
    const jr_operator *row;
    const jr_dtype *dtype = jr_dtype_find(type);
    const jr_status status = jr_operator_get(op, &row);
    if (status != JR_OK) return status;
    if (dtype == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d: set spec.type to a jr_type", (int)type);
    if (jr_dtype_is_float(dtype) && !jr_operator_is(row, JR_OP_FLAG_FLOATS))
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                       "operator %s does not take %s elements: it is defined for integers and bool only", row->name,
                       dtype->name);
    *result = jr_operator_accumulation(row, dtype, JR_TYPE_NONE).result;
    return JR_OK;
}
