/* One operator's part in a reduction: its types, sizes and text. */
#ifndef JR_PROGRAM_REDUCTION_PART_H
#define JR_PROGRAM_REDUCTION_PART_H

#include "jitreduce/reduce.h"
#include "operator.h"
#include "reduction_input.h"

enum { JR_PART_TEXT_BYTES = 144 };

typedef struct jr_reduction_part {
    const jr_operator *row;
    jr_type accumulator, result;    /* JR_STRUCT: the caller's */
    jr_type initial;                /* of an initial value: the result as it is before `finish` */
    size_t bytes;                   /* of what it combines */
    bool counts;                    /* elements that are not left out, beside that */
    bool skips_nan;                 /* elements that are NaN must not be given to it */
    bool adds_floats;               /* a sum or mean of floats, of which none is left out */
    bool exact;                     /* an exact sum: of the file JR_OPERATORS_EXACT */
    jr_type summand;                /* then: f32 or f64 that holds what is added of an element; else JR_TYPE_NONE */
    bool word;                      /* one instruction, over elements of 4 bytes as they are (reduce/words.cuh) */
    char given[JR_TYPE_TEXT_BYTES]; /* what the operator is given, where that is no number or struct; else "" */
    char text[JR_PART_TEXT_BYTES];
} jr_reduction_part;

/* Works out one operator. mapped: the type that it is given, NULL for the caller's struct.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_reduction_part_of(const jr_spec *spec, jr_op op, const jr_dtype *mapped, jr_reduction_part *part);

#endif
