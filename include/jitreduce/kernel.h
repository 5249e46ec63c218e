/* Tier 3: your own kernel string, specialised by constants, compiled, cached, loaded and launched. */
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

/* A kernel string and all that decides what it compiles to. JR_INIT(jr_program), then set name, source and entry. */
typedef struct jr_program {
    size_t size;                    /* sizeof(jr_program) */
    const char *name;               /* shown in messages, "saxpy"; no path: must contain no '/' */
    const char *source;             /* CUDA C++ text; <jitreduce/block.cuh> is there without a folder */
    const char *entry;              /* the kernel's name: of an extern "C" function, or a name expression as
                                     * "saxpy<float, 4>"; NULL: the only kernel that the source declares */
    const jr_named_text *constants; /* in order of definition */
    size_t constant_count;
    const jr_named_text *headers; /* virtual files; they go before real ones of their names */
    size_t header_count;
    const char *const *options; /* further NVRTC options, "--maxrregcount=32" */
    size_t option_count;
    const char *const *include_folders; /* where #include finds real files, in this order; a relative one is below the
                                         * present working directory. NULL: real files are never included. Every file
                                         * that the texts name, in whatever branch, is in the program's key by its
                                         * bytes. #include of a macro is followed where its texts define it without
                                         * parameters; absolute paths are not: a live one does not compile */
    size_t include_folder_count;
    int toolkit_headers; /* 1: after them the CUDA toolkit's: <cuda_fp16.h>, <cuda/std/...>, <cub/...>; and the standard
                          * library's that a kernel can use, by cuda/std: <cstdint>, <limits>, <cmath>, <stdio.h> */
    int unused;          /* 0 */
} jr_program;

/* One parameter of a kernel. Keeps its layout in all versions. */
typedef struct jr_kernel_parameter {
    size_t bytes, alignment; /* alignment 0: not known */
    char type[16]; /* of PTX: "u64" of pointers and integers of either sign, "f32"; "b8" of structs and of __half; "":
                    * not known, as only PTX tells it */
} jr_kernel_parameter;

typedef enum jr_argument_kind {
    JR_ARGUMENT_POINTER = 1, /* an address in device memory */
    JR_ARGUMENT_NUMBER = 2,  /* a number that has a type */
    JR_ARGUMENT_LITERAL = 3, /* one that has none of its own, as 2 in a script: held as i64, u64 or f64 */
    JR_ARGUMENT_BYTES = 4    /* a struct */
} jr_argument_kind;

/* What a caller gives for a parameter. Keeps its layout in all versions. */
typedef struct jr_argument {
    jr_argument_kind kind;
    jr_type type;      /* of a number, which lies at bytes; else JR_TYPE_NONE */
    const void *bytes; /* not NULL */
    size_t count;      /* of the bytes of a struct; else not looked at: a pointer and a number have their size */
} jr_argument;

typedef struct jr_kernel jr_kernel;
typedef struct jr_image jr_image;

/* What one launch is. */
typedef struct jr_launch {
    size_t size;           /* sizeof(jr_launch) */
    unsigned grid[3];      /* blocks; a 0 in y or z means 1 */
    unsigned block[3];     /* threads; a 0 in y or z means 1 */
    unsigned shared_bytes; /* dynamic shared memory of a block */
    int dependent;         /* 1: may begin before the kernels in front of it on the stream have ended, where device and
                            * driver can do so (compute capability 9.0, CUDA 12.3; elsewhere it is as 0). Every thread of
                            * the kernel must execute `griddepcontrol.wait`, before it touches memory and also when it
                            * touches none: the launch behind it waits for this one alone. Source: PTX ISA,
                            * "griddepcontrol" */
    jr_stream stream;      /* NULL: the default stream */
} jr_launch;

/* What a loaded kernel takes. */
typedef struct jr_kernel_info {
    size_t size;      /* sizeof(jr_kernel_info) */
    int registers;    /* a thread */
    int shared_bytes; /* static, a block */
    int local_bytes;  /* a thread */
    int constant_bytes;
    int max_threads_per_block; /* of this kernel on this device */
    int ptx_version, binary_version;
    int max_dynamic_shared_bytes; /* a block, that a launch on this device can ask for */
    int parameter_count;          /* -1: not known: of an image without PTX, by a driver before CUDA 12.4 */
    int parameter_bytes;          /* up to the last one's end; 0 where their count is not known */
} jr_kernel_info;

