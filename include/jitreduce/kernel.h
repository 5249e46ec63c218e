/* Kernels of your own, the third tier: a kernel string, specialised by constants, compiled, cached, loaded and
 * launched.
 * Manual: kernel.md, run.md. */
#ifndef JITREDUCE_KERNEL_H
#define JITREDUCE_KERNEL_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A named text. As a constant: `#define name text` before the source. As a header: found by #include "name".
 * Keeps its layout in all versions. */
typedef struct jr_named_text {
    const char *name;
    const char *text;
} jr_named_text;

/* What a debugger or a profiler finds of a kernel. The sources lie as files in the disk cache's folder, under
 * `sources`, and the line numbers are of those files. Manual: kernel.md, "Debuggers and profilers". */
typedef enum jr_debug {
    JR_DEBUG_NONE = 0,  /* nothing, unless JITREDUCE_DEBUG asks for more */
    JR_DEBUG_LINES = 1, /* line numbers (NVRTC's -lineinfo): the same machine code; for ncu and compute-sanitizer */
    JR_DEBUG_FULL = 2   /* also variables, without optimisation (-G): for cuda-gdb */
} jr_debug;

/* A kernel string and all that decides what it compiles to. JR_INIT(jr_program), then set name, source and entry. */
typedef struct jr_program {
    size_t size;                    /* sizeof(jr_program) */
    const char *name;               /* shown in messages, "saxpy"; no path: must contain no '/' */
    const char *source;             /* CUDA C++ text; it can include <jitreduce/block.cuh> without a folder */
    const char *entry;              /* the kernel's name: of an extern "C" function, or a name expression such as
                                     * "saxpy<float, 4>"; NULL: the only kernel that the source declares. For an image or
                                     * a pack also several, separated by ';' (since 0.3) */
    const jr_named_text *constants; /* in order of definition */
    size_t constant_count;
    const jr_named_text *headers; /* virtual files; they take precedence over real files of the same name */
    size_t header_count;
    const char *const *options; /* further NVRTC options, "--maxrregcount=32" */
    size_t option_count;
    const char *const *include_folders; /* where #include finds real files, in this order; relative folders are relative
                                         * to the working directory. NULL: real files are never included. The bytes of
                                         * every file that the texts name, in any branch, are part of the program's
                                         * key. #include of a macro is followed if the texts define it without
                                         * parameters. Absolute paths are not followed: one in a branch that is
                                         * compiled fails */
    size_t include_folder_count;
    int toolkit_headers; /* 1: #include also finds, after these folders, the CUDA toolkit's headers: <cuda_fp16.h>,
                          * <cuda/std/...>, <cub/...>, and through cuda/std those of the standard library that a kernel
                          * can use: <cstdint>, <limits>, <cmath>, <stdio.h> */
    jr_debug debug;      /* debug information; JITREDUCE_DEBUG=lines or full asks for it for all kernels. Since 0.3 */
} jr_program;

/* One parameter of a kernel. Keeps its layout in all versions. */
typedef struct jr_kernel_parameter {
    size_t bytes, alignment; /* alignment 0: unknown */
    char type[16]; /* PTX type: "u64" for pointers and integers with or without sign, "f32", "b8" for structs and
                    * __half; "": unknown, because there is no PTX */
} jr_kernel_parameter;

typedef enum jr_argument_kind {
    JR_ARGUMENT_POINTER = 1, /* an address in device memory */
    JR_ARGUMENT_NUMBER = 2,  /* a number that has a type */
    JR_ARGUMENT_LITERAL = 3, /* a number without a type of its own, such as 2 in a script: stored as i64, u64 or f64 */
    JR_ARGUMENT_BYTES = 4    /* a struct */
} jr_argument_kind;

/* The caller's argument for a parameter. Keeps its layout in all versions. */
typedef struct jr_argument {
    jr_argument_kind kind;
    jr_type type;      /* numbers and literals: the type of the value at `bytes`; otherwise JR_TYPE_NONE */
    const void *bytes; /* where the value is stored; not NULL */
    size_t count;      /* structs: how many bytes; otherwise ignored, since the kind and type give the size */
} jr_argument;

/* How the blocks of a cluster are placed on multiprocessors (CUclusterSchedulingPolicy). Since 0.3. */
typedef enum jr_cluster_policy {
    JR_CLUSTER_POLICY_DEFAULT = 0, /* as the device prefers */
    JR_CLUSTER_POLICY_SPREAD = 1,
    JR_CLUSTER_POLICY_LOAD_BALANCE = 2
} jr_cluster_policy;

