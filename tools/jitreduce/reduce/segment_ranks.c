/* Reduces segments by ranks: each its share of them, whole, whose results then come to all; or, where the first axis is
 * reduced away, its rows of every segment, which the group merges. */
#include "segment_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "io/ranks.h"
#include "segment_share.h"

/* What all steps have in common. */
typedef struct rank_work {
    const cli_options *options;
    const cli_request *request;
    const cli_inputs *inputs;
    const cli_devices *devices;
    const cli_segmentation *all;
    cli_results *results; /* of all ranks */
} rank_work;

static cli_exit share_of(const rank_work *work, uint64_t index, uint64_t shares, cli_segment_share *share,
                         cli_error *error) {
    return cli_segment_share_make(work->all, work->inputs->element_count, index, shares, share, error);
}

/* ---- whole segments ---- */

enum { PIECE_BYTES = 16 << 20 };

/* Brings the results of all ranks together, in pieces of what the largest share has. */
static cli_exit gather_pieces(const rank_work *work, const uint64_t *firsts, unsigned char *room, cli_error *error) {
    const int ranks = work->devices->ranks, own = work->options->ranks->way.rank;
    unsigned char *owned = work->results->data.owned, *all = room + PIECE_BYTES;
    const uint64_t mine = firsts[own + 1] - firsts[own];
    uint64_t most = 0;
    cli_exit code = CLI_OK;
    for (int r = 0; r < ranks; r++) most = firsts[r + 1] - firsts[r] > most ? firsts[r + 1] - firsts[r] : most;
    for (uint64_t at = 0; code == CLI_OK && at < most; at += PIECE_BYTES) {
        const uint64_t piece = most - at < PIECE_BYTES ? most - at : PIECE_BYTES;
        if (at < mine) memcpy(room, owned + firsts[own] + at, mine - at < piece ? mine - at : piece);
        code = cli_ranks_gather(work->options->ranks, room, piece, all, error);
        for (int r = 0; code == CLI_OK && r < ranks; r++) {
            const uint64_t bytes = firsts[r + 1] - firsts[r];
            if (at < bytes)
                memcpy(owned + firsts[r] + at, all + (size_t)r * piece, bytes - at < piece ? bytes - at : piece);
        }
    }
    return code;
}

/* firsts: room for one more than there are ranks: where the results of each begin, in bytes. */
static cli_exit find_firsts(const rank_work *work, uint64_t *firsts, cli_error *error) {
    const uint64_t ranks = (uint64_t)work->devices->ranks, bytes = work->request->results.bytes;
    cli_exit code = CLI_OK;
    for (uint64_t r = 0; code == CLI_OK && r < ranks; r++) {
        cli_segment_share share;
        code = share_of(work, r, ranks, &share, error);
        if (code != CLI_OK) break;
        firsts[r] = share.first_result * bytes;
        firsts[r + 1] = firsts[r] + share.segments.segments * bytes;
        cli_segment_share_free(&share);
    }
    return code;
}

static cli_exit gather_results(const rank_work *work, cli_error *error) {
    const size_t ranks = (size_t)work->devices->ranks;
    uint64_t *firsts = malloc((ranks + 1) * sizeof *firsts);
    unsigned char *room = malloc((ranks + 1) * PIECE_BYTES);
    cli_exit code = CLI_OK;
    if (firsts != NULL && room != NULL)
        code = find_firsts(work, firsts, error);
    else
        code = cli_fail(error, CLI_FAILURE, "--mpi: out of memory for the results of %zu ranks", ranks);
    code = cli_ranks_agree(work->options->ranks, code, error);
    if (code == CLI_OK) code = gather_pieces(work, firsts, room, error);
    free(firsts);
    free(room);
    return code;
}

static cli_exit reduce_whole(const rank_work *work, const cli_segment_share *share, cli_error *error) {
    const void *arrays[JR_INPUTS_MAX] = {NULL};
    unsigned char *to = work->results->data.owned;
    if (to != NULL) to += share->first_result * work->request->results.bytes;
    cli_segment_share_arrays(share, work->inputs, arrays);
    const jr_work reduction = JR_INIT(jr_work, .spec = &work->request->spec, .layout = &share->layout);
    jr_work_data data = share->segments;
    data.in = arrays;
    data.out = to;
    const jr_status status = jr_work_group_host(work->devices->group, &reduction, &data);
    return status == JR_OK ? gather_results(work, error) : cli_fail_library(error, status);
}

