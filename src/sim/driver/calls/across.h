/* Across devices: who waits for whom, and who may touch whose memory. Lock held. */
#ifndef JRS_CALLS_ACROSS_H
#define JRS_CALLS_ACROSS_H

#include "sim/driver/sim_call.h"

/* Lets what a stream, not one that is being captured, is given from now on wait for a task of another context. Nothing
 * to do on one device: there the order of the queue says it. Errors: 2. */
int jrs_stream_wait(jrs_call *call, jrs_stream *stream, const jrs_context *of, uint64_t sequence);

/* As jrs_submit, and all devices of the mask (a bit each) wait: the task for what they were given before, and what they
 * are given later for the task. */
int jrs_submit_across(jrs_call *call, jrs_stream *stream, jrs_task *task, unsigned devices);

/* The devices whose kernels and copies under way may touch the memory of a device, itself among them; of all. */
unsigned jrs_sharers(const jrs_driver *driver, unsigned device);
unsigned jrs_all_devices(const jrs_driver *driver);

#endif
