/* What host and kernels both know of segments, columns and axes: part of abi.h, which includes it. */
#ifndef JR_ABI_SEGMENTS_H
#define JR_ABI_SEGMENTS_H

/* Neighbouring segments: where each begins and ends in the input, and where its result goes. */
typedef struct jr_segment_cut {
    JR_ADDRESS(const jr_u64) offsets; /* count + 1 of them, none below the one before it; 0: all are of `length` */
    jr_u64 count;
    jr_u64 length;
    jr_u64 result_bytes; /* from one segment's results to the next one's */
} jr_segment_cut;
JR_STATIC_ASSERT(sizeof(jr_segment_cut) == 32, "jr_segment_cut: the layout differs");

/* Where the segments of a scan start. */
typedef struct jr_heads {
    JR_ADDRESS(const jr_u64) offsets; /* count + 1 of them, none below the one before it */
    JR_ADDRESS(const void) keys;      /* one key per element */
    jr_u64 count;                     /* segments, with offsets */
    jr_u64 length;                    /* elements per segment, if all have the same length */
} jr_heads;
JR_STATIC_ASSERT(sizeof(jr_heads) == 32, "jr_heads: the layout differs");

/* Where the results for runs of equal keys go, run after run. */
typedef struct jr_runs {
    JR_ADDRESS(void) keys;    /* the first key of each run; 0: not requested */
    JR_ADDRESS(jr_u64) count; /* the number of runs; 0: not requested */
    jr_u64 result_bytes;      /* from one run's results to the next one's */
} jr_runs;
JR_STATIC_ASSERT(sizeof(jr_runs) == 24, "jr_runs: the layout differs");

/* Columns of an array in C order: elements of a column are `inner` apart; neighbouring columns are next to each
 * other. */
typedef struct jr_column_cut {
    jr_u64 count; /* columns */
    jr_u64 length, inner;
    jr_u64 part_length; /* rows of a part */
    jr_u64 parts;
    jr_u64 result_bytes; /* from one column's results to the next one's */
    jr_u32 width, lanes; /* columns per block; threads per column: width * lanes is at most the threads of a block */
} jr_column_cut;
JR_STATIC_ASSERT(sizeof(jr_column_cut) == 56, "jr_column_cut: the layout differs");

/* Columns of an array of slabs of `length` rows of `inner` columns, divided into bands (segmented/strided/bands.cuh). A
 * line is `fold` consecutive rows; the last line of a slab may be short. */
typedef struct jr_band_cut {
    jr_u64 units;                        /* pieces of work for blocks: bands * groups of slabs * parts */
    jr_u64 elements, slabs, slab_groups; /* elements of the array; slabs; groups of slabs */
    jr_u64 slab_elements, pitch, lines;  /* elements of a slab, of a line; lines of a slab */
    jr_u64 parts, bands;                 /* parts of a slab; bands of a line */
    jr_u64 inner, count;                 /* neighbouring columns; all columns */
    jr_u64 result_bytes;                 /* from one column's results to the next one's */
    jr_u64 vector_step;                  /* vectors from one of a thread's lines to its next */
    jr_u32 part_lines;                   /* lines of a part */
    jr_u32 columns, width;               /* columns of a band; threads of a lane */
    jr_u32 lanes, slab_lanes;            /* lanes of a block; slabs in a group */
    jr_u32 share, line_step; /* lines from one lane's first to the next one's; from one of a thread to its next */
    jr_u32 fold, loose;      /* rows of a line; 1: loads are element by element, without vectors */
    jr_u32 unused;           /* 0 */
} jr_band_cut;
JR_STATIC_ASSERT(sizeof(jr_band_cut) == 144, "jr_band_cut: the layout differs");

/* Columns of an array of slabs of `length` rows of `inner` columns, each of which one thread folds alone. */
typedef struct jr_thread_cut {
    jr_u64 count;         /* columns */
    jr_u64 length, inner; /* rows, fewer than 2^32; neighbouring columns */
    jr_u64 result_bytes;  /* from one column's results to the next one's */
} jr_thread_cut;
JR_STATIC_ASSERT(sizeof(jr_thread_cut) == 32, "jr_thread_cut: the layout differs");

/* Columns that are scanned: each is cut into parts of rows; in all there are `pieces` parts of `inner` neighbouring
 * columns. Columns that are one part may be scanned by several lanes of a block. */
