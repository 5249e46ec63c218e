/* The CUDA driver's results: numbers, names and sentences, from the same manual as cuda_abi.h, which includes it. */
#ifndef JR_LOADER_CUDA_RESULTS_H
#define JR_LOADER_CUDA_RESULTS_H

/* CUresult: every number of the manual that we name, simulate or explain. */
#define JR_CU_RESULTS(XX)                                                                                              \
    XX(CUDA_SUCCESS, 0, "no error")                                                                                    \
    XX(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                                                \
    XX(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                                   \
    XX(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                                                          \
    XX(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")                                                            \
    XX(CUDA_ERROR_STUB_LIBRARY, 34, "CUDA driver is a stub library")                                                   \
    XX(CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                                                \
    XX(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                                                       \
    XX(CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                                                \
    XX(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                                                      \
    XX(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image is available for execution on the device")                  \
    XX(CUDA_ERROR_UNSUPPORTED_LIMIT, 215, "limit is not supported on this architecture")                               \
    XX(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, "peer access is not supported between these two devices")              \
    XX(CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")                                                    \
    XX(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, "the provided PTX was compiled with an unsupported toolchain")         \
    XX(CUDA_ERROR_INVALID_SOURCE, 300, "device kernel image is invalid")                                               \
    XX(CUDA_ERROR_FILE_NOT_FOUND, 301, "file not found")                                                               \
    XX(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                                                      \
    XX(CUDA_ERROR_ILLEGAL_STATE, 401, "the operation cannot be performed in the present state")                        \
    XX(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                                            \
    XX(CUDA_ERROR_NOT_READY, 600, "device not ready")                                                                  \
    XX(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")                                    \
    XX(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")                             \
    XX(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")                                      \
    XX(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")                                  \
    XX(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, "peer access has not been enabled")                                    \
    XX(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, "cannot set while device is active in this process")                    \
    XX(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                                                   \
    XX(CUDA_ERROR_ASSERT, 710, "device-side assert triggered")                                                         \
    XX(CUDA_ERROR_TOO_MANY_PEERS, 711, "peer mapping resources exhausted")                                             \
    XX(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "part or all of the requested memory range is already mapped")  \
    XX(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "pointer does not correspond to a registered memory region")        \
    XX(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, "hardware stack error")                                                   \
    XX(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered")                                  \
    XX(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                                       \
    XX(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, "operation not supported on global/shared address space")                \
    XX(CUDA_ERROR_INVALID_PC, 718, "invalid program counter")                                                          \
    XX(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                                                    \
    XX(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, "too many blocks in cooperative launch")                          \
    XX(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                                                       \
    XX(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                                                       \
    XX(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, "operation not permitted when stream is capturing")                 \
    XX(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901, "operation failed due to a previous error during capture")          \
    XX(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903, "the capture was not initiated in this stream")                       \
    XX(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904, "capturing stream has unjoined work")                                  \
    XX(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906,                                                                        \
       "operation would make the legacy stream depend on a capturing blocking stream")                                 \
    XX(CUDA_ERROR_CAPTURED_EVENT, 907, "operation not permitted on an event last recorded in a capturing stream")      \
    XX(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908,                                                                    \
       "attempt to terminate a thread-local capture sequence from another thread")                                     \
    XX(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910,                                                                      \
       "the graph update was not performed because it included changes which violated constraints")                    \
    XX(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, "cluster misconfiguration")                                               \
    XX(CUDA_ERROR_UNKNOWN, 999, "unknown error")

enum {
#define JR_CU_RESULT_ENUM(name, number, text) JR_##name = (number),
    JR_CU_RESULTS(JR_CU_RESULT_ENUM)
#undef JR_CU_RESULT_ENUM
};

#endif
