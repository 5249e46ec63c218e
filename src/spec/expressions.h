/* The expressions of a spec, and its struct, as the two virtual headers that kernels with JR_EXPRESSIONS include. */
#ifndef JR_SPEC_EXPRESSIONS_H
#define JR_SPEC_EXPRESSIONS_H

#include "reduction.h"

#define JR_DECLARATIONS_HEADER "declarations.cuh"
#define JR_EXPRESSIONS_HEADER  "expressions.cuh"

/* What kernels include as declarations.cuh and expressions.cuh. */
typedef struct jr_expressions {
    char *declarations, *functions; /* owned; NULL when the spec has no expressions */
} jr_expressions;

/* Writes the headers of a reduction for kernels of an unroll factor. Writes *expressions on success only; the caller
 * frees it. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_expressions_make(const jr_reduction *reduction, int unroll, jr_expressions *expressions);

/* Makes of a failed compile the failure of the expression to which the compiler points (jr_expression_explain).
 * status: the one recorded. Returns the one recorded now. */
jr_status jr_expressions_explain(const jr_reduction *reduction, jr_status status);
void jr_expressions_free(jr_expressions *expressions);

/* Finds an expression in a header of functions: its text, *length bytes; NULL: the header has no expression of that
 * name. */
const char *jr_expressions_find(const char *functions, const char *name, size_t *length);

/* True if a header of functions gives the operator products of x and y, which no caller wrote (dot). */
bool jr_expressions_multiply(const char *functions);

#endif
