/* The column cut: how the columns of an array are shared out to blocks and their threads. */
#ifndef JR_SEGMENTS_COLUMN_CUT_H
#define JR_SEGMENTS_COLUMN_CUT_H

#include "abi.h"

/* What there is to cut, and for whom. */
typedef struct jr_columns {
    uint64_t count, length, inner; /* columns, 1 or more; rows; columns side by side */
    uint32_t block;                /* threads */
    uint64_t grid;                 /* blocks that are wanted */
} jr_columns;

/* Cuts columns. parts * count is at most grid * block, so that this many partial results are enough. */
jr_column_cut jr_column_cut_of(const jr_columns *columns);

/* Groups of columns, times parts: what blocks take one at a time. */
uint64_t jr_column_cut_units(const jr_column_cut *cut);

#endif
