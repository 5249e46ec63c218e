/* The cut: arrays of any element alignment as a head, packs at 16-byte boundaries and a tail; tiles dealt to blocks. */
#ifndef JR_REDUCE_CUT_H
#define JR_REDUCE_CUT_H

#include "program/reduction.h"

/* Passed to kernels by value: the layout is jr_inputs' in kernels_src/core/types.cuh. */
typedef struct jr_cut {
    uint64_t packs;   /* address of the first array's, aligned to 16 bytes */
    uint64_t more[3]; /* address of the element beside it in the second to fourth array */
    uint64_t pack_count;
    uint64_t ends; /* elements before and behind the packs */
    uint32_t head; /* elements before the packs */
    uint32_t aligned;
} jr_cut;

/* The elements of a pack: the fewest of the first array that fill 16-byte vectors. */
unsigned jr_cut_pack_elements(const jr_reduction *reduction);

/* Cuts the input arrays of a reduction, count elements each, aligned to them. Where no element of a struct lies at a
 * 16-byte boundary, all elements are ends. */
jr_cut jr_cut_of(const jr_reduction *reduction, const void *const *in, uint64_t count);

/* How tiles are dealt to blocks, each some that follow each other: the first `longer` blocks have one tile more than
 * the others. Passed to kernels by value: the layout is jr_deal's in kernels_src/reduce/deal.cuh. */
typedef struct jr_deal {
    uint64_t tiles, longer;
} jr_deal;

/* Deals count units, tile_count of them a tile, to blocks. */
jr_deal jr_cut_deal(uint64_t count, uint64_t tile_count, uint64_t blocks);

#endif