typedef struct jr_scan_columns {
    jr_u64 pieces;
    jr_u64 length, inner;
    jr_u64 part_length; /* rows of a part */
    jr_u64 parts;       /* of a column */
    jr_u32 packs;       /* 1: rows consist of packs at 16-byte boundaries, as do their results */
    jr_u32 lanes;       /* threads of a column, which take rows in turn; a power of two */
    jr_u64 before;      /* rows of the same columns that earlier launches scanned */
    jr_u64 carry;       /* address of one accumulator per column: the fold of the rows before; the launch updates it
                         * with its own rows, and scans only `inner` columns. 0: nothing precedes or follows */
} jr_scan_columns;
JR_STATIC_ASSERT(sizeof(jr_scan_columns) == 64, "jr_scan_columns: the layout differs");

/* Maps a number, in C order along axes of an array, to an element: the sizes of the axes, the last axis first, and the
 * distance between neighbours along each. A missing axis has size 1. */
typedef struct jr_axis_map {
    jr_u64 size[JR_AXES_MAX], stride[JR_AXES_MAX];
} jr_axis_map;

/* Segments along axes that are not neighbours: maps a segment, and a number in it, to an element. Blocks share them as
 * they share columns. */
typedef struct jr_axes_cut {
    jr_column_cut columns;
    jr_axis_map segments, elements;
} jr_axes_cut;
JR_STATIC_ASSERT(sizeof(jr_axes_cut) == 184, "jr_axes_cut: the layout differs");

/* apply_cluster: blocks of a cluster, which hold a row. */
#define JR_ROW_BLOCKS 8u

/* Consecutive rows, each of which is reduced, and whose elements then are given values. */
typedef struct jr_row_cut {
    JR_ADDRESS(const JR_X) x;
    JR_ADDRESS(const void) more[JR_ARRAYS_MAX - 1];
    JR_ADDRESS(void) out;
    jr_u64 count, length;           /* rows; elements of each */
    jr_u64 step[JR_ARRAYS_MAX - 1]; /* elements from a row to the next one in the others; 0: all rows have the same */
} jr_row_cut;
JR_STATIC_ASSERT(sizeof(jr_row_cut) == 80, "jr_row_cut: the layout differs");

/* A slice of one of many arrays, each of which consists of consecutive slices. */
#define JR_SLICE_ARRAY 0x0fffffffu /* bits of `of`: the array's index */
#define JR_SLICE_TYPE  28          /* the bits from here on: JR_SLICE_OF_... */
#define JR_SLICE_WHOLE 0x80000000u /* it is the whole array */
enum { JR_SLICE_OF_X = 0, JR_SLICE_OF_F32 = 1, JR_SLICE_OF_F16 = 2, JR_SLICE_OF_BF16 = 3 };
typedef struct jr_slice {
    JR_ADDRESS(void) at;
    jr_u32 count, of;
} jr_slice;
JR_STATIC_ASSERT(sizeof(jr_slice) == 16, "jr_slice: the layout differs");

/* One of many arrays: its elements, those of each of its slices but the last, its first slice, and how many it has. */
typedef struct jr_sliced {
    jr_u64 count;
    jr_u32 each, first, slices, unused; /* 0 */
} jr_sliced;
JR_STATIC_ASSERT(sizeof(jr_sliced) == 24, "jr_sliced: the layout differs");

/* Many arrays, and where a launch keeps what it finds of them: for each slice an accumulator; for each array how many
 * of its slices are done, 0 before and after the launch; slots of the blocks, for the total of all arrays. Block b
 * reduces the slices from starts[b] up to starts[b + 1]; the first one of each of its warps stands in `firsts`, too. */
typedef struct jr_many {
    JR_ADDRESS(const jr_slice) slices;
    JR_ADDRESS(const jr_sliced) arrays;
    JR_ADDRESS(const jr_u32) starts;
    JR_ADDRESS(const jr_slice) firsts;
    JR_ADDRESS(void) accumulators;
    JR_ADDRESS(jr_u32) done;
    JR_ADDRESS(jr_u64) slots;
    JR_ADDRESS(void) results; /* of each array, and then of all */
    jr_u64 result_bytes;      /* from one array's results to the next one's */
    jr_u32 slice_count, array_count;
} jr_many;
JR_STATIC_ASSERT(sizeof(jr_many) == 80, "jr_many: the layout differs");

#endif
