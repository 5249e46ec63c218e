/* The public functions that carry out works (work.h). */
#include "jitreduce/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exact/host_states.h"
#include "given_work.h"
#include "group/allreduce/allreduce.h"
#include "group/reduce/group_value.h"
#include "group/scan/group_scan.h"
#include "group/segments/group_segments.h"
#include "group/segments/segments_deal.h"
#include "guard.h"
#include "host/host.h"
#include "plan/make.h"
#include "wisdom/advice.h"

/* ---- host memory ---- */

/* What a call on host memory works with. */
typedef struct host_data {
    jr_work_data of;
    uint64_t *offsets; /* a copy of the caller's and one more; NULL: the caller's are used */
} host_data;

/* Between offsets, `count` says where the arrays end: not before the last segment. A scan's further elements form a
 * segment. */
static jr_status close_offsets(const jr_own_work *work, host_data *data) {
    const uint64_t count = data->of.segments, elements = data->of.count, *from = data->of.offsets;
    if (work->layout.kind != JR_SEGMENTS_OFFSETS || elements == 0 || (uintptr_t)from % sizeof *from != 0) return JR_OK;
    if (from[count] > elements)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the last offset is %llu, but count says that there are %llu elements",
                       (unsigned long long)from[count], (unsigned long long)elements);
    if (from[count] == elements || !jr_given_work_is_scan(work)) return JR_OK;
    if (count < SIZE_MAX / sizeof *from - 2) data->offsets = malloc((size_t)(count + 2) * sizeof *from);
    if (data->offsets == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu offsets", (unsigned long long)count + 2);
    memcpy(data->offsets, from, (size_t)(count + 1) * sizeof *from);
    data->offsets[count + 1] = elements;
    data->of.offsets = data->offsets;
    data->of.segments++;
    return JR_OK;
}

/* What a call on host memory uses besides arrays, a count and out. */
static unsigned members_of(const jr_own_work *work) {
    const bool merge = jr_given_work_is_merge(work), to_state = jr_given_work_is_to_state(work);
    if (jr_given_work_is_scan(work) || work->divided) return work->divided ? JR_MEMBERS_OF_SEGMENTS : 0;
    return (to_state ? 0 : JR_MEMBER_VALUES) | (merge ? JR_MEMBER_STATES : to_state ? JR_MEMBER_FIRST : 0);
}

