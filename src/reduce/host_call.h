/* The host call: what a call on host memory holds on the device, from its own stream to its copies and its clock. */
#ifndef JR_REDUCE_HOST_CALL_H
#define JR_REDUCE_HOST_CALL_H

#include "device/stopwatch.h"
#include "plan.h"

/* Zero-initialised, then plan is set. In all functions the plan's context is current. */
typedef struct jr_host_call {
    jr_plan *plan;
    jr_cu_stream stream;
    jr_cu_deviceptr in[JR_INPUTS_MAX], out; /* out may be in[0] */
    jr_stopwatch watch;
    jr_stats stats;
} jr_host_call;

/* Checks one array of host memory: NULL, beyond the address space, misaligned. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_host_call_check(const jr_input *input, const void *data, uint64_t count);

/* Makes the stream and the clock. */
jr_status jr_host_call_open(jr_host_call *call);

/* Allocates a place for every input, count elements each. */
jr_status jr_host_call_allocate(jr_host_call *call, uint64_t count);

/* Copies the inputs there; stats.copy_ms is written. */
jr_status jr_host_call_upload(jr_host_call *call, const void *const *data, uint64_t count);

/* A run of count elements on the call's stream, from its places to its place. */
jr_run jr_host_call_run(const jr_host_call *call, uint64_t count);

/* Starts such a run between two events; stats.launch_ms is written. */
jr_status jr_host_call_launch(jr_host_call *call, uint64_t count);

/* Waits for the stream and gives everything back, the plan too. Keeps the recorded error, whatever it meets. */
void jr_host_call_close(jr_host_call *call);

#endif
