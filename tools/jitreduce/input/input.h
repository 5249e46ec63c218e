/* The input of a reduction: everything that the command line names, as one run of elements of one type; of a table with
 * several columns that are wanted, as many runs. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli_parts.h"
#include "fold/fold.h"
#include "io/data.h"
#include "text/key_column.h"

typedef struct cli_input {
    jr_type type;
    bool open;            /* the type is the one that the numbers need: none was asked for */
    size_t element_bytes; /* 0 where there is neither an element nor a type */
    uint64_t count;       /* of ranks, of this one's share */
    uint64_t whole_count; /* of all ranks */
    uint64_t first;       /* the number of the first one in what was read */
    bool narrowed;        /* --offset and --count have been applied while it was read */
    cli_shape shape;      /* of the one .npy file that the elements, of all ranks, are all of; else flat */
    const void *elements; /* in `joined` or in a part */
    cli_data joined;      /* generated elements, texts, or several parts one behind the other */
    cli_part *parts;
    int part_count;
    cli_key_column keys; /* of --group-by in a table, or of a file of words: of every line, or word, that was read */
} cli_input;

/* Reads options->files (none: standard input) as options->spec.type or generates elements, then applies --offset and
 * --count. Writes *input on success only; the caller frees it. */
cli_exit cli_input_read(const cli_options *options, cli_input *input, cli_error *error);

/* Does so; and where the options name several columns, writes an input for each of them. fold: is given elements of
 * texts while they come, and keeps those that it takes; NULL: all of them are kept. */
cli_exit cli_input_read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error);

/* Opens the files of an input, which begins all zero: their formats are known then. The caller frees it, on failure,
 * too. */
cli_exit cli_input_open(const cli_options *options, cli_input *input, cli_error *error);

/* Does what cli_input_read_columns does for an input that was opened (or is generated), which it takes. */
cli_exit cli_input_read_opened(const cli_options *options, cli_fold *fold, cli_input *opened, cli_input *inputs,
                               cli_error *error);

/* Fails where --offset or --count asks for more elements than there are. */
cli_exit cli_input_check_count(const cli_options *options, uint64_t elements, cli_error *error);

/* Frees an input; a zeroed struct is fine. */
void cli_input_free(cli_input *input);

#endif
