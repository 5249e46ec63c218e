/* A function in parts: runs of instructions that lanes compute each for itself, and single ones that handlers do. Which
 * registers are needed after a part. Groups of lanes stop between parts only. */
#ifndef JRS_NATIVE_PARTS_H
#define JRS_NATIVE_PARTS_H

#include "sim/ptx/code.h"

typedef struct jrs_native_part {
    uint32_t begin, end; /* instructions */
    bool simple;         /* lanes compute each for itself */
} jrs_native_part;

typedef struct jrs_native_parts {
    const jrs_function *function;
    jrs_native_part *parts;
    uint32_t count, words; /* words: 64-bit ones of a row of registers */
    uint64_t *needed;      /* a row for each part: registers needed when it begins */
    uint64_t *always;      /* one row: registers that are needed whatever comes */
} jrs_native_parts;

/* False: it is too large, or there is no memory. */
bool jrs_native_parts_find(jrs_native_parts *parts, const jrs_function *function);
void jrs_native_parts_free(jrs_native_parts *parts);

/* The registers that are needed after a part, into a row of `words`. */
void jrs_native_parts_after(const jrs_native_parts *parts, uint32_t part, uint64_t *row);
bool jrs_native_parts_has(const uint64_t *row, jrs_slot slot);

#endif
