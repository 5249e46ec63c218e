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
    const bool counted = scan_work_is_equal(work) || work->segments == JR_SEGMENTS_OFFSETS;
    snprintf(op, OP_WORDS, "%s %s %s%s%s", work->kind, work->op, work->result, work->segments != 0 ? " " : "",
             work->segments != 0 ? work->layout : "");
    return (peer_work){.device = stage->device->info.ordinal,
                       .op = op,
                       .type = work->type,
                       .in = {input(arrays->elements)},
                       .count = stage->runs.count,
                       .out = output(arrays->results),
                       .segment_count = counted ? stage->run_count : 0,
                       .segment_length = scan_work_is_equal(work) ? stage->runs.second : 0,
                       .offsets = input(arrays->offsets),
                       .keys = input(arrays->keys),
                       .keys_out = output(arrays->keys_out),
                       .runs_out = output(arrays->runs_out)};
}

static jr_status run_ours(const scan_trial *trial, const scan_arrays *arrays, jr_stream stream) {
    const scan_stage *stage = trial->stage;
    const jr_segment_kind kind = trial->kind == SCAN_FLAT ? (jr_segment_kind)0 : stage->work->segments;
    const void *const in[] = {input(arrays->elements)};
    jr_work_data data = JR_INIT(jr_work_data, .in = in, .count = stage->runs.count, .out = output(arrays->results),
                                .segments = kind != 0 && kind != JR_SEGMENTS_KEYS ? stage->run_count : 0,
                                .offsets = kind == JR_SEGMENTS_OFFSETS ? input(arrays->offsets) : NULL,
                                .keys = kind == JR_SEGMENTS_KEYS ? input(arrays->keys) : NULL);
    if (kind == JR_SEGMENTS_KEYS && stage->work->reduces) {
        data.run_keys = output(arrays->keys_out);
        data.run_count = output(arrays->runs_out);
    }
    return jr_work_plan_run(trial->plan, &data, NULL, stream);
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

/* Makes one of our plans: tuned so, or one that is compared with it. */
static jr_status make_ours(const scan_stage *stage, scan_contestant kind, const scan_tuning *tuning, const char *name,
                           scan_trial *trial) {
    const scan_work *work = stage->work;
    jr_spec spec = work->spec;
    const uint64_t inner = work->segments == JR_SEGMENTS_STRIDED ? stage->runs.inner : 0;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = work->segments, .inner = inner,
                                             .length = scan_work_is_equal(work) ? stage->runs.second : 0,
                                             .key_type = work->segments == JR_SEGMENTS_KEYS ? JR_I32 : JR_TYPE_NONE);
    const jr_work whole = JR_INIT(jr_work, .spec = &spec,
                                  .kind = work->reduces                     ? JR_WORK_REDUCE
                                          : work->scan == JR_SCAN_EXCLUSIVE ? JR_WORK_SCAN_EXCLUSIVE
                                                                            : JR_WORK_SCAN_INCLUSIVE,
                                  .layout = kind != SCAN_FLAT && work->segments != 0 ? &layout : NULL);
    spec.algorithm = tuning->algorithm;
    spec.capacity = stage->runs.count;
    spec.block = tuning->block;
    spec.unroll = tuning->unroll;
    if (kind != SCAN_OURS) spec.accuracy = JR_ACCURACY_FAST;
    *trial = (scan_trial){.stage = stage, .kind = kind};
    snprintf(trial->name, sizeof trial->name, "jitreduce%s%s", name[0] != '\0' ? " " : "", name);
    return jr_work_plan_create(stage->device->context, &whole, &trial->plan);
}

/* 1 where the algorithm takes the work with this block and unroll factor, else 0. */
static int make_tuned(const scan_stage *stage, const scan_tuning *tuning, scan_trial *trial) {
    char name[48];
    const char *algorithm = jr_algorithm_name(tuning->algorithm);
    if (tuning->block > 0)
        snprintf(name, sizeof name, "%s %dx%d", algorithm, tuning->block, tuning->unroll);
    else
        snprintf(name, sizeof name, "%s", algorithm);
    const jr_status status = make_ours(stage, SCAN_OURS, tuning, name, trial);
    if (status != JR_ERROR_NOT_APPLICABLE) bench_check(status, trial->name);
    return status == JR_OK;
}

/* 1 where the algorithm takes the work, else 0. One block alone would take long over more. */
static int make_algorithm(const scan_stage *stage, jr_algorithm algorithm, scan_trial *trial) {
    enum { ONE_BLOCK_MAX = 1 << 17 };
    if (algorithm == JR_ALGORITHM_ONE_BLOCK && stage->runs.count > ONE_BLOCK_MAX) return 0;
    if (stage->work->reduces && algorithm != JR_ALGORITHM_BULK_COPY) return 0; /* of runs there are two kernels */
    return make_tuned(stage, &(scan_tuning){.algorithm = algorithm}, trial);
}

static int make_peer(const scan_stage *stage, const peer *other, scan_trial *trial) {
    char op[OP_WORDS];
    const scan_arrays arrays = scan_stage_arrays(stage, 0);
    const peer_work work = peer_work_of(stage, &arrays, op);
    *trial = (scan_trial){.stage = stage, .kind = SCAN_PEER, .other = other, .handle = other->prepare(&work)};
    snprintf(trial->name, sizeof trial->name, "%s", other->name);
    return trial->handle != NULL;
}

int scan_trials_make(const scan_stage *stage, const scan_tunings *tunings, const peer *const *peers, int peer_count,
                     scan_trial trials[SCAN_TRIALS_MAX]) {
    static const jr_algorithm others[SCAN_ALGORITHMS - 1] = {JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_WAVE,
                                                             JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY,
                                                             JR_ALGORITHM_THREE_PASS};
    static const scan_tuning plain = {.algorithm = JR_ALGORITHM_AUTO};
    const scan_work *work = stage->work;
    int count = 1;
    if (make_ours(stage, SCAN_OURS, &plain, "", trials) != JR_OK) {
        fprintf(stderr, "scan_bench: %s:%s:%s@%s:%s is left out: %s\n", work->kind, work->op, work->type, work->layout,
                work->run, jr_last_error()->message);
        return 0;
    }
    for (int a = 0; a < SCAN_ALGORITHMS - 1 && !tunings->alone; a++)
        count += make_algorithm(stage, others[a], &trials[count]);
    for (int t = 0; t < tunings->count; t++) count += make_tuned(stage, &tunings->items[t], &trials[count]);
    if (work->reduces)
        bench_check(make_ours(stage, SCAN_FLAT, &plain, "flat", &trials[count++]), "making the flat reduction");
    if (work->spec.accuracy != JR_ACCURACY_FAST)
        bench_check(make_ours(stage, SCAN_PLAIN, &plain, "plain", &trials[count++]), "making the plain one");
    for (int p = 0; p < peer_count; p++) count += make_peer(stage, peers[p], &trials[count]);
    trials[count++] = (scan_trial){.stage = stage, .kind = SCAN_COPY, .name = "copy"};
    return count;
}

void scan_trial_free(scan_trial *trial) {
    jr_plan_destroy(trial->plan);
    if (trial->handle != NULL) trial->other->release(trial->handle);
}
