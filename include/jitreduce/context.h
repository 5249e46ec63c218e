/* The context: one device, its compiler and its caches. Everything else is made from a context.
 * Manual: embedding.md; settings.md for the environment variables. */
#ifndef JITREDUCE_CONTEXT_H
#define JITREDUCE_CONTEXT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_context jr_context;

struct CUstream_st; /* CUDA's: a pointer to it is a jr_stream (jitreduce/stream.h) */

/* Allocates device memory for the library: the type of jr_options.allocate. All device memory that the library takes
 * comes from it, also that of jr_memory_new; images and what the driver takes for itself do not. The library still asks
 * the driver how much memory is free.
 * It may be called in any thread that calls the library; the context's CUDA context is current, and the library holds
 * no lock. It must not call jitreduce.
 *
 * allocator: jr_options.allocator.
 * bytes: the size, above 0.
 * stream: the stream that uses the memory first. NULL: any stream may use the memory as soon as the function returns,
 *   so memory that was allocated in stream order must have been waited for.
 *
 * Returns: device memory aligned to 256 bytes; NULL if it cannot be allocated. */
typedef void *(*jr_allocate_function)(void *allocator, uint64_t bytes, struct CUstream_st *stream);

/* Frees what jr_allocate_function returned: the type of jr_options.free. The same rules hold.
 *
 * allocator: jr_options.allocator.
 * address: what was allocated.
 * stream: the stream that used the memory last; NULL: nothing uses it any more. */
typedef void (*jr_free_function)(void *allocator, void *address, struct CUstream_st *stream);

/* How to open a context. JR_INIT(jr_options), then set what matters; for a member that is NULL or 0, the setting in the
 * environment counts (manual: settings.md), else the default. */
typedef struct jr_options {
    size_t size;             /* sizeof(jr_options) */
    const char *device;      /* "cuda": the calling thread's current context if it has one, else device 0. "cuda:N": the
                              * primary context of device N. "sim": the PTX simulator. "sim#N": number N, from 0 on, of
                              * its JRSIM_DEVICES devices. "auto": "cuda" if there is a driver and a device, else
                              * "sim", with a warning in the log. NULL or "": the setting JITREDUCE_DEVICE, else
                              * "auto".
                              * "sim:4" is four devices: a group takes it (jitreduce/group.h), a context refuses it */
    const char *driver;      /* path of the CUDA driver library; NULL: search */
    const char *nvrtc;       /* path of the NVRTC library; NULL: search */
    const char *simulator;   /* path of libjrsim.so; NULL: search */
    const char *cache_dir;   /* disk cache folder; NULL: search; "" turns the disk cache off */
    int start_in_background; /* 1: jr_context_open returns while the driver still makes the device's primary context;
                              * kernels are compiled meanwhile. The first call that needs the CUDA context waits for
                              * it, and fails as jr_context_open would if it cannot be made; the next call tries again.
                              * No effect if a current context is borrowed */
    uint64_t cache_bytes;    /* limit of the disk cache; 0: 256 MiB */
    const char *wisdom;      /* file of stored tunings (jitreduce/tune.h); NULL: search; "" turns them off */
    double compile_limit_ms; /* a compile that takes more CPU time fails with JR_ERROR_COMPILE; 0: 30000; INFINITY: no
                              * limit. CPU time of other processes does not count. A compile that hangs fails after 20
                              * times the limit (at least 10 minutes) of wall-clock time. A compile stops when NVRTC
                              * next asks whether to continue: usually within a second, at worst when the code
                              * generator is done. NVRTC before 12.8 does not ask: its compiles run to their end, which
                              * the limit on the weight of expressions bounds (jitreduce/reduce.h) */
    jr_allocate_function allocate; /* allocates device memory from the caller's own pool; NULL: use the driver */
    jr_free_function free;         /* frees it; set both or neither */
    void *allocator;               /* passed to both */
    const char *packs; /* packs of compiled kernels (jitreduce/pack.h): files and folders, separated by ':'; a folder
                        * means all *.jrpack in it. NULL: the setting JITREDUCE_PACKS, else the folder `jitreduce` next
                        * to the library; "" turns packs off. jr_context_open fails if a file named here cannot be used;
                        * any other pack that cannot be used is logged and skipped */
    double wait_ms;    /* a kernel that another thread or process compiles for the same cache folder is waited for so
                        * long, then compiled here, too; 0: 60000; INFINITY: no limit. One that died holds nobody up.
                        * Since: 0.3 */
} jr_options;

