/* Tuning: measures which tuning is fastest on a device, and stores it (wisdom) for later plans.
 * Manual: tune.md.
 *
 * Without stored tunings an estimate chooses, without measuring. A stored tuning belongs to one operator, type and
 * count (for scans: also one kind). A plan whose spec has a capacity uses the nearest one (at most four times as many
 * or as few elements), of this machine, else of another device of the same compute capability. Driver, NVRTC and
 * library must be the same as when it was measured. Plans of segments are not tuned. jr_work_tune measures, and
 * jr_work_tuned_store stores what it found (work.h). */
#ifndef JITREDUCE_TUNE_H
#define JITREDUCE_TUNE_H

#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JR_WISDOM_PATH_BYTES = 4096, JR_REASON_BYTES = 512 };

/* Where a context's stored tunings come from. */
typedef struct jr_wisdom_info {
    size_t size;                     /* sizeof(jr_wisdom_info) */
    char path[JR_WISDOM_PATH_BYTES]; /* "": no file is used */
    const char *origin;              /* "option", "setting JITREDUCE_WISDOM", "XDG_DATA_HOME", "HOME", "none" */
    int found;                       /* 1: the file exists */
    char refused[JR_REASON_BYTES];   /* why the file is not used: belongs to another user, damaged, made with another
                                      * driver; else "" */
    uint64_t own_count;              /* tunings of this machine */
    uint64_t usable_count;           /* tunings of other devices of the same compute capability */
    uint64_t other_count;            /* tunings of other devices, which are not used here */
} jr_wisdom_info;

/* Writes where the context's stored tunings come from. It reads the file if that has not been done. A file that cannot
 * be used is not an error.
 *
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing; info->origin is static.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.1. */
JR_API jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info);

/* One tuning of a reduction that is measured. Keeps its size in all versions. */
typedef struct jr_tune_candidate {
    jr_algorithm algorithm;
    int unroll, block;
    int blocks_per_multiprocessor; /* upper limit; 0: as the estimate says */
    int grid;                      /* blocks of a run */
    double us;                     /* median time of a run, in microseconds; 0: not measured */
    double gain;                   /* the estimate's median in the same rounds, divided by this one's */
    char failure[JR_REASON_BYTES]; /* why it was rejected (it does not fit the device, its result is wrong); else "" */
    uint64_t reserved[8];          /* 0: room for what later versions tune */
} jr_tune_candidate;

/* Progress of a tuning. */
typedef struct jr_tune_progress {
    size_t size;                        /* the size in the library that runs; members beyond it must not be read */
    int done, planned;                  /* candidates tried, and about how many there will be */
    const jr_tune_candidate *candidate; /* the last one that was measured or failed */
    const jr_tune_candidate *best;      /* the best so far; NULL: the estimate */
} jr_tune_progress;

/* How to tune. JR_INIT(jr_tune_options), then set what matters. */
typedef struct jr_tune_options {
    size_t size;     /* sizeof(jr_tune_options) */
    double limit_ms; /* after this time the best so far is measured once more, and the tuning ends; 0: no limit */
    int (*progress)(void *user, const jr_tune_progress *progress); /* called after each candidate; a result other than 0
                                                                    * stops the tuning. NULL: no calls */
    void *user;                                                    /* passed to each call of progress */
} jr_tune_options;

/* The result of a tuning for one count. */
typedef struct jr_tuned {
    size_t size; /* sizeof(jr_tuned) */
    uint64_t count;
    jr_tune_candidate estimate; /* the estimate's own tuning; us is its median in the last measurement */
    jr_tune_candidate best;     /* the fastest candidate if better is 1, otherwise the estimate */
    int better;           /* 1: best is faster than the estimate by 1 % or more, and their quartiles do not overlap */
    int complete;         /* 1: all candidates were measured; 0: the time limit or `progress` ended the tuning */
    int measured, failed; /* how many candidates */
} jr_tuned;

#ifdef __cplusplus
}
#endif
#endif
