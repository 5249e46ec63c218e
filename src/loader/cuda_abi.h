/* The CUDA driver's binary interface as far as we use it: types, numbers and the list of functions.
 *
 * Written from the CUDA Driver API reference manual (13.0), so that no toolkit is needed to build. Names have the
 * library's prefix, so that an application may also include <cuda.h>. The list is the seam between libjitreduce and any
 * driver: the loader expands it into a function table, the simulator must export every function of it. */
#ifndef JR_LOADER_CUDA_ABI_H
#define JR_LOADER_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_results.h"

/* Opaque handles carry the real tag names where an application's handle is passed through. */
typedef int jr_cu_result;
typedef int jr_cu_device;
typedef unsigned long long jr_cu_deviceptr;
typedef struct CUctx_st *jr_cu_context;
typedef struct CUmod_st *jr_cu_module;
typedef struct CUfunc_st *jr_cu_function;
typedef struct CUstream_st *jr_cu_stream;
typedef struct CUevent_st *jr_cu_event;
typedef struct CUgraph_st *jr_cu_graph;
typedef struct CUgraphExec_st *jr_cu_graph_exec;

/* CUgraphExecUpdateResultInfo: why a graph cannot become another one, and at which nodes. */
typedef struct jr_cu_graph_update {
    int result; /* JR_CU_GRAPH_UPDATE_*; 0: it can */
    void *node, *from;
} jr_cu_graph_update;

enum {
    JR_CU_GRAPH_UPDATE_TOPOLOGY = 2,
    JR_CU_GRAPH_UPDATE_NODE = 3,
    JR_CU_GRAPH_UPDATE_FUNCTION = 4,
    JR_CU_GRAPH_UPDATE_PARAMETERS = 5,
    JR_CU_GRAPH_UPDATE_UNSUPPORTED = 6,
    JR_CU_GRAPH_UPDATE_KERNEL = 7,
    JR_CU_GRAPH_UPDATE_ATTRIBUTES = 8
};

typedef struct jr_cu_uuid {
    char bytes[16];
} jr_cu_uuid;

/* A caller's pointer as the address that the library computes with, and back: for callers, and for messages. */
static inline jr_cu_deviceptr jr_cu_address(const void *pointer) {
    return (jr_cu_deviceptr)(uintptr_t)pointer;
}
static inline void *jr_cu_pointer(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address;
}

typedef size_t (*jr_cu_block_to_shared)(int block); /* CUoccupancyB2DSize */
typedef void (*jr_cu_host_fn)(void *user);          /* CUhostFn */

/* CUdevice_attribute */
enum {
    JR_CU_DEVICE_MAX_THREADS_PER_BLOCK = 1,
    JR_CU_DEVICE_MAX_BLOCK_DIM_X = 2,
    JR_CU_DEVICE_MAX_BLOCK_DIM_Y = 3,
    JR_CU_DEVICE_MAX_BLOCK_DIM_Z = 4,
    JR_CU_DEVICE_MAX_GRID_DIM_X = 5,
    JR_CU_DEVICE_MAX_GRID_DIM_Y = 6,
    JR_CU_DEVICE_MAX_GRID_DIM_Z = 7,
    JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK = 8,
    JR_CU_DEVICE_TOTAL_CONSTANT_BYTES = 9,
    JR_CU_DEVICE_WARP_SIZE = 10,
    JR_CU_DEVICE_REGISTERS_PER_BLOCK = 12,
    JR_CU_DEVICE_CLOCK_KHZ = 13,
    JR_CU_DEVICE_MULTIPROCESSOR_COUNT = 16,
    JR_CU_DEVICE_KERNEL_TIMEOUT = 17,
    JR_CU_DEVICE_INTEGRATED = 18,
    JR_CU_DEVICE_CAN_MAP_HOST_MEMORY = 19,
    JR_CU_DEVICE_COMPUTE_MODE = 20,
    JR_CU_DEVICE_CONCURRENT_KERNELS = 31,
    JR_CU_DEVICE_ECC = 32,
    JR_CU_DEVICE_MEMORY_CLOCK_KHZ = 36,
    JR_CU_DEVICE_MEMORY_BUS_BITS = 37,
    JR_CU_DEVICE_L2_BYTES = 38,
    JR_CU_DEVICE_THREADS_PER_MULTIPROCESSOR = 39,
    JR_CU_DEVICE_ASYNC_ENGINES = 40,
    JR_CU_DEVICE_UNIFIED_ADDRESSING = 41,
    JR_CU_DEVICE_CAPABILITY_MAJOR = 75,
    JR_CU_DEVICE_CAPABILITY_MINOR = 76,
    JR_CU_DEVICE_SHARED_BYTES_PER_MULTIPROCESSOR = 81,
    JR_CU_DEVICE_REGISTERS_PER_MULTIPROCESSOR = 82,
    JR_CU_DEVICE_MANAGED_MEMORY = 83,
    JR_CU_DEVICE_CAN_USE_HOST_POINTER = 91,
    JR_CU_DEVICE_COOPERATIVE_LAUNCH = 95,
    JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK_OPTIN = 97,
    JR_CU_DEVICE_BLOCKS_PER_MULTIPROCESSOR = 106,
    JR_CU_DEVICE_RESERVED_SHARED_BYTES_PER_BLOCK = 111,
    JR_CU_DEVICE_CLUSTER_LAUNCH = 120
};

