/* Modules and functions as the driver knows them: the ptx room's, with handles and owners; occupancy. */
#ifndef JRS_DRIVER_LOADED_H
#define JRS_DRIVER_LOADED_H

#include "sim_driver.h"

/* Shared by its handle and by the launches and recordings of its kernels: its code outlives unloading until the last of
 * them is done. */
typedef struct jrs_loaded {
    jrs_object object;
    jrs_module *code;
    _Atomic unsigned references;
    struct jrs_kernel *kernels; /* those asked for */
} jrs_loaded;

typedef struct jrs_kernel {
    jrs_object object;
    jrs_loaded *module;
    jrs_function *code;
    int max_dynamic_bytes;
    int carveout;
    unsigned cluster[3]; /* that its launches must have; zeros: any, or none */
    bool wide_clusters;  /* of more than 8 blocks */
    int cluster_policy;
    struct jrs_kernel *next;
} jrs_kernel;

void jrs_loaded_share(jrs_loaded *module);
void jrs_loaded_let_go(jrs_loaded *module);

/* How many blocks of a kernel fit on a multiprocessor at the same time, by the four limits of CUDA's occupancy
 * calculator: blocks, warps, registers, shared memory. 0: such a block does not fit at all. */
unsigned jrs_occupancy_blocks(const jrs_kernel *kernel, unsigned threads, size_t dynamic_bytes);

#endif
