/* The public names of types, operators and algorithms (types.h). */
#include "jitreduce/types.h"

#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "plan/algorithms.h"
#include "spec/operator.h"

const char *jr_type_name(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->name : "?";
}

const char *jr_op_name(jr_op op) {
    const jr_operator *row = jr_operator_find(op);
    return row != NULL ? row->name : "?";
}

const char *jr_algorithm_name(jr_algorithm algorithm) {
    const jr_algorithm_row *row = jr_algorithms_find(algorithm, JR_JOB_FLAT);
    return row != NULL ? row->name : "?";
}

/* The public lists' names in one line each, for messages. */
#define JR_NAME_TEXT(name, number, text) " " text
static const char type_names[] = JR_TYPES(JR_NAME_TEXT) ", and what C and NumPy call them: int, uint8, <f4";
static const char op_names[] = JR_OPS(JR_NAME_TEXT);
static const char algorithm_names[] = JR_ALGORITHMS(JR_NAME_TEXT) JR_SCAN_ALGORITHMS(JR_NAME_TEXT);
#undef JR_NAME_TEXT

/* What others call our operators. */
static const char *const other_names[][2] = {
    {"avg", "mean"},     {"average", "mean"}, {"stdev", "std"},   {"stddev", "std"},         {"variance", "var"},
    {"product", "prod"}, {"minimum", "min"},  {"maximum", "max"}, {"amin", "min"},           {"amax", "max"},
    {"add", "sum"},      {"plus", "sum"},     {"total", "sum"},   {"count", "count_nonzero"}};

/* The known word that a name may stand for, and its length; 0 if no word is near. */
static int find_meant(const char *name, const char *known, const char **meant) {
    size_t distance = jr_nearest_most(strlen(name)) + 1;
    int found = 0;
    for (const char *word = known + 1; *word != '\0' && *word != ','; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ,"), slips = jr_nearest_slips(name, strlen(name), word, length);
        if (slips < distance) {
            distance = slips;
            *meant = word;
            found = (int)length;
        }
        word += length;
    }
    return found;
}

static jr_status fail_unknown(const char *kind, const char *name, const char *known) {
    if (name == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the %s's name is NULL", kind);
    const char *meant = "";
    int length = find_meant(name, known, &meant);
    for (size_t i = 0; known == op_names && i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(name, other_names[i][0]) == 0) length = (int)strlen(meant = other_names[i][1]);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown %s '%s': known are%s%s%.*s%s", kind, name, known,
                   length > 0 ? "; did you mean '" : "", length, meant, length > 0 ? "'?" : "");
}

static jr_status fail_no_place(const char *kind) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the pointer for the %s is NULL", kind);
}

jr_status jr_type_find(const char *name, jr_type *type) {
    const jr_dtype *row = name != NULL ? jr_dtype_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("element type", name, type_names);
    if (type == NULL) return fail_no_place("element type");
    *type = row->type;
    return JR_OK;
}

jr_status jr_op_find(const char *name, jr_op *op) {
    const jr_operator *row = name != NULL ? jr_operator_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("operator", name, op_names);
    if (op == NULL) return fail_no_place("operator");
    *op = row->op;
    return JR_OK;
}

jr_status jr_algorithm_find(const char *name, jr_algorithm *algorithm) {
    const jr_algorithm_row *row = name != NULL ? jr_algorithms_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("algorithm", name, algorithm_names);
    if (algorithm == NULL) return fail_no_place("algorithm");
    *algorithm = row->algorithm;
    return JR_OK;
}

size_t jr_type_size(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->bytes : 0;
}

jr_type_class jr_type_class_of(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->class : JR_CLASS_NONE;
}

int jr_type_fraction_bits(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->fraction_bits : 0;
}

unsigned jr_op_flags(jr_op op) {
    enum { PUBLIC = JR_OP_FLAG_FLOATS | JR_OP_FLAG_INITIAL | JR_OP_FLAG_NO_EMPTY | JR_OP_FLAG_SELECTS };
    const jr_operator *row = jr_operator_find(op);
    return row != NULL ? row->flags & PUBLIC : 0;
}

jr_status jr_result_type(jr_op op, jr_type type, jr_type *result) {
    JR_TRY(JR_GIVEN(result));
    return jr_operator_result(op, type, result);
}