/* CUdevice_P2PAttribute */
enum {
    JR_CU_P2P_PERFORMANCE_RANK = 1, /* 0: the best link */
    JR_CU_P2P_ACCESS = 2,
    JR_CU_P2P_NATIVE_ATOMICS = 3,
    JR_CU_P2P_ARRAY_ACCESS = 4
};

/* CUfunction_attribute */
enum {
    JR_CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
    JR_CU_FUNC_SHARED_BYTES = 1,
    JR_CU_FUNC_CONSTANT_BYTES = 2,
    JR_CU_FUNC_LOCAL_BYTES = 3,
    JR_CU_FUNC_REGISTERS = 4,
    JR_CU_FUNC_PTX_VERSION = 5,
    JR_CU_FUNC_BINARY_VERSION = 6,
    JR_CU_FUNC_CACHE_MODE_CA = 7,
    JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES = 8,
    JR_CU_FUNC_SHARED_CARVEOUT = 9,
    JR_CU_FUNC_CLUSTER_MUST_BE_SET = 10,
    JR_CU_FUNC_CLUSTER_WIDTH = 11, /* blocks that a cluster must have, 0: any number */
    JR_CU_FUNC_CLUSTER_HEIGHT = 12,
    JR_CU_FUNC_CLUSTER_DEPTH = 13,
    JR_CU_FUNC_CLUSTER_NON_PORTABLE = 14, /* more than 8 blocks are allowed */
    JR_CU_FUNC_CLUSTER_SCHEDULING = 15
};

/* CUjit_option (values are passed as void * of the number, or as a buffer's address) */
enum {
    JR_CU_JIT_INFO_LOG_BUFFER = 3,
    JR_CU_JIT_INFO_LOG_BUFFER_BYTES = 4,
    JR_CU_JIT_ERROR_LOG_BUFFER = 5,
    JR_CU_JIT_ERROR_LOG_BUFFER_BYTES = 6
};

/* CUpointer_attribute and CUmemorytype */
enum {
    JR_CU_POINTER_CONTEXT = 1,
    JR_CU_POINTER_MEMORY_TYPE = 2,
    JR_CU_POINTER_DEVICE_POINTER = 3,
    JR_CU_POINTER_HOST_POINTER = 4,
    JR_CU_POINTER_DEVICE_ORDINAL = 9,
    JR_CU_POINTER_RANGE_START = 11,
    JR_CU_POINTER_RANGE_BYTES = 12,
    JR_CU_MEMORY_HOST = 1,
    JR_CU_MEMORY_DEVICE = 2
};

/* CUlimit */
enum { JR_CU_LIMIT_MALLOC_HEAP_BYTES = 2 }; /* of malloc in kernels */

