/* Makes plans of jobs. */
#include "make.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "choice.h"
#include "device/launch.h"
#include "device/memory.h"
#include "estimate.h"
#include "programs.h"

/* Where a plan came from is where the kernel did that took the most. */
static int effort_of(jr_origin origin) {
    static const int efforts[] = {[JR_ORIGIN_MEMORY] = 1,
                                  [JR_ORIGIN_IMAGE] = 2,
                                  [JR_ORIGIN_DISK] = 3,
                                  [JR_ORIGIN_PACK] = 4,
                                  [JR_ORIGIN_COMPILED] = 5};
    return efforts[origin];
}

/* program -> kernel, one after the other; what they cost is added up. */
static jr_status get_kernel(void *user, const jr_program *program) {
    jr_plan *plan = user;
    jr_kernel_cost cost;
    JR_TRY(jr_kernel_find_or_make(plan->context, program, &plan->kernels[plan->kernel_count], &cost));
    plan->kernel_count++;
    if (effort_of(cost.origin) > effort_of(plan->stats.origin)) plan->stats.origin = cost.origin;
    plan->stats.nvrtc_ms += cost.nvrtc_ms;
    if (cost.compiled_again) plan->stats.compiled_again = 1;
    if (plan->stats.compiled_because[0] == '\0')
        memcpy(plan->stats.compiled_because, cost.because, sizeof cost.because);
    plan->stats.cache_ms += cost.cache_ms;
    plan->stats.load_ms += cost.load_ms;
    plan->stats.sources_ms += cost.sources_ms;
    plan->stats.compiler_ms += cost.compiler_ms;
    plan->stats.wait_ms += cost.wait_ms;
    plan->stats.precompiled += cost.precompiled;
    return JR_OK;
}

/* reduction, choice -> programs -> kernels */
static jr_status get_kernels(jr_plan *plan) {
    JR_TRY(jr_programs_each(plan->reduction, &plan->choice, jr_plan_heads(plan), get_kernel, plan));
    plan->stats.block = plan->choice.tuning.block;
    plan->stats.unroll = plan->choice.tuning.unroll;
    plan->stats.algorithm = plan->choice.tuning.algorithm;
    return JR_OK;
}

/* A kernel compiled for less than compute capability 9.0 does not wait (kernels_src/core/begin.cuh). */
static bool all_wait(const jr_plan *plan) {
    enum { FIRST_VERSION = 90 };
    const jr_device *device = &plan->context->device;
    bool waits = jr_launch_can_depend(device);
    for (unsigned k = 0; waits && k < plan->kernel_count; k++)
        waits = jr_launch_attribute(device, plan->kernels[k]->module.function, JR_CU_FUNC_PTX_VERSION) >= FIRST_VERSION;
    return waits;
}

/* The context is current. */
static jr_status size_wave(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const jr_launch launch = {.block = {(unsigned)plan->choice.tuning.block},
                              .shared_bytes = plan->choice.tuning.shared_bytes};
    int occupancy = 0;
    JR_TRY(jr_launch_allow_shared(device, plan->kernels[0]->module.function, &launch));
    const jr_cu_result result = device->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &occupancy, plan->kernels[0]->module.function, plan->choice.tuning.block, plan->choice.tuning.shared_bytes);
    if (result != JR_CUDA_SUCCESS) return jr_driver_check(&device->driver, result, "asking for the occupancy");
    if (occupancy == 0)
        return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                       "a block of %d threads of %s does not fit on a multiprocessor: each thread takes %d registers; "
                       "choose a smaller block or unroll factor",
                       plan->choice.tuning.block, plan->choice.row->name,
                       jr_launch_attribute(device, plan->kernels[0]->module.function, JR_CU_FUNC_REGISTERS));
    plan->dependent = all_wait(plan);
    plan->wave = jr_estimate_wave(plan->choice.row, &plan->choice.tuning, &device->info, occupancy);
    return JR_OK;
}

/* The context is current. The workspace is ready when this returns: a run may be on any stream. */
static jr_status allocate_workspace(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const size_t bytes = jr_plan_workspace(plan);
    /* Segments are combined to states as the first step of a plan, in whose workspace that one has a place. */
    if (bytes == 0 || (plan->kind == &jr_plan_segments && plan->choice.tuning.to_state)) return JR_OK;
    JR_TRY(jr_memory_allocate(device, bytes, NULL, &plan->workspace));
    jr_cu_result result = device->driver.cuMemsetD8_v2(plan->workspace, 0, bytes);
    if (result == JR_CUDA_SUCCESS) result = device->driver.cuStreamSynchronize(NULL);
    return jr_driver_check(&device->driver, result, "clearing the workspace");
}

