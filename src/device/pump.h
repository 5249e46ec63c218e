/* The pump: moves arrays of host memory through the device in chunks and calls back for each, and moves what comes of
 * them back, so that copies and kernels overlap and the arrays may be larger than the device's memory.
 *
 * A chunk is the same elements of every array. It has one of a few buffers, and each buffer a stream of its own: what
 * uses a buffer (its copies, the kernels, the copy of the results, the next copies into it) is in that stream's order
 * and nothing else waits, so that the copy engines go on with other buffers while a kernel runs. Memory that the driver
 * knows (pinned, registered, mapped, managed) is copied from and to where it lies; other memory goes through rings of
 * pinned pieces (staging.h, landing.h), or, when it is little, is left to the driver. A chunk's results are brought
 * back while the next chunk is sent. */
#ifndef JR_DEVICE_PUMP_H
#define JR_DEVICE_PUMP_H

#include "chunks.h"

typedef struct jr_pump jr_pump;

/* A part of the arrays on the device. */
typedef struct jr_chunk {
    uint64_t index;                         /* 0, 1, 2, ... */
    uint64_t first;                         /* element of the arrays */
    uint64_t count;                         /* elements; a multiple of the granule but in the last of equal chunks */
    jr_span results;                        /* that it is to give */
    jr_cu_deviceptr in[JR_PUMP_ARRAYS_MAX]; /* 256-byte aligned; hold the elements for what is put on the stream now */
    jr_cu_deviceptr out;                    /* 256-byte aligned: for the results */
    jr_cu_stream stream;
    int buffer; /* that it has, with its stream: below JR_PUMP_BUFFERS */
} jr_chunk;

/* Puts kernels on the chunk's stream, all that read the chunk and write its results, and waits for nothing. A failure
 * ends the run. */
typedef jr_status (*jr_chunk_fn)(void *user, const jr_chunk *chunk);

/* Allocates buffers and streams. The context is current here and in all that follows. Errors: JR_ERROR_INVALID_ARGUMENT
 * (limit below a granule for each buffer), JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_pump_open(const jr_device *device, const jr_pump_request *request, jr_pump **pump);
void jr_pump_close(jr_pump *pump); /* NULL is fine */

/* Sends all elements through, calling back in their order from this thread, and brings the results back, those of a
 * chunk not before the callback of the next one. Returns when all work on the streams is done, also after a failure;
 * the first failure is returned. May be called again. Errors: the callback's, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 */
jr_status jr_pump_run(jr_pump *pump, jr_chunk_fn callback, void *user);

uint64_t jr_pump_chunk_count(const jr_pump *pump);
bool jr_pump_stages(const jr_pump *pump);       /* true if any array goes through the ring */
bool jr_pump_uses_landing(const jr_pump *pump); /* true if results come back through a ring */

#endif
