// Bands: neighbouring columns of a C-ordered array, which a block takes together with 16-byte loads.
//
// A line is a row of the array, or `fold` consecutive rows of a narrow array. A block takes a band of columns: each of
// its lanes (`width` threads) takes every so many lines; where slabs are small, its lanes take several slabs. A thread
// loads one aligned vector of each line: the band begins `shift` elements after the boundary of its first thread's
// vector. The shift is the same in all lines of a lane, since the host chooses the number of lanes so (column_bands.c).
#pragma once

#include "fold/ordered.cuh"
#include "segmented/common/piece.cuh"
#include "segmented/strided/rounds.cuh"

// What a block reduces at a time: some lines of a band, in some slabs.
struct jr_band {
    jr_u64 slab, from, first;          // the first slab; the first column in a line; the first line
    jr_u64 result;                     // number of the first result, or partial result
    jr_u32 lines, columns, slabs, row; // of the part; of the band; slabs; columns of all of these

    // unit: neighbouring blocks take neighbouring bands.
    __device__ __forceinline__ jr_band(const jr_band_cut &cut, jr_u64 unit) {
        const jr_u64 above = unit / cut.bands, part = cut.parts > 1 ? above / cut.slab_groups : 0;
        slab = (above - part * cut.slab_groups) * cut.slab_lanes;
        from = (unit - above * cut.bands) * cut.columns;
        first = part * cut.part_lines;
        result = part * cut.count + slab * cut.inner + from;
        lines = cut.lines - first < cut.part_lines ? (jr_u32)(cut.lines - first) : cut.part_lines;
        columns = cut.pitch - from < cut.columns ? (jr_u32)(cut.pitch - from) : cut.columns;
        slabs = cut.slabs - slab < cut.slab_lanes ? (jr_u32)(cut.slabs - slab) : cut.slab_lanes;
        row = slabs * columns;
    }
};

constexpr jr_u32 jr_no_column = 1u << 31; // a column after every band

// A thread's lines of a band: every line_step-th from `line` on, `left` of them.
struct jr_band_lines {
    jr_u64 line;
    long long at;               // elements from the first pack to the band in this line
    jr_u32 left, column, cells; // column of the band; where the accumulators of the thread's lane begin

    __device__ __forceinline__ jr_band_lines(const jr_band_cut &cut, const jr_band &band, const jr_cut &in) {
        const jr_u32 number = threadIdx.x / cut.width, lane = number / cut.slab_lanes, beside = number % cut.slab_lanes;
        // Lanes take lines in turn, or, when the order counts, one piece each.
        const jr_u32 ahead = lane * cut.share, rest = ahead < band.lines ? band.lines - ahead : 0;
        line = band.first + ahead;
        left = !JR_COMMUTATIVE ? rest < cut.share ? rest : cut.share : (rest + cut.lanes - 1) / cut.lanes;
        at = (long long)((band.slab + beside) * cut.slab_elements + line * cut.pitch + band.from - in.head);
        cells = lane * band.row + beside * band.columns;
        column = threadIdx.x % cut.width * jr_vector_elements;
        if (lane < cut.lanes && beside < band.slabs) return;
        column = jr_no_column;
        left = 0;
    }
};

// ---- folding ----

// The index of an element in its column: the first row of its line, and the rows of the line before the element's.
struct jr_band_index {
#if JR_OPERATORS_INDEX || JR_EXPRESSIONS
    jr_u64 row, step;
    jr_u32 rows_before[jr_vector_elements];

    // column: of the first element; indices of elements outside the band are unspecified.
    __device__ __forceinline__ jr_band_index(const jr_reducer &reducer, const jr_band_cut &cut, jr_u64 line,
                                             jr_u32 column)
        : row(line * cut.fold + jr_piece_first(reducer)), step((jr_u64)cut.line_step * cut.fold) {
        // One division only, since it is slow to compile and to run: neighbours count on from it. Columns before the
        // band wrap below 0.
        const jr_u32 inner = (jr_u32)cut.inner;
        jr_u32 rows = cut.fold > 1 && (int)column >= 0 ? column / inner : 0;
        jr_u32 next = cut.fold > 1 ? (rows + 1) * inner : jr_no_column;
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++) {
            if (column + k == next) {
                rows++;
                next += inner;
            }
            rows_before[k] = rows;
        }
    }
    __device__ __forceinline__ jr_u64 of(jr_u32 k, jr_u32 u) const {
        return row + u * step + rows_before[k];
    }
    __device__ __forceinline__ void move(jr_u32 lines) {
        row += lines * step;
    }