/* Properties of a device. A string is empty, and a number 0, if the driver does not report it. */
typedef struct jr_device_info {
    size_t size; /* sizeof(jr_device_info) */
    char name[128];
    int ordinal;
    int simulated; /* 1 on the PTX simulator */
    int capability_major, capability_minor;
    int driver_version; /* 13000 for 13.0 */
    int multiprocessor_count;
    int warp_size;
    int max_threads_per_block;
    int max_threads_per_multiprocessor;
    int max_blocks_per_multiprocessor;
    int registers_per_multiprocessor;
    uint64_t shared_bytes_per_block;
    uint64_t shared_bytes_per_block_optin;
    uint64_t shared_bytes_per_multiprocessor;
    uint64_t l2_bytes;
    uint64_t memory_bytes;      /* whole device */
    uint64_t free_memory_bytes; /* at the time of the call */
    int memory_clock_khz;
    int memory_bus_bits;
    int clock_khz;
    int kernel_timeout; /* 1 when the driver ends long kernels (a display GPU) */
} jr_device_info;

/* Where a kernel came from. */
typedef enum jr_origin {
    JR_ORIGIN_NONE = 0,     /* nothing happened yet */
    JR_ORIGIN_MEMORY = 1,   /* already loaded in this context */
    JR_ORIGIN_DISK = 2,     /* read from the disk cache and loaded */
    JR_ORIGIN_COMPILED = 3, /* compiled by NVRTC and loaded */
    JR_ORIGIN_IMAGE = 4,    /* loaded from an image the caller brought */
    JR_ORIGIN_PACK = 5      /* read from a pack and loaded */
} jr_origin;

enum { JR_TUNED_BY_BYTES = 256, JR_COMPILED_BECAUSE_BYTES = 256 };

/* What one call cost. Host milliseconds by the monotonic clock; kernel_ms is device time between two events. */
typedef struct jr_stats {
    size_t size; /* sizeof(jr_stats) */
    jr_origin origin;
    double nvrtc_ms;  /* inside NVRTC; 0 unless compiled */
    double cache_ms;  /* reading and writing the disk cache, reading packs */
    double load_ms;   /* the driver loading the module */
    double launch_ms; /* the launch calls, host side */
    double kernel_ms; /* on the device, if measured (jr_reduce_host), else 0 */
    double copy_ms;   /* host to device copy, if made, else 0; with data in parts: until the last part is copied */
    int launches;     /* kernels launched */
    int grid, block, unroll;
    jr_algorithm algorithm;
    int compiled_again;               /* 1: NVRTC managed a compile only without the options that shorten it */
    char tuned_by[JR_TUNED_BY_BYTES]; /* what chose grid, block, unroll and algorithm: "given", "estimate", "wisdom of
                                       * 2^20"; also why stored tunings were refused */
    uint64_t parts; /* how many parts the data of a call on host memory was cut into; 0: it was not cut */
    /* Why it was compiled, in one line: "first compile of this program in this cache", "header a.h changed since its
     * last compile", "element type changed from f32 to f64, unroll factor changed from 1 to 4 since its last compile";
     * with several kernels, of the first one that was compiled. "": nothing was. Since: 0.2 */
    char compiled_because[JR_COMPILED_BECAUSE_BYTES];
    double sources_ms;    /* making the program's text, reading its headers, computing its key. Since: 0.3 */
    double compiler_ms;   /* finding and opening NVRTC, waiting for other compiles of this process. Since: 0.3 */
    double wait_ms;       /* waiting for others that compile the same kernel. Since: 0.3 */
    uint64_t precompiled; /* kernels whose compile began with precompiled headers. Since: 0.3 */
} jr_stats;

/* Counts since the context was opened. */
typedef struct jr_counters {
    size_t size; /* sizeof(jr_counters) */
    uint64_t memory_hits, disk_hits, compiles, cache_failures;
    uint64_t compiles_again;           /* compiles that succeeded only without the options that shorten them */
    uint64_t pack_hits, pack_failures; /* kernels found in packs; images in packs that could not be read */
} jr_counters;

