/* The works of group_bench. */
#include "group_works.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void peer_did(int error, const group_bench *bench) {
    bench_demand(error == 0, "%s failed with %d", bench->stage.peer->name, error);
}

bool group_is_there(const group_bench *bench, int who) {
    return who == PEER ? bench->stage.peer != NULL : bench->work->contestants[who] != NULL && !bench->missing[who];
}

const char *group_contestant(const group_bench *bench, int who) {
    return who == PEER ? bench->stage.peer->name : bench->work->contestants[who];
}

static const jr_spec sum_f32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32};

static jr_group_plan *group_plan(jr_group *group, jr_work_kind kind) {
    jr_group_plan *plan;
    bench_check(jr_work_group_plan_create(group, &JR_INIT(jr_work, .spec = &sum_f32, .kind = kind), &plan),
                "making a plan");
    return plan;
}

static void make_one(group_bench *bench, jr_work_kind kind) {
    bench_check(jr_work_plan_create(jr_group_context(bench->stage.group, 0),
                                    &JR_INIT(jr_work, .spec = &sum_f32, .kind = kind), &bench->one),
                "making a plan of one");
}

static void run_one(const group_bench *bench, const group_call *made) {
    const jr_work_data data =
        JR_INIT(jr_work_data, .in = made->arrays, .count = made->counts[0], .out = bench->stage.d_out[0]);
    bench_check(jr_work_plan_run(bench->one, &data, NULL, NULL), "running one");
}

static float read_result(const group_bench *bench, size_t device, uint64_t at) {
    float found = 0;
    bench_check(jr_memory_read(jr_group_context(bench->stage.group, device), &found, bench->stage.d_out[device] + at,
                               sizeof found),
                "reading a result");
    return found;
}

static void demand_result(const group_bench *bench, size_t device, uint64_t at, double wanted, double most, int who) {
    const double found = (double)read_result(bench, device, at);
    bench_demand(fabs(found - wanted) <= most, "result %llu of GPU %zu by %s is %g, not %g", (unsigned long long)at,
                 device, group_contestant(bench, who), found, wanted);
}

/* ---- sum, ranks ---- */

/* Values from 0 to 1 that differ: places times 2^32 by the golden ratio. Every sum is near half the count. */
static float differing(uint64_t place, size_t device) {
    (void)device;
    return (float)(((uint32_t)place * 2654435769u) >> 8) * 0x1p-24f;
}

static void get_scalar(group_bench *bench, int who, group_call *made) {
    jr_value value = {.as.f32 = 0};
    const group_stage *stage = &bench->stage;
    made->parts.values = &value;
    if (who == PEER)
        peer_did(stage->peer->value(stage->handle, (const float *const *)made->arrays, made->counts[0], &value.as.f32),
                 bench);
    else if (who == ONE)
        bench_check(jr_plan_value(bench->one, made->arrays, made->counts[0], NULL, &value), "reducing by one");
    else
        bench_check(jr_work_group_plan_run(bench->plans[who], &made->parts), "reducing by the group");
    bench->sum = value.as.f32;
}

static void call_sum(group_bench *bench, int what, int who, group_call *made) {
    const group_stage *stage = &bench->stage;
    if (what == SCALAR)
        get_scalar(bench, who, made);
    else if (who == PEER)
        peer_did(stage->peer->run(stage->handle, (const float *const *)made->arrays, made->counts[0]), bench);
    else if (who == ONE)
        run_one(bench, made);
    else
        bench_check(jr_allreduce_run(bench->ways[who], &made->parts, (void *const *)stage->d_out), "reducing to all");
}

static void check_sum(const group_bench *bench, int what, int who, uint64_t count) {
    const double elements = (double)count * (who == ONE ? 1 : (double)bench->stage.all);
    if (what == SCALAR)
        bench_demand(fabs((double)bench->sum - elements / 2) < elements / 10, "the sum of %g elements by %s is %g",
                     elements, group_contestant(bench, who), (double)bench->sum);
    for (size_t i = 0; what == DEVICES && who < SORTS && i < bench->stage.devices; i++) {
        demand_result(bench, i, 0, elements / 2, elements / 10, who);
        demand_result(bench, i, 0, (double)read_result(bench, 0, 0), 0, who);
    }
}

static void make_sum(group_bench *bench) {
    jr_context *contexts[GROUP_DEVICES_MAX];
    for (size_t i = 0; i < bench->stage.devices; i++) contexts[i] = jr_group_context(bench->stage.group, i);
    bench_check(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = bench->stage.devices,
                                       .launch_look_us = -1),
                              &bench->turns),
                "opening a group without threads");
    jr_group *const groups[SORTS] = {bench->stage.group, bench->turns};
    for (int i = 0; i < SORTS; i++) {
        bench->plans[i] = group_plan(groups[i], JR_WORK_REDUCE);
        bench_check(jr_work_allreduce_create(groups[i], &JR_INIT(jr_work, .spec = &sum_f32), NULL, &bench->ways[i]),
                    "making an all-reduce");
    }
    make_one(bench, JR_WORK_REDUCE);
    printf("# way of the all-reduce: %d\n", (int)jr_allreduce_way_of(bench->ways[GROUP]));
}

static void make_ranks(group_bench *bench) {
    bench->plans[GROUP] = group_plan(bench->stage.group, JR_WORK_REDUCE);
    make_one(bench, JR_WORK_REDUCE);
}

