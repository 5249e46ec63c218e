/* Chunked calls: data in host memory that does not fit the device, or is much, goes through it in chunks, while the
 * next chunks are copied and the results of those before go back. One driver runs all kinds of calls. */
#ifndef JR_HOST_CHUNKED_H
#define JR_HOST_CHUNKED_H

#include "cuts.h"
#include "device/pump.h"
#include "host_call.h"

typedef struct jr_chunked jr_chunked;

/* What calls of one kind do. */
typedef struct jr_chunked_kind {
    /* Says how the data is cut, in the request, and what memory_bytes are. */
    jr_status (*open)(jr_chunked *chunked, jr_pump_request *request);
    jr_status (*take)(jr_chunked *chunked, const jr_chunk *chunk); /* launches what a chunk needs, on its stream */
    jr_status (*finish)(jr_chunked *chunked);                      /* launches what comes after all; NULL: nothing */
} jr_chunked_kind;

/* A call, which its kind's own struct begins with. */
struct jr_chunked {
    const jr_chunked_kind *kind;
    jr_host_call *call; /* begun: with the plan, the stream, what the data may take, the clock and the statistics */
    const void *const *data;
    uint64_t count;      /* elements of each array */
    void *results;       /* in host memory, written as they come; NULL: they stay on the device */
    size_t result_bytes; /* of each */
    uint64_t result_count;
    uint64_t memory_bytes;   /* of the device, that all chunks share; 0: none */
    jr_cu_deviceptr memory;  /* there they are */
    const jr_mapped *mark;   /* set by kernels when a result has no value, which fails the call; NULL: none is */
    bool checks_first_chunk; /* the mark is looked at after the first chunk, before any result is written */
    int launches;
};

/* Runs it. The call's statistics are written but for kernel_ms, which its stopped clock says. The context is current;
 * when this returns, the results are complete, or, after a failure, undefined. Errors: those of the kind and the pump,
 * JR_ERROR_EMPTY_INPUT. */
jr_status jr_chunked_run(jr_chunked *chunked);

/* A run of a plan on what a chunk has; its count is the caller's to set. */
jr_run jr_chunked_part(const jr_plan *plan, const jr_chunk *chunk);

/* Reduces count elements to the call's place on the device. */
jr_status jr_chunked_reduce(jr_host_call *call, const void *const *data, uint64_t count);

/* Scans; heads: the count, and where segments lie in host memory. Results may take the place of data where elements are
 * as large. Results are written as they come; that some are of no elements and have no value is found before the first,
 * but for segments perhaps after the last. */
jr_status jr_chunked_scan(jr_host_call *call, const void *const *data, const jr_cut_heads *heads, void *results);

/* Elements in host memory, and where the results of their segments are written. */
typedef struct jr_chunked_places {
    const jr_work_data *data; /* in host memory */
    uint64_t elements;
    void *places;
} jr_chunked_places;

/* A call of a kind that reduces segments to results of place_bytes each. job: the plan's. */
jr_chunked jr_chunked_of(const jr_chunked_kind *kind, jr_host_call *call, const jr_job *job,
                         const jr_chunked_places *of);

/* Reduces consecutive segments. */
jr_status jr_chunked_segments(jr_host_call *call, const jr_job *job, const jr_chunked_places *of);

/* The same of an array along axes. Before the call begins, jr_chunked_cut_axes cuts it and changes the job's layout to
 * that of the plan of the results; cuts: freed by jr_cuts_free. Errors: as jr_cuts_axes. */
jr_status jr_chunked_cut_axes(jr_job *job, uint64_t segment_count, jr_axes_cuts *cuts);
jr_status jr_chunked_axes(jr_host_call *call, const jr_job *job, const jr_chunked_places *of, const jr_axes_cuts *cuts);

#endif
