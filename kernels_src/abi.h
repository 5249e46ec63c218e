/* What host and kernels both know: the structs that launches pass by value, and the numbers that both compute with.
 *
 * C11 for the host, CUDA C++ for NVRTC, hence only types of fixed width. An address is a pointer in a kernel and a
 * number on the host, which never dereferences it. Only what would silently be wrong if the two sides disagreed is
 * defined here; what one side alone decides is defined on that side. */
#ifndef JR_ABI_H
#define JR_ABI_H

#ifdef __CUDACC__ /* jr_u32 and jr_u64 are those of types.cuh, which declares JR_X, too, and includes this */
#define JR_ADDRESS(type) type *
#define JR_STATIC_ASSERT static_assert
#define JR_CALL_WHOLE    (JR_INITIAL || JR_EXPRESSIONS || JR_KEPT)
#else
#include <stdint.h>
typedef uint32_t jr_u32;
typedef uint64_t jr_u64;
#define JR_ADDRESS(type) jr_u64
#define JR_STATIC_ASSERT _Static_assert
#define JR_CALL_WHOLE    1
#endif

enum {
    JR_WARP_LANES = 32,
    JR_ARRAYS_MAX = 4,         /* input arrays */
    JR_CALL_PARAMETERS = 16,   /* of expressions */
    JR_CALL_INITIAL = 8,       /* words of an initial value */
    JR_VECTOR_BYTES = 16,      /* that one load brings */
    JR_RESULT_STRIDE = 16,     /* bytes from one result of a list to the next */
    JR_GROUP_MIN = 2,          /* segmented_lanes: a lane group has at least 1 << 2 lanes */
    JR_WHOLE_ROWS = 4,         /* segmented_short: packs per lane where segments consist of whole packs */
    JR_WALK_END_COST = 8,      /* segmented_walk: a segment's end costs as many of a warp's instructions as so many
                                * elements */
    JR_WALK_SHARE_LEAST = 512, /* elements per warp at least: with fewer, the ends of shares would cost more than the
                                * elements */
    JR_COLUMN_ROWS = 8,        /* segmented/join/shares.cuh: elements that a thread asks for at once */
    JR_JOIN_BYTES = 16,        /* segmented_parts_join: the lanes of a warp may combine accumulators of at most so many
                                * bytes */
    JR_JOIN_WIDTH = 4,         /* and a block then has at most so many segments */
    JR_NARROW_VECTORS = 16,    /* columns: rows of fewer vectors may be joined into lines, or copied to rooms in shared
                                * memory */
    JR_AXES_MAX = 4,           /* reduced axes, or axes kept, at most; neighbouring axes count as one */
    JR_MARKERS = 6,            /* scan/ring/ring_offsets.cuh: warps that mark segment starts */
    JR_QUEUE_LEFT = 64         /* offset of the counter of finished blocks in a queue's workspace */
};

/* Marks of an exact sum (operators/exact.cuh) for what its number cannot show: which values were added. */
enum {
    JR_EXACT_NAN = 1,
    JR_EXACT_PLUS_INFINITE = 2,
    JR_EXACT_MINUS_INFINITE = 4,
    JR_EXACT_NOT_MINUS_ZERO = 8, /* a value other than -0 */
    JR_EXACT_ANY = 16            /* any value */
};

/* The workspace of a launch that adds exactly: first the words that all blocks share (digits, then the counter of drawn
 * tiles, rounded up to 128 bytes), then one record per block. Last, the bytes of shared memory that a block needs per
 * thread and per lane (exact/exact_collect.cuh, exact_bulk_copy.cu, exact_bins.cuh). */
#define JR_EXACT_DRAWN_WORD   288
#define JR_EXACT_SHARED_WORDS 320
#define JR_EXACT_RECORD_BYTES 256
#define JR_EXACT_THREAD_BYTES 128
#define JR_EXACT_LANE_BYTES                                                                                            \
    53 /* a warp's digits and its segments that are not finished yet                                                   \
        * (exact/exact_segments.cu) */

