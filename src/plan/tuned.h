/* Tuned numbers: which numbers were measured to be best, by class of device. No algorithm decides by a measured number
 * of its own; it names one of these. How to measure them on another device: README.md, "To add a generation of GPUs".
 */
#ifndef JR_PLAN_TUNED_H
#define JR_PLAN_TUNED_H

#include "jitreduce/context.h"

/* Classes of devices for which other numbers are best. */
typedef enum jr_device_class {
    JR_CLASS_ANY,  /* every device that is in no other class */
    JR_CLASS_H100, /* compute capability 9.0 or more, with 192 KiB of shared memory for a block */
    JR_CLASS_H200, /* such a device with more of the memory's bandwidth for each multiprocessor */
    JR_DEVICE_CLASSES
} jr_device_class;

jr_device_class jr_tuned_class_of(const jr_device_info *device);

/* The class whose numbers a class takes where it has none of its own; that of JR_CLASS_ANY is itself. */
jr_device_class jr_tuned_class_like(jr_device_class class);

/* The bandwidth in bytes a nanosecond for each multiprocessor that a device of the class has more than; 0: any. */
double jr_tuned_class_rate(jr_device_class class);

/* The memory bandwidth of a device computed from its clock and its bus, in bytes per millisecond; 0: the device does
 * not report them. */
double jr_tuned_memory_rate(const jr_device_info *device);

/* ---- numbers ---- */

typedef enum jr_tuned_number {
    JR_NUMBER_CHUNK_FROM_BYTES,  /* host data of so many bytes goes through the device in parts, to one result */
    JR_NUMBER_VECTORS_IN_FLIGHT, /* of 16 bytes, that keep the memory of a multiprocessor busy */
    JR_NUMBER_BLOCK,             /* threads of a block, where nothing else is said */
    JR_NUMBER_UNROLL,
    JR_NUMBER_SEGMENTS_BLOCK,

    JR_NUMBER_SCAN_SMALL_BYTES, /* of elements, that one block scans soonest; above, wave is chosen */
    JR_NUMBER_SCAN_FEW_LOADS,   /* of a thread of that block, where they hold all elements; else the next one */
    JR_NUMBER_SCAN_MANY_LOADS,
    JR_NUMBER_SCAN_LARGE_BYTES,    /* of elements and results: above, bulk_copy is chosen, not wave */
    JR_NUMBER_SCAN_LARGE_ELEMENTS, /* of a scan of segments: from so many elements, or bytes, on bulk_copy is chosen */
    JR_NUMBER_SCAN_LARGE_SEGMENTED_BYTES,
    JR_NUMBER_RUNS_LARGE_BYTES,    /* the same of runs of equal keys */
    JR_NUMBER_SCAN_SHORT_LENGTH,   /* of a column or a row that a thread scans */
    JR_NUMBER_SCAN_SHORT_ELEMENTS, /* of rows of one element, up to which it does; of longer rows as many times fewer */

    /* Threads of a block of scans by bulk_copy; 0: as its entry says. */
    JR_NUMBER_SCAN_WORDS_BLOCK, /* of elements and accumulators of 4 bytes */
    JR_NUMBER_SCAN_FEW_WORDS,   /* up to so many of them the next one */
    JR_NUMBER_SCAN_FEW_WORDS_BLOCK,
    JR_NUMBER_SCAN_PAIRS_BLOCK, /* of elements, accumulators and results of 8 bytes */
    JR_NUMBER_SCAN_FEW_PAIRS,   /* up to so many of them the next one */
    JR_NUMBER_SCAN_FEW_PAIRS_BLOCK,
    JR_NUMBER_SCAN_PAIRS_OF_4_BLOCK, /* of elements of 4, 2 and 1 bytes, with accumulators and results of 8 */
    JR_NUMBER_SCAN_PAIRS_OF_2_BLOCK,
    JR_NUMBER_SCAN_PAIRS_OF_1_BLOCK,
    JR_NUMBER_SCAN_EXPRESSIONS_BLOCK, /* of accumulators and results of 8 bytes, where there are expressions */

    JR_NUMBER_RING_LOADS_OF_8_BYTES, /* of a thread of a scan's ring at most, with accumulators of 8 bytes */
    JR_NUMBER_RING_LOADS_OF_SHORT,   /* of elements of 1 or 2 bytes with results of 8 */
    JR_NUMBER_RING_SEGMENTS_BYTES,   /* of a tile with its keys at most */

    JR_NUMBER_EXACT_LOADS,          /* of a thread of an exact sum at most */
    JR_NUMBER_EXACT_SEGMENT_LENGTH, /* of equal segments: from there on warps have them, not threads */
    JR_NUMBER_EXACT_SEGMENT_LOADS,  /* of a lane at most, of one input and of several */
    JR_NUMBER_EXACT_SEGMENT_LOADS_OF_SEVERAL,

    JR_NUMBER_LANES_LENGTH_MAX, /* elements of a segment that some lanes share */
    JR_NUMBER_WARPS_PACKS,      /* of 16 bytes in a segment, from and up to which it has a warp */
    JR_NUMBER_WARPS_PACKS_MAX,
    JR_NUMBER_WARPS_SEGMENTS,    /* for each multiprocessor; of fewer each has a block */
    JR_NUMBER_BLOCKS_PACKS,      /* in a segment, from which on it has a block or several */
    JR_NUMBER_BLOCKS_PART_TILES, /* that a part of a segment is worth */
    JR_NUMBER_STEPS_LENGTH,      /* of an axis, from which on several axes are reduced in two steps */

    JR_NUMBER_THREADS_ROWS_MAX,  /* of an array, whose columns a thread each reduces */
    JR_NUMBER_THREADS_ROW_BYTES, /* of such a row, at least */
    JR_NUMBER_THREADS_LOADS,     /* of a thread at once; with more rows than that the next one */
    JR_NUMBER_THREADS_LOADS_OF_MANY,
    JR_NUMBER_COLUMNS_LIGHT_BYTES, /* of a thread's accumulators, that leave room for many blocks at once */
    JR_NUMBER_COLUMNS_LOADS,       /* of a thread at once; of long columns the next one */
    JR_NUMBER_COLUMNS_LONG_LOADS,
    JR_NUMBER_COLUMNS_LONG_LENGTH, /* of a long column, and of a row of it */
    JR_NUMBER_COLUMNS_LONG_ROW_BYTES,
    JR_NUMBER_COLUMNS_SHORT_BLOCK,   /* threads of a block, where columns are short */
    JR_NUMBER_COLUMNS_JOINED_LENGTH, /* of a column, from which on short rows are put together */
    JR_NUMBER_BANDS_SHORT_LINES,     /* of a slab: fewer are short */
    JR_NUMBER_BANDS_LINES_OF_LANE,   /* of short ones, that a lane has at least */
    JR_NUMBER_BANDS_LANES_MAX,
    JR_NUMBER_BANDS_THREADS_MIN, /* of a block that takes short rows together */
    JR_NUMBER_BANDS_THREADS_MAX,
    JR_NUMBER_JOIN_ROUNDS, /* of parts, from which on shuffles join them, not barriers */

    JR_NUMBER_APPLY_LANES_PACKS, /* of 16 bytes in a row, up to which a warp or a part of it holds the row */
    JR_NUMBER_APPLY_FEW_PACKS,   /* of a row, up to which a thread has 2 of a small accumulator; else it has 4 */
    JR_NUMBER_APPLY_MANY_PACKS,  /* of a row, above which it has 8 of wide elements */

    JR_NUMBER_PUSHED_BYTES, /* by all devices of an all-reduce: above, each merges a share */
    JR_NUMBERS
} jr_tuned_number;