static void call_ranks(group_bench *bench, int what, int who, group_call *made) {
    if (who == ALLGATHER)
        group_stage_gather(&bench->stage);
    else
        get_scalar(bench, who, made);
    (void)what;
}

/* ---- fold ---- */

static float by_place(uint64_t place, size_t device) {
    return (float)(place % 1000 + device);
}

/* Which of the ways can be used. */
static void make_fold(group_bench *bench) {
    jr_segment_layout layouts[GROUP_DEVICES_MAX];
    const jr_work work = JR_INIT(jr_work, .spec = &sum_f32, .layout = layouts);
    for (size_t i = 0; i < bench->stage.devices; i++)
        layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    for (int way = JR_ALLREDUCE_PEERS; way <= JR_ALLREDUCE_HOST; way++) {
        const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = (jr_allreduce_way)way);
        jr_allreduce **made = &bench->ways[way - JR_ALLREDUCE_PEERS];
        bench->missing[way - JR_ALLREDUCE_PEERS] =
            jr_work_allreduce_create(bench->stage.group, &work, &options, made) != JR_OK;
        if (*made == NULL) printf("# way %d: %s\n", way, jr_last_error()->message);
    }
}

static void call_fold(group_bench *bench, int what, int who, group_call *made) {
    const group_stage *stage = &bench->stage;
    (void)what;
    if (who == PEER)
        peer_did(stage->peer->fold(stage->handle, (const float *const *)made->arrays, stage->d_out, made->counts[0]),
                 bench);
    else
        bench_check(jr_allreduce_run(bench->ways[who], &made->parts, (void *const *)stage->d_out), "folding");
}

/* Element e of GPU i is e % 1000 + i, and calls of fold take the first ones. */
static void check_fold(const group_bench *bench, int what, int who, uint64_t count) {
    const double devices = (double)bench->stage.devices;
    const uint64_t at[] = {0, count / 2, count - 1};
    (void)what;
    for (size_t i = 0; i < bench->stage.devices; i++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++)
            demand_result(bench, i, at[k],
                          devices * (double)((bench->stage.at + at[k]) % 1000) + devices * (devices - 1) / 2, 0.5, who);
}

/* ---- scan ---- */

static float always_1(uint64_t place, size_t device) {
    (void)place, (void)device;
    return 1;
}

static void make_scan(group_bench *bench) {
    bench->plans[GROUP] = group_plan(bench->stage.group, JR_WORK_SCAN_INCLUSIVE);
    make_one(bench, JR_WORK_SCAN_INCLUSIVE);
}

static void call_scan(group_bench *bench, int what, int who, group_call *made) {
    (void)what;
    made->parts.d_out = (void *const *)bench->stage.d_out;
    if (who == ONE)
        run_one(bench, made);
    else
        bench_check(jr_work_group_plan_run(bench->plans[GROUP], &made->parts), "scanning by the group");
}

/* All elements are 1, so that each result is its place, exactly up to 2^24 and nearly beyond. */
static void check_scan(const group_bench *bench, int what, int who, uint64_t count) {
    (void)what;
    for (size_t i = 0; i < (who == ONE ? 1 : bench->stage.devices); i++) {
        const double wanted = (double)count * (double)(i + 1);
        demand_result(bench, i, count - 1, wanted, wanted * 1e-5, who);
    }
}

/* ---- all of them ---- */

void group_wait(const group_bench *bench, int what, int who) {
    const char *measure = bench->work->measures[what];
    if (strcmp(measure, "scalar") == 0 || strcmp(measure, "value") == 0) return;
    if (who == PEER)
        peer_did(bench->stage.peer->wait(bench->stage.handle), bench);
    else if (bench->ways[who] != NULL)
        bench_check(jr_allreduce_wait(bench->ways[who]), "waiting for all");
    else
        for (size_t i = 0; i < (who == ONE ? 1 : bench->stage.devices); i++)
            bench_check(jr_stream_wait(jr_group_context(bench->stage.group, i), NULL), "waiting");
}

const group_work group_works[] = {{"sum",
                                   {1 << 10, 1 << 20, 1 << 24, 1 << 28},
                                   {"scalar", "devices", "batch"},
                                   {"group", "turns", "one"},
                                   3,
                                   1 << 28,
                                   false,
                                   differing,
                                   make_sum,
                                   call_sum,

                                   check_sum},
                                  {"fold",
                                   {1 << 10, 1 << 17, 1 << 20, 1 << 24},
                                   {"devices", "batch"},
                                   {"peers", "nccl", "host"},
                                   0,
                                   0,
                                   true,
                                   by_place,
                                   make_fold,
                                   call_fold,

                                   check_fold},
                                  {"scan",
                                   {1 << 10, 1 << 20, 1 << 24, 1 << 28},
                                   {"scan"},
                                   {"group", NULL, "one"},
                                   0,
                                   0,
                                   true,
                                   always_1,
                                   make_scan,
                                   call_scan,

                                   check_scan},
                                  {"ranks",
                                   {1 << 10, 1 << 20, 1 << 24, 1 << 26},
                                   {"value"},
                                   {"group", "allgather", "one"},
                                   0,
                                   1 << 26,
                                   false,
                                   differing,
                                   make_ranks,
                                   call_ranks,

                                   check_sum}};
const int group_work_count = sizeof group_works / sizeof *group_works;
