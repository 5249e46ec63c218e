/* Reads works, and where the elements of their runs are. */
#include "given_work.h"

#include <string.h>

#include "base/error.h"
#include "plan/segment_layout.h"
#include "spec/spec_expressions.h"

/* What a kind of work is inside the library. */
static const struct kind_row {
    const char *name;
    jr_job_kind job;
    bool exclusive;
    bool states; /* of states, or to one */
    bool to_state;
    bool applies;
} kinds[] = {
    [JR_WORK_REDUCE] = {.name = "JR_WORK_REDUCE", .job = JR_JOB_FLAT},
    [JR_WORK_SCAN_INCLUSIVE] = {.name = "JR_WORK_SCAN_INCLUSIVE", .job = JR_JOB_SCAN},
    [JR_WORK_SCAN_EXCLUSIVE] = {.name = "JR_WORK_SCAN_EXCLUSIVE", .job = JR_JOB_SCAN, .exclusive = true},
    [JR_WORK_STATE] = {.name = "JR_WORK_STATE", .job = JR_JOB_FLAT, .states = true, .to_state = true},
    [JR_WORK_MERGE] = {.name = "JR_WORK_MERGE", .job = JR_JOB_MERGE, .states = true},
    [JR_WORK_MERGE_STATES] = {.name = "JR_WORK_MERGE_STATES", .job = JR_JOB_MERGE, .states = true, .to_state = true},
    [JR_WORK_APPLY] = {.name = "JR_WORK_APPLY", .job = JR_JOB_APPLY, .applies = true}};

enum { KINDS = sizeof kinds / sizeof *kinds };

bool jr_given_work_is_scan(const jr_own_work *own) {
    return kinds[own->kind].job == JR_JOB_SCAN;
}

bool jr_given_work_is_exclusive(const jr_own_work *own) {
    return kinds[own->kind].exclusive;
}

bool jr_given_work_is_merge(const jr_own_work *own) {
    return kinds[own->kind].job == JR_JOB_MERGE;
}

bool jr_given_work_applies(const jr_own_work *own) {
    return kinds[own->kind].applies;
}

bool jr_given_work_is_to_state(const jr_own_work *own) {
    return kinds[own->kind].to_state;
}

static jr_status check_kind(const jr_work *work, const jr_work_taker *taker) {
    if ((unsigned)work->kind >= KINDS)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown kind of work %d: give a JR_WORK_ value", (int)work->kind);
    const struct kind_row *row = &kinds[work->kind];
    const bool divided = work->layout != NULL || work->axis != NULL;
    if (row->states && !taker->states)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "work->kind is %s, which %s does not take: make a plan of it",
                       row->name, taker->name);
    if (row->applies && !taker->applies)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "work->kind is %s, which %s does not take: make a plan of it",
                       row->name, taker->name);
    if (row->applies && !divided)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "work->kind is %s, and work->layout and work->axis are NULL: set one of them to rows",
                       row->name);
    if (row->job == JR_JOB_SCAN && !taker->scans)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "work->kind is %s, and %s takes reductions only", row->name,
                       taker->name);
    if (divided && (row->states || !(row->job == JR_JOB_SCAN ? taker->segment_scans : taker->segments)))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "work->%s is set, and %s takes no segments with %s: leave layout and axis NULL",
                       work->layout != NULL ? "layout" : "axis", taker->name, row->name);
    if (work->layout == NULL || work->axis == NULL) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "work->layout and work->axis are both set: leave one of them NULL");
}

/* An element of a caller's array of structs, which are as large as the first one says. */
static const void *entry_of(const void *array, size_t index) {
    size_t size;
    memcpy(&size, array, sizeof size);
    return (const char *)array + index * size;
}

