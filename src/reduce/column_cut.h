/* The column cut: how the columns of an array are shared out to blocks and their threads. */
#ifndef JR_REDUCE_COLUMN_CUT_H
#define JR_REDUCE_COLUMN_CUT_H

#include <stdint.h>

/* Passed to kernels by value: the layout is jr_columns' in kernels_src/segmented/columns.cuh. */
typedef struct jr_column_cut {
    uint64_t count; /* columns */
    uint64_t length, inner;
    uint64_t part_length; /* rows of a part */
    uint64_t parts;
    uint64_t result_bytes;
    uint32_t width, lanes; /* columns of a block; its threads of each */
} jr_column_cut;

/* What there is to cut, and for whom. */
typedef struct jr_column_work {
    uint64_t count, length, inner; /* columns, 1 or more; rows; columns side by side */
    uint32_t block;                /* threads */
    uint64_t grid;                 /* blocks that are wanted */
} jr_column_work;

/* Cuts columns. parts * count is at most grid * block, so that this many partial results are enough. */
jr_column_cut jr_column_cut_of(const jr_column_work *work);

/* Groups of columns, times parts: what blocks take one at a time. */
uint64_t jr_column_cut_units(const jr_column_cut *cut);

#endif