/* Gets the kernel of a program: from memory, from the disk cache, or by compiling it. At most one compile for each
 * program however many threads ask. program: copied as far as needed. One with include folders is looked at anew by
 * each call: all its files (their times, and their bytes where these differ). Writes *kernel on success only.
 * Owns: the context; valid until it is closed. Threads: any. Errors: JR_ERROR_COMPILE (jr_last_error()->log holds
 * NVRTC's log), JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE, JR_ERROR_LOAD, JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_FILE (of an include folder or header; the toolkit's headers are
 * asked for, one is missing, and there are none). Since: 0.1. */
JR_API jr_status jr_kernel_get(jr_context *context, const jr_program *program, jr_kernel **kernel);

/* Gets the index-th kernel that a plan launches (0 to jr_plan_kernel_count - 1). Writes *kernel on success only.
 * Owns: the context; valid until it is closed. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_plan_kernel(const jr_plan *plan, unsigned index, jr_kernel **kernel);

/* Writes how a plan launches its index-th kernel for a large input: grid, block, dynamic shared bytes. The grid of one
 * that finishes what others leave is 1; of segments it is that of one wave, however many blocks their number takes.
 * launch: written on success only; its stream is NULL. Owns: nothing. Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_plan_launch_get(const jr_plan *plan, unsigned index, jr_launch *launch);

/* Returns the name of a kernel in its module, "jr_reduce_single_pass"; "" for NULL.
 * Owns: the kernel. Threads: any. Errors: none. Since: 0.1. */
JR_API const char *jr_kernel_name(const jr_kernel *kernel);

/* Tells the parameters of a loaded kernel: as the PTX of its image declares them; of an image without PTX their sizes
 * alone, which drivers since CUDA 12.4 tell.
 * parameters: room for `room` of them, NULL for none; the first ones are written. count: of all, however much room
 * there was; both on success only. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (also where nobody
 * tells them). Since: 0.2. */
JR_API jr_status jr_kernel_parameters(const jr_kernel *kernel, jr_kernel_parameter *parameters, size_t room,
                                      size_t *count);

/* Converts arguments to what a kernel's parameters are, as a call in C would, for jr_kernel_launch. Refused are:
 * another number of arguments than of parameters; a float for an integer; an integer that the parameter's bits do not
 * hold with or without a sign (PTX does not tell int from unsigned), a finite number beyond the greatest float; a
 * pointer for anything but 8 bytes that may be one; a struct of another size. A parameter that is a struct, or of
 * unknown type, takes a number that has a type of as many bytes (of f16 for __half), and no literal. arguments: count
 * of them, NULL for none. room: where they are written, each at a multiple of 16 bytes; room_bytes long, 65536 is
 * enough for every kernel of up to 2000 parameters. pointers: room for count, which become the args of a launch. Both
 * may be written on failure, too. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (their number, a
 * number out of range, a struct's size, too little room, parameters that nobody tells), JR_ERROR_UNSUPPORTED_TYPE (of
 * one kind for another). Since: 0.2. */
JR_API jr_status jr_kernel_arguments(const jr_kernel *kernel, const jr_argument *arguments, size_t count, void *room,
                                     size_t room_bytes, void **pointers);

/* Launches a kernel asynchronously on launch->stream.
 * args: pointers to the arguments, one for each parameter of the kernel, as cuLaunchKernel takes them; NULL is refused
 * where the kernel's parameters are known. What they point to has the parameters' types: jr_kernel_arguments converts.
 * Owns: nothing; the arguments are read before the call returns. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_LAUNCH_RESOURCES (too many threads, registers or shared bytes: the message has the limits),
 * JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_kernel_launch(jr_kernel *kernel, const jr_launch *launch, void **args);

/* Writes what the kernel takes. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER.
 * Since: 0.1. */
JR_API jr_status jr_kernel_info_get(jr_kernel *kernel, jr_kernel_info *info);

