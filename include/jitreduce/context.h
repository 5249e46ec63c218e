/* The context: one device, its compiler and its caches. Everything else is made from one. */
#ifndef JITREDUCE_CONTEXT_H
#define JITREDUCE_CONTEXT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_context jr_context;

struct CUstream_st; /* CUDA's: a pointer to it is a jr_stream (jitreduce/stream.h) */

/* Gives bytes (above 0) of device memory, aligned to 256, or NULL when there is none. The context's CUDA context is
 * current, no lock is held, and any thread that calls the library may come here. stream: in whose order it is used
 * first; NULL: any stream may use it as soon as this returns, so that what is allocated in stream order must have been
 * waited for. Must not call jitreduce. All device memory that the library takes goes through this, also
 * jr_memory_new's; what images and the driver itself take does not. How much is free is still asked of the driver. */
typedef void *(*jr_allocate_function)(void *allocator, uint64_t bytes, struct CUstream_st *stream);

/* Takes back what jr_allocate_function gave. stream: in whose order it was used last; NULL: nothing uses it any more.
 */
typedef void (*jr_free_function)(void *allocator, void *address, struct CUstream_st *stream);

/* How to open a context. JR_INIT(jr_options), then set what matters; a NULL or 0 member means "choose for me".
 * Settings from the environment (see README) stand in for members that are not given. */
typedef struct jr_options {
    size_t size;             /* sizeof(jr_options) */
    const char *device;      /* "cuda" (the calling thread's current context if it has one, else device 0), "cuda:N"
                              * (primary context of device N); "sim" and "sim:N" are the same of the PTX simulator,
                              * which has as many devices as JRSIM_DEVICES says; "auto": "cuda" where there is a
                              * driver and a device, else "sim". NULL: "cuda" */
    const char *driver;      /* path of the CUDA driver library; NULL: search */
    const char *nvrtc;       /* path of the NVRTC library; NULL: search */
    const char *simulator;   /* path of libjrsim.so; NULL: search */
    const char *cache_dir;   /* disk cache folder; NULL: search; "" turns the disk cache off */
    int start_in_background; /* 1: jr_context_open returns while the driver still makes the device's primary context,
                              * and kernels are compiled meanwhile. The first call that needs the CUDA context waits
                              * for it, and fails as jr_context_open would when it cannot be made; the
                              * next one tries again. Of no use where a current context is borrowed */
    uint64_t cache_bytes;    /* cap of the disk cache; 0: 256 MiB */
    const char *wisdom;      /* file of stored tunings (jitreduce/tune.h); NULL: search; "": none */
    double compile_limit_ms; /* a compile that takes more CPU time ends with JR_ERROR_COMPILE; 0: 30000; INFINITY: none.
                              * Other processes that are busy do not count. One that hangs ends after 20 times the
                              * limit, and 10 minutes at least, by the clock. It ends when NVRTC next asks whether to
                              * go on, mostly within a second, at worst when the code generator is done. NVRTC before
                              * 12.8 does not ask: its compiles run to their end, which for expressions is bounded by
                              * the limit of their weight (jitreduce/reduce.h) */
    jr_allocate_function allocate; /* takes device memory from the caller's own pool; NULL: the driver gives it */
    jr_free_function free;         /* gives it back there; both or neither */
    void *allocator;               /* passed to both */
    const char *packs; /* packs of compiled kernels (jitreduce/pack.h): files and folders, separated by ':', of a
                        * folder all *.jrpack in it; NULL: the setting, else the folder jitreduce beside the library;
                        * "": none. A file that is named here must be one that can be used; any other pack that cannot
                        * be is told by the log and left out */
} jr_options;

/* What the device is. Strings are empty and numbers 0 where the driver does not say. */
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

enum { JR_TUNED_BY_BYTES = 256 };

/* What one call cost. Host milliseconds by the monotonic clock; kernel_ms is device time between two events. */
typedef struct jr_stats {
    size_t size; /* sizeof(jr_stats) */
    jr_origin origin;
    double nvrtc_ms;  /* inside NVRTC; 0 unless compiled */
    double cache_ms;  /* reading and writing the disk cache, reading packs */
    double load_ms;   /* the driver loading the module */
    double launch_ms; /* the launch calls, host side */
    double kernel_ms; /* on the device, where measured (jr_reduce_host), else 0 */
    double copy_ms;   /* host to device copy, where made, else 0; of data in parts: until all of it is through */
    int launches;     /* kernels launched */
    int grid, block, unroll;
    jr_algorithm algorithm;
    int compiled_again;               /* 1: NVRTC managed a compile only without the options that shorten it */
    char tuned_by[JR_TUNED_BY_BYTES]; /* what chose them: "given", "estimate", "wisdom of 2^20"; why wisdom was refused
                                       */
    uint64_t parts; /* in which data of a call on host memory went through the device; 0: it was there all at once */
} jr_stats;

