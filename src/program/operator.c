/* The table of operators. */
#include "operator.h"

#include <string.h>

#include "base/error.h"

#define BITS       "JR_OPERATORS_BITS"
#define ORDER      "JR_OPERATORS_ORDER"
#define INDEX      "JR_OPERATORS_INDEX"
#define STATISTICS "JR_OPERATORS_STATISTICS"

/* op, name, c_name, number, header, accumulates, takes_floats, empty_is_error, takes_initial, divides */
static const jr_operator rows[] = {
    {JR_OP_SUM, "sum", "jr_sum", NULL, NULL, JR_ACCUMULATES_SUM, true, false, true, false},
    {JR_OP_PROD, "prod", "jr_prod", NULL, NULL, JR_ACCUMULATES_SUM, true, false, true, false},
    {JR_OP_MIN, "min", "jr_min", "jr_min_number", ORDER, JR_ACCUMULATES_ELEMENT, true, true, true, false},
    {JR_OP_MAX, "max", "jr_max", "jr_max_number", ORDER, JR_ACCUMULATES_ELEMENT, true, true, true, false},
    {JR_OP_AND, "and", "jr_and", NULL, BITS, JR_ACCUMULATES_ELEMENT, false, false, true, false},
    {JR_OP_OR, "or", "jr_or", NULL, BITS, JR_ACCUMULATES_ELEMENT, false, false, true, false},
    {JR_OP_XOR, "xor", "jr_xor", NULL, BITS, JR_ACCUMULATES_ELEMENT, false, false, true, false},
    {JR_OP_ANY, "any", "jr_any", NULL, BITS, JR_ACCUMULATES_FLAG, true, false, false, false},
    {JR_OP_ALL, "all", "jr_all", NULL, BITS, JR_ACCUMULATES_FLAG, true, false, false, false},
    {JR_OP_COUNT_NONZERO, "count_nonzero", "jr_count_nonzero", NULL, BITS, JR_ACCUMULATES_COUNT, true, false, false,
     false},
    {JR_OP_ARGMIN, "argmin", "jr_argmin", "jr_argmin_number", INDEX, JR_ACCUMULATES_INDEX, true, true, false, false},
    {JR_OP_ARGMAX, "argmax", "jr_argmax", "jr_argmax_number", INDEX, JR_ACCUMULATES_INDEX, true, true, false, false},
    {JR_OP_MEAN, "mean", "jr_mean", NULL, STATISTICS, JR_ACCUMULATES_MEAN, true, false, false, true},
    {JR_OP_VAR, "var", "jr_var", NULL, STATISTICS, JR_ACCUMULATES_MOMENTS, true, false, false, false},
    {JR_OP_STD, "std", "jr_std", NULL, STATISTICS, JR_ACCUMULATES_MOMENTS, true, false, false, false},
    {JR_OP_NORM1, "norm1", "jr_norm1", NULL, STATISTICS, JR_ACCUMULATES_NORM, true, false, false, false},
    {JR_OP_NORM2, "norm2", "jr_norm2", NULL, STATISTICS, JR_ACCUMULATES_SCALED, true, false, false, false},
    {JR_OP_NORMINF, "norminf", "jr_norminf", NULL, STATISTICS, JR_ACCUMULATES_NORM, true, false, false, false},
    {JR_OP_SUMSQ, "sumsq", "jr_sumsq", NULL, STATISTICS, JR_ACCUMULATES_NORM, true, false, false, false},
    {JR_OP_DOT, "dot", "jr_sum", NULL, NULL, JR_ACCUMULATES_NORM, true, false, true, false},
    {JR_OP_LOGSUMEXP, "logsumexp", "jr_logsumexp", NULL, STATISTICS, JR_ACCUMULATES_EXPONENTIAL, true, false, false,
     false},
    {JR_OP_CUSTOM, "custom", "jr_custom", NULL, NULL, JR_ACCUMULATES_CUSTOM, true, false, true, false},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

#define JR_OP_ONE(name, number, text) +1
_Static_assert(ROW_COUNT == 0 JR_OPS(JR_OP_ONE), "an operator without a row");
#undef JR_OP_ONE

const jr_operator *jr_operator_find(jr_op op) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].op == op) return &rows[i];
    return NULL;
}

const jr_operator *jr_operator_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* f32 for floats up to f32, else f64. */
static jr_type norm_type(const jr_dtype *dtype) {
    return dtype->value_type == JR_F32 ? JR_F32 : JR_F64;
}

jr_type jr_operator_accumulator(const jr_operator *row, const jr_dtype *dtype) {
    switch (row->accumulates) {
    case JR_ACCUMULATES_SUM: return dtype->sum_type;
    case JR_ACCUMULATES_FLAG: return JR_U32;
    case JR_ACCUMULATES_COUNT: return JR_U64;
    case JR_ACCUMULATES_MEAN: return jr_dtype_is_float(dtype) ? JR_F64 : JR_I64;
    case JR_ACCUMULATES_MOMENTS:
    case JR_ACCUMULATES_SCALED: return JR_F64;
    case JR_ACCUMULATES_NORM:
    case JR_ACCUMULATES_EXPONENTIAL: return norm_type(dtype);
    case JR_ACCUMULATES_ELEMENT:
    case JR_ACCUMULATES_INDEX:
    case JR_ACCUMULATES_CUSTOM: break;
    }
    return dtype->value_type;
}

static jr_type result_of(const jr_operator *row, const jr_dtype *dtype) {
    switch (row->accumulates) {
    case JR_ACCUMULATES_SUM: return dtype->sum_type;
    case JR_ACCUMULATES_FLAG: return JR_BOOL;
    case JR_ACCUMULATES_COUNT: return JR_U64;
    case JR_ACCUMULATES_INDEX: return JR_I64;
    case JR_ACCUMULATES_ELEMENT:
    case JR_ACCUMULATES_CUSTOM: return dtype->type;
    case JR_ACCUMULATES_MEAN:
    case JR_ACCUMULATES_MOMENTS:
    case JR_ACCUMULATES_NORM:
    case JR_ACCUMULATES_SCALED:
    case JR_ACCUMULATES_EXPONENTIAL: break;
    }
    return norm_type(dtype);
}

jr_status jr_operator_result(jr_op op, jr_type type, jr_type *result) {
    const jr_operator *row = jr_operator_find(op);
    const jr_dtype *dtype = jr_dtype_find(type);
    if (row == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown operator %d: set spec.op to a JR_OP_ value", (int)op);
    if (dtype == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d: set spec.type to a jr_type", (int)type);
    if (jr_dtype_is_float(dtype) && !row->takes_floats)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                       "operator %s does not take %s elements: it is defined for integers and bool only", row->name,
                       dtype->name);
    *result = result_of(row, dtype);
    return JR_OK;
}
