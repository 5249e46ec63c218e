/* Holds the results of a scan by every algorithm against each other. */
#include "compare_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cli_device.h"
#include "options/cli_operator.h"

cli_exit cli_compare_scan_open(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                               jr_context *context, cli_compare_scan *scan, cli_error *error) {
    cli_compare_scan made = {
        .context = context, .kind = cli_device_scan_kind(options), .request = request, .count = inputs->element_count};
    if (__builtin_mul_overflow(made.count, request->results.bytes, &made.bytes) || made.bytes > SIZE_MAX / 2)
        return cli_fail(error, CLI_FAILURE, "results: %llu of them are beyond the address space",
                        (unsigned long long)made.count);
    made.expected = malloc((size_t)made.bytes + 1);
    made.results = malloc((size_t)made.bytes + 1);
    if (made.expected != NULL && made.results != NULL) {
        *scan = made;
        return CLI_OK;
    }
    cli_compare_scan_close(&made);
    return cli_fail(error, CLI_FAILURE, "out of memory for two times %llu results", (unsigned long long)made.count);
}

void cli_compare_scan_close(cli_compare_scan *scan) {
    free(scan->expected);
    free(scan->results);
    *scan = (cli_compare_scan){.bytes = 0};
}

/* ---- compares two results ---- */

static bool is_exact(const cli_request *request) {
    return jr_type_class_of(request->results.types[0]) != JR_CLASS_FLOAT ||
           (jr_op_flags(request->ops[0]) & JR_OP_FLAG_SELECTS);
}

/* Products and sums of expressions are contracted in one kernel and not in another. */
static bool may_be_contracted(const cli_request *request) {
    const jr_spec *spec = &request->spec;
    const jr_type of = cli_request_type_of(request, JR_OP_MIN);
    return spec->accuracy == JR_ACCURACY_FAST && (spec->map != NULL || spec->where != NULL) &&
           (jr_type_class_of(of) == JR_CLASS_FLOAT || jr_type_class_of(spec->type) == JR_CLASS_FLOAT);
}

/* The largest relative difference between two orders of combining: each element goes through two trees, and through the
 * totals of tiles of 2^12 elements or more. 0: results must be equal; INFINITY: unknown, for statistics and with a
 * finishing expression. */
static double tolerance_of(const cli_request *request, uint64_t count) {
    const jr_op op = request->ops[0];
    const jr_type type = request->results.types[0];
    if (type == JR_STRUCT || request->spec.finish != NULL) return INFINITY;
    if (is_exact(request) && may_be_contracted(request))
        return jr_type_class_of(type) == JR_CLASS_FLOAT ? ldexp(64, -jr_type_fraction_bits(type)) : INFINITY;
    if (is_exact(request)) return jr_type_class_of(type) == JR_CLASS_FLOAT || op != JR_OP_CUSTOM ? 0 : INFINITY;
    const double unit = ldexp(0.5, -jr_type_fraction_bits(type));
    return cli_operator_is(op, CLI_OP_ADDS) ? unit * (64 + 8 * log2((double)count + 1) + (double)count * 0x1p-11)
                                            : INFINITY;
}

static jr_value value_at(const cli_compare_scan *scan, const unsigned char *results, uint64_t index) {
    const jr_type type = scan->request->results.types[0];
    const size_t bytes = type == JR_STRUCT ? scan->request->structure.bytes : jr_type_size(type);
    jr_value value = {.type = type};
    memcpy(value.as.bytes, results + index * scan->request->results.bytes, bytes);
    return value;
}

/* The difference of two values, and both as doubles: 64-bit integers may differ although their doubles are equal. */
static double difference_of(const jr_value *one, const jr_value *other, double numbers[2]) {
    if (jr_value_number(one, &numbers[0]) != JR_OK || jr_value_number(other, &numbers[1]) != JR_OK) return (double)NAN;
    if (isnan(numbers[0]) && isnan(numbers[1])) return 0;
    return numbers[0] == numbers[1] ? 0 : fabs(numbers[0] - numbers[1]);
}

static void tell_wrong(const cli_compare_scan *scan, uint64_t index, const jr_value *expected, const jr_value *value,
                       cli_apart *apart) {
    char wanted[CLI_VALUE_BYTES], got[CLI_VALUE_BYTES];
    if (apart->wrong[0] != '\0') return;
    snprintf(apart->wrong, sizeof apart->wrong, "the result of element %llu is %.64s, and that of %s %.64s",
             (unsigned long long)index, cli_value_text(value, NULL, got), jr_algorithm_name(scan->first),
             cli_value_text(expected, NULL, wanted));
}

/* Sums may cancel out: what was rounded was as large as any result before this one. Integers are held to their bits. */
void cli_compare_scan_hold(const cli_compare_scan *scan, cli_apart *apart) {
    const double tolerance = tolerance_of(scan->request, scan->count);
    const size_t bytes = scan->request->results.bytes;
    double largest = 0;
    for (uint64_t i = 0; i < scan->count; i++) {
        const jr_value expected = value_at(scan, scan->expected, i), value = value_at(scan, scan->results, i);
        double numbers[2] = {0};
        const double difference = difference_of(&expected, &value, numbers);
        if (isfinite(numbers[0])) largest = fmax(largest, fabs(numbers[0]));
        if (memcmp(scan->expected + i * bytes, scan->results + i * bytes, bytes) == 0) continue;
        apart->count++;
        if (isnan(difference) || difference > apart->most) apart->most = difference;
        const bool close = difference <= 2 * tolerance * largest && tolerance > 0;
        if (!isinf(tolerance) && !close && !(difference == 0 && (isnan(numbers[0]) || !is_exact(scan->request))))
            tell_wrong(scan, i, &expected, &value, apart);
    }
}

/* ---- a run ---- */

jr_status cli_compare_scan_look(cli_compare_scan *scan, jr_plan *plan, const jr_work_data *data, cli_contestant *row) {
    memset(scan->results, 0xa5, (size_t)scan->bytes);
    if (scan->count == 0) return JR_OK;
    jr_status status = jr_memory_write(scan->context, data->out, scan->results, scan->bytes);
    if (status == JR_OK) status = jr_work_plan_run(plan, data, NULL, NULL);
    if (status == JR_OK) status = jr_memory_read(scan->context, scan->results, data->out, scan->bytes);
    if (status != JR_OK) return status;
    row->values[0] = value_at(scan, scan->results, scan->count - 1);
    if (scan->first == JR_ALGORITHM_AUTO) {
        scan->first = row->algorithm;
        memcpy(scan->expected, scan->results, (size_t)scan->bytes);
    }
    cli_compare_scan_hold(scan, &row->apart);
    return JR_OK;
}

cli_exit cli_compare_scan_check(const cli_comparison *comparison, cli_error *error) {
    for (int i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].apart.wrong[0] != '\0')
            return cli_fail(error, CLI_FAILURE, "%s: %s", jr_algorithm_name(comparison->rows[i].algorithm),
                            comparison->rows[i].apart.wrong);
    return CLI_OK;
}