typedef struct jr_kernel jr_kernel;
typedef struct jr_image jr_image;

/* What one launch is. */
typedef struct jr_launch {
    size_t size;           /* sizeof(jr_launch) */
    unsigned grid[3];      /* blocks; a 0 in y or z means 1 */
    unsigned block[3];     /* threads; a 0 in y or z means 1 */
    unsigned shared_bytes; /* dynamic shared memory of a block */
    int dependent;    /* 1: the kernel may begin before earlier kernels on the stream have ended (compute capability
                       * 9.0, CUDA 12.3; elsewhere no effect). Every thread of the kernel must execute
                       * `griddepcontrol.wait` before it accesses memory, and also if it accesses none, because the
                       * next launch waits for this one only. Source: PTX ISA, "griddepcontrol" */
    jr_stream stream; /* NULL: the default stream */
    int cooperative;  /* 1: all blocks are resident at the same time, so that they can wait for each other (grid.sync()
                       * of <cooperative_groups.h>). Since 0.3 */
    unsigned cluster[3]; /* blocks of a cluster (compute capability 9.0); a 0 in y or z means 1; all 0: what the kernel
                          * declares. `grid` must be a multiple. More than 8 blocks: where the device can. Since 0.3 */
    jr_cluster_policy cluster_policy; /* Since 0.3 */
    int priority; /* lower numbers are more urgent, as for streams; 0: that of the stream. Since 0.3 */
    const struct CUlaunchAttribute_st *attributes; /* further attributes, the driver's own CUlaunchAttribute, which are
                                                    * passed to cuLaunchKernelEx unread. Since 0.3 */
    size_t attribute_count;                        /* 32 at most. Since 0.3 */
} jr_launch;

/* The resources that a loaded kernel needs. */
typedef struct jr_kernel_info {
    size_t size;      /* sizeof(jr_kernel_info) */
    int registers;    /* per thread */
    int shared_bytes; /* static, per block */
    int local_bytes;  /* per thread */
    int constant_bytes;
    int max_threads_per_block; /* of this kernel on this device */
    int ptx_version, binary_version;
    int max_dynamic_shared_bytes; /* upper limit per block for launches on this device */
    int parameter_count;          /* -1: unknown (an image without PTX, and a driver before CUDA 12.4) */
    int parameter_bytes;          /* up to the end of the last parameter; 0 if parameter_count is -1 */
} jr_kernel_info;

/* Gets the kernel of a program: from memory, from the disk cache, from a pack, or by compiling it. A program is
 * compiled at most once, however many threads ask for it. If the program has include folders, each call checks all
 * included files (their times, and their bytes if these differ).
 *
 * program: read before the call returns.
 * kernel: where the kernel is written, on success only.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_COMPILE (jr_last_error()->log holds NVRTC's log), JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE,
 *   JR_ERROR_LOAD, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_FILE (an include folder
 *   or header cannot be read; or toolkit_headers is set, a header was not found, and no toolkit was found).
 * Since: 0.1. */
JR_API jr_status jr_kernel_get(jr_context *context, const jr_program *program, jr_kernel **kernel);

/* Gets the kernels of many programs, which are compiled on as many threads as there are cores and gigabytes of free
 * memory, 8 at most. All are tried, also after one has failed.
 *
 * programs: `count` pointers to programs; read before the call returns; may be NULL if `count` is 0.
 * count: how many.
 * kernels: room for `count`; each is written, NULL where its program failed; may be NULL if `count` is 0.
 *
 * Owns: the context; the kernels are valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: those of jr_kernel_get, of the first program that failed: the message begins with its index.
 * Since: 0.3. */
JR_API jr_status jr_kernels_get(jr_context *context, const jr_program *const *programs, size_t count,
                                jr_kernel **kernels);

/* Gets several kernels of one program: one compile, one entry in the cache, and one module, whose __device__ variables
 * they share.
 *
 * program: its entry is ignored; read before the call returns.
 * entries: `count` names, as jr_program.entry, each once: {"init", "saxpy<float, 4>"}; read before the call returns;
 *   may be NULL if `count` is 0.
 * count: how many.
 * kernels: room for `count`, written in the order of `entries`, on success only; may be NULL if `count` is 0.
 *
 * Owns: the context; the kernels are valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: those of jr_kernel_get.
 * Since: 0.3. */
