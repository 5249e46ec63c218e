/* How the command line says that a text is to be read. */
#ifndef CLI_TABLE_FORM_H
#define CLI_TABLE_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include <jitreduce.h>

/* A text of an expression. */
typedef struct cli_literal {
    const char *begin;
    size_t length;
} cli_literal;

/* The texts that a column is compared with, in order of their bytes. */
typedef struct cli_literals {
    const cli_literal *texts;
    int count;
} cli_literals;

/* A column by its number, or, number 0, by its name in the first line. */
typedef struct cli_column_name {
    uint64_t number;
    const char *name; /* borrowed */
    size_t length;
    bool doubled;              /* quotes in the name stand twice */
    const char *option;        /* whose expression names it, "map"; NULL: --column or --group-by does */
    const char *advice;        /* of the library about the name, which it does not know; NULL: none */
    const cli_literals *texts; /* its fields are compared with these; NULL: they are numbers */
    bool whole_line;           /* the line, whatever is in it: an element that is never missing, without a value */
    bool divides;              /* of many: an expression divides, so that whole numbers are read as f64 */
} cli_column_name;

/* Columns of --group-by, at most. */
enum { CLI_KEYS_MAX = 8 };

/* The line itself as a column. */
cli_column_name cli_column_of_lines(void);

/* Lists of words for missing values: --na may be given again. */
enum { CLI_NA_MAX = 16 };

/* Whether the first line of a table names its columns. AUTO: by comparison with the second line (table_head.c). */
typedef enum cli_header { CLI_HEADER_AUTO = 0, CLI_HEADER_YES, CLI_HEADER_NO } cli_header;

/* All zero: every number of a text counts. */
typedef struct cli_table_form {
    cli_column_name columns[JR_INPUTS_MAX]; /* of x, y, z, w */
    int column_count;                       /* 0: every number counts */
    const cli_column_name *many;            /* of works that share a table, in place of x to w */
    int many_count;
    cli_column_name keys[CLI_KEYS_MAX]; /* of --group-by or --keys */
    int key_count;                      /* 0: no column has keys */
    char delimiter;                     /* '\0': what the first line has */
    bool decimal_comma;
    char thousands;      /* what may part the digits of a number in groups; '\0': nothing */
    char comment;        /* a line of a table that begins with it is skipped; '\0': none is */
    uint64_t skip_lines; /* lines that are skipped at the beginning */
    cli_header header;
    bool whole_lines;                         /* without columns: a line is a word, but for blank ones */
    bool empty_lines;                         /* with whole_lines: a blank line is a word, too, an empty one */
    bool raw_keys;                            /* keys keep the blanks around them */
    const char *missing;                      /* words for a missing value, separated by commas; NULL: no such words */
    const char *more_missing[CLI_NA_MAX - 1]; /* further lists of them */
    int more_count;
    bool uses_index;                   /* an expression names i, the index of an element */
    const cli_column_name *parameters; /* names of --param, which no column may have where expressions name columns */
    int parameter_count;
    bool skips_missing; /* a line with a missing value is skipped; else the value is NaN */
} cli_table_form;

/* Columns of works that share a table, at most. */
enum { CLI_MANY_MAX = 1024 };

/* How many arrays a text has so. */
static inline int cli_table_columns(const cli_table_form *form) {
    if (form->many != NULL) return form->many_count;
    return form->column_count > 0 ? form->column_count : 1;
}

/* A column that is read; from index cli_table_columns() on those of the keys. */
static inline const cli_column_name *cli_table_column(const cli_table_form *form, int index) {
    const int columns = cli_table_columns(form);
    if (index >= columns) return &form->keys[index - columns];
    return form->many != NULL ? &form->many[index] : &form->columns[index];
}

#endif
