/* The cut: an array of any element alignment as a head, 16-byte vectors and a tail. */
#ifndef JR_REDUCE_CUT_H
#define JR_REDUCE_CUT_H

#include <stddef.h>
#include <stdint.h>

/* Passed to kernels by value: the layout is jr_cut's in kernels_src/load.cuh. */
typedef struct jr_cut {
    uint64_t vectors; /* address, aligned to 16 bytes */
    uint64_t vector_count;
    uint32_t head, ends; /* elements before the vectors; these and the ones behind them */
} jr_cut;

/* Cuts count elements of element_bytes (a divisor of 16) at an address aligned to them. */
jr_cut jr_cut_of(const void *in, uint64_t count, size_t element_bytes);

#endif