JR_API jr_status jr_kernels_of(jr_context *context, const jr_program *program, const char *const *entries, size_t count,
                               jr_kernel **kernels);

/* A kernel that a thread of the library gets. */
typedef struct jr_kernel_order jr_kernel_order;

/* Called once, on that thread, when the kernel is there or has failed; jr_last_error() says there what failed. It may
 * call every function of the library, jr_kernel_order_end of its own order included. kernel: NULL if status is not
 * JR_OK. */
typedef void jr_kernel_ready(void *user, jr_status status, jr_kernel *kernel);

/* Gets the kernel of a program on a thread of its own, and returns at once.
 *
 * program: read before the call returns; all that it points to is copied.
 * ready: called when the kernel is there or has failed; may be NULL.
 * user: given to `ready`.
 * order: where the order is written, before `ready` is called; not valid after a failure.
 *
 * Owns: the caller ends the order with jr_kernel_order_end before closing the context; the kernel is the context's.
 * Threads: any.
 * Errors: JR_ERROR_OUT_OF_MEMORY (no memory, no thread), JR_ERROR_INVALID_ARGUMENT (a NULL pointer, a program of the
 *   wrong size). What is wrong with the program itself is found on the other thread.
 * Since: 0.3. */
JR_API jr_status jr_kernel_get_async(jr_context *context, const jr_program *program, jr_kernel_ready *ready, void *user,
                                     jr_kernel_order **order);

/* Waits for the kernel of an order.
 *
 * order: from jr_kernel_get_async.
 * wait_ms: milliseconds at most; 0: only looks; INFINITY: until it is there.
 * kernel: where the kernel is written, on success only; NULL: it is not there yet.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any; several may wait for one order.
 * Errors: those of jr_kernel_get, again in every call; JR_ERROR_INVALID_ARGUMENT (wait_ms below 0).
 * Since: 0.3. */
JR_API jr_status jr_kernel_order_wait(jr_kernel_order *order, double wait_ms, jr_kernel **kernel);

/* Ends an order: waits until its kernel is there or has failed and `ready` has returned, then frees the order. The
 * kernel stays.
 *
 * order: may be NULL.
 *
 * Owns: takes the order.
 * Threads: any; no other thread may be using the order. Inside `ready` of the same order it returns at once, and the
 *   order is freed when `ready` has returned.
 * Errors: none.
 * Since: 0.3. */
JR_API void jr_kernel_order_end(jr_kernel_order *order);

/* A file whose kernel is compiled again when it changes. */
typedef struct jr_watch jr_watch;

/* Gets the kernel of a program whose text is a file, and watches the file and all headers that the program finds in
 * folders: when one of them changes, a thread of the library compiles the program again. A program that then does not
 * compile, or a file that is gone, is logged as a warning, and the kernel stays as it was. A change is taken up within
 * about 0.3 s, once the files rest.
 *
 * program: `source` must be NULL; `name` may be NULL: the file's name. The folder of the file is searched for headers
 *   after include_folders. All that it points to is copied.
 * path: of the file; it may be a link. Relative paths and folders are below the current working directory, which must
 *   stay the same.
 * watch: where the watch is written, on success only.
 *
 * Owns: the caller ends the watch with jr_watch_end before closing the context.
 * Threads: any.
 * Errors: those of jr_kernel_get, of the file as it is now; JR_ERROR_FILE (it cannot be read),
 *   JR_ERROR_INVALID_ARGUMENT (program->source is not NULL), JR_ERROR_OUT_OF_MEMORY (no memory, no thread).
 * Since: 0.3. */
JR_API jr_status jr_kernel_watch(jr_context *context, const jr_program *program, const char *path, jr_watch **watch);

/* Gets the newest kernel of a watch: call it before each launch. Kernels of before stay valid, for launches that are
 * under way and for graphs that have them.
 *
 * watch: from jr_kernel_watch.
 * wait_ms: milliseconds at most to wait for another kernel than *kernel; 0: none; INFINITY: until there is one.
 * kernel: the kernel that the caller has, or NULL; becomes the newest one. Its parameters may be others.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (a NULL pointer, wait_ms below 0).
 * Since: 0.3. */
JR_API jr_status jr_watch_kernel(jr_watch *watch, double wait_ms, jr_kernel **kernel);

