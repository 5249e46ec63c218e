// segmented_threads: columns of few rows, [slabs][length][inner]; a thread folds some of them alone, row by row. Bytes:
// every element once, by 16-byte loads if rows begin at 16-byte boundaries, else by coalesced loads of single elements;
// one result per column, by 16-byte stores if results are aligned. Launches: one. Shared memory: 0 bytes.
#include "segmented/common/piece.cuh"
#include "segmented/strided/rounds.cuh"

constexpr jr_u32 jr_thread_vectors = JR_THREAD_VECTORS(JR_UNROLL, jr_vector_elements, sizeof(jr_accumulator));
constexpr jr_u32 jr_thread_columns = jr_thread_vectors * jr_vector_elements;
constexpr jr_u32 jr_thread_tile = jr_thread_columns * JR_BLOCK; // columns of a block at a time

// Threads of a multiprocessor that the compiler is asked for, by the words that a thread has of loads and accumulators.
constexpr jr_u32 jr_thread_words = jr_thread_columns * (JR_UNROLL * sizeof(JR_X) + sizeof(jr_accumulator)) / 4;
constexpr jr_u32 jr_threads_resident = jr_thread_words <= 36 ? 1024 : jr_thread_words <= 48 ? 768 : 512;

struct jr_thread_index {
    jr_u64 row;

    __device__ __forceinline__ jr_u64 of(jr_u32, jr_u32 u) const { return row + u; }
};

// Where a tile begins: at item `rest` of slab `slab`, which has `each` items. Items are columns, or vectors of them.
struct jr_tile_begin {
    jr_u64 slab, rest, each;

    __device__ __forceinline__ jr_tile_begin(jr_u64 first, jr_u64 of) : each(of) {
        // A division of 64 bits would take as long as a load.
        slab = (first | each) >> 32 ? first / each : (jr_u32)first / (jr_u32)each;
        rest = first - slab * each;
    }
    // The i-th item of the tile: its slab, and its number there.
    __device__ __forceinline__ jr_u64 find(jr_u32 i, jr_u64 &own) const {
        const jr_u64 at = rest + i;
        jr_u32 more = at >= each;
        if (each < jr_thread_tile) more = (jr_u32)at / (jr_u32)each;
        own = at - more * each;
        return slab + more;
    }
};

// A thread's columns by whole vectors: number v of them is the v-th of each block's width.
struct jr_thread_whole {
    static constexpr jr_u32 vectors = jr_thread_vectors, width = jr_vector_elements;
    typedef jr_vector<jr_vector_elements> loaded;
    const jr_cut &in;
    jr_u64 at[jr_thread_vectors], step; // vectors from the first one on

    __device__ __forceinline__ jr_thread_whole(const jr_cut &of, const jr_thread_cut &cut, jr_u64 first) : in(of) {
        constexpr jr_u32 n = jr_vector_elements;
        const jr_tile_begin tile(first / n, cut.inner / n);
        const jr_u64 follow = (cut.count - first) / n;
        step = cut.inner / n;
        const long long head = in.head / n;
#pragma unroll
        for (jr_u32 v = 0; v < jr_thread_vectors; v++) {
            const jr_u32 i = v * JR_BLOCK + threadIdx.x;
            jr_u64 own;
            const jr_u64 slab = tile.find(i < follow ? i : (jr_u32)follow - 1, own);
            at[v] = slab * cut.length * step + own - head;
        }
    }
    __device__ __forceinline__ void load(loaded &held, jr_u32 v) const { held.load(in, (long long)at[v]); }
    __device__ __forceinline__ void next(jr_u32 v) { at[v] += step; }
    static __device__ __forceinline__ jr_u32 column(jr_u32 v, jr_u32 k) {
        return (v * JR_BLOCK + threadIdx.x) * jr_vector_elements + k;
    }
};

// The same element by element: a thread's columns are a block's width apart.
struct jr_thread_loose {
    static constexpr jr_u32 vectors = jr_thread_vectors, width = jr_vector_elements;
    struct loaded {
        JR_X elements[jr_vector_elements];

