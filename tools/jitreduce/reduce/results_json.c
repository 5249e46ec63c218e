/* The JSON object of many results, and how a subcommand prints them. */
#include <stdio.h>
#include <stdlib.h>

#include "fold/wide.h"
#include "sink.h"
#include "work.h"

/* All values of one operator. */
static void print_values(const cli_results *results, int number, const jr_structure *structure) {
    bool any = false;
    putchar('[');
    for (uint64_t i = 0; i < results->data.count; i++) {
        if (!cli_results_shown(results, i)) continue;
        const jr_value made = cli_results_value(results, i, number);
        const jr_value value = cli_value_rounded(results->options, cli_results_op(results, number), &made);
        if (any) fputs(", ", stdout);
        cli_json_value(stdout, &value, structure);
        any = true;
    }
    putchar(']');
}

/* The operator; of apply all whose results the expression has, "mean,std". */
static void print_op(const cli_results *results, const cli_report *report) {
    const cli_options *options = results->options;
    if (options->spec.apply == NULL) fputs(cli_value_name(report->ops, report->op_count, 0), stdout);
    for (int i = 0; options->spec.apply != NULL && i < options->op_count; i++)
        printf("%s%s", i > 0 ? "," : "", jr_op_name(options->ops[i]));
}

/* "results": [...], "type": t, "op": o; of several operators each by its name. */
static void print_results(const cli_results *results, const cli_report *report) {
    if (report->value_count == 1) {
        fputs("\"results\": ", stdout);
        print_values(results, 0, report->structure);
        printf(", \"type\": \"%s\", \"op\": \"", cli_type_name(report->values[0].type));
        print_op(results, report);
        putchar('"');
        return;
    }
    fputs("\"results\": {", stdout);
    for (int i = 0; i < report->value_count; i++) {
        printf("%s\"%s\": {\"values\": ", i > 0 ? ", " : "", cli_value_name(report->ops, report->op_count, i));
        print_values(results, i, report->structure);
        printf(", \"type\": \"%s\"}", cli_type_name(report->values[i].type));
    }
    putchar('}');
}

static void print_keys(const cli_options *options, const cli_results *results) {
    jr_type types[CLI_KEYS_MAX];
    bool any = false;
    cli_keys_json_names(stdout, options);
    fputs("\"keys\": [", stdout);
    for (uint64_t i = 0; i < results->data.count; i++) {
        if (!cli_results_shown(results, i)) continue;
        if (any) fputs(", ", stdout);
        cli_keys_json(stdout, results->keys, results->key_count, i);
        any = true;
    }
    fputs("], ", stdout);
    for (int k = 0; k < results->key_count; k++) types[k] = cli_keys_type(&results->keys[k]);
    cli_keys_json_types(stdout, types, results->key_count);
    fputs(", ", stdout);
}

/* Bytes that are no UTF-8 have no form in JSON: two keys of them would be printed alike. */
static cli_exit check_texts(const cli_results *results, const cli_key_text *texts, cli_error *error) {
    for (uint64_t i = 0; texts != NULL && i < results->data.count; i++) {
        const cli_key_text *key = &texts[i];
        char quoted[64];
        if (!cli_results_shown(results, i) || cli_key_text_is_utf8(key)) continue;
        return cli_fail(error, CLI_FAILURE,
                        "the key '%s' is not UTF-8, which JSON needs: convert the input first, as by iconv -f LATIN1 "
                        "-t UTF-8, or --csv keeps the bytes",
                        cli_quote(key->begin, key->begin + key->length, quoted));
    }
    return CLI_OK;
}

static cli_exit check_keys(const cli_results *results, cli_error *error) {
    cli_exit code = CLI_OK;
    for (int k = 0; code == CLI_OK && k < results->key_count; k++)
        code = check_texts(results, results->keys[k].texts, error);
    return code;
}

static uint64_t count_shown(const cli_results *results) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < results->data.count; i++) count += cli_results_shown(results, i);
    return count;
}

static void print_json(const cli_results *results, const cli_report *report, const char *kind) {
    putchar('{');
    if (results->key_count > 0) print_keys(results->options, results);
    print_results(results, report);
    if (kind != NULL) printf(", \"kind\": \"%s\"", kind);
    fputs(", \"shape\": [", stdout);
    for (int i = 0; i < results->data.shape.dimensions; i++)
        printf("%s%llu", i > 0 ? ", " : "",
               (unsigned long long)(results->drops_empty ? count_shown(results) : results->data.shape.sizes[i]));
    putchar(']');
    cli_json_rest(stdout, report);
}

/* Keeps results in f64, and where empty ones are not shown how many elements each is of. */
static cli_exit collect(cli_wide *wide, const cli_results *results, cli_error *error) {
    const int value_count = results->request->results.count;
    const uint64_t count = results->data.count;
    double *numbers = calloc(count * (uint64_t)value_count + 1, sizeof *numbers);
    free(wide->counts);
    wide->counts = NULL;
    if (results->drops_empty) wide->counts = calloc(count + 1, sizeof *wide->counts);
    if (numbers == NULL || (results->drops_empty && wide->counts == NULL)) {
        free(numbers);
        return cli_fail(error, CLI_FAILURE, "results: out of memory");
    }
    for (uint64_t i = 0; results->drops_empty && i < count; i++) wide->counts[i] = cli_results_count(results, i);
    for (uint64_t i = 0; i < count * (uint64_t)value_count; i++) {
        const jr_value value = cli_results_value(results, i / (uint64_t)value_count, (int)(i % (uint64_t)value_count));
        (void)jr_value_number(&value, &numbers[i]);
    }
    cli_wide_keep(wide, numbers, count, value_count);
    return CLI_OK;
}

/* Says which results are floats, and makes that their type. */
static void note_wide(const cli_options *options, const cli_results *results, cli_report *report) {
    for (int i = 0; i < report->value_count; i++) {
        const cli_wide_tally tally = cli_results_tally(results, i);
        cli_wide_note(options, cli_value_name(report->ops, report->op_count, i), results->request->results.types[i],
                      &tally, results->data.count);
        if (tally.floats > 0) report->values[i].type = JR_F64;
    }
}

cli_exit cli_work_tell(const cli_options *options, const cli_results *results, const cli_inputs *inputs,
                       const cli_devices *devices, const char *kind, cli_error *error) {
    cli_results wide = *results;
    cli_report report = {.op_count = 0};
    if (options->wide != NULL && options->wide->collecting) return collect(options->wide, results, error);
    cli_exit code = cli_work_report(results->request, inputs, devices, &report, error);
    if (code != CLI_OK) return code;
    wide.options = options;
    if (options->json) code = check_keys(&wide, error);
    if (code != CLI_OK) return code;
    note_wide(options, &wide, &report);
    if (options->sink != NULL) return cli_sink_take_results(options->sink, &wide, &report, error);
    if (options->json)
        print_json(&wide, &report, kind);
    else
        code = cli_results_tell(options, &wide, error);
    if (code == CLI_OK && options->stats) cli_report_stats(&report, stderr);
    return code;
}