/* What the spec says of values. */
static void fill_call(jr_plan *plan) {
    const jr_spec *spec = &plan->reduction->spec;
    plan->call.ddof = spec->ddof;
    if (spec->kept) jr_plan_count_kept(plan);
    if (spec->initial != NULL) memcpy(plan->call.initial, spec->initial->as.bytes, sizeof plan->call.initial);
    for (int i = 0; i < spec->parameter_count; i++)
        memcpy(&plan->call.parameters[i], spec->parameters[i].value.as.bytes, sizeof plan->call.parameters[i]);
}

/* A workspace sized by the capacity takes at most an accumulator an element. */
static jr_status check_capacity(const jr_plan *plan) {
    const uint64_t most = UINT64_MAX / 2 / plan->reduction->accumulator_bytes;
    if ((plan->choice.launch_count == 0 && !plan->choice.row->needs_capacity) || plan->capacity <= most) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a capacity of %llu is beyond the address space: at most %llu",
                   (unsigned long long)plan->capacity, (unsigned long long)most);
}

/* The plan of the first step, where there is one; what it costs is added up. */
static jr_status make_first(const jr_job *job, jr_plan *plan) {
    if (plan->choice.row->first_job == NULL) return JR_OK;
    const jr_job first = plan->choice.row->first_job(job);
    const jr_status status = jr_make_plan(&first, &plan->first);
    if (status == JR_OK) plan->stats = plan->first->stats;
    return status;
}

/* choice -> kernels -> workspace */
static jr_status fill(const jr_job *job, jr_plan *plan) {
    fill_call(plan);
    JR_TRY(check_capacity(plan));
    JR_TRY(make_first(job, plan));
    JR_TRY(get_kernels(plan));
    JR_IN_DEVICE_TO_WAIT(&plan->context->device, NULL);
    jr_status status = size_wave(plan);
    if (status == JR_OK && plan->kind->prepare != NULL) status = plan->kind->prepare(job, plan);
    if (status == JR_OK) status = allocate_workspace(plan);
    plan->stats.launches = jr_plan_launches(plan, plan->capacity > 0 ? plan->capacity : UINT64_MAX);
    plan->stats.grid = jr_plan_grid(plan, UINT64_MAX);
    memcpy(plan->stats.tuned_by, plan->choice.why, sizeof plan->stats.tuned_by);
    return status;
}

static const jr_plan_kind *kind_of(const jr_job *job) {
    static const jr_plan_kind *const kinds[] = {
        [JR_JOB_FLAT] = &jr_plan_flat,   [JR_JOB_SEGMENTS] = &jr_plan_segments, [JR_JOB_SCAN] = &jr_plan_scan,
        [JR_JOB_MERGE] = &jr_plan_merge, [JR_JOB_APPLY] = &jr_plan_apply,       [JR_JOB_MANY] = &jr_plan_many};
    if (job->kind == JR_JOB_MERGE && job->layout.kind != 0) return &jr_plan_merge_segments;
    return jr_job_is_of_runs(job) ? &jr_plan_runs : kinds[job->kind];
}

static jr_status make(const jr_job *job, const jr_choice *choice, jr_plan **plan) {
    jr_plan *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a plan");
    made->context = job->context;
    made->kind = kind_of(job);
    made->reduction = jr_reduction_share(job->reduction);
    made->choice = *choice;
    made->capacity = job->requested.capacity;
    made->layout = job->layout;
    made->view = job->view;
    made->has_heads = jr_job_heads(job) != NULL;
    const jr_status status = fill(job, made);
    if (status == JR_OK)
        *plan = made;
    else
        jr_plan_free(made);
    return status;
}

static jr_status make_and_tell(const jr_job *job, const jr_choice *choice, jr_plan **plan) {
    const jr_status status = make(job, choice, plan);
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "chosen: %s, unroll %d, block %d, grid %d at most (%s)", choice->row->name,
               choice->tuning.unroll, choice->tuning.block, (*plan)->stats.grid, choice->why);
    return status;
}

/* What is advised was measured on a device like this one, and may still not suit it: then the estimate decides. */
jr_status jr_make_plan(const jr_job *job, jr_plan **plan) {
    jr_choice choice;
    JR_TRY(jr_choice_make(job, &choice));
    if (!choice.advised) return make_and_tell(job, &choice, plan);
    jr_error_saved *saved = jr_error_save();
    jr_status status = make_and_tell(job, &choice, plan);
    if (status != JR_ERROR_NOT_APPLICABLE && status != JR_ERROR_LAUNCH_RESOURCES) {
        jr_error_discard(saved);
        return status;
    }
    jr_log(JR_LOG_WARNING, "a stored tuning does not suit this device, and is not used: %s", jr_last_error()->message);
    jr_error_restore(saved);
    status = jr_choice_make_estimate(job, &choice);
    return status == JR_OK ? make_and_tell(job, &choice, plan) : status;
}

jr_status jr_make_of_spec(const jr_spec *spec, jr_job *job, jr_plan **plan) {
    jr_status status = jr_job_make(spec, job);
    if (status == JR_OK) status = jr_make_plan(job, plan);
    jr_job_free(job);
    return status;
}