uint64_t jr_tuned_number_of(const jr_device_info *device, jr_tuned_number number);

/* ---- splits: into threads and loads, by the size of an input ---- */

typedef enum jr_tuned_splits {
    JR_SPLITS_NONE,
    JR_SPLITS_OF_TYPE, /* one of the next six, by what is reduced (estimate.c) */
    JR_SPLITS_ELEMENTS,
    JR_SPLITS_SHORT_FLOATS,
    JR_SPLITS_BYTES,
    JR_SPLITS_INDEX,   /* of operators that see an index */
    JR_SPLITS_WIDE,    /* of several inputs, or of much in registers for each chain */
    JR_SPLITS_MOMENTS, /* of var and std */
    JR_SPLITS_SCAN,
    JR_SPLITS_WAVE, /* of scans whose blocks have a tile each */
    JR_SPLITS_COUNT
} jr_tuned_splits;

enum { JR_SPLITS_MAX = 4 };

typedef struct jr_tuned_split {
    uint64_t from_bytes;                 /* of the first input */
    int block, unroll, resident_threads; /* of a multiprocessor */
} jr_tuned_split;

/* JR_SPLITS_MAX of them, the one from the most bytes on first; the last one is from 0 on. */
const jr_tuned_split *jr_tuned_splits_of(const jr_device_info *device, jr_tuned_splits splits);

/* ---- algorithms ---- */