/* Ends a watch, after a compile that is under way. Its kernels stay.
 *
 * watch: may be NULL.
 *
 * Owns: takes the watch.
 * Threads: any; no other thread may be using the watch.
 * Errors: none.
 * Since: 0.3. */
JR_API void jr_watch_end(jr_watch *watch);

/* Gets one of the kernels that a plan launches.
 *
 * index: 0 to jr_plan_kernel_count - 1.
 * kernel: where the kernel is written, on success only.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_plan_kernel(const jr_plan *plan, unsigned index, jr_kernel **kernel);

/* Writes how a plan launches one of its kernels for a large input: grid, block, dynamic shared bytes. The grid of a
 * kernel that combines partial results is 1; with segments the grid is that of one wave, whatever their number.
 *
 * index: 0 to jr_plan_kernel_count - 1.
 * launch: `size` must be set; the rest is written, on success only; its stream is NULL.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_plan_launch_get(const jr_plan *plan, unsigned index, jr_launch *launch);

/* Returns the name of a kernel in its module, such as "jr_reduce_single_pass".
 *
 * kernel: may be NULL.
 *
 * Returns: the name; "" if `kernel` is NULL.
 * Owns: the kernel.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_kernel_name(const jr_kernel *kernel);

/* Writes the parameters of a loaded kernel, as the PTX of its image declares them; without PTX only their sizes are
 * known, and only from drivers since CUDA 12.4.
 *
 * parameters: room for `room` of them; the first ones are written, on success only; may be NULL if `room` is 0.
 * room: how many there is room for; may be 0.
 * count: how many parameters the kernel has, whatever `room` is; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (also if the parameters are unknown).
 * Since: 0.2. */
JR_API jr_status jr_kernel_parameters(const jr_kernel *kernel, jr_kernel_parameter *parameters, size_t room,
                                      size_t *count);

/* Converts arguments to the types of a kernel's parameters, as a call in C would, for jr_kernel_launch. It refuses:
 * - another number of arguments than of parameters;
 * - a float for an integer;
 * - an integer that does not fit the parameter's bits with or without a sign (PTX does not distinguish int from
 *   unsigned), and a finite number beyond the greatest float;
 * - a pointer for anything but 8 bytes that may be a pointer;
 * - a struct of another size;
 * - for a parameter that is a struct or of unknown type: a literal, and a number of another size (f16 is right for
 *   __half).
 *
 * arguments: `count` of them; may be NULL if `count` is 0.
 * count: how many arguments.
 * room: where the converted arguments are written, each at a multiple of 16 bytes; also written on failure; no
 *   alignment required; may be NULL if `count` is 0.
 * room_bytes: the size of `room`; 65536 is enough for every kernel of up to 2000 parameters.
 * pointers: room for `count` pointers, which become the `args` of jr_kernel_launch; also written on failure; may be
 *   NULL if `count` is 0.
 *
 * Owns: nothing; `room` must stay valid until the launch.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (the number of arguments, a number out of range, the size of a struct, too little
 *   room, unknown parameters), JR_ERROR_UNSUPPORTED_TYPE (an argument of the wrong kind).
 * Since: 0.2. */
JR_API jr_status jr_kernel_arguments(const jr_kernel *kernel, const jr_argument *arguments, size_t count, void *room,
                                     size_t room_bytes, void **pointers);

/* Enqueues a kernel on launch->stream and returns; it is complete once the stream reaches it.
 *
 * launch: grid, block, shared bytes and stream; read before the call returns.
 * args: one pointer per parameter of the kernel, as cuLaunchKernel takes them; what a pointer points to must have the
 *   parameter's type (jr_kernel_arguments converts). NULL is refused if the kernel is known to have parameters.
 *
 * Owns: nothing; arguments are read before the call returns, and device memory that they point to must stay valid until
 *   the stream reaches the end of the kernel.
 * Threads: any.
 * Errors: JR_ERROR_LAUNCH_RESOURCES (too many threads, registers or shared bytes, more blocks than a cooperative launch
 *   can have, clusters on a device without them: the message has the limits), JR_ERROR_MISSING_FUNCTION (the driver
 *   takes no attributes), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_kernel_launch(jr_kernel *kernel, const jr_launch *launch, void **args);

/* Writes the resources that a kernel needs.
 *
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER.
 * Since: 0.1. */
JR_API jr_status jr_kernel_info_get(jr_kernel *kernel, jr_kernel_info *info);

