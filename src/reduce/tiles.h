/* The tiles: how the data blocks of an array are dealt to the thread blocks of a scan, which march along them in order.
 */
#ifndef JR_REDUCE_TILES_H
#define JR_REDUCE_TILES_H

#include "cut.h"
#include "program/tuning.h"

/* Passed to kernels by value: the layout is jr_rows' in kernels_src/scan/tiles.cuh. */
typedef struct jr_tiles {
    uint64_t each;   /* of a row */
    uint64_t longer; /* rows that have one more, the first ones */
} jr_tiles;

/* Deals the tiles of a cut array of count elements to row_count rows. */
jr_tiles jr_tiles_of(const jr_reduction *reduction, const jr_tuning *tuning, const jr_cut *cut, uint64_t count,
                     int row_count);

#endif
