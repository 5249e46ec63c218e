/* Constants: reduction and tuning become the compile-time constants of a built-in kernel (contract.cuh). */
#ifndef JR_PROGRAM_CONSTANTS_H
#define JR_PROGRAM_CONSTANTS_H

#include "jitreduce/kernel.h"
#include "reduction.h"
#include "tuning.h"

enum { JR_CONSTANTS_MAX = 32, JR_CONSTANT_BYTES = 16 };

/* The constants of one built-in kernel, with room for the texts of its numbers. */
typedef struct jr_constants {
    jr_named_text items[JR_CONSTANTS_MAX];
    char numbers[JR_CONSTANTS_MAX][JR_CONSTANT_BYTES];
    size_t count;
} jr_constants;

/* Fills in the contract's constants. The texts live as long as
 * *reduction and *constants stay where they are. */
void jr_constants_of(const jr_reduction *reduction, const jr_tuning *tuning, jr_constants *constants);

#endif
