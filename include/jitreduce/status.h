/* Statuses and the last error: how every call of jitreduce reports failure.
 * Manual: troubleshooting.md. */
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

/* Why the last call that failed in this thread failed. Strings are never NULL; a string without a value is empty. */
typedef struct jr_error {
    size_t size;             /* the size in the library that runs; members beyond it must not be read */
    jr_status status;        /* JR_OK when nothing has failed in this thread yet */
    const char *stage;       /* "base", "loader", "program", "image", "device", "kernel", "reduce",
                              * "tune", "group" */
    const char *message;     /* one sentence with the wrong values and what to do */
    const char *driver_name; /* the driver's or NVRTC's own name of the error, "CUDA_ERROR_OUT_OF_MEMORY" */
    const char *log;         /* the compiler's or JIT's log, several lines; cut at 16 KiB with a note */
} jr_error;

/* Returns why the last jitreduce call that failed in the calling thread failed. Calls that succeed leave it unchanged.
 *
 * Returns: the error, never NULL; its status is JR_OK if no call has failed in this thread.
 * Owns: the library; valid until the next failing call in the same thread.
 * Threads: any; each thread has its own last error.
 * Errors: none.
 * Since: 0.1. */
JR_API const jr_error *jr_last_error(void);

/* Returns the fixed meaning of a status, such as "an argument is not allowed".
 *
 * status: any number.
 *
 * Returns: the meaning; "unknown status" for an unknown number.
 * Owns: static.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_status_text(jr_status status);

/* Returns the name of a status, such as "JR_ERROR_COMPILE".
 *
 * status: any number.
 *
 * Returns: the name; "JR_ERROR_UNKNOWN" for an unknown number.
 * Owns: static.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_status_name(jr_status status);

/* Severity of a log line. */
typedef enum jr_log_level {
    JR_LOG_DEBUG = 0,   /* what is about to be done, and what was found in a cache */
    JR_LOG_INFO = 1,    /* what was found, chosen and compiled, and why */
    JR_LOG_WARNING = 2, /* what could not be done as intended: a cache entry dropped, a fallback taken */
    JR_LOG_ERROR = 3    /* why a call failed: the message of jr_last_error(). Runs, launches and look-ups of names do
                         * not log their failures */
} jr_log_level;

/* Receives one log line, without a newline. It is called in the thread of the call that logs, or in a thread that the
 * library started for that call; several threads may be in it at once. The library holds no lock while it runs. It must
 * not call jitreduce. */
typedef void (*jr_log_callback)(void *user, jr_log_level level, const char *line);

/* Sets the function that receives the library's log lines. The library itself prints nothing.
 *
 * callback: NULL (the default) discards log lines.
 * user: passed to each call of `callback`; may be NULL.
 *
 * Owns: nothing; `user` must stay valid while `callback` is set.
 * Threads: must be called before other threads use the library.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_log_set(jr_log_callback callback, void *user);

#ifdef __cplusplus
}
#endif
#endif
