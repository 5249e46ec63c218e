/* Programs: what a choice compiles to. */
#ifndef JR_PLAN_PROGRAMS_H
#define JR_PLAN_PROGRAMS_H

#include "algorithm.h"

/* What is done with each program, which lives until it returns. */
typedef jr_status jr_program_visit(void *user, const jr_program *program);

/* Visits the programs of a choice's kernels, one after the other, until one visit fails. heads: the layout of
 * consecutive segments that they scan; NULL: they scan no such segments. Errors: those of visits and of expressions,
 * which name the expression that is wrong. */
jr_status jr_programs_each(const jr_reduction *reduction, const jr_choice *choice, const jr_segment_layout *heads,
                           jr_program_visit *visit, void *user);

#endif