        __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
            return {(JR_X_VALUE)elements[k], index};
        }
    };
    const JR_X *at[jr_thread_columns];
    jr_u64 step;

    __device__ __forceinline__ jr_thread_loose(const jr_cut &in, const jr_thread_cut &cut, jr_u64 first) {
        const jr_tile_begin tile(first, cut.inner);
        const jr_u64 follow = cut.count - first;
        step = cut.inner;
#pragma unroll
        for (jr_u32 c = 0; c < jr_thread_columns; c++) {
            const jr_u32 i = c * JR_BLOCK + threadIdx.x;
            jr_u64 own;
            const jr_u64 slab = tile.find(i < follow ? i : (jr_u32)follow - 1, own);
            at[c] = in.packs + (long long)(slab * cut.length * step + own - in.head);
        }
    }
    __device__ __forceinline__ void load(loaded &held, jr_u32 v) const {
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++) held.elements[k] = *at[v * jr_vector_elements + k];
    }
    __device__ __forceinline__ void next(jr_u32 v) {
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++) at[v * jr_vector_elements + k] += step;
    }
    static __device__ __forceinline__ jr_u32 column(jr_u32 v, jr_u32 k) {
        return (v * jr_vector_elements + k) * JR_BLOCK + threadIdx.x;
    }
};

// One column a thread, where these are few.
struct jr_thread_single {
    static constexpr jr_u32 vectors = 1, width = 1;
    struct loaded {
        JR_X element;

        __device__ __forceinline__ jr_item item(jr_u32, jr_u64 index) const { return {(JR_X_VALUE)element, index}; }
    };
    const JR_X *at;
    jr_u64 step;

    __device__ __forceinline__ jr_thread_single(const jr_cut &in, const jr_thread_cut &cut, jr_u32 column) {
        const jr_u64 slab = column < cut.inner ? 0 : column / (jr_u32)cut.inner;
        step = cut.inner;
        at = in.packs + (long long)(slab * (cut.length - 1) * step + column - in.head);
    }
    __device__ __forceinline__ void load(loaded &held, jr_u32) const { held.element = *at; }
    __device__ __forceinline__ void next(jr_u32) { at += step; }
};

// Folds the columns of a thread.
template <class SOURCE>
__device__ __forceinline__ void jr_thread_fold(const jr_reducer &reducer, SOURCE &source, jr_u32 length,
                                               jr_accumulator (&acc)[SOURCE::vectors * SOURCE::width]) {
    const jr_u64 first = jr_piece_first(reducer);
#pragma unroll
    for (jr_u32 c = 0; c < SOURCE::vectors * SOURCE::width; c++) acc[c] = reducer.identity();
#pragma unroll 1
    for (jr_u32 row = 0; row < length; row += JR_UNROLL) {
        const jr_u32 left = length - row, count = left < JR_UNROLL ? left : JR_UNROLL;
        typename SOURCE::loaded held[SOURCE::vectors][JR_UNROLL];
        // Loads past the last row repeat that row; their values are not combined.
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
#pragma unroll
            for (jr_u32 v = 0; v < SOURCE::vectors; v++) {
                source.load(held[v][u], v);
                if (u + 1 < count || count == JR_UNROLL) source.next(v);
            }
#pragma unroll
        for (jr_u32 c = 0; c < SOURCE::vectors * SOURCE::width; c++)
            jr_line_round<jr_operator>::fold(reducer, held[c / SOURCE::width], c % SOURCE::width, row, count,
                                             jr_thread_index{first + row}, acc[c]);
    }
#pragma unroll
    for (jr_u32 c = 0; c < SOURCE::vectors * SOURCE::width; c++) jr_line_round<jr_operator>::end(acc[c], length);
}

// ---- results ----

template <class SOURCE>
__device__ __forceinline__ void jr_thread_write(const jr_reducer &reducer, const jr_thread_cut &cut, jr_u8 *out,
                                                jr_u64 first, const jr_accumulator (&acc)[jr_thread_columns]) {
#pragma unroll
    for (jr_u32 c = 0; c < jr_thread_columns; c++) {
        const jr_u64 column = first + SOURCE::column(c / jr_vector_elements, c % jr_vector_elements);
        if (column < cut.count) reducer.write_one(out + column * cut.result_bytes, acc[c], cut.length);
    }
}

