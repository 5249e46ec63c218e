/* Runs plans. */
#include "base/error.h"
#include "cut.h"
#include "device/launch.h"
#include "parts.h"
#include "scan.h"

int jr_plan_launches(const jr_plan *plan, uint64_t count) {
    if (plan->launch_count > 0) return (int)jr_parts_launches(plan, count) + 1;
    return plan->algorithm->launches > 0 ? plan->algorithm->launches : plan->algorithm->count_launches(plan, count);
}

size_t jr_plan_workspace(const jr_plan *plan) {
    if (plan->launch_count > 0) return (size_t)jr_parts_bytes(plan, plan->spec.capacity);
    return plan->algorithm->workspace_bytes != NULL ? plan->algorithm->workspace_bytes(plan) : 0;
}

unsigned jr_plan_shared_bytes(const jr_plan *plan) {
    return plan->tuning.shared_bytes;
}

int jr_plan_grid(const jr_plan *plan, uint64_t count) {
    if (plan->tuning.grid > 0) return plan->tuning.grid;
    if (plan->algorithm->grid != NULL) return plan->algorithm->grid(plan, count);
    const uint64_t tile_elements =
        (uint64_t)plan->tuning.block * (uint64_t)plan->tuning.unroll * jr_cut_pack_elements(plan->reduction);
    const uint64_t tiles = count / tile_elements + (count % tile_elements != 0);
    if (tiles >= (uint64_t)plan->wave) return plan->wave;
    return tiles > 0 ? (int)tiles : 1;
}

static jr_status check_input(const jr_input *input, const void *in, uint64_t count) {
    const uint64_t address = (uint64_t)(uintptr_t)in;
    if (in == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the input is NULL, but the count is %llu",
                       (unsigned long long)count);
    if (count > (UINT64_MAX - address) / input->bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)count, input->bytes);
    if (address % input->alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the input address %p is not aligned to its elements of %zu bytes",
                       in, input->alignment);
    return JR_OK;
}

static jr_status check_output(const jr_plan *plan, const jr_run *run) {
    const bool needed = !plan->algorithm->scans || run->count > 0;
    if ((run->out != NULL || !needed) && (uintptr_t)run->out % plan->reduction->output_alignment == 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the output address %p is NULL or not aligned to %zu bytes", run->out,
                   plan->reduction->output_alignment);
}

static jr_status check_run(const jr_plan *plan, const jr_run *run) {
    for (int i = 0; i < plan->reduction->input_count; i++) {
        const jr_status status = check_input(&plan->reduction->inputs[i], run->in[i], run->count);
        if (status != JR_OK) return status;
    }
    const jr_status status = check_output(plan, run);
    if (status != JR_OK) return status;
    if ((uintptr_t)run->workspace % 16 != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the workspace address %p is not aligned to 16 bytes",
                       run->workspace);
    if ((plan->launch_count > 0 || plan->algorithm->needs_capacity) && run->count > plan->spec.capacity)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "a count of %llu is beyond the plan's capacity of %llu, which %s needs: set spec.capacity to the "
            "largest count",
            (unsigned long long)run->count, (unsigned long long)plan->spec.capacity,
            plan->launch_count > 0 ? "max_launch_ms" : plan->algorithm->name);
    if (plan->algorithm->scans) return jr_scan_check_places(plan->reduction, run);
    return run->count == 0 ? jr_reduction_check_empty(plan->reduction) : JR_OK;
}

jr_call jr_plan_call(const jr_plan *plan, uint64_t count) {
    jr_call call = plan->call;
    call.count = count;
    return call;
}

jr_call jr_plan_last_call(const jr_plan *plan, const jr_run *run) {
    jr_call call = jr_plan_call(plan, run->count);
    call.mark = run->mark;
    return call;
}

jr_status jr_plan_start(const jr_plan *plan, const jr_run *run) {
    bool pushed;
    jr_run filled = *run;
    if (filled.workspace == NULL)
        filled.workspace = (void *)(uintptr_t)plan->workspace; /* NOLINT(performance-no-int-to-ptr) */
    jr_status status = check_run(plan, &filled);
    if (status == JR_OK) status = jr_device_enter(&plan->context->device, &pushed);
    if (status != JR_OK) return status;
    status = plan->launch_count > 0 ? jr_parts_run(plan, &filled) : plan->algorithm->run(plan, &filled);
    jr_device_leave(&plan->context->device, pushed);
    return status;
}

jr_status jr_plan_finish(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count) {
    jr_call call = jr_plan_last_call(plan, run);
    void *args[] = {&partials, &partial_count, (void *)&run->out, &call};
    return jr_plan_step(plan, 1, 1, run->stream, args);
}

jr_status jr_plan_step(const jr_plan *plan, int kernel, int grid, jr_stream stream, void **args) {
    const jr_launch launch = {.grid = {(unsigned)grid, 1, 1},
                              .block = {(unsigned)plan->tuning.block, 1, 1},
                              .shared_bytes = jr_plan_shared_bytes(plan),
                              .stream = stream,
                              .dependent = plan->dependent};
    return jr_launch_run(&plan->context->device, plan->kernels[kernel]->module.function, &launch, args);
}

jr_status jr_plan_run_once(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_call call = jr_plan_last_call(plan, run);
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, &call};
    return jr_plan_step(plan, 0, jr_plan_grid(plan, run->count), run->stream, args);
}
