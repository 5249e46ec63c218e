/* Column bands: how the columns of an array are shared out to blocks and their threads
 * (kernels_src/segmented/strided/bands.cuh).
 */
#ifndef JR_SEGMENTS_COLUMN_BANDS_H
#define JR_SEGMENTS_COLUMN_BANDS_H

#include <stdbool.h>

#include "abi.h"
#include "plan/tuned.h"

/* What there is to share out, and among whom. */
typedef struct jr_band_job {
    uint64_t count, length, inner; /* columns, 1 or more; rows; columns side by side */
    uint64_t wave, room;           /* blocks that run at once; partial results that there is room for */
    uint32_t block, unroll;        /* threads; lines that a thread asks for at once */
    uint32_t vector;               /* elements */
    uint32_t head;                 /* elements before the first 16-byte boundary */
    uint32_t fold;                 /* rows of a line, see jr_column_bands_fold; 0: as many as are best */
    uint32_t short_lanes;          /* jr_column_bands_lanes of the rows */
    bool in_order;                 /* lines go to lanes in pieces */
    bool light;                    /* a thread's accumulators take few registers: many blocks are at work at once */
} jr_band_job;

jr_band_cut jr_column_bands_of(const jr_band_job *job);

/* Lanes that so many short lines are best shared out to, where accumulators are light; 0: lines are not short. */
uint32_t jr_column_bands_lanes(const jr_device_info *device, uint64_t lines);

/* Threads of a block that takes rows of so many bytes, whole vectors, together as whole 128-byte lines of memory, and
 * how many rows; 0: each row is whole lines, or there are no such blocks. */
uint32_t jr_column_bands_block(const jr_device_info *device, uint64_t row_bytes);
uint32_t jr_column_bands_fold(const jr_device_info *device, uint64_t row_bytes);

/* Lines after which rows of so many elements begin at the same place between vector boundaries again. */
uint32_t jr_column_bands_period(uint64_t inner, uint32_t vector);

#endif
