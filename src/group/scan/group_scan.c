/* Scans by all devices of a rank, and by all ranks: each part in device memory, or stretch of host memory, is folded to
 * its state, and then scanned after the fold of all earlier states. Elements are read twice. */
#include "group_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "group/launchers.h"
#include "group/reduce/group_value.h"
#include "group/scan_plans.h"
#include "group/stretch.h"
#include "plan/scan/scan_queue.h"

/* ---- parts in device memory ---- */

static jr_run run_of(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out, size_t index) {
    jr_run run = jr_group_plan_run_of(plan, parts, index);
    run.out = jr_cu_address(d_out[index]);
    return run;
}

static uint64_t result_bytes(const jr_group_plan *plan, const jr_run *run) {
    return run->out != 0 ? run->count * plan->merge->reduction->output_bytes : 0;
}

/* The results of one part, where another one's elements or results are. */
static jr_status check_pair(const jr_group_plan *plan, const jr_run *run, const jr_run *other) {
    const jr_reduction *reduction = plan->merge->reduction;
    const jr_run_range written = {"results", run->out, result_bytes(plan, run)},
                       results = {"results of another part", other->out, result_bytes(plan, other)};
    jr_status status = jr_plan_check_apart(&written, &results);
    for (int k = 0; status == JR_OK && k < reduction->input_count; k++) {
        const jr_run_range read = {"input of another part", other->in[k], other->count * reduction->inputs[k].bytes};
        status = jr_plan_check_apart(&written, &read);
    }
    return status;
}

static jr_status check_part(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out, size_t index) {
    const jr_plan *scan = plan->scans[index];
    const jr_run run = run_of(plan, parts, d_out, index);
    jr_status status = scan->kind->check(scan, &run);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        const jr_run other = run_of(plan, parts, d_out, i);
        if (i != index && run.count > 0 && other.count > 0) status = check_pair(plan, &run, &other);
    }
    return jr_group_plan_explain(plan, index, status);
}

/* Where the parts begin is not known yet, and not looked at. */
static jr_status check(const jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out) {
    jr_status status = jr_group_plan_check_parts(plan, parts);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) status = check_part(plan, parts, d_out, i);
    return status;
}

/* The states lie in mapped memory, at one address for all devices: a later run's come there when this one's folds of
 * them, which are before its own on the streams, have ended. */
static jr_status carry(const jr_group_plan *plan, const jr_run *scan, size_t index) {
    const jr_run run = {.in = {plan->states.address},
                        .merge.states = plan->group->first + index,
                        .count = scan->first,
                        .out = jr_scan_queue_carry(plan->scans[index]),
                        .stream = scan->stream};
    return jr_plan_start(plan->carries[index], &run);
}

/* What the launches of a call have in common. */
typedef struct scan_call {
    const jr_group_plan *plan;
    const jr_group_parts *parts;
    void *const *d_out;
} scan_call;

static jr_status start(void *user, size_t index) {
    const scan_call *call = user;
    const jr_group_plan *plan = call->plan;
    jr_run run = run_of(plan, call->parts, call->d_out, index);
    jr_status status = JR_OK;
    run.scan.continued = run.first > 0;
    if (run.count > 0 && run.scan.continued) status = carry(plan, &run, index);
    if (status == JR_OK) status = jr_plan_start(plan->scans[index], &run);
    return jr_group_plan_explain(plan, index, status);
}

jr_status jr_group_plan_scan(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    uint64_t elements;
    if (status == JR_OK) status = check(plan, parts, d_out);
    if (plan->group->size > 1) status = jr_group_plan_collect(plan, status, parts, &elements);
    return status == JR_OK ? jr_launchers_run(plan->group, parts->streams, start, &(scan_call){plan, parts, d_out})
                           : status;
}

/* ---- host memory ---- */

