/* The expressions of a spec: which it has, and whether they and the names of its parameters are allowed. */
#ifndef JR_SPEC_SPEC_EXPRESSIONS_H
#define JR_SPEC_SPEC_EXPRESSIONS_H

#include <stdbool.h>

#include "expression/expression_log.h"
#include "jitreduce/reduce.h"
#include "value_kind.h"

enum { JR_EXPRESSIONS_MAX = 6 };

/* The texts of a spec. */
typedef enum jr_spec_text {
    JR_TEXT_COMBINE,
    JR_TEXT_IDENTITY,
    JR_TEXT_MAP,
    JR_TEXT_WHERE,
    JR_TEXT_FINISH,
    JR_TEXT_APPLY
} jr_spec_text;

/* Lists the expressions that a spec has; returns how many. The texts stay the spec's. */
size_t jr_spec_expressions_list(const jr_spec *spec, jr_expression present[JR_EXPRESSIONS_MAX]);

/* Checks every expression and parameter name of a spec whose inputs and struct are checked. *weight: of all expressions
 * together (expression.h).
 * Errors: JR_ERROR_INVALID_EXPRESSION, JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_spec_expressions_check(const jr_spec *spec, size_t *weight);

/* The kind of the value of a text that a checked spec has. numbers: its variables, in the order of a b, x y z w i or
 * a n. */
jr_value_kind jr_spec_expressions_kind(const jr_spec *spec, jr_spec_text text, const jr_number *numbers);

/* Its value, with what is doubtful about it. */
jr_number jr_spec_expressions_value(const jr_spec *spec, jr_spec_text text, const jr_number *numbers,
                                    jr_value_doubts *doubts);

/* A text of a spec; NULL: it has none; and where it stands. */
const char *jr_spec_expression(const jr_spec *spec, jr_spec_text text);
const char **jr_spec_expression_place(jr_spec *spec, jr_spec_text text);

/* Records what is wrong with a token of a text. Returns JR_ERROR_INVALID_EXPRESSION. */
jr_status jr_spec_expressions_refuse(jr_spec_text text, const char *expression, jr_token token, const char *reason);

/* True if an expression may call functions. With a struct in the spec any expression may, by a macro in the struct's
 * text. */
bool jr_spec_expressions_call(const jr_spec *spec);

/* True if map or where may name a word: a variable, a parameter, the index i. With a struct in the spec they may name
 * any, by a macro in the struct's text. */
bool jr_spec_expressions_of_items_name(const jr_spec *spec, const char *word);
bool jr_spec_expressions_see_index(const jr_spec *spec);

/* True if apply names the results of all arrays: all, or of a list all0, all1, ... */
bool jr_spec_expressions_name_all(const jr_spec *spec);

/* How many arrays a spec has that may not be checked yet. */
int jr_spec_count_inputs(const jr_spec *spec);

#endif