#else
    __device__ __forceinline__ jr_band_index(const jr_reducer &, const jr_band_cut &, jr_u64, jr_u32) {}
    __device__ __forceinline__ jr_u64 of(jr_u32, jr_u32) const {
        return 0;
    }
    __device__ __forceinline__ void move(jr_u32) {}
#endif
};

// Folds `left` lines, JR_UNROLL at once. Loads past the last line repeat that line; their values are not combined.
template <class LINES>
__device__ __forceinline__ void jr_fold_lines(const jr_reducer &reducer, LINES lines, jr_band_index index, jr_u32 left,
                                              jr_accumulator (&acc)[jr_vector_elements]) {
#pragma unroll
    for (jr_u32 k = 0; k < jr_vector_elements; k++) acc[k] = reducer.identity();
    const jr_u32 all = left;
#pragma unroll 1
    while (left > 0) {
        const jr_u32 count = left < JR_UNROLL ? left : JR_UNROLL;
        typename LINES::loaded held[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            lines.load(held[u]);
            if (u + 1 < count || count == JR_UNROLL) lines.next();
        }
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++)
            jr_line_round<jr_operator>::fold(reducer, held, k, all - left, count, index, acc[k]);
        index.move(JR_UNROLL);
        left -= count;
    }
#pragma unroll
    for (jr_u32 k = 0; k < jr_vector_elements; k++) jr_line_round<jr_operator>::end(acc[k], all);
}

// ---- the accumulators of a block, a row of the band's columns for each lane ----

// Spreads accumulators over banks: threads that write N neighbours each would else conflict in a few of them.
__device__ __forceinline__ jr_u32 jr_cell(jr_u32 i) {
    return i ^ (i / jr_warp_lanes & (jr_vector_elements - 1));
}

// A thread's accumulators: for columns first, first + 1, ... of the band; columns outside the band have no accumulator.
// `first` may wrap below 0.
struct jr_thread_cells {
    jr_accumulator *cells;
    jr_u32 from, first, columns;

    __device__ __forceinline__ bool has(jr_u32 k) const {
        return first + k < columns;
    }
    __device__ __forceinline__ jr_accumulator &cell(jr_u32 k) const {
        return cells[jr_cell(from + first + k)];
    }
    __device__ __forceinline__ void store(const jr_accumulator (&acc)[jr_vector_elements]) const {
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++)
            if (has(k)) cell(k) = acc[k];
    }
};

#if !JR_ALL_ENDS
// A thread's lines that are folded element by element, since their vectors are not whole within all elements, or since
// the line is short: the first `before` and the last `after` of them.
struct jr_band_edges {
    jr_u32 before, after;

    __device__ __forceinline__ jr_band_edges(const jr_band_cut &cut, const jr_cut &in, const jr_band_lines &own,
                                             long long vector) {
        constexpr long long n = jr_vector_elements;
        const long long all = (long long)(cut.elements - in.head), begin = -(long long)(in.head / n);
        const long long end = (all - (all & (n - 1))) / n;
        before = after = 0;
        while (before < own.left && vector + (long long)(before * cut.vector_step) < begin) before++;
        for (; before + after < own.left; after++) {
            const jr_u64 i = own.left - 1 - after;
            const bool is_short = cut.fold > 1 && (own.line + i * cut.line_step + 1) * cut.pitch > cut.slab_elements;
            if (!is_short && vector + (long long)(i * cut.vector_step) < end) break;
        }
    }

