/* Takes lists of columns apart: '*', 2-5, price. */
#include "many_works.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "many_add.h"
#include "many_calls.h"
#include "options/option_take.h"

/* Whether a column is one of --group-by. */
static bool is_key(const cli_options *options, const cli_table_peek *peek, uint64_t number) {
    const char *name = peek->named ? peek->names[number - 1] : "";
    cli_column_name key;
    for (const char *at = options->group_by; at != NULL && cli_take_column(at, &key, &at);)
        if (key.number != 0 ? key.number == number
                            : strlen(name) == key.length && memcmp(name, key.name, key.length) == 0)
            return true;
    return false;
}

/* The operators for a column, which is called so. */
static cli_exit add_column(const cli_options *options, const cli_column_name *column, const char *label,
                           size_t label_length, cli_many *many, cli_error *error) {
    cli_many_work *work;
    const cli_exit code =
        cli_many_add(options, many, (cli_piece){"", 0}, (cli_piece){label, label_length}, &work, error);
    if (code != CLI_OK) return code;
    work->options.table.columns[0] = *column;
    work->options.table.column_count = 1;
    return cli_many_settle(many, work, error);
}

static cli_exit add_number(const cli_options *options, const cli_table_peek *peek, uint64_t number, cli_many *many,
                           cli_error *error) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    const char *label = peek->named ? peek->names[number - 1] : text;
    return add_column(options, &(cli_column_name){.number = number}, label, strlen(label), many, error);
}

/* All columns but those of keys, and those that begin with a text: a note names the first of these. */
static cli_exit add_all(const cli_options *options, const cli_table_peek *peek, cli_many *many, cli_error *error) {
    uint64_t left = 0, first = 0;
    cli_exit code = CLI_OK;
    for (uint64_t i = 1; code == CLI_OK && i <= peek->count; i++) {
        const bool text = peek->words[i - 1] && !options->counts;
        if (is_key(options, peek, i)) continue;
        if (!text) code = add_number(options, peek, i, many, error);
        if (text && left++ == 0) first = i;
    }
    if (code == CLI_OK && left > 0 && !options->quiet)
        fprintf(stderr, "jitreduce: note: --column '*' has columns of numbers: column %llu%s%s%s is left out%s\n",
                (unsigned long long)first, peek->named ? ", '" : "", peek->named ? peek->names[first - 1] : "",
                peek->named ? "'," : "", left > 1 ? ", as are others" : "");
    return code;
}

static cli_exit add_range(const cli_options *options, const cli_table_peek *peek, const uint64_t range[2],
                          cli_many *many, cli_error *error) {
    cli_exit code = CLI_OK;
    if (range[0] == 0 || range[0] > range[1] || range[1] > peek->count)
        return cli_fail(error, CLI_USAGE, "--column: %llu-%llu: the table has columns 1 to %llu",
                        (unsigned long long)range[0], (unsigned long long)range[1], (unsigned long long)peek->count);
    for (uint64_t i = range[0]; code == CLI_OK && i <= range[1]; i++) code = add_number(options, peek, i, many, error);
    return code;
}

/* A column that stands alone in the list. */
static cli_exit add_single(const cli_options *options, const cli_table_peek *peek, const cli_column_name *column,
                           cli_many *many, cli_error *error) {
    char label[256];
    size_t used = 0;
    if (column->number != 0)
        return add_range(options, peek, (const uint64_t[]){column->number, column->number}, many, error);
    for (size_t i = 0; i < column->length && used < sizeof label; i++) {
        label[used++] = column->name[i];
        i += column->doubled && column->name[i] == '"';
    }
    return add_column(options, column, label, used, many, error);
}

static cli_exit take_list(const cli_options *options, const cli_table_peek *peek, cli_many *many, cli_error *error) {
    cli_exit code = CLI_OK;
    const char *next;
    for (const char *at = options->column_list; code == CLI_OK && at != NULL; at = next) {
        cli_column_name column;
        uint64_t range[2];
        if (cli_take_columns_range(at, &range[0], &range[1], &next))
            code = *at == '*' ? add_all(options, peek, many, error) : add_range(options, peek, range, many, error);
        else if (cli_take_column(at, &column, &next))
            code = add_single(options, peek, &column, many, error);
        else
            return cli_fail(error, CLI_USAGE, "--column: '%s' is not a list of columns like price, 3,4 or 2-5",
                            options->column_list);
    }
    return code;
}

cli_exit cli_many_make(const cli_options *options, const cli_table_peek *peek, cli_many *many, cli_error *error) {
    *many = (cli_many){.columns = calloc(CLI_MANY_MAX + 1, sizeof *many->columns)};
    if (many->columns == NULL) return cli_fail(error, CLI_FAILURE, "--column, --op: out of memory");
    return options->op_calls != NULL ? cli_many_calls(options, many, error) : take_list(options, peek, many, error);
}

void cli_many_free(cli_many *many) {
    for (int i = 0; i < many->count; i++) {
        cli_sink_close(&many->works[i].sink);
        free(many->works[i].options.named);
        free(many->works[i].text);
        free(many->works[i].label);
    }
    free(many->works);
    free(many->columns);
    *many = (cli_many){.count = 0};
}
