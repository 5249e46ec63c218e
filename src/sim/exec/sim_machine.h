/* A running launch: worker threads, resident clusters, their blocks, warps, and the groups of lanes that share a
 * program counter.
 *
 * A cluster belongs to one worker, so everything below jrs_cluster is touched by one thread only; jrs_run is shared. */
#ifndef JRS_EXEC_MACHINE_H
#define JRS_EXEC_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "native_abi.h"
#include "pending.h"
#include "sim_launch.h"

enum {
    JRS_BARRIERS = 16,
    JRS_MAX_CLUSTER = 16,      /* blocks of a cluster */
    JRS_SYNC_CLOCKS = 16,      /* hashed addresses through which warps synchronise by atomics */
    JRS_MAX_DEPTH = 512,       /* calls inside calls */
    JRS_STACK_BYTES = 1 << 19, /* local memory of one lane, at most: what a GPU gives a thread */
    JRS_RANGES = 4,
    JRS_TOUCHED_WORDS = 1024,
    JRS_NOTES = 32 /* most notes of one launch */
};

/* Which lanes of a register are undefined, and since when. */
enum { JRS_DOUBT_UNIT = 4 }; /* bytes of a frame: registers begin at multiples of it */
typedef struct jrs_doubt {
    uint32_t lanes;
    uint32_t line, address; /* of the load */
} jrs_doubt;

/* One activation of a function by the lanes that called it together. */
typedef struct jrs_frame {
    struct jrs_frame *caller;
    const jrs_function *function;
    const jrs_call_site *call;
    uint8_t *registers;
    jrs_doubt *doubts; /* one for JRS_DOUBT_UNIT bytes of registers; NULL: all are defined */
    uint32_t return_pc, depth, local_base;
    uint32_t lanes; /* in it, or in a frame it called */
} jrs_frame;

typedef enum jrs_state {
    JRS_READY,
    JRS_AT_SYNC,  /* waits for the other lanes of members */
    JRS_AT_ALIGN, /* waits for the other lanes of the warp before an aligned barrier */
    JRS_AT_BARRIER,
    JRS_AT_CLUSTER /* waits for the other threads of the cluster */
} jrs_state;

typedef struct jrs_group {
    jrs_frame *frame;
    uint32_t pc, mask;
    jrs_state state;
    uint32_t members;
    uint32_t barrier;
    uint64_t turn; /* when it last ran: the smallest has waited longest */
} jrs_group;

/* What an access to shared memory found; its instruction decides whether that is a fault. A store: bytes that another
 * thread wrote without a barrier between, which is not a race if they already have the stored value. A load: bytes that
 * no thread wrote. */
typedef struct jrs_finding {
    jrs_block *block; /* whose shared memory it is */
    uint32_t bytes;   /* a bit a byte, 0: none */
    uint32_t offset;
    uint64_t earlier; /* of a store: jrs_stamp of the first one's writer */
} jrs_finding;

struct jrs_worker;

struct jrs_warp {
    uint8_t *base[JRS_BASES]; /* of the running group's frame */
    jrs_group *group;         /* the running one */
    jrs_block *block;
    struct jrs_worker *worker;
    uint32_t number;        /* in its block */
    uint32_t entry;         /* in vector clocks: those of the cluster's blocks follow one another */
    uint32_t tick;          /* the step of its clock; the bits below it have the rank */
    uint32_t initial, live; /* lanes the warp began with, and has */
    uint32_t early;         /* lanes that must still wait for the launches before this one */
    uint32_t group_count;
    jrs_group groups[JRS_LANES];
    uint32_t limit;    /* pc at which the running group may meet another */
    uint32_t patience; /* slices that one of several groups may still run before the others' turn */
    bool rotate;       /* the next group is the one that waited longest, not the lowest */
    bool progress;     /* memory changed or a barrier was passed since the scheduler looked */
    uint32_t polls;    /* strong loads and atomics in this slice */
    uint64_t turns;
    uint32_t *clock;     /* vector clock: what this warp has seen of the others; own entry: now */
    uint32_t *fenced;    /* what it had seen at its last fence; NULL: its block is alone in its cluster */
    uint32_t arrived[2]; /* lanes that have arrived at the cluster's barrier and not waited: in even and odd phases */
    uint64_t passed;     /* phases of the cluster's barrier that it knows to be complete */
    uint32_t met;        /* blocks of the cluster, a bit a rank, that are known to have begun */
    uint8_t *local;      /* lane after lane */
    bool owns_local;     /* local is not a piece of the block's */
    uint32_t local_stride;
    jrs_frame kernel_frame;
    uint32_t carry;      /* the flag of add.cc, a bit a lane */
    jrs_flights loads;   /* cp.async */
    jrs_flights stores;  /* cp.async.bulk to global memory */
    jrs_finding finding; /* of the access under way */
    bool traced;
    bool watched;         /* it is traced, or its rounds are */
    bool careful;         /* each instruction is looked at: the warp is watched, or has undefined values */
    uint32_t doubt_count; /* registers with undefined lanes */
    uint32_t awaited;     /* the mbarrier of its block that was found incomplete last, plus 1; 0: none */
};

