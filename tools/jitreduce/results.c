/* Holds many results, and tells them. */
#include "results.h"

#include <stdio.h>
#include <string.h>

#include "npy_write.h"
#include "report.h"

/* Bytes from one value of a list to the next: as jr_segment_plan_run writes them. */
enum { LIST_BYTES = 16 };

static size_t value_bytes(const cli_request *request, int op) {
    const jr_type type = request->results[op];
    return type == JR_STRUCT ? request->structure.bytes : jr_type_size(type);
}

cli_exit cli_results_check(const cli_options *options, const cli_request *request, cli_error *error) {
    if (options->output == NULL) return CLI_OK;
    if (request->spec.op_count > 0)
        return cli_fail(error, CLI_USAGE, "--output: a file has results of one type: give one operator, not %d",
                        request->spec.op_count);
    return cli_npy_check_type(request->results[0], error);
}

cli_exit cli_results_create(const cli_request *request, const cli_shape *shape, cli_results *results,
                            cli_error *error) {
    cli_results made = {.request = request};
    uint64_t count;
    made.stride = request->spec.op_count > 0 ? (size_t)request->result_count * LIST_BYTES : value_bytes(request, 0);
    if (!cli_shape_count(shape, &count)) return cli_fail(error, CLI_FAILURE, "results: 2^64 of them or more");
    cli_exit code = cli_data_create(&made.data, request->results[0], made.stride, count, "results", error);
    if (code != CLI_OK) return code;
    made.data.shape = *shape;
    *results = made;
    return CLI_OK;
}

jr_value cli_results_value(const cli_results *results, uint64_t index, int op) {
    const unsigned char *at = results->data.elements;
    jr_value value = {.type = results->request->results[op]};
    memcpy(value.as.bytes, at + index * results->stride + (size_t)op * LIST_BYTES, value_bytes(results->request, op));
    return value;
}

static void print_result(const cli_results *results, uint64_t index) {
    for (int op = 0; op < results->request->result_count; op++) {
        char text[CLI_VALUE_BYTES];
        const jr_value value = cli_results_value(results, index, op);
        printf("%s%s", op > 0 ? " " : "", cli_value_text(&value, results->request->structure.bytes, text));
    }
    putchar('\n');
}

cli_exit cli_results_tell(const cli_options *options, const cli_results *results, cli_error *error) {
    if (options->output != NULL) return cli_npy_write(options->output, &results->data, error);
    for (uint64_t i = 0; i < results->data.count; i++) print_result(results, i);
    return CLI_OK;
}

void cli_results_free(cli_results *results) {
    cli_data_free(&results->data);
}
