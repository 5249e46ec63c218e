/* The job: a reduction, what it is to be done over, and how its caller wants it carried out. */
#ifndef JR_PLAN_JOB_H
#define JR_PLAN_JOB_H

#include "jitreduce/work.h"
#include "kernel/context.h"
#include "spec/reduction.h"
#include "view.h"

/* What a run has results for. */
typedef enum jr_job_kind {
    JR_JOB_FLAT,     /* one, of all elements */
    JR_JOB_SEGMENTS, /* one for each segment */
    JR_JOB_SCAN,     /* one for each element */
    JR_JOB_MERGE,    /* one, of states; or one for each segment, where the job has a layout */
    JR_JOB_APPLY,    /* one for each element, of it and what its row was reduced to */
    JR_JOB_MANY      /* one for each of many arrays, and one of all; where the spec has apply, for each element, too */
} jr_job_kind;

/* How a caller wants a job carried out; the members are the spec's, and what is 0 is left open. */
typedef struct jr_requested_tuning {
    jr_algorithm algorithm;
    int unroll, block, grid, blocks_per_multiprocessor;
    jr_shared shared;
    uint64_t capacity;
    double max_launch_ms;
    uint64_t device_bytes;
} jr_requested_tuning;

typedef struct jr_job jr_job;

/* What stored tunings say of a job. */
typedef struct jr_advice {
    jr_algorithm algorithm; /* 0: to leave it to the estimate; then the next are 0 */
    int unroll, block, blocks_per_multiprocessor;
    char why[JR_TUNED_BY_BYTES]; /* for the plan's statistics; "": nothing is known */
} jr_advice;

/* Who is asked before the estimate is. */
typedef struct jr_adviser {
    void (*ask)(void *self, const jr_job *job, jr_advice *advice); /* the recorded error stays as it is */
    void *self;
} jr_adviser;

struct jr_job {
    jr_context *context;
    const jr_device_info *device; /* the context's, unless the caller has set another one */
    jr_job_kind kind;
    jr_reduction *reduction;
    jr_requested_tuning requested; /* unused for a merge, which has one algorithm */
    jr_segment_layout layout;      /* of segments, also of those that are scanned; kind 0: a scan without segments */
    jr_view view;                  /* of segments: where their elements lie; none: in C order without gaps */
    bool exclusive;                /* of a scan: a result is of the elements before it */
    bool to_state;                 /* accumulators are written for another step, instead of results */
    bool from_initial;             /* with to_state: they include the initial value */
    bool to_all;                   /* see jr_tuning */
    bool is_part;                  /* for a scan: it continues after elements that another run scans */
    bool on_host;                  /* its data is in host memory */
    uint64_t host_bytes;           /* with on_host: bytes that all its data and results take on the device */
    uint64_t free_bytes; /* then: device memory that is free; UINT64_MAX: it is a small part, and was not asked for */
    const jr_adviser *adviser; /* NULL: the estimate alone chooses */
};

/* Fills in a job whose context, kind, layout or scan, and adviser the caller has set, the rest zero: checks the spec,
 * and what the kind asks of it. jr_job_free must follow, whether it fails or not. Errors: those of jr_reduction_create;
 * of a scan JR_ERROR_EMPTY_INPUT. */
jr_status jr_job_make(const jr_spec *spec, jr_job *job);

/* Is it one of segments by keys? */
bool jr_job_is_of_runs(const jr_job *job);

/* The layout of consecutive segments that kernels scan; NULL: they scan no segments, or columns. */
const jr_segment_layout *jr_job_heads(const jr_job *job);

/* Is it a scan for which no tuning was asked, of one array, with an accumulator that threads can have many of? */
bool jr_job_scans_as_it_likes(const jr_job *job);

/* Elements for which an algorithm is chosen: the capacity. Where that is not known a scan, and runs, expect many: what
 * is best then costs little for few of them. */
uint64_t jr_job_expected_count(const jr_job *job);

void jr_job_free(jr_job *job); /* one that was zeroed is fine */

/* Whether this is a sum of all elements that the algorithms of exact sums take (exact/exact_flat.h), on a device that
 * has their instructions. */
bool jr_job_is_exact_sum(const jr_job *job);

#endif
