/* Reduces and scans segments of host memory: each device of a rank takes some, whole, and ranks have their own. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/key_runs.h"
#include "plan/segment_layout.h"
#include "segments_deal.h"
#include "spec/spec_expressions.h"

static jr_status reduce_share(const jr_stretch *own) {
    const jr_group_share *of = own->share;
    jr_work_data data = of->data;
    const jr_segment_share asked = {.data = &data, .first = of->first_result, .stats = own->part.stats};
    if (data.segments == 0 && own->part.first > 0) return JR_OK;
    data.in = own->arrays;
    data.out = own->out;
    return jr_segment_host_share(own->context, own->spec, &of->layout, &asked);
}

static jr_status reduce(jr_group *group, const jr_spec *spec, const jr_group_segments *asked,
                        const jr_reduction *reduction) {
    jr_group_deal deal = {.asked = asked, .reduction = reduction};
    JR_TRY(jr_segment_layout_elements(&asked->layout, &asked->data, true, &deal.elements));
    return jr_group_deal_work(group, spec, &deal, reduce_share);
}

/* The results come to the caller's memory when all ranks have theirs. */
static jr_status reduce_and_tell(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked) {
    const jr_payload done = {.step = JR_STEP_RESULTS};
    jr_job job = {.context = group->contexts[0], .kind = JR_JOB_SEGMENTS};
    jr_group_segments own;
    uint64_t bytes = 0;
    void *made = NULL;
    if (status == JR_OK) {
        own = *asked;
        job.layout = asked->layout;
        status = jr_job_make(spec, &job);
    }
    if (status == JR_OK) {
        own.layout = job.layout;
        if (own.data.segments > SIZE_MAX / 2 / job.reduction->output_bytes)
            status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their results are beyond the address space",
                             (unsigned long long)own.data.segments);
    }
    if (status == JR_OK) {
        bytes = own.data.segments * job.reduction->output_bytes;
        own.data.out = made = malloc(bytes > 0 ? bytes : 1);
        status = made != NULL ? reduce(group, spec, &own, job.reduction)
                              : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results of %llu segments",
                                        (unsigned long long)own.data.segments);
    }
    status = jr_exchange_run(&group->exchange, status, &done);
    if (status == JR_OK && bytes > 0) memcpy(asked->data.out, made, bytes);
    free(made);
    jr_job_free(&job);
    return status;
}

/* Checks segments by keys, and finds them. */
static jr_status find_runs(const jr_spec *spec, const jr_group_segments *asked, jr_key_runs *runs) {
    jr_segment_layout layout = asked->layout;
    uint64_t elements = 0;
    jr_status status = jr_segment_layout_settle(&layout, false);
    if (status == JR_OK) status = jr_segment_layout_elements(&layout, &asked->data, true, &elements);
    if (status == JR_OK && jr_reduction_is_placed(spec))
        status = jr_fail(JR_ERROR_NOT_APPLICABLE,
                         "segments by keys of a group: %s: it counts in the whole input, which a group divides between "
                         "its devices; use one device",
                         jr_spec_expressions_see_index(spec) ? "an expression uses the index i"
                                                             : "the result of argmin and argmax is an index");
    if (status != JR_OK) return status;
    return jr_key_runs_find(jr_dtype_find(layout.key_type), asked->data.keys, elements, runs);
}

/* Runs of equal keys are dealt out as the segments between offsets that they are. */
static jr_status reduce_runs(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_segments *asked) {
    const jr_work_data *keyed = &asked->data;
    jr_key_runs runs = {.offsets = NULL};
    jr_group_segments own = {.layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS)};
    jr_spec unnamed = {.size = 0};
    if (status == JR_OK) status = find_runs(spec, asked, &runs);
    if (status == JR_OK) {
        unnamed = *spec;
        unnamed.algorithm = JR_ALGORITHM_AUTO; /* it may be one of keys alone */
        own.data = (jr_work_data){.in = keyed->in, .out = keyed->out, .segments = runs.count, .offsets = runs.offsets};
    }
    status = reduce_and_tell(group, status, &unnamed, &own);
    if (status == JR_OK && keyed->run_count != NULL) *keyed->run_count = runs.count;
    if (status == JR_OK && keyed->run_keys != NULL)
        jr_key_runs_write(&runs, jr_dtype_find(asked->layout.key_type), keyed->keys, keyed->run_keys);
    jr_key_runs_free(&runs);
    return status;
}

jr_status jr_group_host_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked) {
    const bool keys = status == JR_OK && asked->layout.kind == JR_SEGMENTS_KEYS;
    return (keys ? reduce_runs : reduce_and_tell)(group, status, spec, asked);
}

/* ---- scans ---- */

static jr_status scan_share(const jr_stretch *own) {
    const jr_group_share *of = own->share;
    jr_work_data data = of->data;
    const jr_scan_asked asked = {
        .exclusive = own->exclusive, .data = &data, .layout = of->layout, .stats = own->part.stats};
    if (of->element_count == 0 && own->part.first > 0) return JR_OK;
    data.in = own->arrays;
    data.out = own->out;
    return jr_scan_host_run(own->context, own->spec, &asked);
}

static jr_status scan(jr_group *group, const jr_spec *spec, const jr_group_segments *asked) {
    jr_job job = {
        .context = group->contexts[0], .kind = JR_JOB_SCAN, .exclusive = asked->exclusive, .layout = asked->layout};
    const jr_scan_asked whole = {.data = &asked->data, .layout = asked->layout};
    jr_group_deal deal = {.asked = asked, .scans = true};
    jr_status status = jr_job_make(spec, &job);
    deal.reduction = job.reduction;
    if (status == JR_OK) status = jr_scan_host_check(job.reduction, &whole, &deal.elements);
    if (status == JR_OK) status = jr_group_deal_work(group, spec, &deal, scan_share);
    jr_job_free(&job);
    return status;
}

jr_status jr_group_host_scan_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                      const jr_group_segments *asked) {
    const jr_payload done = {.step = JR_STEP_RESULTS};
    if (status == JR_OK) status = scan(group, spec, asked);
    return jr_exchange_run(&group->exchange, status, &done);
}