/* Flags */
enum {
    JR_CU_STREAM_DEFAULT = 0,
    JR_CU_STREAM_NON_BLOCKING = 1,
    JR_CU_EVENT_DEFAULT = 0,
    JR_CU_EVENT_BLOCKING = 1,
    JR_CU_EVENT_DISABLE_TIMING = 2,
    JR_CU_HOST_PORTABLE = 1,
    JR_CU_HOST_DEVICE_MAP = 2,
    JR_CU_HOST_WRITE_COMBINED = 4,
    JR_CU_CAPTURE_GLOBAL = 0,
    JR_CU_CAPTURE_THREAD_LOCAL = 1,
    JR_CU_CAPTURE_RELAXED = 2,
    JR_CU_CAPTURE_STATUS_NONE = 0,
    JR_CU_CAPTURE_STATUS_ACTIVE = 1,
    JR_CU_CAPTURE_STATUS_INVALIDATED = 2
};

/* CUlaunchAttribute and CUlaunchConfig: attributes of a launch. A dependent launch may begin before the preceding
 * kernels on its stream have ended (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION). */
enum {
    JR_CU_LAUNCH_COOPERATIVE = 2,
    JR_CU_LAUNCH_CLUSTER = 4,
    JR_CU_LAUNCH_CLUSTER_POLICY = 5,
    JR_CU_LAUNCH_DEPENDENT = 6,
    JR_CU_LAUNCH_PRIORITY = 8
};
typedef struct jr_cu_launch_attribute {
    int id;
    char pad[4];
    union {
        char pad[64];
        int flag;            /* also the policy and the priority */
        unsigned cluster[3]; /* blocks in x, y and z */
    } value;
} jr_cu_launch_attribute;
typedef struct jr_cu_launch_config {
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    jr_cu_stream stream;
    jr_cu_launch_attribute *attributes;
    unsigned attribute_count;
} jr_cu_launch_config;

/* The special stream handles CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are the pointers 0x1 and 0x2. */

/* Every driver function we use: need, exported name (with its _v2 where the manual's header maps to one), parameters.
 * All return CUresult. */