// Results that lie side by side, a vector of columns together; several operators' have places of their own.
#if JR_STATE
typedef jr_accumulator jr_thread_result;
#elif JR_KEPT || JR_OPERATORS_STATISTICS
struct jr_thread_result {
    jr_u8 bytes[3]; // no result has this size
};
#else
typedef decltype(jr_finished(jr_asked::finish(*(const jr_accumulator *)0, 1, 0), (jr_u64)1,
                             *(const jr_call *)0)) jr_thread_result;
#endif
constexpr jr_u32 jr_thread_result_bytes = jr_vector_elements * sizeof(jr_thread_result);

__device__ __forceinline__ void jr_thread_write_side_by_side(const jr_reducer &reducer, const jr_thread_cut &cut,
                                                             jr_u8 *out, jr_u64 first,
                                                             const jr_accumulator (&acc)[jr_thread_columns]) {
    if constexpr (jr_thread_result_bytes % 16 == 0) {
#pragma unroll
        for (jr_u32 v = 0; v < jr_thread_vectors; v++) {
            const jr_u64 column = first + jr_thread_whole::column(v, 0);
            if (column >= cut.count) break;
            union {
                uint4 vectors[(jr_thread_result_bytes + 15) / 16];
                jr_u8 bytes[jr_thread_result_bytes];
            } made;
#pragma unroll
            for (jr_u32 k = 0; k < jr_vector_elements; k++)
                reducer.write_one(made.bytes + k * sizeof(jr_thread_result), acc[v * jr_vector_elements + k],
                                  cut.length);
#pragma unroll
            for (jr_u32 i = 0; i < jr_thread_result_bytes / 16; i++)
                ((uint4 *)(out + column * sizeof(jr_thread_result)))[i] = made.vectors[i];
        }
    }
}

// in: the input, cut without an end. out: the results. A block takes tiles of columns in turn; where the grid has a thread
// for each column, a thread takes one.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, JR_BLOCK <= jr_threads_resident ? jr_threads_resident / JR_BLOCK : 1)
    jr_segmented_threads(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_thread_cut cut,
                         const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    if (jr_thread_columns > 1 && (jr_u64)gridDim.x * JR_BLOCK >= cut.count) {
        const jr_u32 column = blockIdx.x * JR_BLOCK + threadIdx.x;
        if (column >= cut.count) return;
        jr_thread_single source(in, cut, column);
        jr_accumulator acc[1];
        jr_thread_fold(reducer, source, (jr_u32)cut.length, acc);
        reducer.write_one((jr_u8 *)out + column * cut.result_bytes, acc[0], cut.length);
        return;
    }
    const bool even = cut.inner % jr_vector_elements == 0, whole = even && in.head % jr_vector_elements == 0;
    const bool beside = jr_thread_result_bytes % 16 == 0 && even && (jr_u64)out % 16 == 0 &&
                        cut.result_bytes == sizeof(jr_thread_result);
#pragma unroll 1
    for (jr_u64 first = (jr_u64)blockIdx.x * jr_thread_tile; first < cut.count;
         first += (jr_u64)gridDim.x * jr_thread_tile) {
        jr_accumulator acc[jr_thread_columns];
        if (whole) {
            jr_thread_whole source(in, cut, first);
            jr_thread_fold(reducer, source, (jr_u32)cut.length, acc);
            if (beside)
                jr_thread_write_side_by_side(reducer, cut, (jr_u8 *)out, first, acc);
            else
                jr_thread_write<jr_thread_whole>(reducer, cut, (jr_u8 *)out, first, acc);
        } else {
            jr_thread_loose source(in, cut, first);
            jr_thread_fold(reducer, source, (jr_u32)cut.length, acc);
            jr_thread_write<jr_thread_loose>(reducer, cut, (jr_u8 *)out, first, acc);
        }
    }
}
