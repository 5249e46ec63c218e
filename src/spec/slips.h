/* Slips: what an expression says in C, and does not mean, in words. */
#ifndef JR_SPEC_SLIPS_H
#define JR_SPEC_SLIPS_H

#include "value_kind.h"

/* Writes what is wrong with an operator of an expression, or doubtful about it, and what to write. */
void jr_slip_explain(const jr_slip *slip, const char *text, char *reason, size_t bytes);

#endif
