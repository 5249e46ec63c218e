// rows: each block marches along its row of consecutive data blocks, in order; every step keeps the order of elements,
// so that the operator need not be commutative.
//
// A data block is JR_BLOCK * JR_UNROLL consecutive units. It is folded at three levels: a thread folds the elements of
// one unit; a warp its consecutive share, JR_UNROLL times a unit a lane; the first warp the sums of the warps. Left
// operands always stand earlier in the data. Source: the reduce step of row-wise reduce-then-scan.
#include "fold/load.cuh"
#include "fold/spread.cuh"

// A unit that is a pack, or an element of an array that has no packs.
struct jr_pack_unit {
    jr_packs packs;
    static __device__ jr_u64 count(const jr_cut &in) { return in.pack_count; }
    __device__ void load(const jr_cut &in, jr_u64 at, jr_u64) { packs.load(in, at); }
    __device__ jr_accumulator fold(const jr_reducer &reducer, const jr_cut &in, jr_u64 at) const {
        return jr_pairwise<jr_pack_elements>::fold(reducer, packs, 0, jr_pack_index(in, at, reducer.call.first));
    }
};
struct jr_item_unit {
    jr_item item;
    static __device__ jr_u64 count(const jr_cut &in) { return in.ends; }
    __device__ void load(const jr_cut &in, jr_u64 at, jr_u64 first) { item = jr_item_at(in, jr_end_at(in, at), first); }
    __device__ jr_accumulator fold(const jr_reducer &reducer, const jr_cut &, jr_u64) const {
        return reducer.lift(item);
    }
};

constexpr jr_u32 jr_row_chains = JR_UNROLL <= 1 ? 1 : JR_UNROLL <= 2 ? 2 : JR_UNROLL <= 4 ? 4 : JR_UNROLL <= 8 ? 8 : 16;

// Folds the row of this block; thread 0 has the sum. cache: JR_BLOCK accumulators in shared memory.
template <class UNIT>
__device__ __forceinline__ jr_accumulator jr_march(const jr_reducer &reducer, const jr_cut &in, const jr_deal &deal,
                                                  jr_accumulator *cache) {
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    const jr_u32 lane = jr_lane(), warp = jr_warp();
    const jr_u64 units = UNIT::count(in), end = jr_deal_begin(deal, blockIdx.x + 1ull);
    jr_accumulator sum = reducer.identity();
#pragma unroll 1
    for (jr_u64 t = jr_deal_begin(deal, blockIdx.x); t < end; t++) {
        const jr_u64 at = t * tile + warp * (jr_warp_lanes * JR_UNROLL) + lane;
        const jr_u32 left = at >= units ? 0 : units - at < tile ? (jr_u32)(units - at) : tile;
        UNIT unit[JR_UNROLL];
        jr_accumulator value[jr_row_chains];
        // Loads past the end are led back to the last unit, and what they bring is not combined.
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            unit[u].load(in, u * jr_warp_lanes < left ? at + u * jr_warp_lanes : units - 1, reducer.call.first);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_accumulator folded = unit[u].fold(reducer, in, at + u * jr_warp_lanes);
            value[u] = u * jr_warp_lanes < left ? folded : reducer.identity();
        }
#pragma unroll
        for (jr_u32 u = JR_UNROLL; u < jr_row_chains; u++) value[u] = reducer.identity();
        const jr_accumulator share = jr_combine_share(reducer, value);
        // Two sets of warps' sums in turn: one barrier a data block, as the next one's sums overwrite nothing in use.
        jr_accumulator *sums = cache + t % 2 * jr_block_warps;
        if (lane == 0) sums[warp] = share;
        __syncthreads();
        if (warp > 0) continue;
        sum = reducer.combine(sum, jr_combine_warps(reducer, sums));
    }
    return sum;
}

// Loads the elements before the packs into lanes 0 to 15 of the first row, and those after the packs into lanes 16 to
// 31 of the last row's first warp.
__device__ __forceinline__ jr_accumulator jr_load_ends(const jr_reducer &reducer, const jr_cut &in) {
    constexpr jr_u32 half = jr_warp_lanes / 2; // more than a head or a tail has elements
    const jr_u32 i = threadIdx.x % half;
    const bool of_head = threadIdx.x < half && blockIdx.x == 0 && i < in.head;
    const bool of_tail = threadIdx.x >= half && threadIdx.x < jr_warp_lanes && blockIdx.x == gridDim.x - 1 &&
                         i < in.ends - in.head;
    if (!of_head && !of_tail) return reducer.identity();
    const long long at = jr_end_at(in, of_head ? i : in.head + i);
    return jr_lift_at(reducer, in, at, reducer.call.first);
}

// Puts the ends around a row; the first warp takes part, thread 0 has the result.
__device__ __forceinline__ jr_accumulator jr_combine_ends(const jr_reducer &reducer, jr_accumulator ends,
                                                         const jr_accumulator &row) {
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes / 2; distance *= 2)
        ends = reducer.combine(ends, jr_shuffle_down(ends, distance));
    const jr_accumulator tail = jr_shuffle_down(ends, jr_warp_lanes / 2);
    return reducer.combine(reducer.combine(ends, row), tail);
}

// in: the input. deal: of data blocks. sums: the sum of each row, in their order. Launched with a block for each row.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_rows(const __grid_constant__ jr_cut in, const __grid_constant__ jr_deal deal, jr_accumulator *sums,
                   const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_accumulator *cache = jr_block_cache();
#if JR_ALL_ENDS
    if (in.pack_count == 0) {
        const jr_accumulator sum = jr_march<jr_item_unit>(reducer, in, deal, cache);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
        return;
    }
#endif
    const jr_accumulator ends = jr_load_ends(reducer, in); // early: it takes as long as the first load of the march
    const jr_accumulator row = jr_march<jr_pack_unit>(reducer, in, deal, cache);
    if (threadIdx.x >= jr_warp_lanes) return;
    const jr_accumulator sum = jr_combine_ends(reducer, ends, row);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
