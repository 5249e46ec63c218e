/* Holds many results, and prints them. */
#include "cli_results.h"

#include <math.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/output.h"
#include "io/ranks.h"
#include "io/report.h"
#include "npy/npy_write.h"
#include "options/cli_operator.h"

cli_exit cli_results_check(const cli_options *options, const cli_request *request, cli_error *error) {
    if (!cli_output_is_array(options)) return CLI_OK;
    if (options->empty_groups != 0)
        return cli_fail(error, CLI_USAGE,
                        "--empty-groups: drop is for text, .csv, .tsv and .json, not for an array: give a name "
                        "that ends in .csv, or --empty-groups keep");
    if (request->results.count > 1)
        return cli_fail(error, CLI_USAGE,
                        "--output: an array has one type: give a single operator, not %d results, or a name that ends "
                        "in .csv or .json",
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

static bool is_selected_in_f64(const cli_results *results) {
    const cli_wide *wide = results->options != NULL ? results->options->wide : NULL;
    return wide != NULL && wide->numbers != NULL && wide->inside;
}

uint64_t cli_results_count(const cli_results *results, uint64_t index) {
    const cli_request *request = results->request;
    const char *elements = results->data.elements;
    uint64_t count = UINT64_MAX;
    if (results->counts != NULL) return results->counts[index];
    if (request->results.count > request->op_count)
        memcpy(&count, elements + index * request->results.bytes + request->results.offsets[request->op_count],
               sizeof count);
    return count;
}

/* As cli_results_count; of the elements selected in f64 where the result may be of those. */
static uint64_t count_shown_of(const cli_results *results, uint64_t index) {
    if (!is_selected_in_f64(results)) return cli_results_count(results, index);
    return results->options->wide->counts != NULL ? results->options->wide->counts[index] : UINT64_MAX;
}

/* Whether a result is of no elements and its operator has no value for that. */
static bool lacks_value(const cli_results *results, uint64_t index, int number) {
    const cli_request *request = results->request;
    return number < request->op_count && request->spec.initial == NULL &&
           (jr_op_flags(request->ops[number]) & JR_OP_FLAG_NO_EMPTY) && cli_results_count(results, index) == 0;
}

/* The index of no element: that of a scan before the first one that is not NaN. */
static bool is_no_index(const cli_results *results, int number, const jr_value *value) {
    const cli_request *request = results->request;
    const jr_op op = number < request->op_count ? request->ops[number] : JR_OP_NONE;
    return (op == JR_OP_ARGMIN || op == JR_OP_ARGMAX) && request->spec.finish == NULL && value->type == JR_I64 &&
           value->as.i64 == -1;
}

bool cli_results_shown(const cli_results *results, uint64_t index) {
    return !results->drops_empty || count_shown_of(results, index) != 0;
}

/* Most values have 8 bytes, which need no call to be copied. */
static void copy_bytes(const cli_results *results, const char *from, jr_value *value) {
    const size_t bytes = value->type == JR_STRUCT ? results->request->structure.bytes : jr_type_size(value->type);
    if (bytes == sizeof value->as.u64)
        memcpy(&value->as.u64, from, sizeof value->as.u64);
    else
        memcpy(value->as.bytes, from, bytes);
}

/* The value of that number in a result; adds it to *tally if it is that in f64. */
static jr_value value_of(const cli_results *results, uint64_t index, int number, cli_wide_tally *tally) {
    const jr_result_layout *layout = &results->request->results;
    const cli_wide *wide = results->options != NULL ? results->options->wide : NULL;
    const bool lacks = lacks_value(results, index, number), counts = number >= results->request->op_count;
    const jr_type type = layout->types[number];
    const char *from = (const char *)results->data.elements + index * layout->bytes + layout->offsets[number];
    jr_value value = {.type = type};
    if (wide == NULL || wide->numbers == NULL) {
        if (lacks) return (jr_value){.type = JR_F64, .as.f64 = NAN};
    } else {
        const uint64_t at = index * (uint64_t)wide->value_count + (uint64_t)number;
        const bool is_nan = isnan(wide->numbers[at]);
        if (is_nan && (lacks || (wide->inside && jr_type_class_of(type) != JR_CLASS_FLOAT)))
            return (jr_value){.type = JR_F64, .as.f64 = NAN};
        if (!lacks) copy_bytes(results, from, &value);
        return cli_wide_value(results->options, counts ? JR_OP_NONE : results->request->ops[number], &value, at, tally);
    }
    copy_bytes(results, from, &value);
    if (is_no_index(results, number, &value)) return (jr_value){.type = JR_F64, .as.f64 = NAN};
    if (wide != NULL) cli_wide_add_rounded(wide, &value, tally);
    return value;
}

jr_value cli_results_value(const cli_results *results, uint64_t index, int number) {
    cli_wide_tally unused = {0};
    return value_of(results, index, number, &unused);
}

cli_wide_tally cli_results_tally(const cli_results *results, int number) {
    cli_wide_tally tally = {0};
    if (results->options == NULL || results->options->wide == NULL) return tally;
    for (uint64_t i = 0; i < results->data.count; i++) (void)value_of(results, i, number, &tally);
    return tally;
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

/* Results without a value become NaN in the array, where its type has that. */
static cli_exit fill_lacking(const cli_results *results, cli_error *error) {
    static const char nan_text[] = "nan";
    const jr_type type = results->data.type;
    char *all = results->data.owned;
    for (uint64_t i = 0; i < results->data.count; i++) {
        if (!lacks_value(results, i, 0)) continue;
        if (jr_type_class_of(type) != JR_CLASS_FLOAT)
            return cli_fail(error, CLI_FAILURE,
                            "--output: result %llu is the %s of no elements, and an array of %s has no nan: write a "
                            ".csv or .json file",
                            (unsigned long long)i, jr_op_name(results->request->ops[0]), jr_type_name(type));
        (void)cli_number_parse(type, nan_text, nan_text + sizeof nan_text - 1,
                               all + i * results->request->results.bytes);
    }
    return CLI_OK;
}

static cli_exit write_array(const cli_options *options, const cli_results *results, cli_error *error) {
    if (!cli_ranks_first(options->ranks)) return CLI_OK;
    if (cli_results_tally(results, 0).replaced > 0) return write_wide(options, results, error);
    const cli_exit code = fill_lacking(results, error);
    return code == CLI_OK ? cli_npy_write("--output", options->output, &results->data, error) : code;
}

cli_exit cli_results_number_rows(cli_results *results, const uint64_t *offsets, const uint64_t *rows,
                                 cli_error *error) {
    const cli_request *request = results->request;
    const jr_result_layout *layout = &request->results;
    char *all = results->data.owned, text[32];
    for (int op = 0; op < request->op_count; op++) {
        if (!cli_operator_is(request->ops[op], CLI_OP_INDEX)) continue;
        for (uint64_t i = 0; i < results->data.count; i++) {
            if (lacks_value(results, i, op)) continue;
            const jr_value value = cli_results_value(results, i, op);
            double index = 0;
            (void)jr_value_number(&value, &index);
            const uint64_t row = (offsets != NULL ? offsets[i] : 0) + (uint64_t)index;
            const int length =
                snprintf(text, sizeof text, "%llu", (unsigned long long)(rows != NULL ? rows[row] : row));
            if (cli_number_parse(value.type, text, text + length, all + i * layout->bytes + layout->offsets[op]) !=
                CLI_NUMBER_OK)
                return cli_fail(error, CLI_FAILURE, "--result: index %s does not fit %s", text,
                                jr_type_name(value.type));
        }
    }
    return CLI_OK;
}

static void print_head(const cli_options *options, const cli_results *results, const char *between) {
    const cli_request *request = results->request;
    if (results->key_count > 0) cli_keys_print_names(stdout, options, between[0]);
    if (results->key_count > 0) fputs(between, stdout);
    for (int i = 0; i < request->results.count; i++)
        printf("%s%s", i > 0 ? between : "",
               request->spec.apply != NULL ? "value" : cli_value_name(request->ops, request->op_count, i));
    putchar('\n');
}

jr_op cli_results_op(const cli_results *results, int number) {
    return number < results->request->op_count ? results->request->ops[number] : JR_OP_NONE;
}

static void print_line(const cli_results *results, const char *between, uint64_t index) {
    char text[CLI_VALUE_BYTES];
    if (results->key_count > 0) {
        cli_keys_print(stdout, results->keys, results->key_count, index, between[0]);
        fputs_unlocked(between, stdout);
    }
    for (int i = 0; i < results->request->results.count; i++) {
        const jr_value value = cli_results_value(results, index, i);
        if (i > 0) fputs_unlocked(between, stdout);
        const char *shown =
            cli_value_shown(results->options, cli_results_op(results, i), &value, &results->request->structure, text);
        cli_value_field(stdout, shown, between[0]);
    }
    putchar_unlocked('\n');
}

cli_exit cli_results_tell(const cli_options *options, const cli_results *results, cli_error *error) {
    if (cli_output_is_array(options)) return write_array(options, results, error);
    const char *between = options->tabs ? "\t" : options->csv ? "," : " ";
    (void)__fsetlocking(stdout, FSETLOCKING_BYCALLER); /* only this thread prints, and locks would double its time */
    if (options->csv) print_head(options, results, between);
    for (uint64_t i = 0; i < results->data.count; i++)
        if (cli_results_shown(results, i)) print_line(results, between, i);
    return CLI_OK;
}

void cli_results_free(cli_results *results) {
    cli_data_free(&results->data);
    free(results->counts);
}