/* Bytes of an exact sum of so many words, with its marks and the count of elements. */
#define JR_EXACT_BYTES(words) (4 * (words) + 12)

/* How the starts of a scan's segments are given: the values of jr_segment_kind; 0: the scan has no segments. */
#define JR_HEADS_EQUAL   1
#define JR_HEADS_OFFSETS 2
#define JR_HEADS_KEYS    4

/* Bytes of a fold in a scan of segments: the accumulator, and whether a segment starts in it. */
#define JR_HEADED_BYTES(accumulator_bytes, head_bytes) ((accumulator_bytes) + (head_bytes))

/* Bytes of a fold in a scan of runs: the accumulator, how many runs start in it, and, if requested, where the last one
 * starts. */
#define JR_RUN_BYTES(accumulator_bytes, placed) ((accumulator_bytes) + 4 + ((placed) ? 8 : 0))

/* The number of launches after which a queue's slots use the same epoch again. */
#define JR_QUEUE_EPOCHS 0xffffffffu

/* Elements of a pack, the fewest that fill whole vectors: 16 bytes over the greatest power of two that divides an
 * element's size. */
#define JR_PACK_ELEMENTS(bytes)                                                                                        \
    ((bytes) % 16 == 0 ? 1u : (bytes) % 8 == 0 ? 2u : (bytes) % 4 == 0 ? 4u : (bytes) % 2 == 0 ? 8u : 16u)

/* segmented_columns: neighbouring elements that a thread loads as one vector: as many as have their accumulators in a
 * block's 48 KiB of shared memory. With several arrays it is a whole pack; with structs it is 1, since they have no
 * 16-byte alignment. */
#define JR_COLUMN_FITS(elements, bytes, accumulator_bytes, block)                                                      \
    ((elements) * (bytes) <= JR_VECTOR_BYTES && (elements) * (accumulator_bytes) * (block) <= 49152)
#define JR_COLUMN_VECTOR(bytes, accumulator_bytes, block, arrays, structs)                                             \
    ((structs)                                                                                               ? 1u      \
     : JR_COLUMN_FITS(16, bytes, accumulator_bytes, block)                                                   ? 16u     \
     : JR_COLUMN_FITS(8, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 8) ? 8u      \
     : JR_COLUMN_FITS(4, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 4) ? 4u      \
     : JR_COLUMN_FITS(2, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 2) ? 2u      \
                                                                                                             : 1u)

/* segmented_threads: vectors of columns per thread; it loads `unroll` rows of each at once. So at most 8 loads are in
 * flight, and all accumulators stay in registers. */
#define JR_THREAD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define JR_THREAD_FITS(unroll, vector, accumulator_bytes)                                                              \
    JR_THREAD_MIN(8u / (unroll), 96u / ((vector) * (jr_u32)(accumulator_bytes)))
#define JR_THREAD_VECTORS(unroll, vector, accumulator_bytes)                                                           \
    (JR_THREAD_FITS(unroll, vector, accumulator_bytes) == 0                                                            \
         ? 1u                                                                                                          \
         : JR_THREAD_MIN(4u, JR_THREAD_FITS(unroll, vector, accumulator_bytes)))

/* Elements per lane of a patch (segmented_short, segmented_walk): 2 KiB per warp where they are copied to shared
 * memory.
 */
#define JR_PATCH_SHARE(bytes, staged) ((staged) && (bytes) <= 4 ? 16u : 8u)

/* Bytes of a warp's room (segmented_walk, segmented_slabs); a block of any size keeps within 48 KiB. */
#define JR_ROOM_BYTES(block) ((block) <= 256 ? 4096u : 2048u)

/* segmented_flow: packs per lane in a tile. The number is odd, since with an even one lanes would conflict in few
 * banks. Blocks of 128 threads keep within 48 KiB. Measured on an H100, sum f32 of 2^28 in segments of about 16: 9 and
 * 11 packs 550 and 479 us, in blocks of 64 threads 15 and 21 packs 559 and 496; with all optimisation 11 packs 468, of
 * 64 threads 13 and 21 511 and 476. */
#define JR_FLOW_PACKS 11