static jr_status read_host_data(const jr_own_work *work, const jr_work_data *given, host_data *data) {
    const bool scan = jr_given_work_is_scan(work);
    const unsigned members = members_of(work);
    JR_TRY(jr_given_work_read_data(given, true, &data->of));
    JR_TRY(jr_given_work_check_members(&data->of, members));
    if (members & JR_MEMBER_VALUES && (data->of.values == NULL || data->of.out != NULL))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data->%s: a reduction without a layout writes to values",
                       data->of.values == NULL ? "values is NULL" : "out is set");
    if (!(members & JR_MEMBER_VALUES) && !scan && data->of.out == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data->out is NULL: set it to room for the results");
    if (members & JR_MEMBER_STATES && data->of.in[0] == NULL && data->of.states > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data->in[0] is NULL: set it to the states");
    if (!work->divided) return JR_OK;
    JR_TRY(jr_given_work_count_segments(&data->of, work->segments));
    JR_TRY(jr_given_work_check_segments(&work->layout, &data->of, scan));
    return data->of.offsets != NULL ? close_offsets(work, data) : JR_OK;
}

static jr_status scan_host(jr_context *context, const jr_own_work *work, const host_data *data) {
    const jr_adviser adviser = jr_advice_adviser(context);
    const jr_scan_asked asked = {.exclusive = jr_given_work_is_exclusive(work),
                                 .data = &data->of,
                                 .layout = work->layout,
                                 .view = &work->view,
                                 .adviser = work->divided ? NULL : &adviser};
    return jr_scan_host_run(context, &work->spec.spec, &asked);
}

static jr_status reduce_host_segments(jr_context *context, const jr_own_work *work, const host_data *data) {
    const bool keys = work->layout.kind == JR_SEGMENTS_KEYS, tree = keys && jr_reduction_is_tree(&work->spec.spec);
    if (keys)
        return (tree ? jr_runs_host_run_tree : jr_runs_host_run)(context, &work->spec.spec, &work->layout, &data->of);
    const jr_segment_share all = {.data = &data->of, .view = &work->view};
    return jr_segment_host_share(context, &work->spec.spec, &work->layout, &all);
}

static const jr_work_taker of_host = {.name = "a call on host memory",
                                      .scans = true,
                                      .segments = true,
                                      .segment_scans = true,
                                      .states = true,
                                      .applies = true,
                                      .strides = true,
                                      .many = true};

static jr_status run_host_states(jr_context *context, const jr_own_work *work, const jr_work_data *data) {
    const jr_host_states states = {.states = data->in[0], .count = data->states, .elements = data->count};
    const jr_host_part part = {.data = data->in, .count = data->count, .first = data->first};
    const jr_spec *spec = &work->spec.spec;
    if (!jr_given_work_is_to_state(work)) return jr_host_states_finish(context, spec, &states, data->values);
    if (jr_given_work_is_merge(work)) return jr_host_states_merge(context, spec, &states, data->out);
    JR_TRY(jr_given_work_check_part(part.count, part.first));
    return jr_host_states_fold(context, spec, &part, data->out);
}

static jr_status run_host(jr_context *context, const jr_own_work *work, const host_data *data) {
    if (jr_given_work_is_merge(work) || jr_given_work_is_to_state(work))
        return run_host_states(context, work, &data->of);
    if (jr_given_work_is_scan(work)) return scan_host(context, work, data);
    if (jr_given_work_applies(work)) return jr_apply_host_run(context, &work->spec.spec, &work->layout, &data->of);
    if (work->divided) return reduce_host_segments(context, work, data);
    const jr_adviser adviser = jr_advice_adviser(context);
    return jr_host_reduce(context, &work->spec.spec, &adviser, data->of.in, data->of.count, data->of.values);
}

jr_status jr_work_run_host(jr_context *context, const jr_work *work, const jr_work_data *data) {
    JR_GUARD_CALL;
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    host_data places = {.offsets = NULL};
    JR_TRY(JR_GIVEN(context, work, data));
    JR_TRY(jr_given_work_read(work, &of_host, &own));
    if (own.layout.kind == JR_SEGMENTS_ARRAYS) {
        JR_TRY(jr_given_work_read_many(data, &places.of));
        return jr_many_host_run(context, &own.spec.spec, &own.layout, places.of.out);
    }
    jr_status status = read_host_data(&own, data, &places);
    if (status == JR_OK) status = run_host(context, &own, &places);
    free(places.offsets);
    return status;
}

/* ---- plans ---- */

jr_status jr_work_plan_create(jr_context *context, const jr_work *work, jr_plan **plan) {
    JR_GUARD_CALL;
    jr_work_taker taker = of_host; /* which takes the same */
    taker.name = "a plan";
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    JR_TRY(JR_GIVEN(context, work, plan));
    JR_TRY(jr_given_work_read(work, &taker, &own));
    const jr_adviser adviser = jr_advice_adviser(context);
    jr_job job = jr_given_work_job(&own, context, &adviser);
    JR_TRY(jr_make_of_spec(&own.spec.spec, &job, plan));
    (*plan)->segments = own.segments;
    return JR_OK;
}

/* A run of nothing but arrays and a place for the results. */
static bool is_plain(const jr_plan *plan, const jr_work_data *data) {
    const uint64_t more = data->segments | data->first | data->states | (uintptr_t)data->values |
                          (uintptr_t)data->offsets | (uintptr_t)data->keys | (uintptr_t)data->run_keys |
                          (uintptr_t)data->run_count;
    return more == 0 && jr_given_work_is_plain(plan);
}

static jr_status set_part(const jr_work_data *data, jr_run *run) {
    JR_TRY(jr_given_work_check_members(data, JR_MEMBER_FIRST));
    run->first = data->first;
    return jr_given_work_check_part(data->count, data->first);
}

/* A scan by offsets needs `elements`, which may be more than its segments have. */
static jr_status check_segments(const jr_plan *plan, jr_work_data data) {
    const bool scan = plan->kind == &jr_plan_scan;
    if (scan && plan->layout.kind == JR_SEGMENTS_OFFSETS) data.count = 0;
    return jr_given_work_check_segments(&plan->layout, &data, scan);
}

static jr_status set_segments(const jr_plan *plan, const jr_work_data *data, jr_run *run) {
    jr_work_data own = *data;
    const bool runs = plan->kind == &jr_plan_runs;
    JR_TRY(jr_given_work_check_members(data, JR_MEMBERS_OF_SEGMENTS | (runs ? JR_MEMBER_VALUES : 0)));
    JR_TRY(jr_given_work_count_segments(&own, plan->segments));
    JR_TRY(check_segments(plan, own));
    run->count = own.segments;
    run->segments.offsets = jr_cu_address(own.offsets);
    run->segments.keys = jr_cu_address(own.keys);
    return plan->kind->by_elements ? jr_scan_segments_set(&plan->layout, &own, run) : JR_OK;
}

/* What a run has besides arrays, a count and a place for the results. Not inlined, so that a plain run stays short. */
__attribute__((noinline)) static jr_status set_more(const jr_plan *plan, const jr_work_data *data, jr_run *run) {
    if (plan->kind == &jr_plan_merge) {
        run->merge.states = data->states;
        return jr_given_work_check_members(data, JR_MEMBER_STATES);
    }
    if (plan->kind == &jr_plan_many) return jr_given_work_check_many(data);
    if (plan->layout.kind != 0) return set_segments(plan, data, run);
    return plan->choice.tuning.to_state ? set_part(data, run) : jr_given_work_check_members(data, 0);
}

jr_status jr_work_plan_run(jr_plan *plan, const jr_work_data *data, void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    jr_work_data own;
    JR_TRY(JR_GIVEN(plan, data));
    const bool many = plan->kind == &jr_plan_many;
    if (data->size != sizeof own || (data->in == NULL && !many)) {
        JR_TRY(jr_given_work_read_data(data, !many, &own));
        data = &own;
    }
    jr_run run = {.count = many ? plan->arrays.elements : data->count,
                  .out = jr_cu_address(data->out),
                  .workspace = jr_cu_address(workspace),
                  .stream = stream};
    const int inputs = many ? 0 : plan->kind == &jr_plan_merge ? 1 : plan->reduction->input_count;
    for (int i = 0; i < inputs; i++) run.in[i] = jr_cu_address(data->in[i]);
    if (is_plain(plan, data)) return jr_plan_start(plan, &run);
    JR_TRY(set_more(plan, data, &run));
    return data->values == NULL ? jr_plan_start(plan, &run) : jr_plan_start_and_wait(plan, &run, data->values);
}

/* ---- groups: a wrong work is passed on, since the exchange reports it to the other ranks ---- */

jr_status jr_work_group_host(jr_group *group, const jr_work *work, const jr_work_data *data) {
    JR_GUARD_CALL;
    static const jr_work_taker taker = {.name = "a group", .scans = true, .segments = true, .segment_scans = true};
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    host_data places = {.of = {.in = NULL}};
    JR_TRY(JR_GIVEN(group, work, data));
    jr_status status = jr_given_work_read(work, &taker, &own);
    if (status == JR_OK) status = read_host_data(&own, data, &places);
    const jr_spec *spec = &own.spec.spec;
    const bool scan = jr_given_work_is_scan(&own);
    if (own.divided) {
        const jr_group_segments asked = {
            .layout = own.layout, .data = places.of, .exclusive = jr_given_work_is_exclusive(&own)};
        status = (scan ? jr_group_host_scan_segments : jr_group_host_segments)(group, status, spec, &asked);
        free(places.offsets);
        return status;
    }
    if (scan) return jr_group_host_scan(group, status, spec, &places.of, jr_given_work_is_exclusive(&own));
    return jr_group_host_reduce(group, status, spec, &places.of);
}

jr_status jr_work_group_plan_create(jr_group *group, const jr_work *work, jr_group_plan **plan) {
    JR_GUARD_CALL;
    static const jr_work_taker taker = {.name = "a plan of a group", .scans = true, .segments = true};
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    jr_segment_layout layouts[JR_GROUP_DEVICES_MAX] = {{.kind = 0}};
    JR_TRY(JR_GIVEN(group, work, plan));
    jr_status status = jr_given_work_read(work, &taker, &own);
    if (status == JR_OK && own.divided) status = jr_given_work_read_layouts(work, group, layouts);
    const jr_group_use use = {.on_devices = true,
                              .layouts = own.divided ? layouts : NULL,
                              .scans = jr_given_work_is_scan(&own),
                              .exclusive = jr_given_work_is_exclusive(&own)};
    return jr_group_plan_make(group, status, &own.spec.spec, &use, plan);
}

/* Where a run of a plan writes: one of three members. */
static jr_status check_places(const jr_group_plan *plan, const jr_group_parts *parts) {
    const bool scan = plan->scans[0] != NULL, segments = !scan && plan->merge->layout.kind != 0;
    const struct {
        const char *name;
        bool set, used;
    } places[] = {{"d_out", parts->d_out != NULL, scan},
                  {"results", parts->results != NULL, segments},
                  {"values", parts->values != NULL, !scan && !segments}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].set != places[i].used)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parts->%s is %s: this plan of a group %s", places[i].name,
                           places[i].set ? "set" : "NULL",
                           scan       ? "scans, and writes to d_out"
                           : segments ? "reduces segments, and writes to results"
                                      : "reduces, and writes to values");
    return JR_OK;
}

