/* Algorithms: one file, one small interface, one row each; and the choice of one for a job. */
#ifndef JR_PLAN_ALGORITHM_H
#define JR_PLAN_ALGORITHM_H

#include "abi.h"
#include "jitreduce/plan.h"
#include "job.h"
#include "spec/tuning.h"
#include "tuned.h"

enum { JR_KERNELS_MAX = 3 };

/* Where the segments of a run lie, and where what is found of them goes. */
typedef struct jr_run_segments {
    jr_cu_deviceptr offsets;   /* of segments that have them; else 0 */
    jr_cu_deviceptr keys;      /* keys of segments that have them; else 0 */
    uint64_t count;            /* of a scan: how many segments; of others jr_run.count is that */
    jr_cu_deviceptr run_keys;  /* of runs of equal keys: where the key of each goes; 0: nowhere */
    jr_cu_deviceptr run_count; /* where the number of runs goes; 0: nowhere */
} jr_run_segments;

/* One run of a plan, as its algorithm sees it: what runs of all kinds have, and what runs of the plan's kind have. */
typedef struct jr_run {
    jr_cu_deviceptr in[JR_INPUTS_MAX];
    uint64_t count; /* elements; of a plan of segments but those by keys: segments */
    uint64_t first; /* of a part: the index of its first element in the whole input */
    jr_cu_deviceptr out, workspace;
    jr_stream stream;
    jr_cu_deviceptr mark; /* see jr_call; of to_all the address of its jr_peers */
    bool counts_kept;     /* out is a whole place, with the count of kept elements where the reduction counts them */
    union {
        struct { /* the largest comes first: it is cleared where an initialiser names no member of the union */
            jr_run_segments segments; /* lies where the next member does */
            bool goes_on;             /* of a part: another one follows */
            bool continued;           /* the workspace holds the fold of what lies before it (scan_queue.h) */
        } scan;
        jr_run_segments segments; /* of plans of segments, and of runs of equal keys */
        struct {
            uint64_t whole; /* of a part whose results are of all parts (to_all): elements of all */
            uint64_t chunk; /* of a part of a fixed tree: elements of a chunk; 0: it is the whole (tree.h) */
        } flat;
        struct {
            uint64_t states;       /* how many, in in[0] */
            const jr_reach *reach; /* of those that are loaded from all devices: where they are; NULL: they meet */
            uint32_t epoch;        /* of states of segments that meet: which run it is, from 1 on */
        } merge;
    };
} jr_run;
_Static_assert(sizeof((jr_run *)0)->scan >= sizeof((jr_run *)0)->flat &&
                   sizeof((jr_run *)0)->scan >= sizeof((jr_run *)0)->merge,
               "the largest member of the union comes first");

/* How far a scan that is made in parts has come; zero before the first. */
typedef struct jr_scanned {
    uint64_t tiles;
    uint32_t launches;
} jr_scanned;

/* One kernel of an algorithm: its file in kernels_src and its entry. */
typedef struct jr_algorithm_kernel {
    const char *source, *entry;
    bool alone;             /* always launched with one block: it finishes partial results of other blocks */
    bool full_optimisation; /* compiled with full optimisation: computing takes as long as loading, so the order of
                             * instructions matters */
    bool of_both_scans;     /* for a scan: inclusive and exclusive scans share the kernel */
    bool large;             /* with several operators it is too large for NVRTC's fastest compile (programs.c) */
} jr_algorithm_kernel;

/* How a queue's tiles lie (kernels_src/scan/common/queue.cuh). */
typedef struct jr_scan_queue {
    int tile_threads;     /* each of which has JR_UNROLL packs of a tile */
    int group;            /* tiles whose totals are folded together */
    int apart;            /* slots from one tile's to the next one's */
    bool in_sequence;     /* a thread's packs follow each other, and it goes along all of their elements */
    uint64_t slots_bytes; /* most of a launch */
} jr_scan_queue;

/* ---- what some algorithms have; NULL in the row of one that does not ---- */

/* What the tuning depends on besides its numbers; each may be NULL. */
typedef struct jr_algorithm_choices {
    bool (*preferred)(
        const jr_job *job); /* of an input that is large enough (tuned.h): whether it is chosen; NULL: always */
    int (*block)(const jr_job *job); /* used when the job requests none; NULL, or a result of 0: the default */
    int (*unroll)(const jr_job *job, int block); /* used when the job requests none; NULL: the default */
} jr_algorithm_choices;

