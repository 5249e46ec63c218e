/* Segments in a comparison: copies what divides them to the device, and measures runs. */
#include "compare_segments.h"

#include <string.h>

/* Copies count elements to the device. */
static jr_status upload(cli_compare_segments *made, const void *from, uint64_t count, size_t bytes, void **to) {
    if (from == NULL) return JR_OK;
    made->divider_bytes = count * bytes;
    jr_status status = jr_memory_new(made->context, made->divider_bytes + 1, to);
    if (status == JR_OK && count > 0) status = jr_memory_write(made->context, *to, from, made->divider_bytes);
    return status;
}

cli_exit cli_compare_segments_open(const cli_options *options, const cli_inputs *inputs, jr_context *context,
                                   cli_compare_segments *segments, cli_error *error) {
    cli_compare_segments made = {.context = context};
    const cli_exit code = cli_segmentation_make(options, inputs, options->scan, &made.all, error);
    if (code != CLI_OK) return code;
    if (made.all.arrays[0] != inputs->arrays[0]) {
        cli_compare_segments_close(&made);
        return cli_fail(error, CLI_FAILURE, "--keys: some are missing: this command needs a key for each element");
    }
    made.data = made.all.segments;
    const bool by_keys = made.all.layout.kind == JR_SEGMENTS_KEYS;
    jr_status status = upload(&made, made.data.offsets, made.data.segments + 1, sizeof(uint64_t), &made.offsets);
    if (status == JR_OK && by_keys)
        status =
            upload(&made, made.data.keys, inputs->element_count, jr_type_size(made.all.layout.key_type), &made.keys);
    if (status == JR_OK && by_keys) status = jr_memory_new(context, sizeof(uint64_t), &made.run_count);
    made.data.count = inputs->element_count;
    made.data.offsets = made.offsets;
    made.data.keys = made.keys;
    made.data.run_count = by_keys && !options->scan ? made.run_count : NULL;
    made.results = options->scan || by_keys ? inputs->element_count : made.data.segments;
    if (status == JR_OK) {
        *segments = made;
        return CLI_OK;
    }
    cli_compare_segments_close(&made);
    return cli_fail_library(error, status);
}

/* What jr_measure runs. */
typedef struct timed {
    jr_plan *plan;
    const jr_work_data *data;
} timed;

static jr_status run_once(void *user, uint64_t run, jr_stream stream) {
    const timed *one = user;
    (void)run;
    return jr_work_plan_run(one->plan, one->data, NULL, stream);
}

jr_status cli_compare_segments_time(const cli_compare_segments *segments, jr_plan *plan, const jr_work_data *data,
                                    uint64_t input_bytes, int rounds, jr_run_cost *cost) {
    enum { ROUNDS_MAX = 32 };
    timed one = {plan, data};
    double us[ROUNDS_MAX], least = 0;
    const jr_measured item = {run_once, &one};
    const jr_measure_options how = JR_INIT(jr_measure_options, .rounds = rounds, .batch = 1);
    const jr_status status = jr_measure(segments->context, &how, &item, 1, us, NULL);
    for (int i = 0; status == JR_OK && i < rounds; i++)
        if (i == 0 || us[i] < least) least = us[i];
    cost->kernel_ms = least * 1e-3;
    cost->launches = (int)jr_plan_kernel_count(plan);
    cost->moved_bytes = input_bytes + segments->divider_bytes + segments->results * jr_plan_result_bytes(plan);
    return status;
}

jr_status cli_compare_segments_read(const cli_compare_segments *segments, const cli_request *request, const void *out,
                                    jr_value *values) {
    const jr_result_layout *layout = &request->results;
    unsigned char bytes[JR_OPS_MAX * JR_STRUCT_BYTES_MAX];
    uint64_t count = segments->results;
    jr_status status = JR_OK;
    if (segments->data.run_count != NULL)
        status = jr_memory_read(segments->context, &count, segments->run_count, sizeof count);
    if (status == JR_OK && count > 0)
        status =
            jr_memory_read(segments->context, bytes, (const char *)out + (count - 1) * layout->bytes, layout->bytes);
    for (int i = 0; status == JR_OK && count > 0 && i < request->op_count; i++) {
        values[i] = (jr_value){.type = layout->types[i]};
        const size_t size = values[i].type == JR_STRUCT ? request->structure.bytes : jr_type_size(values[i].type);
        memcpy(&values[i].as, bytes + layout->offsets[i], size);
    }
    return status;
}

void cli_compare_segments_close(cli_compare_segments *segments) {
    if (segments->context == NULL) return;
    jr_memory_free(segments->context, segments->offsets);
    jr_memory_free(segments->context, segments->keys);
    jr_memory_free(segments->context, segments->run_count);
    cli_segmentation_free(&segments->all);
}
