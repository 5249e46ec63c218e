/* Launches that were captured: read back from their files, to be run again.
 *
 * JITREDUCE_CAPTURE=FOLDER[:PATTERN] has every context of a program write launches into files NAME.N.jrlaunch of a
 * folder: those by jr_kernel_launch, of kernels whose name (jr_kernel_name), or whose program's name or entry, fits the
 * pattern (as the shell's; left out: all). What reductions and scans launch by themselves is not captured. A capture
 * has the image, the program where there is one, grid, block, the arguments, and every allocation that an argument
 * points into, as it was before and after the launch. These are the application's data: who may read the file reads
 * them. Files have mode 0600, in a folder that must be ours, in which no other may write; it is made where it is
 * missing. Each is written whole or not at all, and sealed by a checksum.
 *
 * Bounds: JITREDUCE_CAPTURE_BYTES of allocations in one capture (left out: 268435456; what is larger is not captured)
 * and JITREDUCE_CAPTURE_COUNT files in the folder (left out: 16; then no more are written). About five times the bytes
 * are taken of host memory meanwhile.
 *
 * A capture that fails costs time and never the call: the log tells (JR_LOG_WARNING). A launch that is captured waits
 * for its stream before and after, for a minute each at most; what other streams write meanwhile is not kept apart. On
 * a stream that is being captured into a graph, and while another one is, launches are not captured. Pointers in
 * structs and in device memory are not followed: they keep their value, which means nothing when the launch runs again.
 * So does an integer of 64 bits, unless it happens to be a device address. Include folders are stored by name, not by
 * what is in them; kernels without PTX are not captured, as their arguments have no known sizes.
 */
#ifndef JITREDUCE_REPLAY_H
#define JITREDUCE_REPLAY_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A launch that was captured. It does not change: any threads may look at it at once. */
typedef struct jr_replay jr_replay;

enum { JR_REPLAY_TEXT_BYTES = 256 };

/* What a captured launch was. */
typedef struct jr_replay_info {
    size_t size;                        /* sizeof(jr_replay_info) */
    char library[JR_REPLAY_TEXT_BYTES]; /* version of jitreduce that wrote it, "0.2.0" */
    char device[JR_REPLAY_TEXT_BYTES];  /* "NVIDIA H200" */
    char failure[JR_REPLAY_TEXT_BYTES]; /* what the launch ended with; "": it succeeded */
    unsigned grid[3], block[3];
    unsigned shared_bytes; /* dynamic, a block */
    int dependent;         /* as in jr_launch */
    uint64_t argument_count, buffer_count;
    uint64_t bytes; /* of the file */
} jr_replay_info;

/* An argument of the launch. Keeps its layout in all versions. */
typedef struct jr_replay_argument {
    const void *value; /* as it was; at any alignment */
    size_t bytes;
    int64_t buffer;  /* into which of the buffers it points; -1: into none */
    uint64_t offset; /* of what it points to there, in bytes */
    char type[16];   /* of PTX, as in jr_kernel_parameter */
} jr_replay_argument;

/* An allocation that arguments point into, whole. Keeps its layout in all versions. */
typedef struct jr_replay_buffer {
    uint64_t bytes;
    const void *before; /* as it was before the launch */
    const void *after;  /* and after it: the same pointer when nothing had changed; NULL: the launch failed */
} jr_replay_buffer;

/* Reads a file that JITREDUCE_CAPTURE had written; every byte is verified. As it is code, it must belong to the user or
 * to the system (user 0), and no other may write to it. Writes *replay on success only.
 * Owns: the caller closes it. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE (it cannot be read, is no
 * capture, is damaged, or was made by another version), JR_ERROR_MISSING_FUNCTION (it is compressed, and there is no
 * zstd), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_replay_open(const char *path, jr_replay **replay);

/* Writes what the launch was. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.2. */
JR_API jr_status jr_replay_look(const jr_replay *replay, jr_replay_info *info);

/* Returns the program that the kernel was made of, NULL when the application had loaded an image or PTX.
 * Owns: the replay. Threads: any. Errors: none. Since: 0.2. */
JR_API const jr_program *jr_replay_program(const jr_replay *replay);

/* Returns the image that ran. Owns: the replay; not to be destroyed. Threads: any. Errors: none. Since: 0.2. */
JR_API const jr_image *jr_replay_image(const jr_replay *replay);

/* Writes an argument of the launch (index from 0). On success only; what it points to is the replay's.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.2. */
JR_API jr_status jr_replay_argument_get(const jr_replay *replay, uint64_t index, jr_replay_argument *argument);

/* Writes a buffer of the launch (index from 0). On success only; what it points to is the replay's.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.2. */
JR_API jr_status jr_replay_buffer_get(const jr_replay *replay, uint64_t index, jr_replay_buffer *buffer);

/* Closes it, and all that it returned. replay: may be NULL. Owns: takes it. Threads: no other user. Errors: none.
 * Since: 0.2. */
JR_API void jr_replay_close(jr_replay *replay);

#ifdef __cplusplus
}
#endif
#endif
