/* The arena: random input in device memory, in many places by turns, so that a run does not find in a cache what the
 * one before has read or, of scans, written. */
#ifndef JR_TUNE_TUNE_ARENA_H
#define JR_TUNE_TUNE_ARENA_H

#include "plan/algorithm.h"

typedef struct jr_arena {
    const jr_device *device;
    const jr_reduction *reduction;
    uint64_t count, slots;
    jr_cu_deviceptr inputs[JR_INPUTS_MAX];
    uint64_t slot_bytes[JR_INPUTS_MAX];
    jr_cu_deviceptr out;
    uint64_t result_count; /* of a run */
    uint64_t out_bytes;    /* where a run's results lie */
    uint64_t out_step;     /* from one place's to the next one's; 0: they are written to one place */
} jr_arena;

/* Makes an arena for runs of a job, flat or a scan, of as many elements as its capacity says, 1 or more. Numbers are
 * whole, from -64 to 63 (0 to 127 for unsigned types), so that sums of floats are the same in any order; the least and
 * the greatest occur once, in the first place. For products they are 1 and -1 (1 for unsigned types). For scans, sums
 * of neighbours stay below 2^17, and the first place has ever smaller and greater numbers up to its end. The context is
 * current. Errors: JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER. */
jr_status jr_arena_make(const jr_job *job, jr_arena *arena);
void jr_arena_free(jr_arena *arena); /* one that was zeroed is fine; the context is current */

/* The run in a place: its input, count and output. */
jr_run jr_arena_run(const jr_arena *arena, uint64_t slot);

/* Fills where the results of a run in the first place lie with what no run leaves, as far as one can say. */
jr_status jr_arena_blank(const jr_arena *arena);

#endif
