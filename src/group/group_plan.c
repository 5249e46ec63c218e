/* Makes plans of groups. */
#include "group_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host_sum.h"
#include "kernel/context.h"
#include "lost.h"
#include "meaning.h"
#include "plan/make.h"
#include "scan_plans.h"
#include "spec/dtype.h"

/* Segments of any lengths have as many states as there are lengths: theirs are not merged. */
static jr_status check_layout(const jr_segment_layout *layout) {
    if (layout->kind == JR_SEGMENTS_EQUAL || layout->kind == JR_SEGMENTS_STRIDED || layout->kind == JR_SEGMENTS_AXES)
        return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "segments of kind %d: a group merges equal and strided ones, and those of axes", (int)layout->kind);
}

/* Rows are columns of one element each where the elements before a launch count: its kernels know of them. */
static jr_segment_layout layout_of(const jr_group_plan *plan, const jr_segment_layout *given) {
    jr_segment_layout made = *given;
    if (made.kind == JR_SEGMENTS_EQUAL && plan->merge->reduction->sees_index) {
        made.kind = JR_SEGMENTS_STRIDED;
        made.inner = 1;
    }
    return made;
}

static jr_status make_parts(const jr_spec *spec, const jr_group_use *use, jr_group_plan *plan) {
    const jr_spec part = use->scans ? jr_scan_plans_fold(spec) : *spec;
    const bool to_all = use->to_all || plan->meets;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        jr_job job = {.context = plan->group->contexts[i], .to_state = !to_all, .to_all = to_all};
        if (use->layouts != NULL) {
            job.kind = JR_JOB_SEGMENTS;
            job.layout = layout_of(plan, &use->layouts[i]);
            status = check_layout(&job.layout);
        }
        if (status == JR_OK) status = jr_make_of_spec(&part, &job, &plan->parts[i]);
        jr_group_plan_explain(plan, i, status);
    }
    return status;
}

static bool can_meet(const jr_group *group) {
    JR_KEEP_ERROR;
    return group->size > 1 && jr_meeting_check(group) == JR_OK;
}

static jr_status open_meeting(jr_group_plan *plan) {
    plan->meeting.collects = true;
    JR_TRY(jr_plan_find_mark(plan->parts[0], &plan->meeting.mark));
    return jr_meeting_open(plan->group, JR_SLOT_BYTES(plan->state_bytes), &plan->meeting);
}

/* For segments, the merge gets their length when all ranks have sent theirs. */
static jr_status make_merge(const jr_spec *spec, const jr_group_use *use, jr_group_plan *plan) {
    jr_job job = {.context = plan->group->contexts[0], .kind = JR_JOB_MERGE};
    if (use->layouts != NULL) job.layout = (jr_segment_layout){.kind = JR_SEGMENTS_EQUAL};
    const jr_status status = jr_make_of_spec(spec, &job, &plan->merge);
    if (status == JR_OK && use->layouts != NULL) jr_plan_count_kept(plan->merge);
    return status;
}

static jr_status make_scans(const jr_spec *spec, const jr_group_use *use, jr_group_plan *plan) {
    jr_job job = {.context = plan->group->contexts[0], .kind = JR_JOB_SCAN, .exclusive = use->exclusive};
    jr_status status = JR_OK;
    if (!use->on_devices) return jr_scan_plans_make_of_host(spec, &job, &plan->carries[0]);
    job.is_part = plan->group->size > 1;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        job.context = plan->group->contexts[i];
        status = jr_scan_plans_make(spec, &job, &plan->scans[i], &plan->carries[i]);
        jr_group_plan_explain(plan, i, status);
    }
    return status;
}

