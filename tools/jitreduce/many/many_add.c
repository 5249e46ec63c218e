/* Copies the command line's options for each work, and finds which columns the works share. */
#include "many_add.h"

#include <stdlib.h>
#include <string.h>

#include "fold/request.h"
#include "options/option_use.h"
#include "parse/option_parse.h"

static bool same_texts(const cli_literals *a, const cli_literals *b) {
    if (a == NULL || b == NULL || a->count != b->count) return a == b;
    for (int i = 0; i < a->count; i++)
        if (a->texts[i].length != b->texts[i].length ||
            memcmp(a->texts[i].begin, b->texts[i].begin, a->texts[i].length) != 0)
            return false;
    return true;
}

static bool same_column(const cli_column_name *a, const cli_column_name *b) {
    const bool named = a->number == b->number && a->doubled == b->doubled && a->length == b->length &&
                       (a->length == 0 || memcmp(a->name, b->name, a->length) == 0);
    return named && a->divides == b->divides && a->whole_line == b->whole_line && same_texts(a->texts, b->texts);
}

static cli_exit add_columns(cli_many *many, cli_many_work *work, cli_error *error) {
    const cli_table_form *table = &work->options.table;
    for (int i = 0; i < table->column_count; i++) {
        cli_column_name column = table->columns[i];
        int at = 0;
        column.divides = column.texts == NULL && cli_options_read_floats(&work->options);
        if (column.number != 0) column.length = 0;
        while (at < many->column_count && !same_column(&many->columns[at], &column)) at++;
        if (at == CLI_MANY_MAX) return cli_fail(error, CLI_USAGE, "--column, --op: more than %d columns", CLI_MANY_MAX);
        if (at == many->column_count) many->columns[many->column_count++] = column;
        work->inputs[i] = at;
    }
    return CLI_OK;
}

cli_exit cli_many_add(const cli_options *options, cli_many *many, cli_piece text, cli_piece label, cli_many_work **work,
                      cli_error *error) {
    if (many->count == many->room) {
        const int room = many->room > 0 ? 2 * many->room : 8;
        cli_many_work *larger = realloc(many->works, (size_t)room * sizeof *larger);
        if (larger == NULL) return cli_fail(error, CLI_FAILURE, "--column, --op: out of memory");
        many->works = larger;
        many->room = room;
    }
    cli_many_work *made = &many->works[many->count++];
    *made = (cli_many_work){.options = *options};
    made->options.many = false;
    made->options.op_calls = made->options.column_list = NULL;
    made->options.table.column_count = 0;
    memset(made->options.table.columns, 0, sizeof made->options.table.columns);
    made->text = strndup(text.begin, text.length);
    made->label = strndup(label.begin, label.length);
    *work = made;
    return made->text != NULL && made->label != NULL ? CLI_OK
                                                     : cli_fail(error, CLI_FAILURE, "--column, --op: out of memory");
}

cli_exit cli_many_settle(cli_many *many, cli_many_work *work, cli_error *error) {
    cli_options *own = &work->options;
    cli_table_form *table = &own->table;
    if (own->counts && table->column_count == 0 && own->group_by == NULL)
        table->columns[table->column_count++] = cli_column_of_lines();
    own->spec.type = cli_options_type(own, 0);
    cli_exit code = cli_options_settle(own, error);
    if (code == CLI_OK) code = cli_options_check_use(own, CLI_SCOPE_REDUCE, error);
    if (code == CLI_OK) code = cli_request_check(own, error);
    if (code == CLI_OK) code = cli_options_check_names(own, error);
    if (code == CLI_OK && table->column_count == 0)
        code = cli_fail(error, CLI_USAGE, "--op: '%s': names no column of the table: sum(price)", work->label);
    return code == CLI_OK ? add_columns(many, work, error) : code;
}
