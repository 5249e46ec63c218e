/* Chunks: which elements of arrays, and which results, go through the device together, and where they lie there. */
#ifndef JR_DEVICE_CHUNKS_H
#define JR_DEVICE_CHUNKS_H

#include "device.h"
#include "staging.h"

enum { JR_PUMP_BUFFERS = 3 };

/* Consecutive items of an array. */
typedef struct jr_span {
    uint64_t first, count;
} jr_span;

/* The elements of a chunk, and its results. The last member: items of additional arrays that belong to the chunk. */
typedef struct jr_chunk_cut {
    jr_span elements, results, beside;
} jr_chunk_cut;

/* An array of the request's count of elements. */
typedef struct jr_pump_array {
    const void
        *data; /* of any alignment; must not change while the pump runs, but by results of elements sent before */
    size_t element_bytes;
    bool beside;             /* its items are not elements: a chunk has those that its cut names */
    const jr_gather *gather; /* its elements lie apart: data is gather->base; NULL: they do not */
} jr_pump_array;

/* What comes back. */
typedef struct jr_pump_results {
    void *data; /* of any alignment; NULL: nothing comes back */
    size_t bytes;
    bool upon_first; /* on the device they lie upon the elements of the first array, of the same size */
} jr_pump_results;

/* What is copied through the device. The members after count may be 0: then the pump chooses, and copies nothing
 * back. */
typedef struct jr_pump_request {
    jr_pump_array arrays[JR_PUMP_ARRAYS_MAX];
    int array_count;       /* at least 1 */
    uint64_t count;        /* elements of each array */
    uint64_t beside_count; /* additional items of each array */
    jr_pump_results results;
    uint64_t result_count;
    const jr_chunk_cut *cuts;  /* the caller's chunks; NULL: chunks of equal size, with one result per element */
    uint64_t cut_count;        /* of cuts */
    uint64_t granule_count;    /* elements: equal chunks begin at multiples of it; 0: 1 */
    uint64_t limit_bytes;      /* device memory at most, of equal chunks */
    uint64_t stage_from_bytes; /* memory that the driver does not know is staged when it is this much together */
    uint64_t piece_bytes;      /* of the rings for that */
    int thread_count;          /* that fill or empty one */
    bool ordered;              /* a chunk's kernels begin when those of the chunk before it are done */
} jr_pump_request;

/* How arrays are cut. */
typedef struct jr_chunks {
    const jr_pump_request *request;           /* the caller's: outlives this */
    uint64_t count;                           /* of chunks */
    uint64_t elements;                        /* of each but the last, where they are equal */
    jr_chunk_cut most;                        /* the most that one has */
    int buffer_count;                         /* no more than chunks */
    uint64_t offsets[JR_PUMP_ARRAYS_MAX + 2]; /* of each array in a buffer, of the results, then the buffer's bytes */
} jr_chunks;

/* Cuts: into the largest chunks that bring something, but no larger than limit and arrays ask for. Errors:
 * JR_ERROR_INVALID_ARGUMENT (limit below a granule for each buffer). */
jr_status jr_chunks_choose(const jr_pump_request *request, jr_chunks *chunks);

jr_chunk_cut jr_chunks_cut(const jr_chunks *chunks, uint64_t index);

/* The items of an array that a chunk has. */
jr_span jr_chunks_items(const jr_chunks *chunks, int array, uint64_t index);

/* Bytes of one of JR_PUMP_BUFFERS buffers that together take limit_bytes, 0: the usual. */
uint64_t jr_chunks_room(uint64_t limit_bytes);

#endif
