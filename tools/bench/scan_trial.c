/* Makes and runs the contestants of scan_bench. */
#include "scan_trial.h"

#include <stdio.h>

enum { OP_WORDS = 4 * SCAN_WORD };

static const void *input(jr_cu_deviceptr address) {
    return (const void *)(uintptr_t)address;
}
static void *output(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address;
}

/* ---- runs ---- */

/* What a peer is asked for; the words of it are written to op. */
static peer_work peer_work_of(const scan_stage *stage, const scan_arrays *arrays, char op[OP_WORDS]) {
    const scan_work *work = stage->work;
    const bool counted = work->segments == JR_SEGMENTS_EQUAL || work->segments == JR_SEGMENTS_OFFSETS;
    snprintf(op, OP_WORDS, "%s %s %s%s%s", work->kind, work->op, work->result, work->segments != 0 ? " " : "",
             work->segments != 0 ? work->layout : "");
    return (peer_work){.device = stage->device->info.ordinal,
                       .op = op,
                       .type = work->type,
                       .in = {input(arrays->elements)},
                       .count = stage->runs.count,
                       .out = output(arrays->results),
                       .segment_count = counted ? stage->run_count : 0,
                       .segment_length = work->segments == JR_SEGMENTS_EQUAL ? stage->runs.second : 0,
                       .offsets = input(arrays->offsets),
                       .keys = input(arrays->keys),
                       .keys_out = output(arrays->keys_out),
                       .runs_out = output(arrays->runs_out)};
}

static jr_status run_ours(const scan_trial *trial, const scan_arrays *arrays, jr_stream stream) {
    const scan_stage *stage = trial->stage;
    const jr_segment_kind kind = stage->work->segments;
    const void *in = input(arrays->elements);
    void *out = output(arrays->results);
    if (trial->kind == SCAN_FLAT || kind == 0)
        return jr_plan_run(trial->plan, in, stage->runs.count, out, NULL, stream);
    const jr_segments segments =
        JR_INIT(jr_segments, .count = kind == JR_SEGMENTS_KEYS ? 0 : stage->run_count,
                .offsets = input(arrays->offsets), .keys = input(arrays->keys), .elements = stage->runs.count,
                .run_keys = output(arrays->keys_out), .run_count = output(arrays->runs_out));
    return jr_segment_plan_run(trial->plan, in, &segments, out, NULL, stream);
}

jr_status scan_trial_run(void *user, uint64_t run, jr_stream stream) {
    const scan_trial *trial = user;
    if (trial->kind == SCAN_COPY) return scan_stage_copy(trial->stage, run, stream);
    const scan_arrays arrays = scan_stage_arrays(trial->stage, run);
    if (trial->kind != SCAN_PEER) return run_ours(trial, &arrays, stream);
    char op[OP_WORDS];
    const peer_work work = peer_work_of(trial->stage, &arrays, op);
    return trial->other->run(trial->handle, &work, stream) == 0 ? JR_OK : JR_ERROR_DRIVER;
}

uint64_t scan_trial_wrong(scan_trial *trial) {
    if (trial->kind == SCAN_COPY || trial->kind == SCAN_FLAT) return 0;
    scan_stage_spoil(trial->stage);
    bench_check(scan_trial_run(trial, 0, NULL), trial->name);
    return scan_stage_wrong(trial->stage);
}

/* ---- contestants ---- */

static jr_status create_plan(const scan_stage *stage, const jr_spec *spec, scan_contestant kind, jr_plan **plan) {
    const scan_work *work = stage->work;
    jr_context *context = stage->device->context;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = work->segments,
                                             .length = work->segments == JR_SEGMENTS_EQUAL ? stage->runs.second : 0,
                                             .key_type = work->segments == JR_SEGMENTS_KEYS ? JR_I32 : JR_TYPE_NONE);
    if (kind == SCAN_FLAT) return jr_plan_create(context, spec, plan);
    if (work->segments == 0) return jr_scan_plan_create(context, spec, work->scan, plan);
    if (work->reduces) return jr_segment_plan_create(context, spec, &layout, plan);
    return jr_scan_segment_plan_create(context, spec, work->scan, &layout, plan);
}

