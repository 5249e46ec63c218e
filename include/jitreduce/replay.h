/* Recorded launches: read back from their files, to be run again.
 * Manual: replay.md.
 *
 * JITREDUCE_CAPTURE=FOLDER[:PATTERN] makes every context of a program write launches into files NAME.N.jrlaunch in a
 * folder: those by jr_kernel_launch whose kernel name (jr_kernel_name), program name or entry matches the pattern (as
 * in the shell; default: all). Launches that reductions and scans make themselves are not recorded. A file holds the
 * image, the program if there is one, grid, block, the arguments, and every allocation into which an argument points,
 * as it was before and after the launch. These are the application's data: whoever can read the file can read them.
 * Files have mode 0600, in a folder that must belong to the user and to which nobody else may write; the folder is made
 * if it does not exist. Each file is written completely or not at all, and has a checksum.
 *
 * Limits: JITREDUCE_CAPTURE_BYTES of allocations per launch (default: 268435456; larger launches are not recorded) and
 * JITREDUCE_CAPTURE_COUNT files in the folder (default: 16; then no more are written). Recording needs about five times
 * the bytes in host memory.
 *
 * A recording that fails costs time but never fails the call: the log reports it (JR_LOG_WARNING). A recorded launch
 * waits for its stream before and after, at most one minute each; what other streams write meanwhile may be recorded,
 * too. Launches are not recorded on a stream that is being captured into a graph, nor while another stream is. Pointers
 * in structs and in device memory are not followed: they keep their value, which means nothing when the launch runs
 * again. The same holds for a 64-bit integer, unless it happens to be a device address. Include folders are stored by
 * name, not by their contents. Kernels without PTX are not recorded, because the sizes of their arguments are unknown.
 */
#ifndef JITREDUCE_REPLAY_H
#define JITREDUCE_REPLAY_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recorded launch. It does not change, so all threads may read it at the same time. */
typedef struct jr_replay jr_replay;

enum { JR_REPLAY_TEXT_BYTES = 256 };

/* What was recorded of a launch. */
typedef struct jr_replay_info {
    size_t size;                        /* sizeof(jr_replay_info) */
    char library[JR_REPLAY_TEXT_BYTES]; /* version of jitreduce that wrote it, "0.3.0" */
    char device[JR_REPLAY_TEXT_BYTES];  /* "NVIDIA H200" */
    char failure[JR_REPLAY_TEXT_BYTES]; /* the error with which the launch ended; "": it succeeded */
    unsigned grid[3], block[3];
    unsigned shared_bytes; /* dynamic, per block */
    int dependent;         /* as in jr_launch */
    uint64_t argument_count, buffer_count;
    uint64_t bytes; /* size of the file */
} jr_replay_info;

/* An argument of the launch. Keeps its layout in all versions. */
typedef struct jr_replay_argument {
    const void *value; /* as it was recorded; not aligned */
    size_t bytes;
    int64_t buffer;  /* index of the buffer into which it points; -1: it does not point into a buffer */
    uint64_t offset; /* where it points in that buffer, in bytes */
    char type[16];   /* PTX type, as in jr_kernel_parameter */
} jr_replay_argument;

/* A complete allocation into which arguments point. Keeps its layout in all versions. */
typedef struct jr_replay_buffer {
    uint64_t bytes;
    const void *before; /* as it was before the launch */
    const void *after;  /* as it was after the launch: the same pointer if nothing changed; NULL: the launch failed */
} jr_replay_buffer;

/* Reads a file that JITREDUCE_CAPTURE wrote and verifies every byte. Because it is code, it must belong to the user or
 * to the system (user 0), and nobody else may have permission to write to it.
 *
 * path: a file NAME.N.jrlaunch.
 * replay: where the launch is written, on success only.
 *
 * Owns: the caller closes it with jr_replay_close.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE (the file cannot be read, is not a recorded launch, is damaged, or
 *   was made by another version), JR_ERROR_MISSING_FUNCTION (it is compressed, and zstd was not found),
 *   JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_replay_open(const char *path, jr_replay **replay);

/* Writes what was recorded of the launch.
 *
 * replay: from jr_replay_open.
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.2. */
JR_API jr_status jr_replay_look(const jr_replay *replay, jr_replay_info *info);

/* Returns the program from which the kernel was made.
 *
 * replay: from jr_replay_open; may be NULL.
 *
 * Returns: the program; NULL if the application loaded an image or PTX, or `replay` is NULL.
 * Owns: the replay; valid until it is closed.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API const jr_program *jr_replay_program(const jr_replay *replay);

/* Returns the image that ran.
 *
 * replay: from jr_replay_open; may be NULL.
 *
 * Returns: the image; NULL if `replay` is NULL.
 * Owns: the replay; valid until it is closed, and must not be destroyed.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API const jr_image *jr_replay_image(const jr_replay *replay);

/* Writes one of the launch's arguments.
 *
 * replay: from jr_replay_open.
 * index: 0 to argument_count - 1.
 * argument: where it is written, on success only.
 *
 * Owns: the replay; what `argument` points to is valid until it is closed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.2. */
JR_API jr_status jr_replay_argument_get(const jr_replay *replay, uint64_t index, jr_replay_argument *argument);

/* Writes one of the launch's buffers.
 *
 * replay: from jr_replay_open.
 * index: 0 to buffer_count - 1.
 * buffer: where it is written, on success only.
 *
 * Owns: the replay; what `buffer` points to is valid until it is closed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.2. */
JR_API jr_status jr_replay_buffer_get(const jr_replay *replay, uint64_t index, jr_replay_buffer *buffer);

/* Closes a recorded launch, and with it all that it returned.
 *
 * replay: may be NULL.
 *
 * Owns: takes the replay.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_replay_close(jr_replay *replay);

#ifdef __cplusplus
}
#endif
#endif
