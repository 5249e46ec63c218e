/* Holds many results, and tells them. */
#include "results.h"

#include <stdio.h>
#include <string.h>

#include "npy_write.h"
#include "output.h"
#include "ranks.h"
#include "report.h"
#include "wide.h"

cli_exit cli_results_check(const cli_options *options, const cli_request *request, cli_error *error) {
    if (!cli_output_is_array(options)) return CLI_OK;
    if (request->results.count > 1)
        return cli_fail(error, CLI_USAGE, "--output: a file has one type: give a single operator, not %d results",
                        request->results.count);
    return cli_npy_check_type(request->results.types[0], error);
}

cli_exit cli_results_create(const cli_request *request, const cli_shape *shape, cli_results *results,
                            cli_error *error) {
    cli_results made = {.request = request};
    uint64_t count;
    if (!cli_shape_count(shape, &count)) return cli_fail(error, CLI_FAILURE, "results: 2^64 of them or more");
    cli_exit code =
        cli_data_create(&made.data, request->results.types[0], request->results.bytes, count, "results", error);
    if (code != CLI_OK) return code;
    made.data.shape = *shape;
    *results = made;
    return CLI_OK;
}

jr_value cli_results_value(const cli_results *results, uint64_t index, int number) {
    const jr_result_layout *layout = &results->request->results;
    const jr_type type = layout->types[number];
    const size_t bytes = type == JR_STRUCT ? results->request->structure.bytes : jr_type_size(type);
    const char *elements = results->data.elements;
    jr_value value = {.type = type};
    memcpy(value.as.bytes, elements + index * layout->bytes + layout->offsets[number], bytes);
    const cli_wide *wide = results->options != NULL ? results->options->wide : NULL;
    if (wide == NULL || wide->numbers == NULL || number >= results->request->op_count) return value;
    return cli_wide_value(results->options, results->request->ops[number], &value,
                          wide->numbers[index * (uint64_t)wide->value_count + (uint64_t)number], wide->all);
}

uint64_t cli_results_replaced(const cli_results *results, int number) {
    uint64_t replaced = 0;
    if (results->options == NULL || results->options->wide == NULL) return 0;
    for (uint64_t i = 0; i < results->data.count; i++)
        replaced += cli_results_value(results, i, number).type != results->request->results.types[number];
    return replaced;
}

/* The results of one operator as f64, where some of them are. */
static cli_exit write_wide(const cli_options *options, const cli_results *results, cli_error *error) {
    cli_data wide;
    cli_exit code = cli_data_create(&wide, JR_F64, sizeof(double), results->data.count, "results", error);
    if (code != CLI_OK) return code;
    double *to = wide.owned;
    wide.shape = results->data.shape;
    for (uint64_t i = 0; i < results->data.count; i++) {
        const jr_value value = cli_results_value(results, i, 0);
        (void)jr_value_number(&value, &to[i]);
    }
    code = cli_npy_write("--output", options->output, &wide, error);
    cli_data_free(&wide);
    return code;
}

jr_value cli_results_key(const cli_results *results, uint64_t index) {
    const size_t bytes = jr_type_size(results->keys->type);
    jr_value key = {.type = results->keys->type};
    memcpy(key.as.bytes, (const char *)results->keys->elements + index * bytes, bytes);
    return key;
}

static void print_head(const cli_results *results, const char *between) {
    const cli_request *request = results->request;
    if (results->keys != NULL || results->key_texts != NULL) printf("key%s", between);
    for (int i = 0; i < request->results.count; i++)
        printf("%s%s", i > 0 ? between : "", i < request->op_count ? jr_op_name(request->ops[i]) : "kept");
    putchar('\n');
}

static void print_line(const cli_results *results, const char *between, uint64_t index) {
    char text[CLI_VALUE_BYTES];
    if (results->keys != NULL) {
        const jr_value key = cli_results_key(results, index);
        printf("%s%s", cli_value_text(&key, NULL, text), between);
    }
    if (results->key_texts != NULL) {
        cli_key_text_print(stdout, &results->key_texts[index], between[0]);
        fputs(between, stdout);
    }
    for (int i = 0; i < results->request->results.count; i++) {
        const jr_value value = cli_results_value(results, index, i);
        fputs(i > 0 ? between : "", stdout);
        cli_value_field(stdout, cli_value_text(&value, &results->request->structure, text), between[0]);
    }
    putchar('\n');
}

cli_exit cli_results_tell(const cli_options *options, const cli_results *results, cli_error *error) {
    if (cli_output_is_array(options) && cli_results_replaced(results, 0) > 0 && cli_ranks_first(options->ranks))
        return write_wide(options, results, error);
    if (cli_output_is_array(options))
        return cli_ranks_first(options->ranks) ? cli_npy_write("--output", options->output, &results->data, error)
                                               : CLI_OK;
    const char *between = options->tabs ? "\t" : options->csv ? "," : " ";
    if (options->csv) print_head(results, between);
    for (uint64_t i = 0; i < results->data.count; i++) print_line(results, between, i);
    return CLI_OK;
}

void cli_results_free(cli_results *results) {
    cli_data_free(&results->data);
}
