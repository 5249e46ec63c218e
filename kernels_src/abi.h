/* What host and kernels both know: the structs that launches pass by value, and the numbers that both compute with.
 *
 * C11 for the host, CUDA C++ for NVRTC, hence only types of fixed width. An address is a pointer in a kernel and a
 * number on the host, which never follows it. What one side alone decides stands there: this is for what would be wrong
 * silently if the two disagreed. */
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
    JR_GROUP_LEAST = 2,        /* segmented_lanes: a group has 1 << 2 lanes at least */
    JR_WHOLE_ROWS = 4,         /* segmented_short: packs that a lane has of whole ones */
    JR_WALK_END_COST = 8,      /* segmented_walk: a segment's end, in elements: counted in a warp's instructions */
    JR_WALK_SHARE_LEAST = 512, /* of a warp, in elements: below it the ends of shares would cost more than these */
    JR_COLUMN_ROWS = 8,        /* segmented/join/shares.cuh: elements that a thread asks for at once */
    JR_JOIN_BYTES = 16,        /* segmented_parts_join: accumulators of no more may be combined by a warp's lanes */
    JR_JOIN_WIDTH = 4,         /* and a block has so many segments then, or fewer */
    JR_NARROW_VECTORS = 16,    /* columns: rows of less than so many may be put together, or be brought to rooms */
    JR_AXES_MAX = 4,           /* of an array that are reduced, or that are not: neighbours count as one */
    JR_MARKERS = 6,            /* scan/ring/ring_offsets.cuh: warps that mark heads */
    JR_QUEUE_LEFT = 64         /* byte of a queue's workspace where its blocks are counted that have left */
};

/* What an exact sum cannot hold as a number (operators/exact.cuh): what was added. */
enum {
    JR_EXACT_NAN = 1,
    JR_EXACT_PLUS_INFINITE = 2,
    JR_EXACT_MINUS_INFINITE = 4,
    JR_EXACT_NOT_MINUS_ZERO = 8, /* something besides -0 */
    JR_EXACT_ANY = 16            /* anything at all */
};

/* Words that all blocks share of a launch that adds exactly, digits and then the word that counts the tiles which were
 * drawn, up to a boundary of 128 bytes; bytes of a block's record behind them; bytes of shared memory that such a block
 * takes for each thread, by what it adds (exact/exact_collect.cuh, exact_bulk_copy.cu, exact_bins.cuh). */
#define JR_EXACT_DRAWN_WORD   288
#define JR_EXACT_SHARED_WORDS 320
#define JR_EXACT_RECORD_BYTES 256
#define JR_EXACT_THREAD_BYTES 128
#define JR_EXACT_LANE_BYTES   53 /* of a warp's digits, and of segments that wait (exact/exact_segments.cuh) */

/* Bytes of an exact sum of so many words: with its marks and the count of elements. */
#define JR_EXACT_BYTES(words) (4 * (words) + 12)

/* What tells where the segments of a scan begin: as jr_segment_kind has it; 0: they are not scanned for themselves. */
#define JR_HEADS_EQUAL   1
#define JR_HEADS_OFFSETS 2
#define JR_HEADS_KEYS    4

/* Bytes of a fold in segments: the accumulator, and what tells of a head in it. */
#define JR_HEADED_BYTES(accumulator_bytes, head_bytes) ((accumulator_bytes) + (head_bytes))

/* Bytes of a fold in runs: the accumulator, how many begin in it, and where the last one does if that is asked for. */
#define JR_RUN_BYTES(accumulator_bytes, placed) ((accumulator_bytes) + 4 + ((placed) ? 8 : 0))

/* How many launches a queue's slots tell apart. */
#define JR_QUEUE_EPOCHS 0xffffffffu

/* Elements of a pack, the fewest that fill whole vectors: 16 bytes over the greatest power of two that divides an
 * element's size. */
#define JR_PACK_ELEMENTS(bytes)                                                                                        \
    ((bytes) % 16 == 0 ? 1u : (bytes) % 8 == 0 ? 2u : (bytes) % 4 == 0 ? 4u : (bytes) % 2 == 0 ? 8u : 16u)

/* segmented_columns: elements side by side of which a thread loads one vector, as many as have their accumulators in a
 * block's 48 KiB of shared memory. Of several arrays whole packs; of structs 1, as they lie at any boundary. */
#define JR_COLUMN_FITS(elements, bytes, accumulator_bytes, block)                                                      \
    ((elements) * (bytes) <= JR_VECTOR_BYTES && (elements) * (accumulator_bytes) * (block) <= 49152)
