/* Contestants of a group: its plan, and other libraries' sums over all its devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contestant.h"

/* ---- ours ---- */

typedef struct group_calls {
    jr_group_plan *plan;
    jr_value values[JR_OPS_MAX]; /* of the last run */
} group_calls;

static jr_status prepare_group(cli_bench_item *item) {
    group_calls *calls = item->own = calloc(1, sizeof *calls);
    if (calls == NULL) return JR_ERROR_OUT_OF_MEMORY;
    jr_spec spec = item->request->spec;
    spec.capacity = item->count;
    return jr_work_group_plan_create(item->bench->devices.group, &JR_INIT(jr_work, .spec = &spec), &calls->plan);
}

static jr_status run_group(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    const void *arrays[JR_GROUP_DEVICES_MAX][JR_INPUTS_MAX];
    const void *const *in[JR_GROUP_DEVICES_MAX];
    uint64_t counts[JR_GROUP_DEVICES_MAX];
    group_calls *calls = item->own;
    (void)stream; /* of the first device */
    for (int d = 0; d < item->bench->device_count; d++) {
        in[d] = arrays[d];
        counts[d] = item->count;
        for (int i = 0; i < item->input_count; i++)
            arrays[d][i] = cli_bench_array(&item->bench->data[d], run, i, false);
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts, .values = calls->values);
    return jr_work_group_plan_run(calls->plan, &parts);
}

static jr_status read_group(const cli_bench_item *item, jr_value *values) {
    const group_calls *calls = item->own;
    memcpy(values, calls->values, (size_t)item->result_count * sizeof *values);
    return JR_OK;
}

/* The same elements, copied to the host and reduced by one device; so many bytes at most. */
enum { JUDGED_BYTES_MAX = 1 << 30 };

static jr_status copy_arrays(const cli_bench_item *item, char *to, const void *arrays[JR_INPUTS_MAX]) {
    const uint64_t bytes = item->bytes / (uint64_t)item->input_count;
    jr_status status = JR_OK;
    for (int i = 0; i < item->input_count; i++) {
        arrays[i] = to;
        for (int d = 0; status == JR_OK && d < item->bench->device_count; d++, to += bytes) {
            const cli_bench_data *data = &item->bench->data[d];
            status = jr_memory_read(data->context, to, cli_bench_array(data, 0, i, false), bytes);
        }
    }
    return status;
}

static jr_status expect_group(const cli_bench_item *item, jr_value *values, bool *known) {
    const uint64_t devices = (uint64_t)item->bench->device_count, bytes = item->bytes * devices;
    const void *arrays[JR_INPUTS_MAX] = {NULL};
    *known = bytes <= JUDGED_BYTES_MAX;
    if (!*known) {
        snprintf(item->cell->note, sizeof item->cell->note,
                 "its value was not checked: %llu bytes are too many to copy", (unsigned long long)bytes);
        return JR_OK;
    }
    char *copies = malloc((size_t)bytes + 1);
    if (copies == NULL) return JR_ERROR_OUT_OF_MEMORY;
    jr_status status = copy_arrays(item, copies, arrays);
    if (status == JR_OK)
        status =
            jr_work_run_host(item->bench->context, &JR_INIT(jr_work, .spec = &item->request->spec),
                             &JR_INIT(jr_work_data, .in = arrays, .count = item->count * devices, .values = values));
    free(copies);
    return status;
}

static void release_group(cli_bench_item *item) {
    group_calls *calls = item->own;
    if (calls != NULL) jr_group_plan_destroy(calls->plan);
    free(calls);
}

const cli_bench_kind cli_contestant_group = {.prepare = prepare_group,
                                             .run = run_group,
                                             .call = run_group,
                                             .read = read_group,
                                             .expect = expect_group,
                                             .release = release_group};

/* ---- peers ---- */

/* What group_peer.h has. */
static bool is_sum_of_f32(const cli_request *request) {
    return request->op_count == 1 && request->ops[0] == JR_OP_SUM && request->spec.type == JR_F32 &&
           request->results.types[0] == JR_F32 && cli_contestant_is_plain(&request->spec);
}

static jr_status prepare_peer(cli_bench_item *item) {
    item->own = calloc(1, sizeof(jr_value));
    if (item->own == NULL) return JR_ERROR_OUT_OF_MEMORY;
    const bool opened = item->bench->peers.handles[item->who->which] != NULL;
    item->cell->there = is_sum_of_f32(item->request) && opened;
    if (!opened) snprintf(item->cell->note, sizeof item->cell->note, "it cannot use these devices");
    return JR_OK;
}

static jr_status run_peer(void *user, uint64_t run, jr_stream stream) {
    cli_bench_item *item = user;
    const float *in[JR_GROUP_DEVICES_MAX];
    const int which = item->who->which;
    const cli_peers *peers = &item->bench->peers;
    jr_value *value = item->own;
    (void)stream;
    for (int d = 0; d < item->bench->device_count; d++) in[d] = cli_bench_array(&item->bench->data[d], run, 0, false);
    value->type = JR_F32;
    const int failure = peers->groups[which]->value(peers->handles[which], in, item->count, &value->as.f32);
    return failure == 0 ? JR_OK : cli_contestant_fail(item, failure);
}

static jr_status read_peer(const cli_bench_item *item, jr_value *values) {
    values[0] = *(const jr_value *)item->own;
    return JR_OK;
}

static void release_peer(cli_bench_item *item) {
    free(item->own);
}

const cli_bench_kind cli_contestant_group_peer = {
    .prepare = prepare_peer, .run = run_peer, .call = run_peer, .read = read_peer, .release = release_peer};
