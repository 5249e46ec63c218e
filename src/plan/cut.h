/* The cut: arrays of any element alignment as a head, packs at 16-byte boundaries and a tail; tiles dealt to blocks. */
#ifndef JR_PLAN_CUT_H
#define JR_PLAN_CUT_H

#include "abi.h"
#include "loader/cuda_abi.h"
#include "spec/reduction.h"

/* The elements of a pack of the first array. */
unsigned jr_cut_pack_elements(const jr_reduction *reduction);

/* Cuts the input arrays of a reduction, count elements each, aligned to them. Where no element of a struct lies at a
 * 16-byte boundary, all elements are ends. */
jr_cut jr_cut_of(const jr_reduction *reduction, const jr_cu_deviceptr *in, uint64_t count);

/* How many packs an array is when its elements are numbered in order: the elements before the first whole pack, and
 * those after the last one, are a pack each. head: that of its cut. */
uint64_t jr_cut_ordered_packs(const jr_reduction *reduction, uint32_t head, uint64_t count);

/* Deals count units, tile_count of them a tile, to blocks. */
jr_deal jr_cut_deal(uint64_t count, uint64_t tile_count, uint64_t blocks);

#endif
