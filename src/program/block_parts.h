/* The library's own headers in a caller's program: what #include <jitreduce/block.cuh> finds. */
#ifndef JR_PROGRAM_BLOCK_PARTS_H
#define JR_PROGRAM_BLOCK_PARTS_H

#include <stdbool.h>

#include "jitreduce/kernel.h"

/* A program with further virtual headers. */
typedef struct jr_block_parts {
    jr_program program;
    jr_named_text *headers;
    char **made; /* their names and texts */
    size_t made_count;
} jr_block_parts;

/* Adds what a program's texts ask for by <jitreduce/...>; text: the source with its constants; *parts stays NULL where
 * they ask for nothing of it. All comes under names that begin with "jitreduce/", which no header of the caller's may
 * have then. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_block_parts_add(const jr_program *program, const char *text, jr_block_parts **parts);
void jr_block_parts_free(jr_block_parts *parts); /* NULL is fine */

#endif
