/* Arrays and raw files read one after the other, a block at a time. */
#ifndef CLI_BINARY_INPUT_H
#define CLI_BINARY_INPUT_H

#include "cli_parts.h"
#include "io/progress.h"

/* Begin with all members but the first ones zero. The reader appends elements to the vector, which has their type. */
typedef struct cli_binary_reader {
    cli_part *parts;
    int part_count;
    cli_vector *vector;
    uint64_t skip, left;    /* elements that are skipped at the beginning; those that are taken then, at most */
    cli_progress *progress; /* NULL: none is shown */

    int at;            /* the part that is read */
    bool begun;        /* some of it has been read */
    char *block;       /* of a part that streams */
    size_t filled;     /* bytes of the block */
    uint64_t begin;    /* where the block begins in the file */
    uint64_t taken;    /* items of the part */
    bool ended;        /* its file has */
    uint64_t elements; /* of all parts so far, skipped or read */
} cli_binary_reader;

/* Reads one block more. *more: whether something is left to read; what follows the last element that is wanted is not
 * looked at. Fails as cli_read_npy and cli_read_raw do. */
cli_exit cli_binary_read(cli_binary_reader *reader, bool *more, cli_error *error);

/* Frees the block. */
void cli_binary_close(cli_binary_reader *reader);

/* Reads the elements of one part, `wanted` of them at most (UINT64_MAX: all), into part->data, in C order. bytes: of an
 * element. */
cli_exit cli_binary_keep(cli_part *part, jr_type type, size_t bytes, uint64_t wanted, cli_error *error);

#endif