/* refuses: who takes no strides; NULL: they may be set. */
static jr_status read_axis(const jr_axis *given, bool scan, const char *refuses, jr_segment_layout *layout,
                           uint64_t *segments) {
    jr_axis own;
    JR_TRY(jr_size_read(&jr_axis_sized, given, &own));
    if (own.strides != NULL && refuses != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "axis->strides is set, which only reductions and scans of one device take, in host memory, by a "
                       "plan or for "
                       "a pack, and %s does not: leave it NULL, and copy the array",
                       refuses);
    if (scan && own.axis_count > 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu axes: a scan takes one axis", own.axis_count);
    return jr_segment_layout_find(&own, layout, segments);
}

/* Where the elements of an array lie along its axes. The spec may not be checked yet. */
static jr_status read_view(const jr_axis *given, const jr_spec *spec, jr_view *view) {
    const int inputs = jr_spec_count_inputs(spec);
    jr_axis axis;
    jr_axes axes;
    JR_TRY(jr_size_read(&jr_axis_sized, given, &axis));
    if (axis.strides == NULL || inputs > JR_INPUTS_MAX) return JR_OK;
    JR_TRY(jr_segment_axes_find(&axis, &axes));
    return jr_view_of(&axes, axis.strides, inputs, view);
}

static jr_status check_many(const jr_segment_layout *layout, bool takes, const char *name) {
    if (layout->kind != JR_SEGMENTS_ARRAYS || takes) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "the layout is of many arrays (JR_SEGMENTS_ARRAYS), which %s does not take: make a plan of it",
                   name);
}

/* The layout of one device, settled. */
static jr_status read_layout(const jr_work *work, size_t device, const char *refuses, jr_segment_layout *layout,
                             uint64_t *segments) {
    const bool scan = kinds[work->kind].job == JR_JOB_SCAN;
    const jr_status status = work->axis != NULL
                                 ? read_axis(entry_of(work->axis, device), scan, refuses, layout, segments)
                                 : jr_size_read(&jr_segment_layout_sized, entry_of(work->layout, device), layout);
    if (status == JR_OK && work->axis == NULL) JR_TRY(jr_segment_layout_check_unused(layout));
    return status == JR_OK ? jr_segment_layout_settle(layout, scan) : status;
}

const jr_segment_layout *jr_given_layouts_of_0_2(const jr_segment_layout *given, size_t count, jr_segment_layout *own) {
    for (size_t i = 0; i < count; i++) {
        if (jr_size_read(&jr_segment_layout_sized, entry_of(given, i), &own[i]) != JR_OK) return given;
        jr_segment_layout_clear_unused(&own[i]);
        own[i].size = sizeof own[i];
    }
    return own;
}

jr_status jr_given_work_read(const jr_work *given, const jr_work_taker *taker, jr_own_work *own) {
    jr_work work;
    JR_TRY(jr_size_read(&jr_work_sized, given, &work));
    own->divided = work.layout != NULL || work.axis != NULL;
    JR_TRY(check_kind(&work, taker));
    own->kind = work.kind;
    if (work.spec == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "work->spec is NULL: set it to the spec");
    JR_TRY(jr_size_spec_read(work.spec, &own->spec));
    if (!own->divided) return JR_OK;
    const char *refuses = kinds[work.kind].applies ? "JR_WORK_APPLY" : taker->strides ? NULL : taker->name;
    JR_TRY(read_layout(&work, 0, refuses, &own->layout, &own->segments));
    JR_TRY(check_many(&own->layout, taker->many, taker->name));
    return work.axis != NULL ? read_view(work.axis, &own->spec.spec, &own->view) : JR_OK;
}

jr_status jr_given_work_read_layouts(const jr_work *given, const jr_group *group, jr_segment_layout *layouts) {
    jr_work work;
    uint64_t segments;
    jr_status status = jr_size_read(&jr_work_sized, given, &work);
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        status = read_layout(&work, i, "a group", &layouts[i], &segments);
        if (status == JR_OK) status = check_many(&layouts[i], false, "a group");
    }
    return status;
}

jr_job jr_given_work_job(const jr_own_work *own, jr_context *context, const jr_adviser *adviser) {
    const struct kind_row *row = &kinds[own->kind];
    const bool many = own->layout.kind == JR_SEGMENTS_ARRAYS;
    return (jr_job){.context = context,
                    .kind = many                                      ? JR_JOB_MANY
                            : own->divided && row->job == JR_JOB_FLAT ? JR_JOB_SEGMENTS
                                                                      : row->job,
                    .layout = own->layout,
                    .view = own->view,
                    .exclusive = row->exclusive,
                    .to_state = row->to_state,
                    .adviser = own->divided || row->states ? NULL : adviser};
}

