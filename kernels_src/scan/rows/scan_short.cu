// scan_short: scans of columns, or rows, of few elements: a thread goes along each. Bytes: every element once, every
// result once. Launches: one.
#include "scan/rows/columns.cuh"

// Elements that a thread loads of a column at once, and columns of single elements that it takes at once.
constexpr jr_u32 jr_short_loads = 4, jr_short_each = 4;

// Scans `N` columns at most, a block's width apart, the first of which is number `begin`.
template <class ROW, jr_u32 N>
__device__ __forceinline__ void jr_scan_each(const jr_reducer &reducer, const jr_cut &in, void *out,
                                              const jr_scan_columns &columns, jr_u64 begin, jr_u64 units) {
    jr_u64 element[N];
    jr_accumulator running[N][ROW::count];
    const jr_u32 each = columns.lanes;
#pragma unroll
    for (jr_u32 c = 0; c < N; c++) {
        const jr_u64 unit = begin + c * JR_BLOCK;
        element[c] = jr_columns_unit<ROW>(columns, unit < units ? unit : units - 1).element;
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) running[c][k] = jr_with_initial(reducer, reducer.identity());
    }
#pragma unroll 1
    for (jr_u32 row = 0; row < (jr_u32)columns.length; row += jr_short_loads) {
        ROW loaded[N][jr_short_loads];
        const jr_u32 left = (jr_u32)columns.length - row;
#pragma unroll
        for (jr_u32 c = 0; c < N; c++)
#pragma unroll
            for (jr_u32 u = 0; u < jr_short_loads; u++)
                if (u < left && c < each) loaded[c][u].load(in, element[c] + (row + u) * columns.inner);
#pragma unroll
        for (jr_u32 c = 0; c < N; c++)
#pragma unroll
            for (jr_u32 u = 0; u < jr_short_loads; u++)
                if (u < left && c < each && begin + c * JR_BLOCK < units)
                    jr_scan_row(reducer, loaded[c][u], row + u, running[c], out,
                                element[c] + (row + u) * columns.inner);
    }
}

// columns.lanes: how many columns a thread takes at once; 1 of packs.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_short(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_scan_columns columns,
                  const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const bool packs = jr_columns_fit && columns.packs;
    const jr_u64 units = columns.pieces * columns.inner / (packs ? jr_pack_elements : 1), tile = JR_BLOCK * columns.lanes;
#pragma unroll 1
    for (jr_u64 begin = blockIdx.x * tile + threadIdx.x; begin < units; begin += gridDim.x * tile)
        if (packs)
            jr_scan_each<jr_row_of_pack, 1>(reducer, in, results, columns, begin, units);
        else
            jr_scan_each<jr_row_of_one, jr_short_each>(reducer, in, results, columns, begin, units);
}