#define JR_COLUMN_VECTOR(bytes, accumulator_bytes, block, arrays, structs)                                             \
    ((structs)                                                                                               ? 1u      \
     : JR_COLUMN_FITS(16, bytes, accumulator_bytes, block)                                                   ? 16u     \
     : JR_COLUMN_FITS(8, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 8) ? 8u      \
     : JR_COLUMN_FITS(4, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 4) ? 4u      \
     : JR_COLUMN_FITS(2, bytes, accumulator_bytes, block) && ((arrays) == 1 || JR_PACK_ELEMENTS(bytes) == 2) ? 2u      \
                                                                                                             : 1u)

/* segmented_threads: vectors of columns of a thread, each of `unroll` rows at once: 8 loads together, and no more
 * accumulators than stay in registers. */
#define JR_THREAD_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define JR_THREAD_FITS(unroll, vector, accumulator_bytes)                                                              \
    JR_THREAD_LEAST(8u / (unroll), 96u / ((vector) * (jr_u32)(accumulator_bytes)))
#define JR_THREAD_VECTORS(unroll, vector, accumulator_bytes)                                                           \
    (JR_THREAD_FITS(unroll, vector, accumulator_bytes) == 0                                                            \
         ? 1u                                                                                                          \
         : JR_THREAD_LEAST(4u, JR_THREAD_FITS(unroll, vector, accumulator_bytes)))

/* Elements a lane of a patch (segmented_short, segmented_walk): 2 KiB a warp where they are brought to shared memory.
 */
#define JR_PATCH_SHARE(bytes, staged) ((staged) && (bytes) <= 4 ? 16u : 8u)

/* Bytes of a warp's room (segmented_walk, segmented_slabs); a block of any size keeps within 48 KiB. */
#define JR_ROOM_BYTES(block) ((block) <= 256 ? 4096u : 2048u)

/* segmented_flow: packs a lane of a tile; an odd number, as lanes would else meet in few banks. Blocks of 128 threads
 * keep within 48 KiB. Measured on an H100, sum f32 of 2^28 in segments of about 16: 9 and 11 packs 550 and 479 us, in
 * blocks of 64 threads 15 and 21 packs 559 and 496; with all optimisation 11 packs 468, of 64 threads 13 and 21 511
 * and 476. */
#define JR_FLOW_PACKS 11

/* segmented_lanes: packs a lane of a tile; 0: there are none, as their accumulators would take too much. */
#define JR_TILE_ROUNDS(block, accumulator_bytes) (8 * (block) * (accumulator_bytes) <= 40960 ? 8u : 0u)

/* segmented_short: can segments of so many whole packs stay in registers? */
#define JR_WHOLE_FITS(packs) ((packs) == 1 || (packs) == 2 || (packs) == 4)

/* Scans of columns: can a thread keep the folds of so many in registers? And how many parts of a column one thread goes
 * along, where more are gone along by a block. */
#define JR_COLUMNS_FIT(count, accumulator_bytes) ((count) * (accumulator_bytes) <= 128)
#define JR_PARTS_BY_THREAD                       64

/* Devices of one process whose states meet (operators/meet.cuh). */
#define JR_PEERS_MAX 64

/* Bytes of a slot: a 64-bit word for each 32 bits of the accumulator. */
#define JR_SLOT_BYTES(accumulator_bytes) (((accumulator_bytes) + 3) / 4 * 8)

/* Bytes of the fold before a part, which may count what a tile's total has 32 bits for in 64. */
#define JR_QUEUE_CARRY_BYTES(accumulator_bytes) (((accumulator_bytes) + 4 + 15) / 16 * 16)

/* Bytes in a queue's workspace where the fold before an even and an odd part stands, where the totals of the group that
 * such a part begins in, and where the slots begin. */
#define JR_QUEUE_CARRY(accumulator_bytes, odd) (128 + (odd)*JR_QUEUE_CARRY_BYTES(accumulator_bytes))
#define JR_QUEUE_OPEN(accumulator_bytes, block, odd)                                                                   \
    (JR_QUEUE_CARRY(accumulator_bytes, 2) + (odd) * (((accumulator_bytes) * (block) + 15) / 16 * 16))
#define JR_QUEUE_SLOTS(accumulator_bytes, block) JR_QUEUE_OPEN(accumulator_bytes, block, 2)

/* bulk_copy of scans: threads of each of the two squads of a block, beside two warps of roles; by offsets also beside
 * warps that mark heads. */
#define JR_SQUAD_THREADS(block)        (((block) / JR_WARP_LANES - 2) / 2 * JR_WARP_LANES)
#define JR_MARKED_SQUAD_THREADS(block) (((block) / JR_WARP_LANES - 2 - JR_MARKERS) / 2 * JR_WARP_LANES)