jr_status jr_given_work_read_data(const jr_work_data *given, bool arrays, jr_work_data *own) {
    JR_TRY(jr_size_read(&jr_work_data_sized, given, own));
    return own->in != NULL || !arrays ? JR_OK
                                      : jr_fail(JR_ERROR_INVALID_ARGUMENT,
                                                "data->in is NULL: set it to an array of addresses, one per input of "
                                                "the spec");
}

jr_status jr_given_work_check_members(const jr_work_data *data, unsigned used) {
    const struct {
        const char *name;
        unsigned member;
        bool set;
    } members[] = {{"values", JR_MEMBER_VALUES, data->values != NULL},
                   {"segments", JR_MEMBER_SEGMENTS, data->segments != 0},
                   {"offsets", JR_MEMBER_OFFSETS, data->offsets != NULL},
                   {"keys", JR_MEMBER_KEYS, data->keys != NULL},
                   {"run_keys", JR_MEMBER_RUN_KEYS, data->run_keys != NULL},
                   {"run_count", JR_MEMBER_RUN_COUNT, data->run_count != NULL},
                   {"first", JR_MEMBER_FIRST, data->first != 0},
                   {"states", JR_MEMBER_STATES, data->states != 0}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (members[i].set && (members[i].member & used) == 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "data->%s is set, which this run of this work does not use: leave it 0", members[i].name);
    return JR_OK;
}

jr_status jr_given_work_check_many(const jr_work_data *data) {
    if (data->in != NULL || data->count != 0)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "data->%s is set: the arrays of JR_SEGMENTS_ARRAYS are those of layout.arrays; leave in NULL and "
            "count 0",
            data->in != NULL ? "in" : "count");
    return jr_given_work_check_members(data, 0);
}

jr_status jr_given_work_read_many(const jr_work_data *given, jr_work_data *own) {
    JR_TRY(jr_given_work_read_data(given, false, own));
    return jr_given_work_check_many(own);
}

jr_status jr_given_work_check_part(uint64_t count, uint64_t first) {
    if (first <= UINT64_MAX - count) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements from number %llu on are more than 64 bits can count",
                   (unsigned long long)count, (unsigned long long)first);
}

jr_status jr_given_work_count_segments(jr_work_data *data, uint64_t of_axis) {
    if (of_axis != 0 && data->segments != 0 && data->segments != of_axis)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "data->segments is %llu, but the shape has %llu of them: leave segments 0",
                       (unsigned long long)data->segments, (unsigned long long)of_axis);
    if (of_axis != 0) data->segments = of_axis;
    return JR_OK;
}

jr_status jr_given_work_check_segments(const jr_segment_layout *layout, const jr_work_data *data, bool scan) {
    const bool keys = layout->kind == JR_SEGMENTS_KEYS, offsets = layout->kind == JR_SEGMENTS_OFFSETS;
    const unsigned long long count = data->segments, elements = data->count, length = layout->length;
    if ((data->run_keys != NULL || data->run_count != NULL) && (scan || !keys))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "%s is set: only reductions by JR_SEGMENTS_KEYS write it; leave it NULL%s",
                       data->run_keys != NULL ? "run_keys" : "run_count",
                       scan ? ", since a scan writes a result for each element" : "");
    if (data->values != NULL && data->run_count != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "data->values and data->run_count are both set: the number of segments goes to one of them");
    if (elements == 0 || keys) return JR_OK;
    if (count == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "segments is 0, but count is %llu: set segments to how many there are", elements);
    if (offsets || (length <= UINT64_MAX / count && length * count == elements)) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "count is %llu, but %llu segments of %llu elements have another number: set segments to how many "
                   "there are, and leave count 0",
                   elements, count, length);
}

jr_status jr_given_work_fail_plain(const jr_plan *plan) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan %s: run it with jr_work_plan_run",
                   plan->kind == &jr_plan_merge   ? "merges states"
                   : plan->choice.tuning.to_state ? "writes states"
                                                  : "is of segments");
}
