/* Constants: reduction and tuning become the compile-time constants of a built-in kernel (contract.cuh). */
#ifndef JR_PROGRAM_CONSTANTS_H
#define JR_PROGRAM_CONSTANTS_H

#include "jitreduce/kernel.h"
#include "jitreduce/segment.h"
#include "spec/reduction.h"
#include "spec/tuning.h"

enum { JR_CONSTANTS_MAX = 40, JR_CONSTANT_BYTES = 16 };

/* The constants of one built-in kernel, with room for the texts of its numbers. */
typedef struct jr_constants {
    jr_named_text items[JR_CONSTANTS_MAX];
    char numbers[JR_CONSTANTS_MAX][JR_CONSTANT_BYTES];
    size_t count;
} jr_constants;

/* Fills in the contract's constants. heads: where the segments of a scan begin; NULL: it scans all as one, or nothing
 * is scanned. The texts live as long as *reduction and *constants stay where they are. */
void jr_constants_of(const jr_reduction *reduction, const jr_tuning *tuning, const jr_segment_layout *heads,
                     jr_constants *constants);

/* Does somebody ask for the place of an element in its segment: the operator, its result or an expression? */
bool jr_constants_placed(const jr_reduction *reduction);

#endif
