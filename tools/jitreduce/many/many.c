/* jitreduce reduce: reads the columns of all works, each once, does one work after another on the same device, and
 * prints them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"
#include "many_print.h"
#include "many_works.h"
#include "options/command.h"
#include "reduce/work.h"

/* ---- reading ---- */

/* Looks at the first lines: of a file that was closed, which is opened again, or of one that is open. */
static cli_exit peek_at(const cli_options *options, cli_part *part, cli_table_peek *peek, cli_error *error) {
    cli_source own = {.name = NULL}, *source = part->source.name != NULL ? &part->source : &own;
    const size_t most = 4 * (size_t)CLI_LINE_BYTES;
    cli_exit code = source == &own ? cli_source_open(cli_files_of(options)[0], &own, error) : CLI_OK;
    peek->more = true;
    for (size_t bytes = CLI_AHEAD_BYTES; code == CLI_OK && peek->more && bytes <= most; bytes *= 8) {
        code = cli_source_look(source, bytes, error);
        cli_table_peek_free(peek);
        if (code == CLI_OK)
            code = cli_table_peek_at(&options->table, source->ahead, source->ahead_bytes, source->ended, peek, error);
    }
    cli_source_close(&own);
    return code;
}

/* The options with which all columns are read. */
static cli_options options_of_all(const cli_options *options, const cli_many *many) {
    const cli_table_form *first = &many->works[0].options.table;
    cli_options all = *options;
    all.table = *first;
    all.table.column_count = 1;
    all.table.many = many->columns;
    all.table.many_count = many->column_count;
    for (int i = 0; i < many->count; i++) all.table.uses_index |= many->works[i].options.table.uses_index;
    all.spec.type = cli_options_type(&all, 0);
    return all;
}

/* The inputs of one work, which the columns of all lend. */
static void lend(const cli_many_work *work, const cli_input *columns, cli_inputs *inputs) {
    *inputs = (cli_inputs){.count = work->options.table.column_count,
                           .element_count = columns[0].count,
                           .whole_count = columns[0].whole_count};
    for (int i = 0; i < inputs->count; i++) {
        inputs->input[i] = columns[work->inputs[i]];
        inputs->input[i].keys = columns[0].keys;
        inputs->types[i] = inputs->input[i].type;
        inputs->arrays[i] = inputs->input[i].elements;
        inputs->bytes += inputs->input[i].count * inputs->input[i].element_bytes;
    }
}

/* ---- works ---- */

static cli_exit run_work(cli_many_work *work, const cli_input *columns, const cli_devices *devices, cli_error *error) {
    cli_inputs inputs;
    cli_options own = work->options;
    cli_work *reduce = own.group_by != NULL ? cli_groups_reduce : cli_whole_reduce;
    if (!cli_sink_open(&work->sink)) return cli_fail(error, CLI_FAILURE, "results: out of memory");
    own.sink = &work->sink;
    lend(work, columns, &inputs);
    const cli_exit code = cli_work_on(&own, &inputs, devices, reduce, error);
    if (code != CLI_OK) {
        const size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, " (%s)", work->label);
        return code;
    }
    return cli_sink_end(&work->sink) ? CLI_OK : cli_fail(error, CLI_FAILURE, "results: out of memory");
}

static cli_exit run_works(const cli_options *all, cli_many *many, const cli_input *columns, cli_error *error) {
    cli_devices devices = {.group = NULL};
    cli_exit code = cli_devices_open(all, &devices, error);
    for (int i = 0; code == CLI_OK && i < many->count; i++) {
        cli_sink *sink = &many->works[i].sink;
        sink->json = all->json;
        sink->separator = all->tabs ? '\t' : all->csv ? ',' : ' ';
        sink->takes_keys = i == 0;
        code = run_work(&many->works[i], columns, &devices, error);
    }
    cli_devices_close(&devices);
    return code;
}

static cli_exit read_and_run(const cli_options *options, cli_many *many, cli_input *opened, cli_error *error) {
    const cli_options all = options_of_all(options, many);
    cli_input *columns = calloc((size_t)many->column_count, sizeof *columns);
    if (columns == NULL) return cli_fail(error, CLI_FAILURE, "--column: out of memory");
    cli_exit code = cli_input_read_opened(&all, NULL, opened, columns, error);
    if (code == CLI_OK) {
        code = run_works(&all, many, columns, error);
        for (int i = 0; i < many->column_count; i++) cli_input_free(&columns[i]);
    }
    free(columns);
    return code;
}

/* What is opened has the form of tables: a column is enough to say so. */
static cli_exit open_table(const cli_options *options, cli_input *opened, cli_table_peek *peek, cli_error *error) {
    cli_options table = *options;
    if (table.table.column_count == 0) table.table.columns[0] = (cli_column_name){.number = 1};
    table.table.column_count = 1;
    const cli_exit code = cli_input_open(&table, opened, error);
    return code == CLI_OK ? peek_at(&table, &opened->parts[0], peek, error) : code;
}

cli_exit cli_reduce_run(const cli_options *options, cli_error *error) {
    if (!options->many) return cli_reduce_alone(options, error);
    cli_many many = {.count = 0};
    cli_table_peek peek = {.count = 0};
    cli_input opened = {.count = 0};
    if (cli_output_is_array(options))
        return cli_fail(error, CLI_USAGE, "--output: '%s': an array has no place for names: name a .csv or .json file",
                        options->output);
    cli_exit code = open_table(options, &opened, &peek, error);
    if (code == CLI_OK) code = cli_many_make(options, &peek, &many, error);
    if (code == CLI_OK && many.count == 0)
        code = cli_fail(error, CLI_FAILURE, "--column: the table has no column of numbers");
    if (code == CLI_OK) code = read_and_run(options, &many, &opened, error);
    if (code == CLI_OK) code = cli_many_print(options, &many, error);
    cli_input_free(&opened);
    cli_many_free(&many);
    cli_table_peek_free(&peek);
    return code;
}
