/* What host and kernels both know of segments, columns and axes: part of abi.h, which includes it. */
#ifndef JR_ABI_SEGMENTS_H
#define JR_ABI_SEGMENTS_H

/* Segments that follow each other: where each begins and ends in the input, and where its result goes. */
typedef struct jr_segment_cut {
    JR_ADDRESS(const jr_u64) offsets; /* count + 1 of them, none below the one before it; 0: all are of `length` */
    jr_u64 count;
    jr_u64 length;
    jr_u64 result_bytes; /* from one segment's results to the next one's */
} jr_segment_cut;
JR_STATIC_ASSERT(sizeof(jr_segment_cut) == 32, "jr_segment_cut: the layout differs");

/* What tells where the segments of a scan begin. */
typedef struct jr_heads {
    JR_ADDRESS(const jr_u64) offsets; /* count + 1 of them, none below the one before it */
    JR_ADDRESS(const void) keys;      /* one for each element */
    jr_u64 count;                     /* segments, if there are offsets */
    jr_u64 length;                    /* of each, if it is the same for all */
} jr_heads;
JR_STATIC_ASSERT(sizeof(jr_heads) == 32, "jr_heads: the layout differs");

/* Where runs of equal keys leave what is found of them, one behind the other. */
typedef struct jr_runs {
    JR_ADDRESS(void) keys;    /* of each the first one; 0: they are not asked for */
    JR_ADDRESS(jr_u64) count; /* of the runs; 0: it is not asked for */
    jr_u64 result_bytes;      /* from one run's results to the next one's */
} jr_runs;
JR_STATIC_ASSERT(sizeof(jr_runs) == 24, "jr_runs: the layout differs");

/* Columns of an array in C order: a column's elements lie `inner` apart and its neighbours' side by side. */
typedef struct jr_column_cut {
    jr_u64 count; /* columns */
    jr_u64 length, inner;
    jr_u64 part_length; /* rows of a part */
    jr_u64 parts;
    jr_u64 result_bytes; /* from one column's results to the next one's */
    jr_u32 width, lanes; /* columns of a block; its threads of each: width * lanes is at most its threads */
} jr_column_cut;
JR_STATIC_ASSERT(sizeof(jr_column_cut) == 56, "jr_column_cut: the layout differs");

/* Columns of an array of slabs of `length` rows of `inner` columns, shared out as bands (segmented/strided/bands.cuh).
 * A line is `fold` rows, one behind the other; the last one of a slab may be short. */
typedef struct jr_band_cut {
    jr_u64 units;                        /* of blocks: bands, slabs at a time, parts */
    jr_u64 elements, slabs, slab_groups; /* in all; slabs; slabs at a time */
    jr_u64 slab_elements, pitch, lines;  /* elements of a slab, of a line; lines of a slab */
    jr_u64 parts, bands;                 /* of a slab; of a line */
    jr_u64 inner, count;                 /* columns side by side; columns */
    jr_u64 result_bytes;                 /* from one column's results to the next one's */
    jr_u64 vector_step;                  /* vectors from one of a thread's lines to its next */
    jr_u32 part_lines;                   /* lines of a part */
    jr_u32 columns, width;               /* of a band; threads of a lane */
    jr_u32 lanes, slab_lanes;            /* of a block: lanes of a slab, slabs at a time */
    jr_u32 share, line_step; /* lines from one lane's first to the next one's; from one of a thread to its next */
    jr_u32 fold, loose;      /* rows of a line; 1: no vectors, element by element */
    jr_u32 unused;           /* 0 */
} jr_band_cut;
JR_STATIC_ASSERT(sizeof(jr_band_cut) == 144, "jr_band_cut: the layout differs");

/* Columns of an array of slabs of `length` rows of `inner` columns, which threads fold alone. */
typedef struct jr_thread_cut {
    jr_u64 count;         /* columns */
    jr_u64 length, inner; /* rows, fewer than 32 bits count; columns side by side */
    jr_u64 result_bytes;  /* from one column's results to the next one's */
} jr_thread_cut;
JR_STATIC_ASSERT(sizeof(jr_thread_cut) == 32, "jr_thread_cut: the layout differs");

/* Columns that are scanned: each is cut into parts of rows; `pieces` parts of the `inner` columns that lie side by
 * side. */
typedef struct jr_scan_columns {
    jr_u64 pieces;
    jr_u64 length, inner;
    jr_u64 part_length; /* rows of a part */
    jr_u64 parts;       /* of a column */
    jr_u64 packs;       /* 1: rows are made of packs that lie at 16-byte boundaries, as do their results */
    jr_u64 before;      /* rows of the same columns that were scanned by a launch before */
    jr_u64 carry;       /* address of an accumulator a column: their folds, which become those of these rows, too; 0:
                         * nothing goes on. Then only `inner` columns are scanned */
} jr_scan_columns;
JR_STATIC_ASSERT(sizeof(jr_scan_columns) == 64, "jr_scan_columns: the layout differs");

/* Numbers, in C order along axes of an array, and where they lead to: the sizes of the axes, the last one first, and
 * how far apart their elements lie. An axis that is not there has size 1. */
typedef struct jr_axis_map {
    jr_u64 size[JR_AXES_MAX], stride[JR_AXES_MAX];
} jr_axis_map;

/* Segments along axes that are no neighbours: which element a segment, and a number in it, lead to. They are shared out
 * as columns are. */
typedef struct jr_axes_cut {
    jr_column_cut columns;
    jr_axis_map segments, elements;
} jr_axes_cut;
JR_STATIC_ASSERT(sizeof(jr_axes_cut) == 184, "jr_axes_cut: the layout differs");

#endif
