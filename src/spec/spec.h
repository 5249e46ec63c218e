/* The spec: checks of what needs nothing worked out, and a copy with all that it points to. */
#ifndef JR_SPEC_SPEC_H
#define JR_SPEC_SPEC_H

#include "jitreduce/reduce.h"

/* Checks which members are set, and which go together.
 * Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_spec_check_members(const jr_spec *spec);

/* Refuses what would have no effect: it was set for a purpose. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_spec_check_use(const jr_spec *spec, int input_count);

/* Checks how the spec wants a reduction carried out, its expressions and its parameters. *weight: of the
 * expressions (jr_spec_expressions_check).
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_INVALID_EXPRESSION, each naming the value and what is allowed. */
jr_status jr_spec_check(const jr_spec *spec, size_t *weight);

/* Copies a spec whose operators, struct and parameters have been checked, and all that it points to into room, which is
 * aligned to 8 bytes; with room NULL copies nothing. Returns how many bytes of room that takes. */
size_t jr_spec_copy(const jr_spec *spec, unsigned char *room, jr_spec *copy);

#endif