/* ... of runs: warps of roles, of which a small block has one less, and threads that put runs together: two thirds of
 * the others, and the rest writes them. */
#define JR_RUNS_ROLES(block)         ((block) / JR_WARP_LANES > 4 ? 3 : 2)
#define JR_RUNS_SQUAD_THREADS(block) (((block) / JR_WARP_LANES - JR_RUNS_ROLES(block)) * 2 / 3 * JR_WARP_LANES)

/* ... bytes that a place of the ring holds beside a tile's packs where segments are scanned: the keys, as far as
 * vectors bring them; of each thread a bit for each element of its share, and the fold of its warp's shares up to it.
 */
#define JR_RING_KEYS_BYTES(threads, share, key_bytes)                                                                  \
    ((key_bytes) > 0 ? (threads) * (share) * (key_bytes) + 2 * JR_VECTOR_BYTES : 0)
#define JR_RING_BESIDE_BYTES(threads, share, key_bytes, state_bytes)                                                   \
    (JR_RING_KEYS_BYTES(threads, share, key_bytes) + (threads) * (((share) + 31) / 32 * 4 + (state_bytes)))

/* ... and how many tiles' totals a lane of the warp that looks ahead has of each group of them. */
#define JR_AHEAD_SLOTS(accumulator_bytes) ((accumulator_bytes) <= 12 ? 2 : 1)

/* wave of scans: threads of a block that scan, beside two warps of roles; how many slots of its accumulator stand from
 * one tile's to the next one's, which keeps them up to 128 bytes apart; tiles whose totals a warp folds together. */
#define JR_WAVE_THREADS(block) ((block)-2 * JR_WARP_LANES)
#define JR_WAVE_APART(accumulator_bytes)                                                                               \
    (JR_SLOT_BYTES(accumulator_bytes) < 128 ? 128 / JR_SLOT_BYTES(accumulator_bytes) : 1)
#define JR_WAVE_MOST(accumulator_bytes) ((accumulator_bytes) <= 16 ? 4 : 1)
#define JR_WAVE_GROUP(accumulator_bytes, block)                                                                        \
    ((block) / JR_WARP_LANES < JR_WAVE_MOST(accumulator_bytes) ? (block) / JR_WARP_LANES * JR_WARP_LANES               \
                                                               : JR_WAVE_MOST(accumulator_bytes) * JR_WARP_LANES)

/* Bytes of atomic's total: its counter and lock, and the accumulator in words of 8. */
#define JR_TOTAL_BYTES(accumulator_bytes) (16 + ((accumulator_bytes) + 7) / 8 * 8)

/* Numbers of segments that segmented_walk leaves before its accumulators, which they keep aligned to 16 bytes. */
#define JR_WALK_NUMBERS(blocks) (((blocks) + 1) / 2 * 2)

/* What a run gives all its kernels besides the data. What no kernel reads need not be passed with every launch: the
 * host's struct is whole, a kernel's may end before the initial value. */
typedef struct jr_call {
    jr_u64 count; /* elements that the result is of */
    jr_u64 first; /* index of the first element of this launch */
    union {
        double ddof; /* of variances: the divisor is the count less this */
        double zero; /* with JR_ADDS_FLOATS: -0, or +0 where there are no elements and there is no initial value */
    };
    JR_ADDRESS(jr_u32) mark; /* becomes 1 when the result is written, for the host to see; 0: none */
#if JR_CALL_WHOLE
    jr_u64 initial[JR_CALL_INITIAL];       /* bytes of a value of the result's type */
    jr_u64 parameters[JR_CALL_PARAMETERS]; /* a number each */
    jr_u64 kept_offset; /* bytes from a result to where the count of kept elements belongs; 0: it is not asked for */
#endif
} jr_call;
JR_STATIC_ASSERT(sizeof(jr_call) == (JR_CALL_WHOLE ? 232 : 32), "jr_call: the layout differs");

/* Where the states of a group's devices meet: each device has one of these and slots of its own, for the states of all
 * devices of two runs that follow one another. Its address stands in `mark` of the call. */
typedef struct jr_peers {
    jr_u32 epoch;        /* which run is next: 1 at first, and counted on by each */
    jr_u32 index, count; /* this device among them */
    jr_u32 collects;     /* 1: only the first device folds the states, and has a result */
    jr_u64 limit_ns;     /* how long it waits for a state of another; 0: until it is told to leave */
    JR_ADDRESS(jr_u32)
    leave;                   /* 1: nobody is to wait any longer; behind it a word of each device, in which it leaves
                              * 1 + the index of the one it has waited for in vain */
    JR_ADDRESS(jr_u32) mark; /* as of jr_call, of the first device */
    JR_ADDRESS(jr_u64) slots[JR_PEERS_MAX]; /* of each device */
} jr_peers;
JR_STATIC_ASSERT(sizeof(jr_peers) == 40 + 8 * JR_PEERS_MAX, "jr_peers: the layout differs");