/* Writes how many blocks of so many threads and dynamic shared bytes fit on one multiprocessor; 0: not one does.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER. Since: 0.1. */
JR_API jr_status jr_kernel_occupancy(jr_kernel *kernel, int block, size_t shared_bytes, int *blocks);

/* Writes the block size with the highest occupancy, and the smallest grid that fills the device with it.
 * shared_bytes: dynamic shared memory of a block, whatever its size. block, grid: written on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_LAUNCH_RESOURCES (no block of this device
 * has so much shared memory), JR_ERROR_DRIVER. Since: 0.1. */
JR_API jr_status jr_kernel_block_choose(jr_kernel *kernel, size_t shared_bytes, int *block, int *grid);

/* Finds a __device__ or __constant__ variable of the kernel's module by its name.
 * address, bytes: written on success only. Owns: the context. Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER. Since: 0.1. */
JR_API jr_status jr_kernel_global_find(jr_kernel *kernel, const char *name, void **address, size_t *bytes);

/* Compiles a program for an architecture ("sm_90", "compute_80") without any GPU or driver.
 * options: may be NULL; only nvrtc, cache_dir, cache_bytes and compile_limit_ms matter. Writes *image on success only.
 * Owns: the caller destroys the image. Threads: any. Errors: JR_ERROR_COMPILE, JR_ERROR_NVRTC_NOT_FOUND,
 * JR_ERROR_ARCHITECTURE, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_FILE. Since: 0.1. */
JR_API jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                                  jr_image **image);

/* Compiles a program for the device of a context, or finds that in its disk cache; loads nothing. The simulator runs
 * PTX, so the image for it has no machine code ("compute_90").
 * Writes *image on success only. Owns: the caller destroys the image. Threads: any. Errors: JR_ERROR_COMPILE,
 * JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_image_compile_for(jr_context *context, const jr_program *program, jr_image **image);

/* Returns the stored form of an image (cubin, PTX, entry name and checksum), to be written to a file and shipped.
 * bytes: not NULL. Owns: the image. Threads: any. Errors: none. Since: 0.1. */
JR_API const void *jr_image_data(const jr_image *image, size_t *bytes);

/* Returns the PTX text of an image, "" when it has none. Owns: the image. Threads: any. Errors: none. Since: 0.1. */
JR_API const char *jr_image_ptx(const jr_image *image);

/* Returns the machine code of an image, an ELF file as cuModuleLoadData takes it; NULL when it has none.
 * bytes: not NULL. Owns: the image. Threads: any. Errors: none. Since: 0.2. */
JR_API const void *jr_image_cubin(const jr_image *image, size_t *bytes);

/* Reads an image back from its stored form; every byte is verified. Writes *image on success only.
 * Owns: the caller destroys the image; data is copied. Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (truncated, damaged, another format), JR_ERROR_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_image_read(const void *data, size_t bytes, jr_image **image);

/* Makes an image of PTX text that somebody else compiled; the driver compiles it further when it is loaded.
 * ptx: ends with a NUL, copied. entry: the kernel's name as PTX has it (of C++ mangled: "_Z5saxpyiPf"); NULL: the only
 * one that there is. Writes *image on success only. Owns: the caller destroys the image. Threads: any. Errors:
 * JR_ERROR_INVALID_ARGUMENT (no PTX, no such kernel, several: the message names them), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_image_read_ptx(const char *ptx, const char *entry, jr_image **image);

/* Tells the parameters of an image's kernel, as its PTX declares them.
 * parameters: room for `room` of them, NULL for none; the first ones are written. count: of all, however much room
 * there was; both on success only. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (also of an image
 * without PTX). Since: 0.2. */
JR_API jr_status jr_image_parameters(const jr_image *image, jr_kernel_parameter *parameters, size_t room,
                                     size_t *count);

/* Destroys an image. image: may be NULL. Owns: takes it. Threads: no other user. Errors: none. Since: 0.1. */
JR_API void jr_image_destroy(jr_image *image);

/* Loads an image into the context and gets its kernel. image may be destroyed afterwards.
 * Owns: the context; valid until it is closed. Threads: any. Errors: JR_ERROR_LOAD, JR_ERROR_DRIVER,
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_kernel_load(jr_context *context, const jr_image *image, jr_kernel **kernel);

#ifdef __cplusplus
}
#endif
#endif