    // Combines these lines into the thread's cells, which have the fold of the lines between them: the nearest lines
    // first.
    __device__ __forceinline__ void fold(const jr_reducer &reducer, const jr_band_cut &cut, const jr_cut &in,
                                         const jr_band &band, const jr_band_lines &own,
                                         const jr_thread_cells &cells) const {
#pragma unroll 1
        for (jr_u32 e = 0; e < before + after; e++) {
            const bool ahead = e < before;
            const jr_u64 i = ahead ? before - 1 - e : own.left - (before + after) + e;
            const jr_u64 line = own.line + i * cut.line_step, from = line * cut.pitch + band.from;
            const long long at = own.at + (long long)(i * cut.line_step * cut.pitch);
#pragma unroll 1
            for (jr_u32 k = 0; k < jr_vector_elements; k++) {
                const jr_u32 q = cells.first + k;
                if (!cells.has(k) || from + q >= cut.slab_elements) continue;
                jr_item item = jr_item_at(in, at + q, 0);
                item.i = line * cut.fold + (cut.fold > 1 ? q / (jr_u32)cut.inner : 0) + jr_piece_first(reducer);
                const jr_accumulator mine = reducer.lift(item);
                jr_accumulator &cell = cells.cell(k);
                cell = !JR_COMMUTATIVE && ahead ? reducer.combine(mine, cell) : reducer.combine(cell, mine);
            }
        }
    }
};

// By vectors.
__device__ __forceinline__ void jr_fold_vectors(const jr_reducer &reducer, const jr_band_cut &cut, const jr_cut &in,
                                                const jr_band &band, jr_band_lines own, jr_accumulator *all) {
    constexpr long long n = jr_vector_elements;
    const jr_u32 shift = (jr_u32)(own.at & (n - 1));
    const jr_thread_cells cells = {all, own.cells, own.column - shift, band.columns};
    const long long vector = (own.at - shift + own.column) / n;
    if (own.column >= band.columns + shift) own.left = 0;
    const jr_band_edges edges(cut, in, own, vector);
    const jr_vector_lines lines = {in, vector + (long long)(edges.before * cut.vector_step),
                                   (long long)cut.vector_step};
    const jr_band_index index(reducer, cut, own.line + (jr_u64)edges.before * cut.line_step, cells.first);
    jr_accumulator acc[jr_vector_elements];
    jr_fold_lines(reducer, lines, index, own.left - edges.before - edges.after, acc);
    cells.store(acc);
    edges.fold(reducer, cut, in, band, own, cells);
}
#endif

// Element by element.
__device__ __forceinline__ void jr_fold_loose(const jr_reducer &reducer, const jr_band_cut &cut, const jr_cut &in,
                                              const jr_band &band, const jr_band_lines &own, jr_accumulator *all) {
    const jr_loose_lines lines = {in, own.at, (long long)(cut.line_step * cut.pitch), own.column, band.columns - 1};
    jr_accumulator acc[jr_vector_elements];
    jr_fold_lines(reducer, lines, jr_band_index(reducer, cut, own.line, own.column),
                  own.column < band.columns ? own.left : 0, acc);
    jr_thread_cells{all, own.cells, own.column, band.columns}.store(acc);
}

// Combines `rows` rows of `columns` accumulators into the first one; when the order counts, neighbours first. All
// threads take part.
__device__ __forceinline__ void jr_combine_cells(const jr_reducer &reducer, jr_accumulator *cells, jr_u32 rows,
                                                 jr_u32 columns) {
#if JR_COMMUTATIVE
#pragma unroll 1
    while (rows > 1) {
        const jr_u32 half = (rows + 1) / 2 * columns, all = rows * columns;
        __syncthreads();
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i + half < all; i += JR_BLOCK)
            cells[jr_cell(i)] = reducer.combine(cells[jr_cell(i)], cells[jr_cell(i + half)]);
        rows = (rows + 1) / 2;
    }
#else
#pragma unroll 1
    for (jr_u32 distance = 1; distance < rows; distance *= 2) {
        __syncthreads();
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < (rows - distance + 2 * distance - 1) / (2 * distance) * columns;
             i += JR_BLOCK) {
            const jr_u32 to = i / columns * 2 * distance * columns + i % columns;
            cells[jr_cell(to)] = reducer.combine(cells[jr_cell(to)], cells[jr_cell(to + distance * columns)]);
        }
    }
#endif
    __syncthreads();
}
