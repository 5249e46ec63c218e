/* Statuses and the last error: how every call of jitreduce reports failure. */
#ifndef JITREDUCE_STATUS_H
#define JITREDUCE_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the symbols that the shared library exports; everything else is hidden. */
#if defined(__GNUC__)
#define JR_API __attribute__((visibility("default")))
#else
#define JR_API
#endif

/* Every status: name, number, meaning. Zero is success; failures are negative and numbered by stage
 * (-1xx base, -2xx loader, -3xx program, -4xx image, -5xx device, -6xx kernel, -7xx reduce, -8xx tune, -9xx group).
 * Numbers are never reused. */
#define JR_STATUSES(XX)                                                                                                \
    XX(JR_OK, 0, "success")                                                                                            \
    XX(JR_ERROR_INVALID_ARGUMENT, -100, "an argument is not allowed")                                                  \
    XX(JR_ERROR_OUT_OF_MEMORY, -101, "the host is out of memory")                                                      \
    XX(JR_ERROR_FILE, -102, "a file or folder could not be used")                                                      \
    XX(JR_ERROR_DRIVER_NOT_FOUND, -200, "no CUDA driver was found")                                                    \
    XX(JR_ERROR_NVRTC_NOT_FOUND, -201, "no NVRTC library was found")                                                   \
    XX(JR_ERROR_SIMULATOR_NOT_FOUND, -202, "the PTX simulator library was not found")                                  \
    XX(JR_ERROR_MISSING_FUNCTION, -203, "a library lacks a required function")                                         \
    XX(JR_ERROR_UNSUPPORTED_TYPE, -300, "the operator does not take this element type")                                \
    XX(JR_ERROR_INVALID_EXPRESSION, -301, "an operator expression is not allowed")                                     \
    XX(JR_ERROR_STATE, -302, "the stored state cannot be used")                                                        \
    XX(JR_ERROR_COMPILE, -400, "NVRTC could not compile the program")                                                  \
    XX(JR_ERROR_ARCHITECTURE, -401, "NVRTC cannot target this device")                                                 \
    XX(JR_ERROR_CACHE, -402, "the disk cache could not be used")                                                       \
    XX(JR_ERROR_PACK, -403, "a pack of compiled kernels cannot be used")                                               \
    XX(JR_ERROR_DRIVER, -500, "the CUDA driver reported an error")                                                     \
    XX(JR_ERROR_NO_DEVICE, -501, "there is no such device")                                                            \
    XX(JR_ERROR_DEVICE_OUT_OF_MEMORY, -502, "the device is out of memory")                                             \
    XX(JR_ERROR_DEVICE_FAULT, -503, "a kernel faulted; its context is lost")                                           \
    XX(JR_ERROR_WRONG_CONTEXT, -504, "a stream or pointer belongs to another context")                                 \
    XX(JR_ERROR_LOAD, -505, "the driver could not load the compiled image")                                            \
    XX(JR_ERROR_LAUNCH_RESOURCES, -600, "the kernel needs more than the device has")                                   \
    XX(JR_ERROR_EMPTY_INPUT, -700, "the operator has no value for an empty input")                                     \
    XX(JR_ERROR_NOT_APPLICABLE, -701, "the algorithm cannot do what was asked")                                        \
    XX(JR_ERROR_WISDOM, -800, "stored tunings cannot be used")                                                         \
    XX(JR_ERROR_TRANSPORT, -900, "the ranks of a group could not exchange")                                            \
    XX(JR_ERROR_RANK, -901, "another rank of the group failed")                                                        \
    XX(JR_ERROR_RANKS_DIFFER, -902, "the ranks of a group do not mean the same")

typedef enum jr_status {
#define JR_STATUS_ENUM(name, number, text) name = (number),
    JR_STATUSES(JR_STATUS_ENUM)
#undef JR_STATUS_ENUM
} jr_status;

/* The reason for the last failure in this thread. Strings are never NULL; absent ones are empty. */
typedef struct jr_error {
    size_t size;             /* as large as the library that is running knows it */
    jr_status status;        /* JR_OK when nothing has failed in this thread yet */
    const char *stage;       /* "base", "loader", "program", "image", "device", "kernel", "reduce",
                              * "tune", "group" */
    const char *message;     /* one sentence with the wrong values and what to do */
    const char *driver_name; /* the driver's or NVRTC's own name of the error, "CUDA_ERROR_OUT_OF_MEMORY" */
    const char *log;         /* the compiler's or JIT's log, several lines; cut at 16 KiB with a note */
} jr_error;

/* Returns the reason for the last failure of a jitreduce call in the calling thread.
 * Owns: the library; valid until the next failing call in the same thread. Successes leave it alone.
 * Threads: each thread has its own. Errors: none, never NULL. Since: 0.1. */
JR_API const jr_error *jr_last_error(void);

/* Returns the fixed meaning of a status, "unknown status" for a number that is none.
 * Owns: static. Threads: any. Errors: none. Since: 0.1. */
JR_API const char *jr_status_text(jr_status status);

/* Returns the status' own name, "JR_ERROR_COMPILE", or "JR_ERROR_UNKNOWN".
 * Owns: static. Threads: any. Errors: none. Since: 0.1. */
JR_API const char *jr_status_name(jr_status status);

/* Severity of a log line. */
typedef enum jr_log_level {
    JR_LOG_DEBUG = 0,   /* what is about to be done, and what was found again */
    JR_LOG_INFO = 1,    /* what was found, chosen and compiled, and why */
    JR_LOG_WARNING = 2, /* what was done in another way than it should: a cache entry dropped, a fallback taken */
    JR_LOG_ERROR = 3    /* why a call failed: what jr_last_error() says. Not of runs, launches and look-ups of names */
} jr_log_level;

/* Receives one log line without a newline. Called on the thread of the call that it tells of, or on one that the
 * library started for it; several threads may be in it at once. The library holds none of its locks meanwhile. It must
 * not call jitreduce, whose last error is the call's own. */
typedef void (*jr_log_callback)(void *user, jr_log_level level, const char *line);

/* Sets who receives the library's log lines; NULL, the default, discards them. The library itself prints nothing.
 * user: passed through, may be NULL.
 * Owns: nothing. Threads: call before other threads use the library. Errors: none. Since: 0.1. */
JR_API void jr_log_set(jr_log_callback callback, void *user);

#ifdef __cplusplus
}
#endif
#endif