/* Counts since the context was opened. */
typedef struct jr_counters {
    size_t size; /* sizeof(jr_counters) */
    uint64_t memory_hits, disk_hits, compiles, cache_failures;
    uint64_t compiles_again; /* of the compiles: those that NVRTC managed only without the options that shorten them */
    uint64_t pack_hits, pack_failures; /* kernels from packs; images of packs that could not be read */
} jr_counters;

/* Opens a context on one device. Initialises the driver; loads no NVRTC and compiles nothing yet.
 * options: may be NULL (all defaults). Writes *context on success only.
 * Owns: the caller closes it with jr_context_close; the CUDA context itself stays the application's (a primary
 * context is retained, a current one is borrowed and must outlive this). Threads: any; a context may be used by
 * many threads at once. Errors: of "auto" those of the simulator; JR_ERROR_DRIVER_NOT_FOUND,
 * JR_ERROR_SIMULATOR_NOT_FOUND, JR_ERROR_NO_DEVICE, JR_ERROR_DRIVER, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY,
 * JR_ERROR_DEVICE_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_context_open(const jr_options *options, jr_context **context);

/* Closes a context: unloads its modules and frees what it allocated. All its plans must be destroyed before.
 * context: may be NULL. Owns: takes the context. Threads: no other thread may be using it. Errors: none. Since: 0.1. */
JR_API void jr_context_close(jr_context *context);

/* Tells whether a context runs on the PTX simulator: 1 or 0, at once, also while the device still starts.
 * context: 0 for NULL. Owns: nothing. Threads: any. Errors: none. Since: 0.2. */
JR_API int jr_context_is_simulated(const jr_context *context);

/* Describes the device. info: written on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_context_device_info(jr_context *context, jr_device_info *info);

/* Writes the statistics of the last call on host memory or jr_kernel_get of this context that succeeded.
 * Owns: nothing. Threads: any; with several threads, of whichever finished last. Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_context_stats(jr_context *context, jr_stats *stats);

/* Writes how often kernels were found in memory, on disk, or compiled.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_context_counters(jr_context *context, jr_counters *counters);

/* One thing that jr_doctor looked at. */
typedef struct jr_finding {
    size_t size;           /* as large as the library that is running knows it */
    const char *component; /* "driver", "nvrtc", "builtins", "simulator", "cache", "pack", "device",
                            * "wisdom" */
    const char *origin;    /* where the candidate came from: "setting JITREDUCE_NVRTC", "linker", "wheel", ... */
    const char *path;      /* what was tried */
    int chosen;            /* 1: this is what will be used */
    const char *detail;    /* version when chosen, else why it lost */
} jr_finding;

typedef void (*jr_finding_callback)(void *user, const jr_finding *finding);

/* Reports every candidate for the driver, NVRTC, its builtins, the simulator, the cache folder, packs, the devices
 * and stored tunings, in the order in which they are tried, with the reason why each lost. Changes nothing.
 * options: may be NULL. callback: not NULL; its strings live until it returns.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY; a missing component is a
 * finding, not an error. Since: 0.1. */
JR_API jr_status jr_doctor(const jr_options *options, jr_finding_callback callback, void *user);

/* One environment variable that the library or the simulator reads. Keeps its layout in all versions. */
typedef struct jr_variable {
    const char *name;  /* "JITREDUCE_DEVICE" */
    const char *text;  /* what it does, in one line */
    const char *value; /* NULL: not set */
} jr_variable;

/* Returns how many environment variables are read, and the index-th of them, from 0 on; of an index that is none every
 * member is NULL.
 * Owns: name and text are static, value is the environment's. Threads: any while none changes the environment.
 * Errors: none. Since: 0.1. */
JR_API int jr_variable_count(void);
JR_API jr_variable jr_variable_get(int index);

#ifdef __cplusplus
}
#endif
#endif
