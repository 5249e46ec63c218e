/* Writes results into memory, in the form in which they are printed. */
#include "sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_sink_open(cli_sink *sink) {
    sink->out = open_memstream(&sink->bytes, &sink->size);
    sink->keys = open_memstream(&sink->key_bytes, &sink->key_size);
    return sink->out != NULL && sink->keys != NULL;
}

static void take_value(cli_sink *sink, const cli_options *options, jr_op op, const jr_value *value,
                       const jr_structure *structure) {
    char text[CLI_VALUE_BYTES];
    const jr_value rounded = cli_value_rounded(options, op, value);
    if (sink->json)
        cli_json_value(sink->out, &rounded, structure);
    else
        cli_value_field(sink->out, cli_value_shown(options, op, value, structure, text), sink->separator);
    fputc('\0', sink->out);
}

static void take_heads(cli_sink *sink, const cli_report *report) {
    sink->rows = 0;
    sink->value_count = report->value_count;
    for (int i = 0; i < report->value_count; i++) {
        snprintf(sink->names[i], sizeof sink->names[i], "%s", cli_value_name(report->ops, report->op_count, i));
        sink->types[i] = report->values[i].type;
    }
}

cli_exit cli_sink_take_report(cli_sink *sink, const cli_report *report, cli_error *error) {
    take_heads(sink, report);
    sink->rows = 1;
    for (int i = 0; i < report->value_count; i++)
        take_value(sink, report->options, i < report->op_count ? report->ops[i] : JR_OP_NONE, &report->values[i],
                   report->structure);
    return ferror(sink->out) ? cli_fail(error, CLI_FAILURE, "results: out of memory") : CLI_OK;
}

static void take_key(cli_sink *sink, const cli_results *results, uint64_t index) {
    if (sink->json)
        cli_keys_json(sink->keys, results->keys, results->key_count, index);
    else
        cli_keys_print(sink->keys, results->keys, results->key_count, index, sink->separator);
    fputc('\0', sink->keys);
}

cli_exit cli_sink_take_results(cli_sink *sink, const cli_results *results, const cli_report *report, cli_error *error) {
    take_heads(sink, report);
    sink->key_count = results->key_count;
    for (int k = 0; k < results->key_count; k++) sink->key_types[k] = cli_keys_type(&results->keys[k]);
    for (uint64_t i = 0; i < results->data.count; i++) {
        if (!cli_results_shown(results, i)) continue;
        sink->rows++;
        if (sink->takes_keys) take_key(sink, results, i);
        for (int k = 0; k < report->value_count; k++) {
            const jr_value value = cli_results_value(results, i, k);
            take_value(sink, results->options, cli_results_op(results, k), &value, report->structure);
        }
    }
    return ferror(sink->out) || ferror(sink->keys) ? cli_fail(error, CLI_FAILURE, "results: out of memory") : CLI_OK;
}

bool cli_sink_end(cli_sink *sink) {
    const bool out = sink->out != NULL && fclose(sink->out) == 0, keys = sink->keys != NULL && fclose(sink->keys) == 0;
    sink->out = sink->keys = NULL;
    return out && keys;
}

void cli_sink_close(cli_sink *sink) {
    (void)cli_sink_end(sink);
    free(sink->bytes);
    free(sink->key_bytes);
    *sink = (cli_sink){.json = false};
}