/* What stands before a stretch: the states of all devices before it, and the initial value. */
static jr_status find_carry(jr_group_plan *plan, size_t device, uint64_t elements, unsigned char *carry) {
    const unsigned char *place;
    const jr_run run = {.in = {plan->states.address}, .merge.states = plan->group->first + device, .count = elements};
    jr_status status = jr_plan_start_watched(plan->carries[0], &run);
    if (status == JR_OK) status = jr_plan_wait_watched(plan->carries[0], NULL, &place);
    if (status == JR_OK) memcpy(carry, place, plan->state_bytes);
    return status;
}

static jr_status find_carries(jr_group_plan *plan, jr_stretch *stretches, unsigned char *carries) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        if (stretches[i].part.first == 0) continue;
        stretches[i].carry = carries + i * plan->state_bytes;
        status = find_carry(plan, i, stretches[i].part.first, carries + i * plan->state_bytes);
    }
    return status;
}

static jr_status scan_stretch(const jr_stretch *own) {
    const jr_work_data data = {.in = own->arrays, .count = own->part.count, .out = own->out};
    const jr_scan_asked asked = {.exclusive = own->exclusive,
                                 .data = &data,
                                 .is_part = true,
                                 .first = own->part.first,
                                 .carry = own->carry,
                                 .stats = own->part.stats};
    return jr_scan_host_run(own->context, own->spec, &asked);
}

static jr_status fold(const jr_group_plan *plan, const jr_spec *spec, jr_stretch *stretches) {
    const jr_spec folded = jr_scan_plans_fold(spec);
    for (size_t i = 0; i < plan->group->local_count; i++) stretches[i].spec = &folded;
    const jr_status status = jr_stretch_work(plan->group, stretches, jr_stretch_fold);
    for (size_t i = 0; i < plan->group->local_count; i++) stretches[i].spec = spec;
    return status;
}

/* Each stretch's results lie where its elements do. */
static jr_status place_results(const jr_group_plan *plan, const jr_work_data *data, jr_stretch *stretches) {
    const jr_reduction *reduction = plan->merge->reduction;
    jr_run run = {.count = data->count, .out = jr_cu_address(data->out)};
    if (data->count > 0) JR_TRY(jr_given_aligned("output address", data->out, reduction->output_alignment));
    for (int k = 0; k < reduction->input_count; k++) run.in[k] = jr_cu_address(data->in[k]);
    for (size_t i = 0; data->count > 0 && i < plan->group->local_count; i++) {
        stretches[i].out =
            (unsigned char *)data->out + (stretches[i].part.first - plan->before) * reduction->output_bytes;
    }
    return data->count > 0 ? jr_scan_check_places(reduction, &run) : JR_OK;
}

static jr_status scan(jr_group_plan *plan, const jr_spec *spec, const jr_work_data *data, bool exclusive,
                      unsigned char *carries) {
    jr_stretch stretches[JR_GROUP_DEVICES_MAX];
    const jr_payload done = {.step = JR_STEP_RESULTS};
    uint64_t elements;
    jr_status status = carries != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for folds of a scan");
    if (status == JR_OK) status = jr_stretch_cut(plan, spec, data->in, data->count, stretches);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) stretches[i].exclusive = exclusive;
    if (status == JR_OK) status = place_results(plan, data, stretches);
    if (status == JR_OK && plan->group->size > 1) status = fold(plan, spec, stretches);
    status = jr_group_plan_gather(plan, status, &elements);
    if (status != JR_OK) return status;
    status = find_carries(plan, stretches, carries);
    if (status == JR_OK) status = jr_stretch_work(plan->group, stretches, scan_stretch);
    return jr_exchange_run(&plan->group->exchange, status, &done);
}

jr_status jr_group_host_scan(jr_group *group, jr_status status, const jr_spec *spec, const jr_work_data *data,
                             bool exclusive) {
    jr_group_plan *plan = NULL;
    const jr_group_use use = {.count = data->count, .scans = true, .exclusive = exclusive};
    status = jr_group_plan_make(group, status, spec, &use, &plan);
    if (status != JR_OK) return status;
    unsigned char *carries = calloc(group->local_count, plan->state_bytes);
    status = scan(plan, spec, data, exclusive, carries);
    free(carries);
    jr_group_plan_free(plan);
    return status;
}
