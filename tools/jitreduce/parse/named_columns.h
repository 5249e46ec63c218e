/* What expressions name: columns, and texts that these are compared with. */
#ifndef CLI_NAMED_COLUMNS_H
#define CLI_NAMED_COLUMNS_H

#include "options/cli_options.h"

enum { CLI_NAMED_BYTES = 4096, CLI_NAMES_MAX = 64, CLI_LITERALS_MAX = 256, CLI_EDITS_MAX = 1024 };

/* The expressions that may name columns. */
enum { CLI_NAMED_MAP, CLI_NAMED_WHERE, CLI_NAMED_COUNT };

/* What stands in the place of a part of an expression: the letter of a column, or the number of a text. */
typedef struct cli_edit {
    int expression, column;
    int literal; /* -1: a letter */
    size_t begin, length;
} cli_edit;

/* A letter or number is padded with blanks, so that the columns of messages are those of what was typed. */
typedef struct cli_named {
    const char *typed[CLI_NAMED_COUNT];                     /* NULL: not given */
    char written[CLI_NAMED_COUNT][2 * CLI_NAMED_BYTES + 1]; /* with letters */
    cli_edit edits[CLI_EDITS_MAX];
    int edit_count;
    cli_column_name columns[CLI_NAMES_MAX]; /* those of --column, then those of expressions, as they were found */
    bool compared[CLI_NAMES_MAX];           /* with texts */
    char advice[CLI_NAMES_MAX][160];        /* of the library */
    int column_count, given_count;          /* given: by --column */
    bool quoted; /* a name has backticks, or a text is there: no expression without columns */
    cli_literal literals[CLI_LITERALS_MAX]; /* as they were found; then those of each column by their bytes */
    int literal_columns[CLI_LITERALS_MAX], literal_count;
    char bytes[2 * CLI_NAMED_BYTES + 2]; /* of the literals */
    size_t byte_count;
    cli_literals lists[JR_INPUTS_MAX]; /* of each input that is compared with texts */
    cli_literal sorted[CLI_LITERALS_MAX];
    cli_column_name parameters[JR_PARAMETERS_MAX];
    char parameter_names[JR_PARAMETERS_MAX][32];
} cli_named;

#endif
