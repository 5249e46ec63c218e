/* The host call: what a call on host memory holds on the device, from its own stream to its copies and its clock. */
#ifndef JR_HOST_HOST_CALL_H
#define JR_HOST_HOST_CALL_H

#include "device/gather.h"
#include "device/stopwatch.h"
#include "plan/make.h"

/* Zero-initialised. Between begin and end the plan's context is current. */
typedef struct jr_host_call {
    jr_plan *plan;
    bool entered;
    jr_inside inside;      /* while entered */
    bool is_part;          /* of a larger call, which may fail yet: its statistics are not kept */
    uint64_t device_bytes; /* of a chunked call: for its data; 0: the usual */
    bool gathers_inputs;   /* they lie apart: */
    jr_gather gathers[JR_INPUTS_MAX];
    jr_cu_stream stream;
    jr_cu_deviceptr in[JR_INPUTS_MAX], out; /* out may be in[0] */
    jr_cu_deviceptr offsets, keys;          /* of segments that have them */
    jr_cu_deviceptr run_count, run_keys;    /* of runs of equal keys: one allocation, the count, then the keys */
    uint64_t segments;                      /* as in jr_run */
    uint64_t first;                         /* as in jr_run */
    bool continued;                         /* as in jr_run */
    jr_cu_deviceptr mark;                   /* as in jr_run */
    jr_stopwatch watch;
    jr_stats stats;
} jr_host_call;

/* Checks an array of host memory, or all of them, count elements each: NULL, beyond the address space, misaligned.
 * Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_host_call_check_array(const jr_reduction *reduction, int index, const void *data, uint64_t count);
jr_status jr_host_call_check(const jr_reduction *reduction, const void *const *data, uint64_t count);

/* Notes that a job's data is in host memory, and how many bytes it takes on the device, together with everything else
 * that must be there: count elements of each input, and more_bytes. Errors: those of jr_device_enter,
 * JR_ERROR_DRIVER. */
jr_status jr_host_call_size(jr_job *job, uint64_t count, uint64_t more_bytes);

/* The device memory that data in parts may take; 0: the usual. */
uint64_t jr_host_call_limit(const jr_job *job);

/* Makes the plan of a job for a run of count elements, makes its context current, and the call's stream and clock.
 * Whether it fails or not jr_host_call_end must follow. Errors: those of jr_make_plan, JR_ERROR_DRIVER. */
jr_status jr_host_call_begin(jr_host_call *call, const jr_job *job, uint64_t count);

/* Notes where inputs lie whose elements lie apart. view: NULL: they do not. */
void jr_host_call_gather(jr_host_call *call, const jr_reduction *reduction, const jr_view *view,
                         const void *const *data);

/* How an input's elements lie apart; NULL: they do not. */
const jr_gather *jr_host_call_gather_of(const jr_host_call *call, int input);

/* Allocates a place for every input, count elements each. */
jr_status jr_host_call_allocate(jr_host_call *call, uint64_t count);

/* Copies the inputs there; stats.copy_ms is written. */
jr_status jr_host_call_upload(jr_host_call *call, const void *const *data, uint64_t count);

/* A run of count elements on the call's stream, from its places to its place. */
jr_run jr_host_call_run(const jr_host_call *call, uint64_t count);

/* Starts such a run between two events; stats.launch_ms is written. */
jr_status jr_host_call_launch(jr_host_call *call, uint64_t count);

/* Waits for the stream and gives everything back. Keeps the statistics of a call that ended well, and the recorded
 * error of one that did not. */
void jr_host_call_end(jr_host_call *call, jr_status status);

#endif