/* Writes how many blocks of a kernel fit on one multiprocessor.
 *
 * block: threads per block, 1 or more.
 * shared_bytes: dynamic shared memory per block.
 * blocks: how many fit, written on success only; 0: not even one.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER.
 * Since: 0.1. */
JR_API jr_status jr_kernel_occupancy(jr_kernel *kernel, int block, size_t shared_bytes, int *blocks);

/* Writes how many clusters of a launch the whole device holds at the same time. Multiplied by the blocks of a cluster,
 * that is the largest grid of a cooperative launch with clusters.
 *
 * launch: its block, shared bytes and cluster count, and its grid must be a multiple of the cluster.
 * clusters: written on success only; 0: not even one.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_LAUNCH_RESOURCES (too many shared bytes; the device has no clusters),
 *   JR_ERROR_MISSING_FUNCTION, JR_ERROR_DRIVER.
 * Since: 0.3. */
JR_API jr_status jr_kernel_clusters(jr_kernel *kernel, const jr_launch *launch, int *clusters);

/* Writes the block size with the highest occupancy, and the smallest grid that fills the device with such blocks.
 *
 * shared_bytes: dynamic shared memory per block, the same for all block sizes.
 * block, grid: written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_LAUNCH_RESOURCES (no block on this device has so much shared memory),
 *   JR_ERROR_DRIVER.
 * Since: 0.1. */
JR_API jr_status jr_kernel_block_choose(jr_kernel *kernel, size_t shared_bytes, int *block, int *grid);

/* Finds a __device__ or __constant__ variable of the kernel's module by its name.
 *
 * name: as the module has it; mangled if the variable is in a namespace or a class. A __managed__ variable is also the
 *   host's at this address, while no kernel runs (where the device has managed memory).
 * address: where the device address is written, on success only.
 * bytes: where the variable's size is written, on success only.
 *
 * Owns: the context; the address is valid until the context is closed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER.
 * Since: 0.1. */
JR_API jr_status jr_kernel_global_find(jr_kernel *kernel, const char *name, void **address, size_t *bytes);

/* Writes or reads a __device__ or __constant__ variable of the kernel's module from its first byte on, after
 * all earlier work of the default stream, and waits until the copy is complete.
 *
 * name: as for jr_kernel_global_find.
 * from, to: host memory, no alignment required.
 * bytes: how many; at most the variable's size.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (more bytes than the variable has; also while a stream that waits for the default
 *   stream is being captured), JR_ERROR_DRIVER (no such variable), JR_ERROR_DEVICE_FAULT.
 * Since: 0.3. */
JR_API jr_status jr_kernel_global_write(jr_kernel *kernel, const char *name, const void *from, size_t bytes);
JR_API jr_status jr_kernel_global_read(jr_kernel *kernel, const char *name, void *to, size_t bytes);

/* Compiles a program for an architecture. It needs NVRTC, but neither a GPU nor a driver.
 *
 * options: only nvrtc, cache_dir, cache_bytes and compile_limit_ms count; NULL: all defaults.
 * program: read before the call returns.
 * architecture: "sm_90": machine code and PTX; "compute_80": PTX only.
 * image: where the image is written, on success only.
 *
 * Owns: the caller destroys it with jr_image_destroy.
 * Threads: any.
 * Errors: JR_ERROR_COMPILE (jr_last_error()->log holds NVRTC's log), JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE,
 *   JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_FILE (of an include folder or header).
 * Since: 0.1. */
JR_API jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                                  jr_image **image);

/* Compiles a program for the device of a context, or finds the image in the context's disk cache; it loads nothing. The
 * simulator runs PTX, so an image for it has no machine code ("compute_90"), and lines of the source, which its reports
 * name.
 *
 * program: read before the call returns.
 * image: where the image is written, on success only.
 *
 * Owns: the caller destroys it with jr_image_destroy.
 * Threads: any.
 * Errors: JR_ERROR_COMPILE (jr_last_error()->log holds NVRTC's log), JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE,
 *   JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_FILE (of an include folder or header).
 * Since: 0.2. */
JR_API jr_status jr_image_compile_for(jr_context *context, const jr_program *program, jr_image **image);

