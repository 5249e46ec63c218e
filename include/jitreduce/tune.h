/* Tuning: measures what suits a device best, and stores it (wisdom) for the plans that follow.
 *
 * Where nothing is stored the estimate chooses, without measuring. Stored tunings are for one operator, type and count
 * each, those of scans for one kind, too; a plan whose spec has a capacity takes the nearest one (up to four times as
 * many or as few elements), of this machine, else of another device of the same compute capability. Driver, NVRTC and
 * library must be the very same. Plans of segments are not tuned. */
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
    char path[JR_WISDOM_PATH_BYTES]; /* "": there is no file to look for */
    const char *origin;              /* "option", "setting JITREDUCE_WISDOM", "XDG_DATA_HOME", "HOME", "none" */
    int found;                       /* 1: the file is there */
    char refused[JR_REASON_BYTES]; /* why nothing of it is used: not ours, damaged, made with another driver; else "" */
    uint64_t own_count;            /* tunings of this machine */
    uint64_t usable_count;         /* of other devices of its compute capability */
    uint64_t other_count;          /* of no use here */
} jr_wisdom_info;

/* Writes where the context's stored tunings come from, reading the file if that has not been done.
 * info: written on success only. Owns: nothing; origin is static. Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY; a file that cannot be used is no error. Since: 0.1. */
JR_API jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info);

/* One way to carry a reduction out. Keeps its size in all versions. */
typedef struct jr_tune_candidate {
    jr_algorithm algorithm;
    int unroll, block;
    int blocks_per_multiprocessor; /* at most; 0: as the estimate says */
    int grid;                      /* blocks of a run */
    double us;                     /* of a run: the median; 0: not measured */
    double gain;                   /* the estimate's median in the same rounds over this one's */
    char failure[JR_REASON_BYTES]; /* why it is out: it does not fit the device, or its result is wrong; else "" */
    uint64_t reserved[8];          /* 0: room for what later versions tune */
} jr_tune_candidate;

/* How far a tuning is. */
typedef struct jr_tune_progress {
    size_t size;                        /* as large as the library that is running knows it */
    int done, planned;                  /* candidates, and about how many there will be */
    const jr_tune_candidate *candidate; /* the last one that was measured or has failed */
    const jr_tune_candidate *best;      /* so far; NULL: none is better than the estimate */
} jr_tune_progress;

/* How to tune. JR_INIT(jr_tune_options), then set what matters. */
typedef struct jr_tune_options {
    size_t size;     /* sizeof(jr_tune_options) */
    double limit_ms; /* when so much time is over the best so far is measured once more, and that is it; 0: no limit */
    int (*progress)(void *user, const jr_tune_progress *progress); /* called for each candidate; NULL: nobody is told.
                                                                    * Another number than 0 stops the tuning */
    void *user;                                                    /* passed through */
} jr_tune_options;

/* What was found for one count. */
typedef struct jr_tuned {
    size_t size; /* sizeof(jr_tuned) */
    uint64_t count;
    jr_tune_candidate estimate; /* the estimate's own tuning; us is its median in the last measurement */
    jr_tune_candidate best;     /* the estimate, unless better: the one that won, measured beside it */
    int better;                 /* 1: best is faster than the estimate by 1 % or more, and their quartiles are apart */
    int complete;               /* 1: all that was planned was measured; 0: the time was over, or it was stopped */
    int measured, failed;       /* candidates */
} jr_tuned;

/* Finds the best tuning for a spec and a count: measures candidates beside the estimate's tuning on random data beyond
 * what a cache holds. One whose result is not the estimate's is out (floats may differ by rounding), and so is atomic
 * of floats. Stored tunings are neither read nor written.
 * spec: what says how (algorithm to shared, max_launch_ms) must be 0. count: 1 or more. options: NULL for all defaults.
 * tuned: written on success only. Owns: nothing. Threads: any; what runs at the same time disturbs.
 * Errors: JR_ERROR_INVALID_ARGUMENT, those of jr_plan_create for the estimate's tuning, JR_ERROR_DEVICE_OUT_OF_MEMORY
 * for the data; a candidate that fails is no error, unless it was a fault of the device. Since: 0.1. */
JR_API jr_status jr_tune(jr_context *context, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                         jr_tuned *tuned);

/* Stores what was found in the context's file, where the plans that follow find it, also those of this context.
 * spec: that of jr_tune. tuned: better or complete. The file is written whole or not at all; what is in it stays.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WISDOM (there is no place for a file),
 * JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_tuned_store(jr_context *context, const jr_spec *spec, const jr_tuned *tuned);

/* Finds the best tuning for a scan of count elements, as jr_tune does for a reduction: every result of a candidate is
 * held against the estimate's.
 * kind: of the scan. The rest as jr_tune; the host needs memory for all results of one run.
 * Owns: nothing. Threads: any; what runs at the same time disturbs. Errors: as jr_tune, with jr_scan_plan_create in
 * place of jr_plan_create, and JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_tune_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, uint64_t count,
                              const jr_tune_options *options, jr_tuned *tuned);

/* Stores what was found for a scan, as jr_tuned_store does: for the plans of jr_scan_plan_create and the scans of host
 * memory that follow.
 * spec, kind: those of jr_tune_scan. A file with tunings of scans is of format 2, which 0.1 leaves alone.
 * Owns: nothing. Threads: any. Errors: as jr_tuned_store. Since: 0.2. */
JR_API jr_status jr_tuned_store_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const jr_tuned *tuned);

#ifdef __cplusplus
}
#endif
#endif