/* segmented_lanes: packs per lane in a tile; 0: no tiles, since their accumulators would need too much shared
 * memory. */
#define JR_TILE_ROUNDS(block, accumulator_bytes) (8 * (block) * (accumulator_bytes) <= 40960 ? 8u : 0u)

/* segmented_short: true if segments of so many whole packs can stay in registers. */
#define JR_WHOLE_FITS(packs) ((packs) == 1 || (packs) == 2 || (packs) == 4)

/* Scans of columns: true if a thread can keep the folds of `count` columns in registers; and the most parts of a column
 * that one thread scans (a block scans more). */
#define JR_COLUMNS_FIT(count, accumulator_bytes) ((count) * (accumulator_bytes) <= 128)
#define JR_PARTS_BY_THREAD                       64

/* The same: rows of `elements` columns that a thread loads at once; true if lanes pay and a block has room for them. */
#define JR_COLUMN_ROWS_AT_ONCE(elements)                     (32 / (elements) < JR_COLUMN_ROWS ? 32 / (elements) : JR_COLUMN_ROWS)
#define JR_COLUMN_LANES_FIT(block, count, accumulator_bytes) ((block) * (count) * (accumulator_bytes) <= 16384)

/* The most devices of one process that exchange states (operators/meet.cuh). */
#define JR_PEERS_MAX 64

/* Bytes of a slot: a 64-bit word for each 32 bits of the accumulator. */
#define JR_SLOT_BYTES(accumulator_bytes) (((accumulator_bytes) + 3) / 4 * 8)

/* Bytes of the fold of everything before a part: its counter may have 64 bits where a tile's has 32. */
#define JR_QUEUE_CARRY_BYTES(accumulator_bytes) (((accumulator_bytes) + 4 + 15) / 16 * 16)

/* Offsets in a queue's workspace: the fold before an even or odd part; the totals of the group of tiles in which such a
 * part begins; the slots. */
#define JR_QUEUE_CARRY(accumulator_bytes, odd) (128 + (odd)*JR_QUEUE_CARRY_BYTES(accumulator_bytes))
#define JR_QUEUE_OPEN(accumulator_bytes, block, odd)                                                                   \
    (JR_QUEUE_CARRY(accumulator_bytes, 2) + (odd) * (((accumulator_bytes) * (block) + 15) / 16 * 16))
#define JR_QUEUE_SLOTS(accumulator_bytes, block) JR_QUEUE_OPEN(accumulator_bytes, block, 2)

/* In a scan's bulk_copy: threads in each of a block's two squads. The block also has two warps with other roles, and,
 * with offsets, warps that mark segment starts. */
#define JR_SQUAD_THREADS(block)        (((block) / JR_WARP_LANES - 2) / 2 * JR_WARP_LANES)
#define JR_MARKED_SQUAD_THREADS(block) (((block) / JR_WARP_LANES - 2 - JR_MARKERS) / 2 * JR_WARP_LANES)

/* ... of runs: warps with other roles (a small block has one fewer), and threads that put runs together: two thirds of
 * the remaining warps. The last third writes the runs. */
#define JR_RUNS_ROLES(block)         ((block) / JR_WARP_LANES > 4 ? 3 : 2)
#define JR_RUNS_SQUAD_THREADS(block) (((block) / JR_WARP_LANES - JR_RUNS_ROLES(block)) * 2 / 3 * JR_WARP_LANES)

/* ... bytes in a slot of the ring besides a tile's packs, where segments are scanned: the keys, with the rest of their
 * vectors; per thread, a bit for each element of its share, and the fold of its warp's shares up to it.
 */
#define JR_RING_KEYS_BYTES(threads, share, key_bytes)                                                                  \
    ((key_bytes) > 0 ? (threads) * (share) * (key_bytes) + 2 * JR_VECTOR_BYTES : 0)
#define JR_RING_BESIDE_BYTES(threads, share, key_bytes, state_bytes)                                                   \
    (JR_RING_KEYS_BYTES(threads, share, key_bytes) + (threads) * (((share) + 31) / 32 * 4 + (state_bytes)))

