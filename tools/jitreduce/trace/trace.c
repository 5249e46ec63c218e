/* jitreduce trace: shows a reduction or scan round by round, as the simulator ran its kernels. PTX marks floats, and
 * gives only the size of all other types: the record's bytes mean what the reduction makes of them. */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cli_settings.h"
#include "io/report.h"
#include "options/cli_operator.h"
#include "options/command.h"
#include "reduce/work.h"

/* What the accumulator of an operator is, where it is one plain number. */
static jr_type accumulator_of(const cli_request *request) {
    if (request->op_count > 1) return JR_TYPE_NONE;
    if (request->spec.accumulate != JR_TYPE_NONE) return request->spec.accumulate;
    const jr_type element = cli_request_type_of(request, JR_OP_MIN);
    switch (cli_operator_of(request->ops[0])->keeps) {
    case CLI_KEEPS_SEVERAL: break;
    case CLI_KEEPS_RESULT: return cli_request_type_of(request, request->ops[0]);
    case CLI_KEEPS_ELEMENT: return element;
    case CLI_KEEPS_FLAG: return JR_U32;
    case CLI_KEEPS_COUNT: return JR_U64;
    case CLI_KEEPS_MEAN:
        if (jr_type_class_of(element) == JR_CLASS_FLOAT) return JR_F64;
        return jr_type_size(element) < 4 ? JR_I64 : JR_TYPE_NONE;
    }
    return JR_TYPE_NONE;
}

/* Runs it; values: of a reduction. */
static cli_exit run(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                    const cli_devices *devices, jr_value values[JR_OPS_MAX], cli_error *error) {
    const jr_work work = JR_INIT(jr_work, .spec = &request->spec,
                                 .kind = options->scan ? cli_device_scan_kind(options) : JR_WORK_REDUCE);
    jr_work_data data = JR_INIT(jr_work_data, .in = inputs->arrays, .count = inputs->element_count);
    if (options->scan)
        data.out = malloc((size_t)inputs->element_count * JR_STRUCT_BYTES_MAX + 1);
    else
        data.values = values;
    if (options->scan && data.out == NULL) return cli_fail(error, CLI_FAILURE, "trace: out of memory");
    const jr_status status = jr_work_run_host(devices->context, &work, &data);
    free(data.out);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit read_record(cli_trace_record *record, cli_error *error) {
    const char *path = cli_settings_rounds();
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    if (file == NULL) return cli_fail(error, CLI_FAILURE, "trace: the record cannot be read: %s", strerror(errno));
    const cli_exit code = cli_trace_record_read(file, record, error);
    fclose(file);
    return code;
}

static cli_exit trace(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                      const cli_devices *devices, cli_error *error) {
    jr_value values[JR_OPS_MAX] = {{.type = JR_TYPE_NONE}};
    jr_stats stats = JR_INIT(jr_stats);
    if (inputs->element_count > CLI_TRACE_ELEMENTS)
        return cli_fail(error, CLI_USAGE, "trace: shows at most %d elements, but there are %llu: give --count",
                        CLI_TRACE_ELEMENTS, (unsigned long long)inputs->element_count);
    cli_exit code = run(options, request, inputs, devices, values, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_context_stats(devices->context, &stats);
    if (status != JR_OK) return cli_fail_library(error, status);
    const bool ran = stats.algorithm != JR_ALGORITHM_AUTO; /* of a scan of nothing nothing is launched */
    cli_trace shown = {.algorithm = ran ? jr_algorithm_name(stats.algorithm) : "none",
                       .scan = cli_scan_name(options),
                       .op = request->op_count == 1 ? request->ops[0] : JR_OP_NONE,
                       .element = request->spec.type,
                       .accumulator = accumulator_of(request),
                       .result = request->results.types[0],
                       .count = inputs->element_count,
                       .values = values,
                       .structure = &request->structure,
                       .value_count = options->scan ? 0 : request->results.count};
    for (int i = 0; i < shown.value_count; i++) values[i].type = request->results.types[i];
    code = read_record(&shown.record, error);
    if (code == CLI_OK) code = (options->json ? cli_trace_json : cli_trace_table)(&shown, stdout, error);
    cli_trace_record_free(&shown.record);
    return code;
}

cli_exit cli_trace_run(const cli_options *options, cli_error *error) {
    cli_options own = *options;
    char path[64];
    if (strcmp(own.device, "auto") == 0) own.device = "sim";
    if (strncmp(own.device, "sim", 3) != 0)
        return cli_fail(error, CLI_USAGE, "--device: '%s': trace needs the simulator: sim", own.device);
    if (options->scan && options->op_count > 1)
        return cli_fail(error, CLI_USAGE, "--op: a scan takes one operator, not %d", options->op_count);
    const int file = memfd_create("jitreduce-trace", MFD_CLOEXEC);
    if (file < 0) return cli_fail(error, CLI_FAILURE, "trace: no memory for the record: %s", strerror(errno));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    cli_exit code = CLI_OK;
    if (!cli_settings_set_rounds(path))
        code = cli_fail(error, CLI_FAILURE, "trace: no memory for a setting: %s", strerror(errno));
    if (code == CLI_OK) code = cli_work_run(&own, trace, error);
    close(file);
    return code;
}

static jr_type plain_of(const char *ptx) {
    static const struct {
        const char *ptx;
        jr_type type;
    } rows[] = {{"f16", JR_F16}, {"f32", JR_F32}, {"f64", JR_F64}, {"bf16", JR_BF16}, {"s8", JR_I8},   {"s16", JR_I16},
                {"s32", JR_I32}, {"s64", JR_I64}, {"u8", JR_U8},   {"u16", JR_U16},   {"u32", JR_U32}, {"u64", JR_U64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].ptx, ptx) == 0) return rows[i].type;
    return JR_TYPE_NONE;
}

static bool fits(jr_type type, unsigned bytes) {
    return type != JR_TYPE_NONE && type != JR_STRUCT && jr_type_size(type) == bytes;
}

/* Input comes from global memory, results go there, everything else is accumulators. */
static jr_type type_of(const cli_trace *trace, const cli_trace_event *event) {
    const bool input = event->global && event->kind == CLI_TRACE_LOAD;
    const bool output = event->global && event->kind != CLI_TRACE_LOAD;
    const jr_type said = plain_of(event->type);
    if (input && fits(trace->element, event->bytes)) return trace->element;
    if (output && fits(trace->result, event->bytes)) return trace->result;
    if (fits(trace->accumulator, event->bytes)) return trace->accumulator;
    return fits(said, event->bytes) ? said : JR_TYPE_NONE;
}

const char *cli_trace_value(const cli_trace *trace, const cli_trace_event *event, uint64_t bits,
                            char text[CLI_TRACE_VALUE_BYTES]) {
    jr_value value = {.type = type_of(trace, event)};
    char whole[CLI_VALUE_BYTES];
    if (value.type == JR_TYPE_NONE) {
        snprintf(text, CLI_TRACE_VALUE_BYTES, "0x%" PRIx64, bits);
        return text;
    }
    memcpy(&value.as, &bits, jr_type_size(value.type));
    snprintf(text, CLI_TRACE_VALUE_BYTES, "%s", cli_value_text(&value, NULL, whole));
    return text;
}

unsigned cli_trace_joined(const cli_trace *trace) {
    return fits(trace->accumulator, 8) ? 8 : 0;
}
