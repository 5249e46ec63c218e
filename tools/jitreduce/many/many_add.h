/* Adds works one after another: each has options as if it stood alone on the command line. */
#ifndef CLI_MANY_ADD_H
#define CLI_MANY_ADD_H

#include "many_data.h"

/* A text that is copied. */
typedef struct cli_piece {
    const char *begin;
    size_t length;
} cli_piece;

/* Adds a work with copies of a text and a label. *work: valid until the next one is added. */
cli_exit cli_many_add(const cli_options *options, cli_many *many, cli_piece text, cli_piece label, cli_many_work **work,
                      cli_error *error);

/* Settles a work whose operators, column or expression are known: everything that can be wrong with it is found before
 * the table is read. Adds its columns to those of all. */
cli_exit cli_many_settle(cli_many *many, cli_many_work *work, cli_error *error);

#endif