/* Shared memory that each thread of a block takes, when it is no accumulator alone. */
typedef struct jr_algorithm_shared {
    unsigned thread_bytes; /* sized at launch; 0: an accumulator */
    bool has_patches;      /* its warps bring elements to shared memory */
} jr_algorithm_shared;

/* A ring of tiles in shared memory that some threads of a block fill and the others fold. */
typedef struct jr_algorithm_ring {
    int tiles_least, tiles_max;
    int filling_threads;
    unsigned fixed_bytes; /* of shared memory, besides the tiles */
    bool squads; /* for scans: half of the others fold, half scan (JR_SQUAD_THREADS; for runs JR_RUNS_SQUAD_THREADS) */
} jr_algorithm_ring;

/* A run can be made in parts (parts.h). */
typedef struct jr_algorithm_parts {
    /* Folds a part into an accumulator a block of its grid. */
    jr_status (*fold)(const jr_plan *plan, const jr_run *part, uint64_t partials);
    /* Folds partial_count of them, in order, into the result. */
    jr_status (*finish)(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count);
    /* For jr_plan_fold_once: which tiles go to which block; NULL: the kernel takes no such argument. */
    jr_deal (*deal)(const jr_plan *plan, const jr_cut *cut, uint64_t count, uint64_t blocks);
} jr_algorithm_parts;

/* It scans: by a queue, or in parts, or both. */
typedef struct jr_algorithm_scan {
    jr_scan_queue (*queue)(const jr_plan *plan); /* NULL: it has no queue */
    bool tile_a_block;                           /* each block has one tile in registers */
    bool by_rows;                                /* its parts are some rows of columns (scan_columns.h) */
    /* Scans a part that continues earlier parts, which begin at 16-byte boundaries and have a multiple of tile_count()
     * elements; NULL: it cannot scan in such parts. */
    jr_status (*part)(const jr_plan *plan, const jr_run *part, jr_scanned *scanned);
    uint64_t (*tile_count)(const jr_plan *plan);
} jr_algorithm_scan;

typedef struct jr_algorithm_row {
    jr_algorithm algorithm; /* 0: it has no public name, and is only ever chosen */
    const char *name;       /* "two_pass" */
    jr_job_kind kind;
    jr_algorithm_kernel kernels[JR_KERNELS_MAX]; /* one at least; a NULL source ends them */
    jr_tuned_row tuned; /* what was measured of it: block, loads, from when it is chosen; 0: nothing */
    int grid_max;       /* blocks at most; 0: JR_GRID_MAX */
    const char *needs;  /* what applicable() asks for, for its error message */
    bool (*applicable)(const jr_job *job);
    bool views;                                       /* it reads arrays whose elements may lie apart (view.h) */
    bool tree;                                        /* it folds the fixed tree of JR_ACCURACY_REPRODUCIBLE */
    bool needs_capacity;                              /* the workspace is of the size of the data */
    int (*grid)(const jr_plan *plan, uint64_t count); /* NULL: one block per tile, at most a wave (jr_plan_grid) */
    size_t (*workspace_bytes)(const jr_plan *plan);   /* for the largest grid and count of the plan; NULL: none */
    /* Bytes of partial results that a run writes to and reads from device memory; NULL: none. */
    uint64_t (*partial_bytes)(const jr_plan *plan, uint64_t count);
    int (*launches)(const jr_plan *plan, uint64_t count); /* kernels that a run launches at most; NULL: one */
    /* Launches them; of segments and scans run->count > 0, but of runs of equal keys. */
    jr_status (*run)(const jr_plan *plan, const jr_run *run);

    const jr_algorithm_choices *choices;
    const jr_algorithm_shared *shared;
    const jr_algorithm_ring *ring;
    const jr_algorithm_parts *parts;
    const jr_algorithm_scan *scan;
    jr_job (*first_job)(const jr_job *job); /* of a first step, which another row carries out */
} jr_algorithm_row;

/* How a job is carried out. */
typedef struct jr_choice {
    const jr_algorithm_row *row;
    jr_tuning tuning;
    bool chunked;                /* the data goes from host memory through the device in parts */
    bool advised;                /* by an adviser, whose tuning may yet turn out not to suit the device */
    uint64_t launch_count;       /* elements that one launch folds at most; 0: no limit */
    char why[JR_TUNED_BY_BYTES]; /* "given", "estimate", or what the adviser said */
} jr_choice;

#endif
