/* The fields of a line of a table. */
#ifndef CLI_TABLE_FIELDS_H
#define CLI_TABLE_FIELDS_H

#include <stdbool.h>

/* A field of a line. */
typedef struct cli_field {
    const char *begin, *end;         /* without blanks and quotes around it */
    const char *raw_begin, *raw_end; /* with the blanks around it where it is not quoted */
    bool quoted;
    bool doubled; /* quotes in it stand twice */
} cli_field;

/* White space that is no separator and ends no line. */
bool cli_field_blank(char c, char separator);

/* Finds the field at `at`, and returns its end: a separator, a newline, or the end of what there is, as it is also of a
 * quoted field that does not end there: *open. */
const char *cli_field_find(const char *at, const char *end, char separator, cli_field *field, bool *open);

/* The end of the line whose fields begin at `at`; NULL: it is not here, for a quoted field or the line does not end. */
const char *cli_fields_end(const char *at, const char *end, char separator);

/* A carriage return outside quotes that does not end a line; NULL: not found. */
const char *cli_lone_return(const char *at, const char *end);

#endif
