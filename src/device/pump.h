/* The pump: moves arrays of host memory through the device in chunks and calls back for each, so that copies and
 * kernels overlap and the arrays may be larger than the device's memory.
 *
 * A chunk is the same elements of every array. It has one of a few buffers, and each buffer a stream of its own: what
 * uses a buffer (its copies, the kernels, the next copies into it) is in that stream's order and nothing else waits, so
 * that the copy engine goes on with the next buffer while a kernel runs. Memory that the driver knows (pinned,
 * registered, mapped, managed) is copied from where it lies; other memory goes through a ring of pinned pieces
 * (staging.h), or, when it is little, is left to the driver. */
#ifndef JR_DEVICE_PUMP_H
#define JR_DEVICE_PUMP_H

#include "device.h"
#include "staging.h"

enum { JR_PUMP_BUFFERS = 3 };

typedef struct jr_pump jr_pump;

/* An array of the request's count of elements. */
typedef struct jr_pump_array {
    const void *data; /* of any alignment; must not change while the pump runs */
    size_t element_bytes;
} jr_pump_array;

/* What goes through. The members behind count may be 0: then the pump chooses. */
typedef struct jr_pump_request {
    jr_pump_array arrays[JR_PUMP_ARRAYS_MAX];
    int array_count;           /* at least 1 */
    uint64_t count;            /* elements of each array */
    uint64_t granule_count;    /* elements: chunks begin at multiples of it; 0: 1 */
    uint64_t limit_bytes;      /* device memory at most */
    uint64_t stage_from_bytes; /* arrays that the driver does not know are staged when they have this much together */
    uint64_t piece_bytes;      /* of the staging ring */
    int thread_count;          /* that fill the ring */
} jr_pump_request;

/* A part of the arrays on the device. */
typedef struct jr_chunk {
    uint64_t index;                         /* 0, 1, 2, ... */
    uint64_t first;                         /* element of the arrays: all earlier chunks' counts */
    uint64_t count;                         /* elements; a multiple of the granule but in the last chunk */
    jr_cu_deviceptr in[JR_PUMP_ARRAYS_MAX]; /* 256-byte aligned; hold the elements for what is put on the stream now */
    jr_cu_stream stream;
    int buffer; /* that it has, with its stream: below JR_PUMP_BUFFERS */
} jr_chunk;

/* Puts kernels on the chunk's stream, all that read the chunk, and waits for nothing. A failure ends the run. */
typedef jr_status (*jr_chunk_fn)(void *user, const jr_chunk *chunk);

/* Allocates buffers and streams. The context is current here and in all that follows. Errors: JR_ERROR_INVALID_ARGUMENT
 * (limit below a granule for each buffer), JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_pump_open(const jr_device *device, const jr_pump_request *request, jr_pump **pump);
void jr_pump_close(jr_pump *pump); /* NULL is fine */

/* Sends all elements through, calling back in their order from this thread. Returns when all work on the streams is
 * done, also after a failure; the first failure is returned. May be called again. Errors: the callback's,
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_pump_run(jr_pump *pump, jr_chunk_fn callback, void *user);

uint64_t jr_pump_chunk_count(const jr_pump *pump);
bool jr_pump_stages(const jr_pump *pump); /* whether any array goes through the ring */

#endif