jr_status jr_work_group_plan_run(jr_group_plan *plan, const jr_group_parts *parts) {
    JR_GUARD_CALL;
    jr_group_parts own = {.size = 0}; /* its places are passed on even where reading it failed */
    JR_TRY(JR_GIVEN(plan, parts));
    jr_status status = jr_size_read(&jr_group_parts_sized, parts, &own);
    if (status == JR_OK) status = check_places(plan, &own);
    if (plan->scans[0] != NULL) return jr_group_plan_scan(plan, status, &own, own.d_out);
    if (plan->merge->layout.kind != 0) return jr_group_segments_run(plan, status, &own, own.results);
    return jr_group_plan_reduce(plan, status, &own, own.values);
}

jr_status jr_work_allreduce_create(jr_group *group, const jr_work *work, const jr_allreduce_options *options,
                                   jr_allreduce **allreduce) {
    JR_GUARD_CALL;
    static const jr_work_taker taker = {.name = "an all-reduce", .segments = true};
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    jr_segment_layout layouts[JR_GROUP_DEVICES_MAX] = {{.kind = 0}};
    jr_allreduce_options how = {0};
    JR_TRY(JR_GIVEN(group, work, allreduce));
    jr_status status = jr_given_work_read(work, &taker, &own);
    if (status == JR_OK && own.divided) status = jr_given_work_read_layouts(work, group, layouts);
    if (status == JR_OK && options != NULL) status = jr_size_read(&jr_allreduce_options_sized, options, &how);
    return jr_allreduce_make(group, status, &own.spec.spec, own.divided ? layouts : NULL, &how, allreduce);
}
