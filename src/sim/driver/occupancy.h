/* Occupancy: how many blocks of a kernel fit on a multiprocessor at the same time. */
#ifndef JRS_DRIVER_OCCUPANCY_H
#define JRS_DRIVER_OCCUPANCY_H

#include "loaded.h"

/* By the four limits of CUDA's occupancy calculator: blocks, warps, registers, shared memory. 0: such a block does not
 * fit at all. */
int jrs_occupancy_blocks(const jrs_kernel *kernel, unsigned threads, size_t dynamic_bytes);

/* Most threads in a block of this kernel: by its bounds and its registers. */
int jrs_occupancy_max_threads(const jrs_kernel *kernel);

#endif