static jr_status make_places(jr_group_plan *plan) {
    const jr_group *group = plan->group;
    const jr_device *device = &group->contexts[0]->device;
    plan->state_bytes = plan->merge->reduction->accumulator_bytes;
    plan->parameters_at = group->most_count * (sizeof(uint64_t) + plan->state_bytes);
    plan->parameter_bytes = (size_t)plan->merge->reduction->spec.parameter_count * sizeof *plan->merge->call.parameters;
    plan->told_bytes = plan->parameters_at + plan->parameter_bytes;
    plan->told = calloc(1, plan->told_bytes);
    plan->firsts = calloc(group->local_count, sizeof *plan->firsts);
    if (plan->told == NULL || plan->firsts == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the states of %zu devices", group->size);
    JR_TRY(jr_exchange_reserve(&plan->group->exchange, plan->told_bytes));
    JR_IN_DEVICE(device);
    return jr_mapped_create(device, group->size * plan->state_bytes, &plan->states);
}

/* What ranks send to each other before they reduce. */
typedef struct intent {
    jr_meaning meaning;
    uint64_t count; /* of a call on host memory: elements of this rank */
    uint64_t use;   /* a number for each */
} intent;

static jr_status add_count(uint64_t count, uint64_t *sum) {
    if (count > UINT64_MAX - *sum)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements of some ranks and %llu of another are beyond 64 bits",
                       (unsigned long long)*sum, (unsigned long long)count);
    *sum += count;
    return JR_OK;
}

static jr_status compare_intents(jr_group_plan *plan) {
    jr_exchange *exchange = &plan->group->exchange;
    intent first, other;
    uint64_t sum = 0;
    jr_status status = JR_OK;
    memcpy(&first, jr_exchange_of(exchange, 0), sizeof first);
    for (int rank = 0; status == JR_OK && rank < exchange->ranks; rank++) {
        memcpy(&other, jr_exchange_of(exchange, rank), sizeof other);
        if (rank == exchange->rank) plan->before = sum;
        status = jr_meaning_compare(&first.meaning, &other.meaning, rank);
        if (status == JR_OK && first.use != other.use)
            status = jr_fail(JR_ERROR_RANKS_DIFFER, "rank 0 and rank %d make different calls of the group", rank);
        if (status == JR_OK) status = add_count(other.count, &sum);
    }
    if (plan->merge->layout.kind != 0) plan->merge->layout.length = sum;
    return status;
}

static uint64_t number_of(const jr_group_use *use) {
    enum { SCANS = 2, SCANS_ON_DEVICES = 4, OF_SEGMENTS = 16, TO_ALL = 17, SEGMENTS_TO_ALL = 32 };
    if (use->reduces_to_all) return (use->layouts != NULL ? SEGMENTS_TO_ALL : TO_ALL) + (uint64_t)use->way;
    if (use->layouts != NULL) return OF_SEGMENTS;
    if (use->scans) return (uint64_t)(use->on_devices ? SCANS_ON_DEVICES : SCANS) + (uint64_t)use->exclusive;
    return use->on_devices;
}

/* For segments: the length of each segment on all devices of this rank together. */
static uint64_t count_of(const jr_group *group, const jr_group_use *use) {
    uint64_t length = 0;
    for (size_t i = 0; use->layouts != NULL && i < group->local_count; i++) length += use->layouts[i].length;
    return use->layouts != NULL ? length : use->count;
}

/* All ranks, whether this one could make its plan (not NULL) or not. */
static jr_status exchange_intents(jr_group *group, jr_status own, const jr_group_use *use, jr_group_plan *plan) {
    intent mine = {.count = count_of(group, use), .use = number_of(use)};
    if (own == JR_OK) mine.meaning = jr_meaning_of(plan->merge->reduction);
    const jr_payload payload = {JR_STEP_MEANING, &mine, sizeof mine};
    JR_TRY(jr_exchange_run(&group->exchange, own, &payload));
    return compare_intents(plan);
}

static jr_status begin(jr_group *group, jr_group_plan **made) {
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a plan of a group");
    (*made)->group = group;
    return JR_OK;
}

static jr_status end(jr_status status, jr_group_plan *made, jr_group_plan **plan) {
    if (status == JR_OK)
        *plan = made;
    else
        jr_group_plan_free(made);
    return status;
}