/* ---- a part of each ---- */

/* What lies on this rank's devices. */
typedef struct device_rows {
    size_t count;
    jr_segment_layout layouts[JR_GROUP_DEVICES_MAX];
    void *d_in[JR_GROUP_DEVICES_MAX][JR_INPUTS_MAX];
    const void *arrays[JR_GROUP_DEVICES_MAX][JR_INPUTS_MAX];
    const void *const *in[JR_GROUP_DEVICES_MAX];
    uint64_t counts[JR_GROUP_DEVICES_MAX];
} device_rows;

static jr_status copy_rows(const rank_work *work, const cli_segment_share *share, size_t device, device_rows *rows) {
    jr_context *context = jr_group_context(work->devices->group, device);
    const void *from[JR_INPUTS_MAX] = {NULL};
    jr_status status = JR_OK;
    cli_segment_share_arrays(share, work->inputs, from);
    for (int k = 0; status == JR_OK && k < work->inputs->count; k++) {
        const size_t bytes = share->element_count * work->inputs->input[k].element_bytes;
        status = jr_memory_new(context, bytes > 0 ? bytes : 1, &rows->d_in[device][k]);
        if (status == JR_OK && bytes > 0) status = jr_memory_write(context, rows->d_in[device][k], from[k], bytes);
        rows->arrays[device][k] = rows->d_in[device][k];
    }
    rows->layouts[device] = share->layout;
    rows->in[device] = rows->arrays[device];
    rows->counts[device] = work->all->segments.segments;
    return status;
}

/* The rows of all devices of all ranks follow one another. */
static cli_exit make_rows(const rank_work *work, device_rows *rows, cli_error *error) {
    const jr_group *group = work->devices->group;
    cli_exit code = CLI_OK;
    rows->count = jr_group_local_count(group);
    for (size_t i = 0; code == CLI_OK && i < rows->count; i++) {
        cli_segment_share share;
        code = share_of(work, jr_group_first(group) + i, jr_group_size(group), &share, error);
        const jr_status status = code == CLI_OK ? copy_rows(work, &share, i, rows) : JR_OK;
        if (status != JR_OK) code = cli_fail_library(error, status);
    }
    return code;
}

static void free_rows(const rank_work *work, const device_rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        for (int k = 0; k < work->inputs->count; k++)
            if (rows->d_in[i][k] != NULL) jr_memory_free(jr_group_context(work->devices->group, i), rows->d_in[i][k]);
}

static cli_exit merge_rows(const rank_work *work, const device_rows *rows, cli_error *error) {
    const jr_work reduction = JR_INIT(jr_work, .spec = &work->request->spec, .layout = rows->layouts);
    const jr_group_parts parts =
        JR_INIT(jr_group_parts, .d_in = rows->in, .counts = rows->counts, .results = work->results->data.owned);
    jr_group_plan *plan = NULL;
    jr_status status = jr_work_group_plan_create(work->devices->group, &reduction, &plan);
    if (status == JR_OK) status = jr_work_group_plan_run(plan, &parts);
    const cli_exit code = status == JR_OK ? CLI_OK : cli_fail_library(error, status);
    jr_group_plan_destroy(plan);
    return code;
}

static cli_exit reduce_rows(const rank_work *work, cli_error *error) {
    device_rows rows = {.count = 0};
    cli_exit code = make_rows(work, &rows, error);
    code = cli_ranks_agree(work->options->ranks, code, error);
    if (code == CLI_OK) code = merge_rows(work, &rows, error);
    free_rows(work, &rows);
    return code;
}

cli_exit cli_ranks_segments(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                            const cli_segmentation *all, cli_results *results, cli_error *error) {
    const rank_work work = {options, results->request, inputs, devices, all, results};
    cli_segment_share share = {.offsets = NULL};
    cli_exit code = share_of(&work, (uint64_t)options->ranks->way.rank, (uint64_t)devices->ranks, &share, error);
    code = cli_ranks_agree(options->ranks, code, error);
    if (code == CLI_OK) code = share.of_each ? reduce_rows(&work, error) : reduce_whole(&work, &share, error);
    cli_segment_share_free(&share);
    return code;
}
