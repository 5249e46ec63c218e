/* Makes what scan plans have in addition to their parts: for each device its scan, and the fold of what lies before
 * it. */
#include "scan_plans.h"

#include "base/error.h"
#include "plan/make.h"

jr_spec jr_scan_plans_fold(const jr_spec *spec) {
    jr_spec folded = *spec;
    folded.algorithm = JR_ALGORITHM_AUTO;
    folded.unroll = folded.block = folded.grid = folded.blocks_per_multiprocessor = 0;
    return folded;
}

static jr_status make_carry(const jr_spec *spec, jr_context *context, jr_plan **carry) {
    jr_job job = {.context = context, .kind = JR_JOB_MERGE, .to_state = true, .from_initial = true};
    return jr_make_of_spec(spec, &job, carry);
}

jr_status jr_scan_plans_make(const jr_spec *spec, const jr_job *scanned, jr_plan **scan, jr_plan **carry) {
    jr_job job = *scanned;
    JR_TRY(jr_make_of_spec(spec, &job, scan));
    return make_carry(spec, scanned->context, carry);
}

jr_status jr_scan_plans_make_of_host(const jr_spec *spec, const jr_job *scanned, jr_plan **carry) {
    jr_job job = *scanned;
    const jr_status status = jr_job_make(spec, &job);
    jr_job_free(&job);
    return status == JR_OK ? make_carry(spec, scanned->context, carry) : status;
}
