/* The simulated devices, all alike: limits, attributes, and how the settings shape them.
 *
 * Limits are Hopper's (capability 9.0), so that kernels tuned for one run here as they are. There are 8 multiprocessors
 * only: one wave of blocks should suit a CPU of a few cores, and resident blocks take turns on them. */
#ifndef JRS_DRIVER_DEVICE_H
#define JRS_DRIVER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/exec/sim_launch.h"

enum {
    JRS_DRIVER_VERSION = 13000,
    JRS_CAPABILITY = 90, /* 9.0 */
    JRS_PTX_VERSION_MAX = 99,
    JRS_MULTIPROCESSORS = 8,
    JRS_WARP = 32,
    JRS_THREADS_PER_BLOCK = 1024,
    JRS_BLOCK_Z = 64,
    JRS_GRID_YZ = 65535,
    JRS_WARPS_PER_MULTIPROCESSOR = 64,
    JRS_BLOCKS_PER_MULTIPROCESSOR = 32,
    JRS_CLUSTER = 8, /* blocks of a cluster, and of one whose kernel allows more than every device has */
    JRS_CLUSTER_WIDE = 16,
    JRS_REGISTERS = 65536,   /* per multiprocessor, and per block */
    JRS_REGISTER_UNIT = 256, /* registers are given to a warp in this unit */
    JRS_WARP_UNIT = 4,       /* and to warps in this number: one for each quarter of a multiprocessor */
    JRS_SHARED_PER_MULTIPROCESSOR = 228 << 10,
    JRS_SHARED_PER_BLOCK = 48 << 10,
    JRS_SHARED_PER_BLOCK_OPTIN = 227 << 10,
    JRS_SHARED_RESERVED = 1 << 10, /* per block, by the system */
    JRS_SHARED_UNIT = 128,
    JRS_CONSTANT_BYTES = 64 << 10,
    JRS_CPU_THREADS_MAX = 1024, /* as the list of settings says */
    JRS_NAME_BYTES = 256,
    JRS_WHY_BYTES = 512
};

#define JRS_DEVICE_NAME "jitreduce PTX simulator"

/* What the settings say. */
typedef struct jrs_device_options {
    unsigned devices;      /* how many there are, all alike */
    uint64_t memory_bytes; /* of each */
    unsigned threads;      /* of a launch */
    uint64_t seed;
    uint64_t step_limit;
    jrs_judge judge;
    jrs_native_mode native;
    char trace_kernel[JRS_NAME_BYTES]; /* "": none is traced */
    uint64_t trace_block, trace_warp;
} jrs_device_options;

/* Reads the settings. False when one is not what it may be, so that a misspelt one is not passed over: then
 * why, which has JRS_WHY_BYTES, holds its name, its value and what it may be, and *options is as before. */
bool jrs_device_configure(jrs_device_options *options, char *why);

/* The value of a CUdevice_attribute; false for one that is not known here. */
bool jrs_device_attribute(int attribute, int *value);

#endif