typedef struct jrs_barrier {
    uint32_t expected, arrived; /* threads; expected 0: nobody has arrived */
    bool whole;                 /* for all threads of the block that have not exited */
    uint32_t ones, ands, ors;   /* of bar.red */
} jrs_barrier;

/* Who touched a place of shared memory last: clock << 32 | unwritten << 31 | line << 12 (19 bits) | atomic << 11 | many
 * << 10 | warp << 5 | lane. In a cluster of several blocks the clocks of a warp have its block's rank in their lowest
 * bits. */
typedef uint64_t jrs_stamp;
typedef struct jrs_shadow {
    jrs_stamp writer, reader, other_reader; /* other_reader: of another warp than reader */
} jrs_shadow;

struct jrs_block {
    struct jrs_run *run;
    struct jrs_worker *worker;
    struct jrs_cluster *cluster;
    uint32_t rank; /* in its cluster */
    uint32_t index[3];
    uint64_t number;
    bool active;
    uint32_t warp_count, threads, warps_left, exited; /* exited: threads */
    jrs_warp *warps;
    uint8_t *registers; /* all warps' kernel frames */
    uint8_t *local;
    uint8_t *shared;
    uint8_t *constants;      /* of the kernel; not its function's when it is one of several blocks of a cluster */
    jrs_shadow *shadow;      /* of words of shared memory, but for those that are split: see shadow_word.h */
    jrs_shadow *byte_shadow; /* of bytes of split words */
    uint8_t *split;          /* by words: 1: it is */
    uint8_t *kinds;          /* per byte of shared memory, 1 + the jrs_type stored there, or 0; NULL: not traced */
    uint32_t first_clock;    /* stamps with smaller clocks are of an earlier block */
    uint32_t *clocks;        /* vector clocks: of its warps, of its barriers, and proxied */
    jrs_barrier barriers[JRS_BARRIERS];
    uint32_t *barrier_clocks; /* one for each */
    uint32_t *sync_clocks;    /* JRS_SYNC_CLOCKS of them, which all blocks of the cluster share */
    jrs_stamp *visits;        /* by each warp of the cluster: its last access to this block's shared memory */
    uint64_t order;           /* state of the warp shuffle */
    jrs_flights bulk;         /* cp.async.bulk to shared memory, and arrivals on mbarriers that follow cp.async */
    uint32_t stores;          /* bulk stores in flight, of all warps: what they read may not be written */
    uint32_t *proxied;        /* clocks of the warps up to which a fence.proxy.async covers their writes */
    jrs_mbarrier *mbarriers;
    uint32_t mbarrier_count, mbarrier_capacity;
};

/* Blocks that are resident together and reach each other's shared memory: one alone where no cluster is asked for. */
typedef struct jrs_cluster {
    struct jrs_worker *worker;
    jrs_block *blocks;
    uint32_t count; /* of them */
    bool active;
    uint32_t index[3];
    uint32_t blocks_left, turn;
    /* its barrier: */
    uint64_t phase;
    uint32_t threads, arrived; /* those that have not exited, and of them those that have arrived in this phase */
    uint32_t *clock, *done;    /* what arrivals released, and those of complete phases */
    uint32_t *clocks;          /* those two, and sync_clocks of the blocks */
} jrs_cluster;

