/* Formulas: whole numbers from names, "ceil(N / BLOCK)", "BLOCK * UF <= 4096". */
#ifndef JR_EXPRESSION_FORMULA_H
#define JR_EXPRESSION_FORMULA_H

#include "jitreduce/kernel.h"

/* As the public jr_formula_compute, with arguments that are not NULL. */
jr_status jr_formula_of(const char *text, const jr_named_text *names, size_t name_count, int64_t *value);

#endif