/* ... and how many tiles' totals of a group each lane of the look-ahead warp has. */
#define JR_AHEAD_SLOTS(accumulator_bytes) ((accumulator_bytes) <= 12 ? 2 : 1)

/* In a scan's wave: threads of a block that scan (two more warps have other roles); the distance, in slots, between the
 * slots of neighbouring tiles, which are up to 128 bytes apart; tiles whose totals one warp folds together. */
#define JR_WAVE_THREADS(block) ((block)-2 * JR_WARP_LANES)
#define JR_WAVE_APART(accumulator_bytes)                                                                               \
    (JR_SLOT_BYTES(accumulator_bytes) < 128 ? 128 / JR_SLOT_BYTES(accumulator_bytes) : 1)
#define JR_WAVE_MAX(accumulator_bytes) ((accumulator_bytes) <= 16 ? 4 : 1)
#define JR_WAVE_GROUP(accumulator_bytes, block)                                                                        \
    ((block) / JR_WARP_LANES < JR_WAVE_MAX(accumulator_bytes) ? (block) / JR_WARP_LANES * JR_WARP_LANES                \
                                                              : JR_WAVE_MAX(accumulator_bytes) * JR_WARP_LANES)

/* Bytes of atomic's total: its counter and lock, and the accumulator in words of 8. */
#define JR_TOTAL_BYTES(accumulator_bytes) (16 + ((accumulator_bytes) + 7) / 8 * 8)

/* How many segment numbers segmented_walk writes before its accumulators: an even count, so that these stay aligned to
 * 16 bytes. */
#define JR_WALK_NUMBERS(blocks) (((blocks) + 1) / 2 * 2)

/* The arguments of a run for all its kernels, besides the data. The host's struct is always complete; a kernel's ends
 * before `initial` if it reads nothing from there on, so that launches pass fewer bytes. */
typedef struct jr_call {
    jr_u64 count; /* elements that a result is made of */
    jr_u64 first; /* index of the first element of this launch */
    union {
        double ddof; /* for variances: the divisor is the count minus this */
        double zero; /* with JR_ADDS_FLOATS: -0; +0 if there are neither elements nor an initial value */
    };
    JR_ADDRESS(jr_u32) mark; /* the kernel stores 1 there once the result is written, for the host to see; 0: no mark */
#if JR_CALL_WHOLE
    jr_u64 initial[JR_CALL_INITIAL];       /* bytes of a value of the result's type */
    jr_u64 parameters[JR_CALL_PARAMETERS]; /* one number each */
    jr_u64 kept_offset; /* bytes from a result to the count of kept elements; 0: the count is not requested */
#endif
} jr_call;
JR_STATIC_ASSERT(sizeof(jr_call) == (JR_CALL_WHOLE ? 232 : 32), "jr_call: the layout differs");

/* The exchange of states between a group's devices: each device has one of these, and slots of its own for the states
 * of all devices in two consecutive runs. `mark` of the call has its address. */
typedef struct jr_peers {
    jr_u32 epoch;        /* number of the next run: 1 at first; each run increments it */
    jr_u32 index, count; /* this device among them */
    jr_u32 collects;     /* 1: only the first device folds the states, and has a result */
    jr_u64 limit_ns;     /* how long it waits for another device's state; 0: until *leave is 1 */
    JR_ADDRESS(jr_u32)
    leave;                   /* 1: all devices stop waiting; one word per device follows, in which a device that gives
                              * up stores 1 + the index of the device it waited for */
    JR_ADDRESS(jr_u32) mark; /* the first device's, as in jr_call */
    JR_ADDRESS(jr_u64) slots[JR_PEERS_MAX]; /* of each device */
} jr_peers;
JR_STATIC_ASSERT(sizeof(jr_peers) == 40 + 8 * JR_PEERS_MAX, "jr_peers: the layout differs");