/* What devices that reach each other's memory have of segments there: their states, and room for the results of all. */
#define JR_REACH_MAX 15 /* from twice JR_COLUMN_ROWS on segmented_parts_join folds them in another order */
typedef struct jr_reach {
    JR_ADDRESS(const void) states[JR_REACH_MAX];
    JR_ADDRESS(void) out[JR_REACH_MAX];
    jr_u64 count; /* devices */
} jr_reach;
JR_STATIC_ASSERT(sizeof(jr_reach) == 8 + 16 * JR_REACH_MAX, "jr_reach: the layout differs");

/* The cut: arrays of any element alignment as packs at 16-byte boundaries of the first array, `head` elements just
 * before them and the other ends just behind. All arrays are cut at the same elements. */
typedef struct jr_cut {
    JR_ADDRESS(const JR_X) packs;                   /* of the first array, aligned to 16 bytes */
    JR_ADDRESS(const void) more[JR_ARRAYS_MAX - 1]; /* of the second to fourth array: the element beside packs[0] */
    jr_u64 pack_count;
    jr_u64 ends;    /* elements before and behind the packs */
    jr_u32 head;    /* elements before the packs */
    jr_u32 aligned; /* bit k: more[k], too, lies at a 16-byte boundary */
} jr_cut;
JR_STATIC_ASSERT(sizeof(jr_cut) == 56, "jr_cut: the layout differs");

/* The deal: consecutive tiles for each block in order; the first `longer` blocks have one more than the others. */
typedef struct jr_deal {
    jr_u64 tiles, longer;
} jr_deal;
JR_STATIC_ASSERT(sizeof(jr_deal) == 16, "jr_deal: the layout differs");

/* Tiles that blocks take in turn, so many that each has as many; then consecutive rows of a pack a thread for each
 * block, at most JR_UNROLL, of the first `longer` blocks one more. */
typedef struct jr_shares {
    jr_u64 tiles;
    jr_u32 rows, longer;
} jr_shares;
JR_STATIC_ASSERT(sizeof(jr_shares) == 16, "jr_shares: the layout differs");

/* The chunks of a fixed tree that one launch folds (fold/tree.cuh): of `elements` each, a power of two and 32 packs at
 * least, the last one of what is left of `count`. */
typedef struct jr_tree_cut {
    jr_u64 count, elements, chunks;
} jr_tree_cut;
JR_STATIC_ASSERT(sizeof(jr_tree_cut) == 24, "jr_tree_cut: the layout differs");

/* One launch of strided. odd: count % JR_UNROLL, elements behind the last stride, for thread 0. Of fewer than JR_UNROLL
 * elements the stride is 0, and all are odd. */
typedef struct jr_stride {
    jr_u64 count, stride;
    jr_u32 odd, from_input;
} jr_stride;
JR_STATIC_ASSERT(sizeof(jr_stride) == 24, "jr_stride: the layout differs");

/* Tiles that one launch scans, drawn by its blocks in increasing order (scan/common/queue.cuh). Their totals are folded
 * in groups of a block's threads, whose tiles have slots from 0 on. The workspace: how many were drawn, how many blocks
 * have left, of an even and an odd part the fold of all groups before it and the totals of the group that it begins in,
 * and the slots. */
typedef struct jr_queue {
    JR_ADDRESS(jr_u64) workspace; /* aligned to 16 bytes, clear when it is new */
    jr_u64 first_tile;            /* of the data */
    jr_u32 tile_count, slot_count;
    jr_u32 part;    /* which launch of the same data it is; the first one, 0, begins with the initial value */
    jr_u32 begin;   /* tiles of the group that the launch begins in that are of parts before it */
    jr_u32 goes_on; /* 1: another part follows */
    jr_u32 flags;   /* JR_QUEUE_... */
} jr_queue;
#define JR_QUEUE_BY_INDEX 1 /* of wave: each block has the tile of its number; no result lies where an element does */
#define JR_QUEUE_KEPT     2 /* of bulk_copy: results stay in the L2 cache, which elements leave first */
JR_STATIC_ASSERT(sizeof(jr_queue) == 40, "jr_queue: the layout differs");

#include "abi_segments.h"

#endif