static jr_status make_ours(const scan_stage *stage, scan_contestant kind, jr_algorithm algorithm, scan_trial *trial) {
    jr_spec spec = stage->work->spec;
    spec.algorithm = algorithm;
    spec.capacity = stage->runs.count;
    *trial = (scan_trial){.stage = stage, .kind = kind, .name = "jitreduce"};
    if (kind == SCAN_FLAT) snprintf(trial->name, sizeof trial->name, "jitreduce flat");
    if (algorithm != JR_ALGORITHM_AUTO)
        snprintf(trial->name, sizeof trial->name, "jitreduce %s", jr_algorithm_name(algorithm));
    return create_plan(stage, &spec, kind, &trial->plan);
}

/* 1 where the algorithm takes the work, else 0. One block alone would take long over more. */
static int make_algorithm(const scan_stage *stage, jr_algorithm algorithm, scan_trial *trial) {
    enum { ONE_BLOCK_MAX = 1 << 17 };
    if (algorithm == JR_ALGORITHM_ONE_BLOCK && stage->runs.count > ONE_BLOCK_MAX) return 0;
    if (stage->work->reduces && algorithm != JR_ALGORITHM_BULK_COPY) return 0; /* of runs there are two kernels */
    const jr_status status = make_ours(stage, SCAN_OURS, algorithm, trial);
    if (status != JR_ERROR_NOT_APPLICABLE) bench_check(status, trial->name);
    return status == JR_OK;
}

static int make_peer(const scan_stage *stage, const peer *other, scan_trial *trial) {
    char op[OP_WORDS];
    const scan_arrays arrays = scan_stage_arrays(stage, 0);
    const peer_work work = peer_work_of(stage, &arrays, op);
    *trial = (scan_trial){.stage = stage, .kind = SCAN_PEER, .other = other, .handle = other->prepare(&work)};
    snprintf(trial->name, sizeof trial->name, "%s", other->name);
    return trial->handle != NULL;
}

/* 1 where the algorithm takes the work with this block and unroll factor, else 0. */
static int make_tuned(const scan_stage *stage, const scan_tuning *tuning, scan_trial *trial) {
    jr_spec spec = stage->work->spec;
    spec.algorithm = tuning->algorithm;
    spec.capacity = stage->runs.count;
    spec.block = tuning->block;
    spec.unroll = tuning->unroll;
    *trial = (scan_trial){.stage = stage, .kind = SCAN_OURS};
    snprintf(trial->name, sizeof trial->name, "jitreduce %s %dx%d", jr_algorithm_name(tuning->algorithm), tuning->block,
             tuning->unroll);
    const jr_status status = create_plan(stage, &spec, SCAN_OURS, &trial->plan);
    if (status != JR_ERROR_NOT_APPLICABLE) bench_check(status, trial->name);
    return status == JR_OK;
}

int scan_trials_make(const scan_stage *stage, const scan_tunings *tunings, const peer *const *peers, int peer_count,
                     scan_trial trials[SCAN_TRIALS_MAX]) {
    static const jr_algorithm others[SCAN_ALGORITHMS - 1] = {JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_WAVE,
                                                             JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY,
                                                             JR_ALGORITHM_THREE_PASS};
    const scan_work *work = stage->work;
    int count = 1;
    if (make_ours(stage, SCAN_OURS, JR_ALGORITHM_AUTO, trials) != JR_OK) {
        fprintf(stderr, "scan_bench: %s:%s:%s@%s:%s is left out: %s\n", work->kind, work->op, work->type, work->layout,
                work->run, jr_last_error()->message);
        return 0;
    }
    for (int a = 0; a < SCAN_ALGORITHMS - 1; a++) count += make_algorithm(stage, others[a], &trials[count]);
    for (int t = 0; t < tunings->count; t++) count += make_tuned(stage, &tunings->items[t], &trials[count]);
    if (work->reduces)
        bench_check(make_ours(stage, SCAN_FLAT, JR_ALGORITHM_AUTO, &trials[count++]), "making the flat reduction");
    for (int p = 0; p < peer_count; p++) count += make_peer(stage, peers[p], &trials[count]);
    trials[count++] = (scan_trial){.stage = stage, .kind = SCAN_COPY, .name = "copy"};
    return count;
}

void scan_trial_free(scan_trial *trial) {
    jr_plan_destroy(trial->plan);
    if (trial->handle != NULL) trial->other->release(trial->handle);
}