jr_status jr_group_plan_make(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_use *use,
                             jr_group_plan **plan) {
    jr_group_plan *made = NULL;
    if (status == JR_OK) status = begin(group, &made);
    if (status == JR_OK) status = jr_group_name_lost(group, 0, make_merge(spec, use, made));
    if (status == JR_OK && use->on_devices && !use->reduces_to_all && !use->scans && use->layouts == NULL)
        made->meets = !jr_host_sum_can(made->merge->reduction, group->size) && can_meet(group);
    if (status == JR_OK && use->on_devices) status = make_parts(spec, use, made);
    if (status == JR_OK && use->scans) status = make_scans(spec, use, made);
    if (status == JR_OK) status = jr_group_name_lost(group, 0, make_places(made));
    if (status == JR_OK && made->meets) status = open_meeting(made);
    return end(exchange_intents(group, status, use, made), made, plan);
}

/* The merge has the same parameters, of which one that is refused is refused first. */
jr_status jr_group_plan_parameter_write(jr_group_plan *plan, const char *name, const jr_value *value) {
    jr_status status = jr_plan_parameter_write(plan->merge, name, value);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        status = jr_plan_parameter_write(plan->parts[i], name, value);
        if (status == JR_OK && plan->scans[i] != NULL) status = jr_plan_parameter_write(plan->scans[i], name, value);
    }
    return status;
}

void jr_group_plan_tell(jr_group_plan *plan, size_t device, uint64_t count) {
    memcpy(plan->told + device * sizeof count, &count, sizeof count);
}

unsigned char *jr_group_plan_state(jr_group_plan *plan, size_t device) {
    return plan->told + plan->group->most_count * sizeof(uint64_t) + device * plan->state_bytes;
}

jr_run jr_group_plan_run_of(const jr_group_plan *plan, const jr_group_parts *parts, size_t index) {
    jr_run run = {.count = parts->counts[index],
                  .first = plan->firsts[index],
                  .stream = parts->streams != NULL ? parts->streams[index] : NULL};
    for (int k = 0; k < plan->parts[index]->reduction->input_count && parts->d_in[index] != NULL; k++)
        run.in[k] = jr_cu_address(parts->d_in[index][k]);
    return run;
}

jr_status jr_group_plan_explain(const jr_group_plan *plan, size_t index, jr_status status) {
    return jr_group_name_device(plan->group, index, status);
}

void jr_group_plan_tell_parameters(jr_group_plan *plan) {
    const jr_spec *spec = &plan->merge->reduction->spec;
    unsigned char *to = plan->told + plan->parameters_at;
    for (int i = 0; i < spec->parameter_count; i++, to += sizeof *plan->merge->call.parameters)
        memcpy(to, &plan->merge->call.parameters[i], jr_dtype_find(spec->parameters[i].value.type)->bytes);
}

static void free_states(jr_group_plan *plan) {
    const jr_device *device = &plan->group->contexts[0]->device;
    if (plan->states.host == NULL) return;
    JR_INSIDE inside = jr_inside_device(device);
    if (inside.status == JR_OK) jr_mapped_destroy(device, &plan->states);
}

static void release(const jr_device *device, jr_cu_deviceptr first, jr_cu_deviceptr second) {
    JR_INSIDE inside = jr_inside_device(device);
    if (inside.status != JR_OK) return;
    jr_memory_release(device, first, NULL);
    jr_memory_release(device, second, NULL);
}

void jr_group_room_free(jr_group *group, jr_group_room *room) {
    for (size_t i = 0; i < group->local_count; i++)
        release(&group->contexts[i]->device, room->states[i], room->workspace[i]);
    release(&group->contexts[0]->device, room->all, room->out);
    free(room->told);
    free(room->places);
    *room = (jr_group_room){.count = 0};
}

void jr_group_plan_free(jr_group_plan *plan) {
    if (plan == NULL) return;
    JR_KEEP_ERROR;
    free_states(plan);
    jr_meeting_close(&plan->meeting);
    jr_group_room_free(plan->group, &plan->room);
    for (size_t i = 0; i < plan->group->local_count; i++) {
        jr_plan_free(plan->parts[i]);
        jr_plan_free(plan->scans[i]);
        jr_plan_free(plan->carries[i]);
    }
    jr_plan_free(plan->merge);
    free(plan->told);
    free(plan->firsts);
    free(plan);
}
