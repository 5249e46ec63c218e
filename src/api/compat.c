/* The names of version 0.2, which stay for one version: thin forms of the functions of work.h. */
#include "base/error.h"
#include "given_work.h"
#include "guard.h"
#include "jitreduce.h"
#include "plan/plan.h"

static jr_work_kind kind_of(jr_scan_kind kind) {
    return kind == JR_SCAN_INCLUSIVE   ? JR_WORK_SCAN_INCLUSIVE
           : kind == JR_SCAN_EXCLUSIVE ? JR_WORK_SCAN_EXCLUSIVE
                                       : (jr_work_kind)-1; /* unknown, too */
}

#define WORK(...)   (&JR_INIT(jr_work, .spec = spec, __VA_ARGS__))
#define DATA(...)   (&JR_INIT(jr_work_data, __VA_ARGS__))
#define OWN(layout) jr_given_layouts_of_0_2(layout, 1, &(jr_segment_layout){.size = 0})
#define OWN_OF_DEVICES(layouts)                                                                                        \
    jr_given_layouts_of_0_2(layouts, group != NULL ? group->local_count : 0,                                           \
                            (jr_segment_layout[JR_GROUP_DEVICES_MAX]){{.size = 0}})

/* Where a caller's segments are. layout: NULL, or where theirs is written, which must be there. */
static jr_status read_segments(const jr_segments *given, const void *const *in, void *out,
                               const jr_segment_layout **layout, jr_work_data *data) {
    jr_segments own;
    if (given == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "segments is NULL");
    JR_TRY(jr_size_read(&jr_segments_sized, given, &own));
    *data = *DATA(.in = in, .count = own.elements, .out = out, .segments = own.count, .offsets = own.offsets,
                  .keys = own.keys, .run_keys = own.run_keys, .run_count = own.run_count);
    if (layout == NULL) return JR_OK;
    *layout = own.layout;
    return own.layout != NULL ? JR_OK : jr_fail(JR_ERROR_INVALID_ARGUMENT, "segments.layout is NULL: set it");
}

/* ---- host memory ---- */

jr_status jr_reduce_host_arrays(jr_context *context, const jr_spec *spec, const void *const *data, uint64_t count,
                                jr_value *values) {
    return jr_work_run_host(context, WORK(.kind = JR_WORK_REDUCE), DATA(.in = data, .count = count, .values = values));
}

jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                  const void *const *data, const jr_segments *segments, void *results) {
    jr_work_data read;
    JR_TRY(JR_GIVEN(layout));
    JR_TRY(read_segments(segments, data, results, NULL, &read));
    return jr_work_run_host(context, WORK(.layout = OWN(layout)), &read);
}

jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data, const jr_axis *axis,
                              void *results) {
    JR_TRY(JR_GIVEN(axis));
    return jr_work_run_host(context, WORK(.axis = axis), DATA(.in = data, .out = results));
}

jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data, uint64_t count,
                       void *out) {
    jr_size_spec own;
    JR_TRY(JR_GIVEN(spec));
    JR_TRY(jr_size_spec_read(spec, &own));
    if (own.spec.input_count > 1 || own.spec.op == JR_OP_DOT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the spec has %d inputs: jr_scan_host takes one array; use %s",
                       own.spec.op == JR_OP_DOT ? 2 : own.spec.input_count, "jr_work_run_host");
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu", (unsigned long long)count);
    return jr_scan_host_arrays(context, spec, kind, &data, count, out);
}

jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                              uint64_t count, void *out) {
    return jr_work_run_host(context, WORK(.kind = kind_of(kind)), DATA(.in = data, .count = count, .out = out));
}

jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                const jr_segments *segments, void *out) {
    const jr_segment_layout *layout;
    jr_work_data read;
    JR_TRY(read_segments(segments, data, out, &layout, &read));
    return jr_work_run_host(context, WORK(.kind = kind_of(kind), .layout = OWN(layout)), &read);
}

jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                            const jr_axis *axis, void *out) {
    JR_TRY(JR_GIVEN(axis));
    return jr_work_run_host(context, WORK(.kind = kind_of(kind), .axis = axis), DATA(.in = data, .out = out));
}

/* ---- plans ---- */

jr_status jr_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan) {
    return jr_work_plan_create(context, WORK(.kind = JR_WORK_REDUCE), plan);
}

jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                 jr_plan **plan) {
    JR_TRY(JR_GIVEN(layout));
    return jr_work_plan_create(context, WORK(.layout = OWN(layout)), plan);
}

jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan) {
    return jr_work_plan_create(context, WORK(.kind = kind_of(kind)), plan);
}

jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                      const jr_segment_layout *layout, jr_plan **plan) {
    JR_TRY(JR_GIVEN(layout));
    return jr_work_plan_create(context, WORK(.kind = kind_of(kind), .layout = OWN(layout)), plan);
}

jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan) {
    return jr_work_plan_create(context, WORK(.kind = JR_WORK_STATE), plan);
}

jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan) {
    if (kind != JR_MERGE_TO_RESULT && kind != JR_MERGE_TO_STATE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown merge kind %d: give a JR_MERGE_ value", (int)kind);
    return jr_work_plan_create(context, WORK(.kind = kind == JR_MERGE_TO_STATE ? JR_WORK_MERGE_STATES : JR_WORK_MERGE),
                               plan);
}

__attribute__((cold)) static jr_status fail_inputs(const jr_plan *plan) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the plan has %d inputs: use jr_work_plan_run",
                   plan->reduction->input_count);
}

/* As quick as it was. */
jr_status jr_plan_run(jr_plan *plan, const void *d_in, uint64_t count, void *d_out, void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    const jr_run run = {.in = {jr_cu_address(d_in)},
                        .count = count,
                        .out = jr_cu_address(d_out),
                        .workspace = jr_cu_address(workspace),
                        .stream = stream};
    JR_TRY(JR_GIVEN(plan));
    if (plan->reduction->input_count > 1) return fail_inputs(plan);
    if (!jr_given_work_is_plain(plan)) return jr_given_work_fail_plain(plan);
    return jr_plan_start(plan, &run);
}

jr_status jr_plan_run_arrays(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out, void *workspace,
                             jr_stream stream) {
    JR_TRY(JR_GIVEN(plan, d_in));
    if (!jr_given_work_is_plain(plan)) return jr_given_work_fail_plain(plan);
    return jr_work_plan_run(plan, DATA(.in = d_in, .count = count, .out = d_out), workspace, stream);
}

jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                              void *workspace, jr_stream stream) {
    if (plan != NULL && plan->reduction->input_count > 1) return fail_inputs(plan);
    return jr_segment_plan_run_arrays(plan, &d_in, segments, d_out, workspace, stream);
}

jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream) {
    jr_work_data data;
    JR_TRY(JR_GIVEN(plan, d_in));
    if (plan->layout.kind == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this is not a plan of segments: make it of a work with a layout");
    JR_TRY(read_segments(segments, d_in, d_out, NULL, &data));
    return jr_work_plan_run(plan, &data, workspace, stream);
}

jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace, jr_stream stream) {
    jr_part own;
    JR_TRY(JR_GIVEN(plan, part));
    if (plan->kind != &jr_plan_flat || !plan->choice.tuning.to_state)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan writes no states: make it of a JR_WORK_STATE");
    JR_TRY(jr_size_read(&jr_part_sized, part, &own));
    if (own.d_in == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "part->d_in is NULL");
    return jr_work_plan_run(plan, DATA(.in = own.d_in, .count = own.count, .out = d_state, .first = own.first),
                            workspace, stream);
}

jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream) {
    jr_states own;
    JR_TRY(JR_GIVEN(plan, states));
    if (plan->kind != &jr_plan_merge)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan merges no states: make it of a JR_WORK_MERGE");
    JR_TRY(jr_size_read(&jr_states_sized, states, &own));
    const void *const in[] = {own.d_states};
    return jr_work_plan_run(plan, DATA(.in = in, .count = own.elements, .out = d_out, .states = own.count), NULL,
                            stream);
}

size_t jr_merge_plan_state_bytes(const jr_plan *plan) {
    return plan != NULL && plan->kind == &jr_plan_merge ? plan->reduction->accumulator_bytes : 0;
}

/* ---- groups ---- */

jr_status jr_group_reduce_host(jr_group *group, const jr_spec *spec, const void *const *data, uint64_t count,
                               jr_value *values) {
    return jr_work_group_host(group, WORK(.kind = JR_WORK_REDUCE), DATA(.in = data, .count = count, .values = values));
}

jr_status jr_group_reduce_host_segments(jr_group *group, const jr_spec *spec, const jr_segment_layout *layout,
                                        const void *const *data, const jr_segments *segments, void *results) {
    jr_work_data read;
    JR_TRY(JR_GIVEN(layout));
    JR_TRY(read_segments(segments, data, results, NULL, &read));
    return jr_work_group_host(group, WORK(.layout = OWN(layout)), &read);
}

