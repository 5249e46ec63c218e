/* What was read of an input: its elements, their type, and the files that they lie in. */
#ifndef CLI_INPUT_DATA_H
#define CLI_INPUT_DATA_H

#include "cli_parts.h"
#include "io/data.h"
#include "text/cli_text.h"
#include "text/key_column.h"

typedef struct cli_input {
    jr_type type;
    bool open;            /* the type is the one that the numbers need: none was asked for */
    bool divided;         /* whole numbers, which are f64 because an expression divides, and were not rounded yet */
    size_t element_bytes; /* 0 where there is neither an element nor a type */
    uint64_t count;       /* of ranks, of this one's share */
    uint64_t whole_count; /* of all ranks */
    uint64_t first;       /* the number of the first one in what was read */
    bool narrowed;        /* --offset and --count have been applied while it was read */
    cli_shape shape;      /* of the one .npy file that the elements, of all ranks, are all of; else flat */
    const void *elements; /* in `joined` or in a part */
    cli_data joined;      /* generated elements, texts, or several parts joined */
    cli_part *parts;
    int part_count;
    cli_key_column keys;   /* of --group-by in a table, or of a file of words: of every line, or word, that was read */
    uint64_t keyless;      /* words that stand for a missing key */
    cli_line_counts lines; /* of a file of words */
} cli_input;

#endif
