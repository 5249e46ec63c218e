/* The captured launch, and its stored form.
 *
 * Numbers little-endian, nothing after the end:
 *   0 magic "JRLAUNC" and 0 | 8 format, 4 bytes | 12 coding, 4 (1: the body is a zstd frame) | 16 file bytes, 8
 *   24 body bytes, 8, as they are unpacked | 32 library version, text of 16 | 48 zero, 16 | 64 body
 *   then the SHA-256 of all before it, 32
 * The body: program, launch, image, arguments, buffers, as launch_file_write.c puts them and launch_file.c takes them.
 * A text is its length, 8 bytes, its bytes and a NUL; a list is its count, 4, and its items. */
#ifndef JR_KERNEL_LAUNCH_FILE_H
#define JR_KERNEL_LAUNCH_FILE_H

#include <stdbool.h>

#include "base/text.h"
#include "image/image.h"
#include "jitreduce/replay.h"

enum {
    JR_LAUNCH_FORMAT = 1,
    JR_LAUNCH_FORMAT_AT = 8,
    JR_LAUNCH_CODING_AT = 12,
    JR_LAUNCH_FILE_BYTES_AT = 16,
    JR_LAUNCH_BODY_BYTES_AT = 24,
    JR_LAUNCH_LIBRARY_AT = 32,
    JR_LAUNCH_LIBRARY_BYTES = 16,
    JR_LAUNCH_ZERO_AT = 48,
    JR_LAUNCH_HEADER_BYTES = 64,
    JR_LAUNCH_PACKED_MAX = 1 << 16 /* times that a zstd frame grows at most, about: a block of 128 KiB is 4 bytes */
};
#define JR_LAUNCH_MAGIC "JRLAUNC"

/* What becomes of a buffer. */
enum { JR_LAUNCH_AFTER_NONE = 0, JR_LAUNCH_AFTER_SAME = 1, JR_LAUNCH_AFTER_OTHER = 2 };

struct jr_replay {
    jr_replay_info info;
    bool has_program;
    jr_program program;
    jr_image *image;
    jr_replay_argument *arguments;
    jr_replay_buffer *buffers;
    uint8_t *body;  /* the others point into it */
    void *lists[4]; /* of the program: constants, headers, options, folders */
};

/* Reads a file. Errors: those of the public jr_replay_open. */
jr_status jr_launch_file_read(const char *path, jr_replay **replay);
void jr_launch_file_free(jr_replay *replay); /* NULL is fine */

/* Appends the beginning of the body: the program, or that the launch has no program (NULL). */
void jr_launch_file_put_program(jr_text *body, const jr_program *program);

/* Writes folder/name, whole or not at all. program: as jr_launch_file_put_program made it; the launch's own program is
 * not looked at. Errors: JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_launch_file_write(const jr_replay *launch, const jr_text *program, const char *folder, const char *name);

#endif