jr_status jr_group_scan_host(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                             uint64_t count, void *out) {
    return jr_work_group_host(group, WORK(.kind = kind_of(kind)), DATA(.in = data, .count = count, .out = out));
}

jr_status jr_group_scan_host_segments(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                      const jr_segments *segments, void *out) {
    const jr_segment_layout *layout;
    jr_work_data read;
    JR_TRY(read_segments(segments, data, out, &layout, &read));
    return jr_work_group_host(group, WORK(.kind = kind_of(kind), .layout = OWN(layout)), &read);
}

jr_status jr_group_plan_create(jr_group *group, const jr_spec *spec, jr_group_plan **plan) {
    return jr_work_group_plan_create(group, WORK(.kind = JR_WORK_REDUCE), plan);
}

jr_status jr_group_segment_plan_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                       jr_group_plan **plan) {
    JR_TRY(JR_GIVEN(layouts));
    return jr_work_group_plan_create(group, WORK(.layout = OWN_OF_DEVICES(layouts)), plan);
}

jr_status jr_group_scan_plan_create(jr_group *group, const jr_spec *spec, jr_scan_kind kind, jr_group_plan **plan) {
    return jr_work_group_plan_create(group, WORK(.kind = kind_of(kind)), plan);
}

/* to: the caller's place, and no other. */
static jr_status run_group_plan(jr_group_plan *plan, const jr_group_parts *parts, jr_group_parts to) {
    jr_group_parts own;
    JR_TRY(JR_GIVEN(plan, parts));
    JR_TRY(jr_size_read(&jr_group_parts_sized, parts, &own));
    to.size = sizeof to;
    to.d_in = own.d_in;
    to.counts = own.counts;
    to.streams = own.streams;
    return jr_work_group_plan_run(plan, &to);
}

jr_status jr_group_plan_value(jr_group_plan *plan, const jr_group_parts *parts, jr_value *values) {
    return run_group_plan(plan, parts, (jr_group_parts){.values = values});
}

jr_status jr_group_segment_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *results) {
    return run_group_plan(plan, parts, (jr_group_parts){.results = results});
}

jr_status jr_group_scan_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out) {
    return run_group_plan(plan, parts, (jr_group_parts){.d_out = d_out});
}

jr_status jr_allreduce_create(jr_group *group, const jr_spec *spec, const jr_allreduce_options *options,
                              jr_allreduce **allreduce) {
    return jr_work_allreduce_create(group, WORK(.kind = JR_WORK_REDUCE), options, allreduce);
}

jr_status jr_allreduce_segment_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                      const jr_allreduce_options *options, jr_allreduce **allreduce) {
    JR_TRY(JR_GIVEN(layouts));
    return jr_work_allreduce_create(group, WORK(.layout = OWN_OF_DEVICES(layouts)), options, allreduce);
}

jr_status jr_pack_add_spec(jr_pack *pack, const jr_spec *spec) {
    return jr_work_pack_add(pack, WORK(.kind = JR_WORK_REDUCE));
}

jr_status jr_pack_add_scan(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind) {
    return jr_work_pack_add(pack, WORK(.kind = kind_of(kind)));
}

jr_status jr_pack_add_segments(jr_pack *pack, const jr_spec *spec, const jr_segment_layout *layout) {
    JR_TRY(JR_GIVEN(layout));
    return jr_work_pack_add(pack, WORK(.layout = OWN(layout)));
}

jr_status jr_pack_add_scan_segments(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind,
                                    const jr_segment_layout *layout) {
    JR_TRY(JR_GIVEN(layout));
    return jr_work_pack_add(pack, WORK(.kind = kind_of(kind), .layout = OWN(layout)));
}

jr_status jr_tune(jr_context *context, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                  jr_tuned *tuned) {
    return jr_work_tune(context, WORK(.kind = JR_WORK_REDUCE), count, options, tuned);
}

jr_status jr_tune_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, uint64_t count,
                       const jr_tune_options *options, jr_tuned *tuned) {
    return jr_work_tune(context, WORK(.kind = kind_of(kind)), count, options, tuned);
}

jr_status jr_tuned_store(jr_context *context, const jr_spec *spec, const jr_tuned *tuned) {
    return jr_work_tuned_store(context, WORK(.kind = JR_WORK_REDUCE), tuned);
}

jr_status jr_tuned_store_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const jr_tuned *tuned) {
    return jr_work_tuned_store(context, WORK(.kind = kind_of(kind)), tuned);
}