#define JR_DRIVER_FUNCTIONS(XX)                                                                                        \
    XX(REQUIRED, cuInit, (unsigned flags))                                                                             \
    XX(REQUIRED, cuDriverGetVersion, (int *version))                                                                   \
    XX(REQUIRED, cuGetErrorName, (jr_cu_result error, const char **name))                                              \
    XX(REQUIRED, cuGetErrorString, (jr_cu_result error, const char **text))                                            \
    XX(REQUIRED, cuDeviceGetCount, (int *count))                                                                       \
    XX(REQUIRED, cuDeviceGet, (jr_cu_device * device, int ordinal))                                                    \
    XX(REQUIRED, cuDeviceGetName, (char *name, int bytes, jr_cu_device device))                                        \
    XX(REQUIRED, cuDeviceGetAttribute, (int *value, int attribute, jr_cu_device device))                               \
    XX(REQUIRED, cuDeviceTotalMem_v2, (size_t * bytes, jr_cu_device device))                                           \
    XX(OPTIONAL, cuDeviceGetUuid_v2, (jr_cu_uuid * uuid, jr_cu_device device))                                         \
    XX(REQUIRED, cuDevicePrimaryCtxRetain, (jr_cu_context * context, jr_cu_device device))                             \
    XX(REQUIRED, cuDevicePrimaryCtxRelease_v2, (jr_cu_device device))                                                  \
    XX(OPTIONAL, cuDevicePrimaryCtxGetState, (jr_cu_device device, unsigned *flags, int *active))                      \
    XX(OPTIONAL, cuDeviceCanAccessPeer, (int *can, jr_cu_device device, jr_cu_device peer))                            \
    XX(OPTIONAL, cuDeviceGetP2PAttribute, (int *value, int attribute, jr_cu_device source, jr_cu_device target))       \
    XX(REQUIRED, cuCtxCreate_v2, (jr_cu_context * context, unsigned flags, jr_cu_device device))                       \
    XX(REQUIRED, cuCtxDestroy_v2, (jr_cu_context context))                                                             \
    XX(REQUIRED, cuCtxGetCurrent, (jr_cu_context * context))                                                           \
    XX(REQUIRED, cuCtxSetCurrent, (jr_cu_context context))                                                             \
    XX(REQUIRED, cuCtxPushCurrent_v2, (jr_cu_context context))                                                         \
    XX(REQUIRED, cuCtxPopCurrent_v2, (jr_cu_context * context))                                                        \
    XX(REQUIRED, cuCtxGetDevice, (jr_cu_device * device))                                                              \
    XX(REQUIRED, cuCtxSynchronize, (void))                                                                             \
    XX(OPTIONAL, cuCtxSetLimit, (int limit, size_t value))                                                             \
    XX(OPTIONAL, cuCtxGetLimit, (size_t * value, int limit))                                                           \
    XX(OPTIONAL, cuCtxEnablePeerAccess, (jr_cu_context peer, unsigned flags))                                          \
    XX(OPTIONAL, cuCtxDisablePeerAccess, (jr_cu_context peer))                                                         \
    XX(REQUIRED, cuModuleLoadData, (jr_cu_module * module, const void *image))                                         \
    XX(REQUIRED, cuModuleLoadDataEx,                                                                                   \
       (jr_cu_module * module, const void *image, unsigned count, int *options, void **values))                        \
    XX(REQUIRED, cuModuleUnload, (jr_cu_module module))                                                                \
    XX(REQUIRED, cuModuleGetFunction, (jr_cu_function * function, jr_cu_module module, const char *name))              \
    XX(REQUIRED, cuModuleGetGlobal_v2,                                                                                 \
       (jr_cu_deviceptr * address, size_t * bytes, jr_cu_module module, const char *name))                             \
    XX(REQUIRED, cuFuncGetAttribute, (int *value, int attribute, jr_cu_function function))                             \
    XX(REQUIRED, cuFuncSetAttribute, (jr_cu_function function, int attribute, int value))                              \
    XX(OPTIONAL, cuFuncGetParamInfo, (jr_cu_function function, size_t index, size_t * offset, size_t * bytes))         \
    XX(REQUIRED, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                          \
       (int *blocks, jr_cu_function function, int block, size_t shared_bytes))                                         \
    XX(REQUIRED, cuOccupancyMaxPotentialBlockSize,                                                                     \
       (int *grid, int *block, jr_cu_function function, jr_cu_block_to_shared to_shared, size_t shared_bytes,          \
        int block_limit))                                                                                              \
    XX(OPTIONAL, cuOccupancyMaxActiveClusters,                                                                         \
       (int *clusters, jr_cu_function function, const jr_cu_launch_config *config))                                    \
    XX(REQUIRED, cuLaunchKernel,                                                                                       \
       (jr_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,                  \
        unsigned block_y, unsigned block_z, unsigned shared_bytes, jr_cu_stream stream, void **parameters,             \
        void **extra))                                                                                                 \
    XX(OPTIONAL, cuLaunchKernelEx,                                                                                     \
       (const jr_cu_launch_config *config, jr_cu_function function, void **parameters, void **extra))                  \
    XX(OPTIONAL, cuLaunchHostFunc, (jr_cu_stream stream, jr_cu_host_fn function, void *user))                          \
    XX(REQUIRED, cuMemAlloc_v2, (jr_cu_deviceptr * address, size_t bytes))                                             \
    XX(REQUIRED, cuMemFree_v2, (jr_cu_deviceptr address))                                                              \
    XX(REQUIRED, cuMemGetInfo_v2, (size_t * free_bytes, size_t * total_bytes))                                         \
    XX(REQUIRED, cuMemcpyHtoD_v2, (jr_cu_deviceptr target, const void *source, size_t bytes))                          \
    XX(REQUIRED, cuMemcpyDtoH_v2, (void *target, jr_cu_deviceptr source, size_t bytes))                                \
    XX(REQUIRED, cuMemcpyDtoD_v2, (jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes))                      \
    XX(REQUIRED, cuMemcpyHtoDAsync_v2,                                                                                 \
       (jr_cu_deviceptr target, const void *source, size_t bytes, jr_cu_stream stream))                                \
    XX(REQUIRED, cuMemcpyDtoHAsync_v2, (void *target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream))      \
    XX(REQUIRED, cuMemcpyDtoDAsync_v2,                                                                                 \
       (jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream))                            \
    XX(OPTIONAL, cuMemcpyPeer,                                                                                         \
       (jr_cu_deviceptr target, jr_cu_context target_context, jr_cu_deviceptr source, jr_cu_context source_context,    \
        size_t bytes))                                                                                                 \
    XX(OPTIONAL, cuMemcpyPeerAsync,                                                                                    \
       (jr_cu_deviceptr target, jr_cu_context target_context, jr_cu_deviceptr source, jr_cu_context source_context,    \
        size_t bytes, jr_cu_stream stream))                                                                            \
    XX(REQUIRED, cuMemsetD8_v2, (jr_cu_deviceptr target, unsigned char value, size_t count))                           \
    XX(REQUIRED, cuMemsetD32_v2, (jr_cu_deviceptr target, unsigned value, size_t count))                               \
    XX(REQUIRED, cuMemsetD8Async, (jr_cu_deviceptr target, unsigned char value, size_t count, jr_cu_stream stream))    \
    XX(REQUIRED, cuMemsetD32Async, (jr_cu_deviceptr target, unsigned value, size_t count, jr_cu_stream stream))        \
    XX(REQUIRED, cuMemHostAlloc, (void **address, size_t bytes, unsigned flags))                                       \
    XX(REQUIRED, cuMemFreeHost, (void *address))                                                                       \
    XX(REQUIRED, cuMemHostGetDevicePointer_v2, (jr_cu_deviceptr * device, void *host, unsigned flags))                 \
    XX(OPTIONAL, cuMemHostRegister_v2, (void *address, size_t bytes, unsigned flags))                                  \
    XX(OPTIONAL, cuMemHostUnregister, (void *address))                                                                 \
    XX(REQUIRED, cuPointerGetAttribute, (void *value, int attribute, jr_cu_deviceptr address))                         \
    XX(REQUIRED, cuStreamCreate, (jr_cu_stream * stream, unsigned flags))                                              \
    XX(REQUIRED, cuStreamDestroy_v2, (jr_cu_stream stream))                                                            \
    XX(REQUIRED, cuStreamSynchronize, (jr_cu_stream stream))                                                           \
    XX(REQUIRED, cuStreamQuery, (jr_cu_stream stream))                                                                 \
    XX(REQUIRED, cuStreamWaitEvent, (jr_cu_stream stream, jr_cu_event event, unsigned flags))                          \
    XX(REQUIRED, cuStreamGetCtx, (jr_cu_stream stream, jr_cu_context * context))                                       \
    XX(OPTIONAL, cuStreamIsCapturing, (jr_cu_stream stream, int *status))                                              \
    XX(OPTIONAL, cuThreadExchangeStreamCaptureMode, (int *mode))                                                       \
    XX(OPTIONAL, cuStreamBeginCapture_v2, (jr_cu_stream stream, int mode))                                             \
    XX(OPTIONAL, cuStreamEndCapture, (jr_cu_stream stream, jr_cu_graph * graph))                                       \
    XX(OPTIONAL, cuGraphInstantiateWithFlags, (jr_cu_graph_exec * exec, jr_cu_graph graph, unsigned long long flags))  \
    XX(OPTIONAL, cuGraphExecUpdate_v2, (jr_cu_graph_exec exec, jr_cu_graph graph, jr_cu_graph_update * update))        \
    XX(OPTIONAL, cuGraphLaunch, (jr_cu_graph_exec exec, jr_cu_stream stream))                                          \
    XX(OPTIONAL, cuGraphExecDestroy, (jr_cu_graph_exec exec))                                                          \
    XX(OPTIONAL, cuGraphDestroy, (jr_cu_graph graph))                                                                  \
    XX(REQUIRED, cuEventCreate, (jr_cu_event * event, unsigned flags))                                                 \
    XX(REQUIRED, cuEventDestroy_v2, (jr_cu_event event))                                                               \
    XX(REQUIRED, cuEventRecord, (jr_cu_event event, jr_cu_stream stream))                                              \
    XX(REQUIRED, cuEventSynchronize, (jr_cu_event event))                                                              \
    XX(REQUIRED, cuEventQuery, (jr_cu_event event))                                                                    \
    XX(REQUIRED, cuEventElapsedTime, (float *milliseconds, jr_cu_event start, jr_cu_event end))

#endif
