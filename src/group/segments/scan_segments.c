/* Scans segments of host memory: each device of a rank takes some, whole, and ranks have their own. */
#include "segment_calls.h"

#include "segments_deal.h"

static jr_status scan_share(const jr_stretch *own) {
    const jr_group_share *of = own->share;
    const jr_scan_asked asked = {.kind = own->scan,
                                 .data = own->arrays,
                                 .out = own->out,
                                 .layout = of->layout,
                                 .segments = of->segments,
                                 .stats = own->part.stats};
    if (of->element_count == 0 && own->part.first > 0) return JR_OK;
    return jr_scan_host_run(own->context, own->spec, &asked);
}

static jr_status scan(jr_group *group, const jr_spec *spec, const jr_group_segments *asked) {
    jr_job job = {.context = group->contexts[0], .kind = JR_JOB_SCAN, .scan = asked->scan, .layout = asked->layout};
    const jr_scan_asked whole = {
        .data = asked->arrays, .out = asked->out, .layout = asked->layout, .segments = asked->segments};
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