/* Of the rows that are listed (algorithms.c); one of which nothing was measured names JR_TUNED_NONE. */
#define JR_TUNED_ROWS(XX)                                                                                              \
    XX(EXACT_SINGLE_PASS)                                                                                              \
    XX(EXACT_BULK_COPY)                                                                                                \
    XX(TREE_SINGLE_PASS)                                                                                               \
    XX(TREE_TWO_PASS)                                                                                                  \
    XX(TREE_ONE_BLOCK)                                                                                                 \
    XX(SINGLE_PASS)                                                                                                    \
    XX(TWO_PASS)                                                                                                       \
    XX(ONE_BLOCK)                                                                                                      \
    XX(ROWS)                                                                                                           \
    XX(TOURNAMENT)                                                                                                     \
    XX(TOURNAMENT_SERIAL)                                                                                              \
    XX(STRIDED)                                                                                                        \
    XX(ATOMIC)                                                                                                         \
    XX(BULK_COPY)                                                                                                      \
    XX(SCAN_SINGLE_PASS)                                                                                               \
    XX(SCAN_ONE_BLOCK)                                                                                                 \
    XX(SCAN_BULK_COPY)                                                                                                 \
    XX(SCAN_BULK_COPY_KEYED)                                                                                           \
    XX(SCAN_BULK_COPY_EQUAL)                                                                                           \
    XX(SCAN_BULK_COPY_MARKED)                                                                                          \
    XX(SCAN_SEGMENTED)                                                                                                 \
    XX(SCAN_SHORT)                                                                                                     \
    XX(SCAN_COLUMNS)                                                                                                   \
    XX(SCAN_VIEW_SEGMENTED)                                                                                            \
    XX(SCAN_VIEW_COLUMNS)                                                                                              \
    XX(THREE_PASS)                                                                                                     \
    XX(WAVE)                                                                                                           \
    XX(MERGE)                                                                                                          \
    XX(MERGE_SEGMENTS)                                                                                                 \
    XX(MEET_SEGMENTS)                                                                                                  \
    XX(APPLY_LANES)                                                                                                    \
    XX(APPLY_BLOCK)                                                                                                    \
    XX(APPLY_CLUSTER)                                                                                                  \
    XX(APPLY_LONG)                                                                                                     \
    XX(MANY_REDUCE)                                                                                                    \
    XX(MANY_APPLY)                                                                                                     \
    XX(SEGMENTED_EXACT)                                                                                                \
    XX(SEGMENTED_SLABS)                                                                                                \
    XX(SEGMENTED_THREADS)                                                                                              \
    XX(SEGMENTED_COLUMNS_ROWS)                                                                                         \
    XX(SEGMENTED_COLUMNS)                                                                                              \
    XX(SEGMENTED_SHORT)                                                                                                \
    XX(SEGMENTED_LANES)                                                                                                \
    XX(SEGMENTED_WARPS)                                                                                                \
    XX(SEGMENTED_BLOCKS)                                                                                               \
    XX(SEGMENTED_STEPS)                                                                                                \
    XX(SEGMENTED_AXES)                                                                                                 \
    XX(SEGMENTED_FLOW)                                                                                                 \
    XX(SEGMENTED_WALK)                                                                                                 \
    XX(SEGMENTED_RUNS)                                                                                                 \
    XX(SEGMENTED_RUNS_RING)                                                                                            \
    XX(SEGMENTED_TREE)                                                                                                 \
    XX(SEGMENTED_TREE_AXES)

typedef enum jr_tuned_row {
    JR_TUNED_NONE,
#define JR_TUNED_ENUM(name) JR_TUNED_##name,
    JR_TUNED_ROWS(JR_TUNED_ENUM)
#undef JR_TUNED_ENUM
        JR_TUNED_ROW_COUNT
} jr_tuned_row;

/* What was measured of an algorithm. */
typedef struct jr_tuned_algorithm {
    int order; /* of those that are preferred from as many bytes on, the one of the least order is chosen; 0: after
                * all that have one, as they are listed */
    int block, unroll;             /* used when the job requests none; 0: the defaults */
    int vectors_in_flight;         /* of 16 bytes, that a multiprocessor asks for at a time; 0: as is usual */
    jr_tuned_splits splits;        /* its best block and unroll factor are known by the size of the input */
    uint64_t preferred_from_bytes; /* of input: it is chosen from there on, before those that say less */
    const char *measured;          /* as in tuned.c; NULL: an order is all that is said */
} jr_tuned_algorithm;

const jr_tuned_algorithm *jr_tuned_algorithm_of(const jr_device_info *device, jr_tuned_row row);

/* Where the number of a class was measured; NULL: the class has none of its own. For tests. */
const char *jr_tuned_number_measured(jr_device_class class, jr_tuned_number number);
const char *jr_tuned_splits_measured(jr_device_class class, jr_tuned_splits splits);

#endif
