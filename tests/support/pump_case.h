/* What the tests of the pump share: arrays, a pump for them, copies made on the device, chunk by chunk, and results:
 * the bytes of the first array, each with some bits flipped. */
#ifndef TESTS_SUPPORT_PUMP_CASE_H
#define TESTS_SUPPORT_PUMP_CASE_H

#include "device/pump.h"
#include "support/open_context.h"

typedef struct pump_case {
    const opened *device;
    unsigned char *data[JR_PUMP_ARRAYS_MAX]; /* given, or made by pump_case_begin */
    bool slow;                               /* a kernel of one warp copies each chunk, instead of the copy engine */
    uint64_t fail_at;                        /* the callback fails at this call, from 1; 0: at none */
    /* filled in */
    jr_pump_request request;
    jr_pump *pump;
    jr_kernel *kernel;
    unsigned char *d_copies[JR_PUMP_ARRAYS_MAX]; /* what the chunks held, on the device */
    bool owns_data[JR_PUMP_ARRAYS_MAX], owns_results;
    unsigned char *wanted; /* results; NULL: there are none */
    jr_kernel *flip;
    uint64_t chunks, next; /* of the run: chunks so far and their elements */
} pump_case;

/* Fills the arrays with bytes that differ and opens the pump. request: without data; one without arrays has one, of
 * bytes. Results of some bytes, those of an element of the first array, go where the request says, else into memory of
 * the case; upon_first: upon the first array. Asserts. */
void pump_case_begin(pump_case *pumped, const jr_pump_request *request);
void pump_case_end(pump_case *pumped);

/* Checks order, place and size of a chunk, without CMocka's assertions (any thread), and puts copies of it into
 * d_copies on the chunk's stream. */
jr_status pump_case_callback(void *user, const jr_chunk *chunk);

/* Runs the pump, and asserts that the copies on the device are the arrays, and the results what they are to be, byte by
 * byte. */
void pump_case_run(pump_case *pumped);
void pump_case_compare(const pump_case *pumped);

/* All of these for new arrays; asserts whether they are staged. Returns the number of chunks. */
uint64_t pump_case_arrives(const opened *device, const jr_pump_request *request, bool staged);

#endif
