/* A copy of a program that outlives its caller's. */
#ifndef JR_PROGRAM_PROGRAM_COPY_H
#define JR_PROGRAM_PROGRAM_COPY_H

#include "jitreduce/kernel.h"

/* Copies a program with all that it points to, but for embedded texts, in one block that free() frees. Nothing of it is
 * checked: what is NULL stays NULL. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_program_copy(const jr_program *program, jr_program **copy);

#endif