/* Segments of devices that reach each other's memory: the states of each device, and where each wants the results. */
#define JR_REACH_MAX 15 /* with 2 * JR_COLUMN_ROWS or more, segmented_parts_join would fold them in another order */
typedef struct jr_reach {
    JR_ADDRESS(const void) states[JR_REACH_MAX];
    JR_ADDRESS(void) out[JR_REACH_MAX];
    jr_u64 count; /* devices */
} jr_reach;
JR_STATIC_ASSERT(sizeof(jr_reach) == 8 + 16 * JR_REACH_MAX, "jr_reach: the layout differs");

/* The cut divides arrays of any element alignment into packs at 16-byte boundaries of the first array, `head` elements
 * directly before the packs, and the other ends directly after them. All arrays are cut at the same elements. */
typedef struct jr_cut {
    JR_ADDRESS(const JR_X) packs; /* of the first array, aligned to 16 bytes */
    JR_ADDRESS(const void)
    more[JR_ARRAYS_MAX - 1]; /* in the second to fourth array: the element with the index of
                              * packs[0] */
    jr_u64 pack_count;
    jr_u64 ends;    /* elements before and after the packs */
    jr_u32 head;    /* elements before the packs */
    jr_u32 aligned; /* bit k: more[k] is at a 16-byte boundary, too */
} jr_cut;
JR_STATIC_ASSERT(sizeof(jr_cut) == 56, "jr_cut: the layout differs");

/* The deal: consecutive tiles for each block in order; the first `longer` blocks have one more than the others. */
typedef struct jr_deal {
    jr_u64 tiles, longer;
} jr_deal;
JR_STATIC_ASSERT(sizeof(jr_deal) == 16, "jr_deal: the layout differs");

/* The blocks take `tiles` tiles in turn, each block as many as the others; then each block takes consecutive rows of
 * one pack per thread: `rows`, at most JR_UNROLL, and one more in the first `longer` blocks. */
typedef struct jr_shares {
    jr_u64 tiles;
    jr_u32 rows, longer;
} jr_shares;
JR_STATIC_ASSERT(sizeof(jr_shares) == 16, "jr_shares: the layout differs");

/* The chunks of a fixed tree that one launch folds (fold/tree.cuh): `elements` each, a power of two and at least 32
 * packs; the last chunk has the remaining elements of `count`. */
typedef struct jr_tree_cut {
    jr_u64 count, elements, chunks;
} jr_tree_cut;
JR_STATIC_ASSERT(sizeof(jr_tree_cut) == 24, "jr_tree_cut: the layout differs");

/* One launch of strided. odd: count % JR_UNROLL elements after the last stride, which thread 0 folds. With fewer than
 * JR_UNROLL elements the stride is 0, and all elements are odd. */
typedef struct jr_stride {
    jr_u64 count, stride;
    jr_u32 odd, from_input;
} jr_stride;
JR_STATIC_ASSERT(sizeof(jr_stride) == 24, "jr_stride: the layout differs");

/* The tiles that one launch scans; its blocks draw them in increasing order (scan/common/queue.cuh). Totals are folded
 * in groups of as many tiles as a block has threads; tiles have slots from 0 on. The workspace: the number of drawn
 * tiles; the number of finished blocks; for an even and an odd part, the fold of all groups before the part and the
 * totals of the group in which it begins; the slots. */
typedef struct jr_queue {
    JR_ADDRESS(jr_u64) workspace; /* aligned to 16 bytes; zeros before the first launch */
    jr_u64 first_tile;            /* index of the launch's first tile in the data */
    jr_u32 tile_count, slot_count;
    jr_u32 part;    /* number of the launch on the same data; launch 0 starts from the initial value */
    jr_u32 begin;   /* tiles of the first group that earlier launches scanned */
    jr_u32 goes_on; /* 1: another part follows */
    jr_u32 flags;   /* JR_QUEUE_... */
} jr_queue;
#define JR_QUEUE_BY_INDEX 1 /* wave: each block scans the tile of its own number; results do not overwrite elements */
#define JR_QUEUE_KEPT     2 /* bulk_copy: results stay in the L2 cache; elements are evicted first */
JR_STATIC_ASSERT(sizeof(jr_queue) == 40, "jr_queue: the layout differs");

#include "abi_segments.h"

#endif
