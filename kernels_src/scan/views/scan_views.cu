// Scans of views: arrays whose elements may lie apart, backwards or upon each other. Results are in C order.
//
// The kernels are those of arrays in C order (scan_segmented, scan_columns), which ask for elements by two functions:
// in their place stand those below, so that the headers of scans, which are included after them, read views.
#include "fold/inputs.cuh"

#include "abi_views.h"

// The arrays' axes, the last one first, in two maps; an axis that is missing has size 1.
struct jr_view_axes {
    jr_view_map maps[2];

    __device__ __forceinline__ jr_u64 size(jr_u32 k) const { return maps[k / JR_AXES_MAX].size[k % JR_AXES_MAX]; }
    __device__ __forceinline__ jr_u64 stride(jr_u32 array, jr_u32 k) const {
        return maps[k / JR_AXES_MAX].stride[array][k % JR_AXES_MAX];
    }
};

// A cut of the elements in C order, without a head, whose addresses are those of the arrays' first elements.
struct jr_view_cut_in_order : jr_cut {
    const jr_view_axes &axes;

    __device__ __forceinline__ jr_view_cut_in_order(const jr_cut &cut, const jr_view_axes &of) : jr_cut(cut), axes(of) {}
};

__device__ __forceinline__ const jr_view_axes &jr_axes_of(const jr_cut &in) {
    return static_cast<const jr_view_cut_in_order &>(in).axes; // the kernels below have no other cuts
}

// Where an element lies in each array, modulo 2^64.
struct jr_view_place {
    jr_u64 at[JR_INPUTS];
    jr_u64 left; // elements from it to the end of the last axis

    // number: of the element in C order, below the product of all sizes.
    __device__ __forceinline__ jr_view_place(const jr_view_axes &axes, jr_u64 number) : at{}, left(0) {
        jr_u64 rest = number;
#pragma unroll 1
        for (jr_u32 k = 0;; k++) {
            const jr_u64 size = axes.size(k), above = rest < size ? 0 : rest / size, digit = rest - above * size;
#pragma unroll
            for (jr_u32 i = 0; i < JR_INPUTS; i++) at[i] += digit * axes.stride(i, k);
            if (k == 0) left = size - digit;
            if (above == 0) return;
            rest = above;
        }
    }
    __device__ __forceinline__ void next(const jr_view_axes &axes) {
#pragma unroll
        for (jr_u32 i = 0; i < JR_INPUTS; i++) at[i] += axes.stride(i, 0);
        left--;
    }
};

#define JR_VIEW_ITEM(other, member, type) (type##_VALUE)((const type *)in.more[other])[place.at[1 + other]],
#define JR_VIEW_LOAD(other, member, type) packs.member.elements[k] = ((const type *)in.more[other])[place.at[1 + other]];

// As jr_item_at.
__device__ __forceinline__ jr_item jr_view_item_at(const jr_cut &in, long long k, jr_u64 first) {
    const jr_view_place place(jr_axes_of(in), (jr_u64)k);
    return {(JR_X_VALUE)in.packs[place.at[0]], JR_OTHERS(JR_VIEW_ITEM) first + k};
}

// Loads a pack of elements that need not lie side by side.
__device__ __forceinline__ void jr_load_view(const jr_cut &in, jr_u64 pack, jr_packs &packs) {
    const jr_view_axes &axes = jr_axes_of(in);
    jr_view_place place(axes, pack * jr_pack_elements);
#pragma unroll
    for (jr_u32 k = 0; k < jr_pack_elements; k++) {
        if (place.left == 0) place = jr_view_place(axes, pack * jr_pack_elements + k);
        packs.x.elements[k] = in.packs[place.at[0]];
        JR_OTHERS(JR_VIEW_LOAD)
        place.next(axes);
    }
}

#define jr_item_at jr_view_item_at
#include "scan/common/tiles.cuh"

// As jr_load_tile.
__device__ __forceinline__ void jr_view_load_tile(const jr_cut &in, long long at, jr_packs (&packs)[JR_UNROLL]) {
    if (in.pack_count == 0) return;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const long long mine = at + u * jr_warp_lanes;
        jr_load_view(in, jr_is_whole(in, mine) ? mine : 0, packs[u]);
    }
}

#define jr_load_tile jr_view_load_tile

#if JR_HEADS
#include "scan/common/segmented.cuh"
#include "scan/queue/single_pass.cuh"

// scan_segmented of views.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_view_segmented(const __grid_constant__ jr_cut cut, void *results, const __grid_constant__ jr_queue queue,
                           const __grid_constant__ jr_heads heads, const __grid_constant__ jr_call call,
                           const __grid_constant__ jr_view_axes axes) {
    jr_begin();
    __shared__ __align__(16) jr_u8 stages[jr_block_warps * jr_stage_bytes];
    const jr_view_cut_in_order in(cut, axes);
    const jr_reducer reducer{{{}, call}};
    jr_segmented_scan form{reducer, jr_output_of(in, results, stages, call.count), {reducer}, {heads}};
    jr_scan_queue(form, in, queue);
}
#else
#include "scan/rows/columns.cuh"

// scan_columns of views. results: NULL: parts are folded into `folds`; else folds are the parts' starts, or NULL where a
// column is one part. columns.packs is 0.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_view_columns(const __grid_constant__ jr_cut cut, void *results, jr_accumulator *folds,
                         const __grid_constant__ jr_scan_columns columns, const __grid_constant__ jr_call call,
                         const __grid_constant__ jr_view_axes axes) {
    jr_begin();
    const jr_view_cut_in_order in(cut, axes);
    const jr_reducer reducer{{{}, call}};
    if (results != nullptr)
        jr_scan_column_parts<jr_row_of_one>(reducer, in, results, folds, columns);
    else
        jr_fold_columns<jr_row_of_one>(reducer, in, folds, columns);
}
#endif
