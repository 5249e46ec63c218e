// segmented_columns: reduces along an axis of a C-ordered array that is not the last one: [slabs][length][inner].
// Bytes: every element once by 16-byte loads, wherever rows begin, with JR_UNROLL of them in flight per thread; one
// result per column; one accumulator per part, written here and read by segmented_parts_join. A vector with elements of
// two bands is loaded by both. Launches: this one, and the join when columns are cut into parts.
#include "segmented/strided/bands.cuh"

// Threads of a multiprocessor that the compiler is asked for, by the words that a thread has of loads and accumulators:
// with 64, 80 or 128 registers each.
constexpr jr_u32 jr_column_words = (JR_UNROLL * sizeof(JR_X) + sizeof(jr_accumulator)) * jr_vector_elements / 4;
constexpr jr_u32 jr_columns_resident =
    jr_column_words <= 36 ? 1024 : jr_column_words <= 48 && sizeof(jr_accumulator) <= 8 ? 768 : 512;

// in: the input, cut without an end. out: the results, when there is one part. partials: room for parts * count
// accumulators, when there are several. A block takes units in turn.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, JR_BLOCK <= jr_columns_resident ? jr_columns_resident / JR_BLOCK : 1)
    jr_segmented_columns(const __grid_constant__ jr_cut in, void *out, jr_accumulator *partials,
                         const __grid_constant__ jr_band_cut cut, const __grid_constant__ jr_call call) {
    jr_begin();
#if JR_SHARED_DYNAMIC
    jr_accumulator *const cells = jr_block_cache();
    static_assert(jr_vector_elements == 1, "columns: dynamic shared memory is for an accumulator a thread");
#else
    __shared__ __align__(16) unsigned char room[JR_BLOCK * jr_vector_elements * sizeof(jr_accumulator)];
    jr_accumulator *const cells = (jr_accumulator *)room;
#endif
    const jr_reducer reducer{{{}, call}};
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < cut.units; unit += gridDim.x) {
        const jr_band band(cut, unit);
        const jr_band_lines own(cut, band, in);
        if (unit > blockIdx.x) __syncthreads(); // others may still read what the last unit left
#if JR_ALL_ENDS
        jr_fold_loose(reducer, cut, in, band, own, cells);
#elif JR_COMMUTATIVE
        if (jr_vector_elements > 1)
            jr_fold_vectors(reducer, cut, in, band, own, cells);
        else
            jr_fold_loose(reducer, cut, in, band, own, cells);
#else
        if (jr_vector_elements > 1 && !cut.loose)
            jr_fold_vectors(reducer, cut, in, band, own, cells);
        else
            jr_fold_loose(reducer, cut, in, band, own, cells);
#endif
        const jr_u32 columns = cut.fold > 1 ? (jr_u32)cut.inner : band.row;
        jr_combine_cells(reducer, cells, cut.lanes * cut.fold, columns);
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < columns; i += JR_BLOCK) {
            const jr_accumulator total = cells[jr_cell(i)]; // in shared memory its members need not be aligned
            if (cut.parts > 1)
                partials[band.result + i] = total;
            else
                reducer.write((jr_u8 *)out + (band.result + i) * cut.result_bytes, total, call.count);
        }
    }
}