/* Opens a context on one device. It initialises the driver; it does not load NVRTC and compiles nothing yet.
 *
 * options: read before the call returns; NULL: all defaults.
 * context: where the context is written, on success only.
 *
 * Owns: the caller closes it with jr_context_close. The CUDA context stays the application's: a primary context is
 *   retained, a current one is borrowed and must outlive the jr_context.
 * Threads: any. Many threads may use one context at the same time.
 * Errors: JR_ERROR_DRIVER_NOT_FOUND, JR_ERROR_SIMULATOR_NOT_FOUND (for "auto": neither a device nor the simulator was
 *   found), JR_ERROR_NO_DEVICE, JR_ERROR_MISSING_FUNCTION, JR_ERROR_DRIVER, JR_ERROR_FILE, JR_ERROR_PACK (a pack that
 *   `packs` names), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DEVICE_OUT_OF_MEMORY,
 *   JR_ERROR_DEVICE_FAULT (a kernel of this process has faulted on the device).
 * Since: 0.1. */
JR_API jr_status jr_context_open(const jr_options *options, jr_context **context);

/* Closes a context: unloads its modules and frees what it allocated. All its plans, states, streams, events and graphs
 * must be destroyed before.
 *
 * context: may be NULL.
 *
 * Owns: takes the context.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_context_close(jr_context *context);

/* Returns whether a context runs on the PTX simulator. It does not wait, even while the device still starts.
 *
 * context: may be NULL.
 *
 * Returns: 1 or 0; 0 if `context` is NULL.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API int jr_context_is_simulated(const jr_context *context);

/* Describes the device.
 *
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_context_device_info(jr_context *context, jr_device_info *info);

/* Writes what the last successful call on host memory, or jr_kernel_get, of this context cost.
 *
 * stats: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any; if several threads make calls, the one that finished last counts.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_context_stats(jr_context *context, jr_stats *stats);

/* Writes how often kernels were found in memory, on disk or in packs, and how often they were compiled.
 *
 * counters: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_context_counters(jr_context *context, jr_counters *counters);

/* One thing that jr_doctor checked. */
typedef struct jr_finding {
    size_t size;           /* the size in the library that runs; members beyond it must not be read */
    const char *component; /* "driver", "nvrtc", "builtins", "simulator", "cache", "pack", "device",
                            * "wisdom" */
    const char *origin;    /* where the candidate came from: "setting JITREDUCE_NVRTC", "linker", "wheel", ... */
    const char *path;      /* what was tried */
    int chosen;            /* 1: this candidate will be used */
    const char *detail;    /* its version if chosen, else why it was not */
} jr_finding;

typedef void (*jr_finding_callback)(void *user, const jr_finding *finding);

/* Reports every candidate for the driver, NVRTC, its builtins, the simulator, the cache folder, packs, the devices and
 * stored tunings, in the order in which they are tried, and why each was or was not chosen. It changes nothing. A
 * missing component is a finding, not an error.
 *
 * options: read before the call returns; NULL: all defaults.
 * callback: called once per finding; the strings of a finding are valid until it returns.
 * user: passed to each call of `callback`; may be NULL.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.1. */
JR_API jr_status jr_doctor(const jr_options *options, jr_finding_callback callback, void *user);

/* One environment variable that the library or the simulator reads. Keeps its layout in all versions. */
typedef struct jr_variable {
    const char *name;  /* "JITREDUCE_DEVICE" */
    const char *text;  /* what it does, in one line */
    const char *value; /* NULL: not set */
} jr_variable;

/* Returns how many environment variables the library and the simulator read (count), or one of them (get).
 *
 * index: 0 to jr_variable_count() - 1.
 *
 * Returns: the count; the variable, whose members are all NULL if `index` is out of range.
 * Owns: name and text are static; value belongs to the environment.
 * Threads: any, while no thread changes the environment.
 * Errors: none.
 * Since: 0.1. */
JR_API int jr_variable_count(void);
JR_API jr_variable jr_variable_get(int index);

#ifdef __cplusplus
}
#endif
#endif