typedef struct jrs_worker {
    struct jrs_run *run;
    pthread_t thread;
    bool started;
    jrs_cluster *clusters; /* resident ones */
    uint32_t cluster_count;
    jrs_block *blocks;            /* of all of them */
    jrs_range ranges[JRS_RANGES]; /* last used first; empty ones have begin == end */
    const jrs_range *found;       /* the one that was found last; NULL: none was */
    uint64_t ranges_version;
    uint64_t touched[JRS_TOUCHED_WORDS]; /* pages, a bit for each hash */
    uint64_t page;                       /* touched last */
    bool fresh;                          /* a page was touched for the first time, or a warp has ended, since a look */
    uint64_t seen_progress, seen_fresh, idle_steps, stale_steps;
    uint64_t seen_work;
    double polling_since_ms; /* CPU time of the thread; 0: not polling */
    uint32_t polling_slices;
    uint32_t fence; /* what fences exchange */
    uint8_t *scratch;
    jrs_native native; /* what compiled code is given */
    uint64_t steps;    /* warp instructions that jrs_native_look has not heard of */
} jrs_worker;

typedef struct jrs_run {
    const jrs_launch *launch;
    const jrs_function *function;
    uint32_t cluster[3], clusters[3]; /* extents of a cluster in blocks, and of the grid in clusters */
    uint32_t cluster_size;
    bool clustered; /* a cluster was asked for, be it of one block */
    uint64_t cluster_total;
    uint32_t clock_count;                  /* entries of a vector clock: a warp of the cluster each */
    uint32_t rank_mask;                    /* bits of a clock that are its warp's block's rank */
    uint32_t shared_bytes, dynamic_shared; /* a block's shared memory; the offset of its dynamic part */
    uint32_t own_shared;                   /* shared_bytes without the system's part */
    uint32_t reserved_shared;              /* the offset of that part, if there is one */
    uint32_t block_threads, warp_count;
    uint64_t grid_id;
    _Atomic uint64_t next_cluster;
    unsigned page_shift;
    jrs_activity own;
    jrs_activity *activity;             /* own, or shared with launches that run at the same time */
    _Atomic uint64_t seen[JRS_DEVICES]; /* times of the devices: see watch.h */
    _Atomic bool stopped;
    const struct jrs_instruction *noted[JRS_NOTES];
    uint32_t note_count;
    pthread_mutex_t mutex; /* of failed, report and notes */
    bool failed;
    jrs_report *report;
    _Atomic(jrs_native_run *) native; /* compiled code of the kernel, or NULL */
    uint64_t multiplier;              /* of the shuffle of clusters; 1: in order */
} jrs_run;

/* ---- lanes ---- */
static inline void *jrs_at(const jrs_warp *warp, jrs_slot slot) {
    return warp->base[slot >> JRS_BASE_SHIFT] + (slot & ((1u << JRS_BASE_SHIFT) - 1));
}

static inline unsigned jrs_first(uint32_t mask) /* mask is not 0 */
{
    return (unsigned)__builtin_ctz(mask);
}

/* The address that a location gives for a lane, constant offset included. */
static inline uint64_t jrs_locate(const jrs_warp *warp, const jrs_location *location, unsigned lane) {
    uint64_t address;
    uint32_t narrow;
    const uint8_t *lanes = jrs_at(warp, location->slot);
    if (location->bytes == 8) {
        memcpy(&address, lanes + (size_t)lane * 8, 8);
        return address + (uint64_t)location->offset;
    }
    memcpy(&narrow, lanes + (size_t)lane * 4, 4);
    return (uint32_t)(narrow + (uint32_t)location->offset);
}

/* The own entry of its vector clock. */
static inline uint32_t jrs_now(const jrs_warp *warp) {
    return warp->clock[warp->entry];
}

#endif