/* Returns the stored form of an image (machine code, PTX, entry name and checksum), which can be written to a file and
 * shipped.
 *
 * image: may be NULL.
 * bytes: where the size is written; 0 if `image` is NULL.
 *
 * Returns: the bytes; NULL if `image` is NULL.
 * Owns: the image; valid until it is destroyed.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const void *jr_image_data(const jr_image *image, size_t *bytes);

/* Returns the PTX text of an image.
 *
 * image: may be NULL.
 *
 * Returns: the text; "" if `image` is NULL or has no PTX.
 * Owns: the image; valid until it is destroyed.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_image_ptx(const jr_image *image);

/* Returns the machine code of an image, an ELF file as cuModuleLoadData takes it.
 *
 * image: may be NULL.
 * bytes: where the size is written; 0 if there is no machine code.
 *
 * Returns: the bytes; NULL if `image` is NULL or has no machine code.
 * Owns: the image; valid until it is destroyed.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API const void *jr_image_cubin(const jr_image *image, size_t *bytes);

/* Reads an image from its stored form (jr_image_data) and verifies every byte.
 *
 * data: no alignment required; copied.
 * bytes: how many.
 * image: where the image is written, on success only.
 *
 * Owns: the caller destroys it with jr_image_destroy.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (truncated, damaged, or of another format), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.1. */
JR_API jr_status jr_image_read(const void *data, size_t bytes, jr_image **image);

/* Writes images of one kernel for several architectures as a fat binary, a file that cuModuleLoadData,
 * cuLibraryLoadData and NVIDIA's tools take: the driver chooses what fits the device. An image for "sm_90" gives its
 * machine code, one for "compute_90" its PTX, which the driver compiles for later devices. jitreduce's own form is
 * jr_image_data, and packs are for many kernels.
 *
 * images: `count` of them, of the same entry and different architectures.
 * count: how many images, at least 1.
 * bytes: where it is written; no alignment required; may be NULL if `room` is 0.
 * room: how many bytes there is room for; 0 to find the size only.
 * size: how many bytes it takes; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no image, another entry, an architecture twice, too little room: the message says
 *   how much is needed).
 * Since: 0.3. */
JR_API jr_status jr_image_write(const jr_image *const *images, size_t count, void *bytes, size_t room, size_t *size);

/* Makes an image from PTX text that was compiled elsewhere. The driver compiles it to machine code when it is loaded.
 *
 * ptx: ends with a NUL; copied.
 * entry: the kernel's name as PTX has it (mangled for C++: "_Z5saxpyiPf"); NULL: the only kernel of the text.
 * image: where the image is written, on success only.
 *
 * Owns: the caller destroys it with jr_image_destroy.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (not PTX, no such kernel, or several kernels: the message names them),
 *   JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_image_read_ptx(const char *ptx, const char *entry, jr_image **image);

/* Writes the parameters of an image's kernel, as its PTX declares them.
 *
 * image: one that has PTX.
 * parameters: room for `room` of them; the first ones are written, on success only; may be NULL if `room` is 0.
 * room: how many there is room for; may be 0.
 * count: how many parameters the kernel has, whatever `room` is; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (also for an image without PTX).
 * Since: 0.2. */
JR_API jr_status jr_image_parameters(const jr_image *image, jr_kernel_parameter *parameters, size_t room,
                                     size_t *count);

/* Destroys an image. Kernels that were loaded from it stay valid.
 *
 * image: may be NULL.
 *
 * Owns: takes the image.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_image_destroy(jr_image *image);

/* Loads an image into a context and gets its kernel.
 *
 * image: may be destroyed afterwards; one of several kernels is refused (jr_kernels_load).
 * kernel: where the kernel is written, on success only.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_LOAD, JR_ERROR_DRIVER, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.1. */
JR_API jr_status jr_kernel_load(jr_context *context, const jr_image *image, jr_kernel **kernel);

/* Loads an image of one or several kernels into a context and gets them.
 *
 * image: may be destroyed afterwards.
 * kernels: room for `room`; the first ones are written, in the order of the image's entries, on success only; may be
 *   NULL if `room` is 0.
 * room: how many there is room for; 0: nothing is loaded.
 * count: how many kernels the image has, whatever `room` is; written on success only.
 *
 * Owns: the context; the kernels are valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_LOAD, JR_ERROR_DRIVER, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.3. */
JR_API jr_status jr_kernels_load(jr_context *context, const jr_image *image, jr_kernel **kernels, size_t room,
                                 size_t *count);

#ifdef __cplusplus
}
#endif
#endif
