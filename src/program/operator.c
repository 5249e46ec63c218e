/* The table of operators. */
#include "operator.h"

#include <string.h>

#include "base/error.h"

static const jr_operator rows[] = {
    {JR_OP_SUM, "sum", "jr_sum", true, true, false},   {JR_OP_PROD, "prod", "jr_prod", true, true, false},
    {JR_OP_MIN, "min", "jr_min", false, true, true},   {JR_OP_MAX, "max", "jr_max", false, true, true},
    {JR_OP_AND, "and", "jr_and", false, false, false}, {JR_OP_OR, "or", "jr_or", false, false, false},
    {JR_OP_XOR, "xor", "jr_xor", false, false, false},
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

jr_status jr_operator_accumulator(jr_op op, jr_type type, jr_type *accumulator) {
    const jr_operator *row = jr_operator_find(op);
    const jr_dtype *dtype = jr_dtype_find(type);
    if (row == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator number %d is none: set spec.op to a JR_OP_ value", (int)op);
    if (dtype == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "element type number %d is none: set spec.type", (int)type);
    if (dtype->floating && !row->takes_floats)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                       "operator %s does not take %s elements: it is defined for integers only", row->name,
                       dtype->name);
    *accumulator = row->widens ? dtype->sum_type : type;
    return JR_OK;
}
