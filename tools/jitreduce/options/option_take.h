/* What takes the arguments of options, for their table. */
#ifndef CLI_OPTION_TAKE_H
#define CLI_OPTION_TAKE_H

#include "option_plain.h"

/* What is more than a plain number or word. */
cli_take cli_take_algorithm, cli_take_device, cli_take_ops, cli_take_types, cli_take_param, cli_take_struct,
    cli_take_axis, cli_take_shape, cli_take_sizes, cli_take_peer, cli_take_bench_data, cli_take_state, cli_take_plot;

/* What a kernel of the caller's is run with. */
cli_take cli_take_define, cli_take_include, cli_take_nvrtc_option, cli_take_argument, cli_take_output, cli_take_tuned,
    cli_take_show, cli_take_launch;

/* How a text is to be read. */
cli_take cli_take_columns, cli_take_delimiter, cli_take_decimal, cli_take_na, cli_take_missing, cli_take_key_type,
    cli_take_thousands, cli_take_header, cli_take_comment;

/* How numbers are printed; --format also takes how a file is read. */
cli_take cli_take_format, cli_take_round;

/* Whether what --keys, or --group-by without --column, names is a file: one that is there, or is written as one. */
bool cli_keys_are_file(const char *name);

/* Beside --column, --group-by and --keys name a column of the same text (--group-by a list of them), or a file that
 * exists: '-', or a name with a point or a slash. In double quotes it is a column. To be called when all options are
 * known. */
cli_exit cli_settle_keyed(cli_options *options, cli_error *error);

/* Takes one column of a list: a number, a name, or a name in double quotes. *next: where the next one begins, NULL: it
 * was the last. False: it is no column. */
bool cli_take_column(const char *at, cli_column_name *column, const char **next);

/* Columns from one to another, both included; at neither number nor length: the first, or the last of the table. */
typedef struct cli_column_range {
    cli_column_name first, last;
    size_t length; /* of its text */
} cli_column_range;

/* The columns that an item of a list names: "*", "2-5", "2-", "price:tax", "price:". False: it is a column alone. */
bool cli_take_column_range(const char *at, cli_column_range *range, const char **next);

/* The row of a name that the table surely has. */
int cli_option_find(const char *name);

#endif
