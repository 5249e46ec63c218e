/* Takes lists of columns apart: '*', 2-5, price:tax, price. */
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
    if (peek->beyond)
        return cli_fail(error, CLI_FAILURE, "--column: the table has more than %d columns: name those that are wanted",
                        CLI_MANY_MAX);
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

/* ---- ranges ---- */

static bool has_name(const char *name, const cli_column_name *column) {
    size_t at = 0;
    for (size_t i = 0; i < column->length; i++, at++) {
        if (name[at] != column->name[i]) return false;
        i += column->doubled && column->name[i] == '"';
    }
    return name[at] == '\0';
}

/* How many columns have a name; *number: the first of these. */
static uint64_t find_named(const cli_table_peek *peek, const cli_column_name *column, uint64_t *number) {
    uint64_t found = 0;
    for (uint64_t i = peek->count; peek->named && i > 0; i--) {
        if (!has_name(peek->names[i - 1], column)) continue;
        *number = i;
        found++;
    }
    return found;
}

static cli_exit fail_name(const cli_table_peek *peek, const cli_column_name *column, uint64_t found, cli_error *error) {
    char typed[CLI_SUGGEST_BYTES], hint[CLI_HINT_BYTES];
    cli_nearest nearest = {.typed = typed};
    snprintf(typed, sizeof typed, "%.*s", (int)column->length, column->name);
    for (uint64_t i = 0; peek->named && i < peek->count; i++)
        cli_nearest_offer(&nearest, peek->names[i], strlen(peek->names[i]));
    if (found > 1)
        return cli_fail(error, CLI_USAGE, "--column: %llu columns are named '%s': give the range by numbers",
                        (unsigned long long)found, typed);
    if (!peek->named)
        return cli_fail(error, CLI_USAGE, "--column: a range from or to '%s': no line names the columns: give numbers",
                        typed);
    return cli_fail(error, CLI_USAGE, "--column: a range: no column is named '%s'%s", typed,
                    cli_nearest_hint(&nearest, "", hint));
}

/* The number of one end of a range. */
static cli_exit find_end(const cli_table_peek *peek, const cli_column_name *column, uint64_t *number,
                         cli_error *error) {
    if (column->number != 0) *number = column->number;
    if (column->number != 0 || column->length == 0) return CLI_OK;
    const uint64_t found = find_named(peek, column, number);
    return found == 1 ? CLI_OK : fail_name(peek, column, found, error);
}

/* A column may have the text of a range for its name. */
static cli_exit check_whole(const cli_table_peek *peek, const cli_column_name *whole, bool is_range, cli_error *error) {
    uint64_t number = 0;
    const int length = (int)whole->length;
    if (find_named(peek, whole, &number) == 0) return CLI_OK;
    return cli_fail(error, CLI_USAGE,
                    "--column: %.*s: is the name of column %llu%s: the column is written '\"%.*s\"'%s", length,
                    whole->name, (unsigned long long)number, is_range ? ", and a range of columns" : "", length,
                    whole->name, is_range ? ", in double quotes, and the range by numbers" : ", in double quotes");
}

static cli_exit add_range(const cli_options *options, const cli_table_peek *peek, const char *text,
                          const cli_column_range *range, cli_many *many, cli_error *error) {
    const cli_column_name whole = {.name = text, .length = range->length};
    const int length = (int)range->length;
    uint64_t first = 1, last = peek->count;
    cli_exit code = find_end(peek, &range->first, &first, error);
    if (code == CLI_OK) code = find_end(peek, &range->last, &last, error);
    const cli_exit alone = check_whole(peek, &whole, code == CLI_OK, error);
    if (code != CLI_OK || alone != CLI_OK) return CLI_USAGE;
    if (last > peek->count || first > peek->count)
        return cli_fail(error, CLI_USAGE, "--column: %.*s: the table has columns 1 to %llu", length, text,
                        (unsigned long long)peek->count);
    if (first > last)
        return cli_fail(error, CLI_USAGE, "--column: %.*s: ends before it begins, with column %llu before column %llu",
                        length, text, (unsigned long long)last, (unsigned long long)first);
    for (uint64_t i = first; code == CLI_OK && i <= last; i++) code = add_number(options, peek, i, many, error);
    return code;
}

/* A column that stands alone in the list. */
static cli_exit add_single(const cli_options *options, const cli_table_peek *peek, const cli_column_name *column,
                           cli_many *many, cli_error *error) {
    char label[256];
    size_t used = 0;
    if (column->number > peek->count)
        return cli_fail(error, CLI_USAGE, "--column: %llu: the table has columns 1 to %llu",
                        (unsigned long long)column->number, (unsigned long long)peek->count);
    if (column->number != 0) return add_number(options, peek, column->number, many, error);
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
        cli_column_range range;
        if (cli_take_column_range(at, &range, &next))
            code = *at == '*' ? add_all(options, peek, many, error) : add_range(options, peek, at, &range, many, error);
        else if (cli_take_column(at, &column, &next))
            code = add_single(options, peek, &column, many, error);
        else
            return cli_fail(error, CLI_USAGE,
                            "--column: '%s' is not a list of columns like price, 3,4, 2-5 or price:tax",
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
