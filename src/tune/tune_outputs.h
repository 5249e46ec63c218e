/* The outputs of a tunable's problem: what was there, what is expected, and whether a run has left it. */
#ifndef JR_TUNE_TUNE_OUTPUTS_H
#define JR_TUNE_TUNE_OUTPUTS_H

#include "device/device.h"
#include "jitreduce/tunable.h"

typedef struct jr_output_bytes {
    unsigned char *before;   /* what was there when the search began */
    unsigned char *expected; /* what a run is to leave */
} jr_output_bytes;

typedef struct jr_outputs {
    const jr_device *device;
    const jr_tunable_problem *problem;
    jr_output_bytes *bytes;
    unsigned char *now; /* room for what a run left of one output */
    bool kept;          /* what was there before is known */
} jr_outputs;

/* Keeps what lies in the outputs; puts it back, and frees all (one that was zeroed is fine). The context is current in
 * all of these. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_outputs_keep(const jr_device *device, const jr_tunable_problem *problem, jr_outputs *outputs);
void jr_outputs_give_back(jr_outputs *outputs);

/* Writes the outputs as they were. */
jr_status jr_outputs_reset(const jr_outputs *outputs);

/* Expects what a run has left, but for outputs of which the caller says what it expects: they are compared. Errors:
 * JR_ERROR_INVALID_ARGUMENT: they differ. */
jr_status jr_outputs_expect(const jr_outputs *outputs);

/* Compares what a run has left. why: written where it is not as expected. */
jr_status jr_outputs_verify(const jr_outputs *outputs, char why[JR_REASON_BYTES]);

#endif
