/* The text of functions of expressions: pieces that several of them have, and the function that is applied to rows. */
#ifndef JR_SPEC_EXPRESSION_TEXT_H
#define JR_SPEC_EXPRESSION_TEXT_H

#include "base/text.h"
#include "reduction.h"

/* A struct that stands for the least i64, and whether a spec has expressions that name that number. */
extern const char jr_expression_text_least[];
bool jr_expression_text_has_least(const jr_spec *spec);

/* Appends an expression, in which the least i64 is written as that struct. */
void jr_expression_text_expression(jr_text *text, const char *expression);

/* Appends return conversion((expression)); and the function's end. name: of the expression, in the compiler's
 * messages. */
void jr_expression_text_return(jr_text *text, const char *name, const char *conversion, const char *expression);

/* Declares the parameters; and the elements, the index and the parameters of a function of an item. */
void jr_expression_text_parameters(jr_text *text, const jr_spec *spec);
void jr_expression_text_items(jr_text *text, const jr_reduction *reduction);

/* Appends the function of spec.apply, and the types of its value and of the results that it gets
 * (kernels_src/apply/apply_row.cuh). */
void jr_expression_text_apply(jr_text *text, const jr_reduction *reduction);

/* True if elements and what apply makes of them are floats of 2 bytes: then float functions of less accuracy do. */
bool jr_expression_text_is_short(const jr_reduction *reduction);

#endif
