/* The estimate: the tuning of an algorithm for a job on a device, without measuring. */
#ifndef JR_PLAN_ESTIMATE_H
#define JR_PLAN_ESTIMATE_H

#include "algorithm.h"

/* Computes the tuning that the job does not request. Errors: JR_ERROR_LAUNCH_RESOURCES (the block asked for needs more
 * shared memory than the device has), JR_ERROR_NOT_APPLICABLE (the algorithm's ring does not fit). */
jr_status jr_estimate_tuning(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning);

/* Does the ring of an algorithm that has one fit into the device's shared memory? */
bool jr_estimate_ring_fits(const jr_job *job, const jr_algorithm_row *row);

/* How many blocks make one wave: enough to keep the memory busy, no more than are resident at once, nor than the
 * algorithm takes. occupancy: blocks a multiprocessor holds. */
int jr_estimate_wave(const jr_algorithm_row *row, const jr_tuning *tuning, const jr_device_info *device, int occupancy);

/* How many elements a launch may fold so that it surely ends within the milliseconds that the job allows: what a
 * sixteenth of the device's memory bandwidth brings in that time. 0: no limit. */
uint64_t jr_estimate_launch_count(const jr_job *job);

#endif
