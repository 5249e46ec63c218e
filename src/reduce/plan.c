/* Makes plans and runs them. */
#include "plan.h"

#include <stdlib.h>

#include "base/error.h"
#include "device/launch.h"
#include "device/memory.h"
#include "estimate.h"
#include "program/constants.h"
#include "program/operator.h"
#include "program/sources.h"
#include "program/spec.h"

/* spec + tuning -> constants -> program -> kernel */
static jr_status get_kernel(jr_plan *plan) {
    /* Both only shorten the compile: measured on an H200, the kernels run as fast or faster (UF 16: by a third). */
    static const char *const options[] = {"--minimal", "--Ofast-compile=min"};
    jr_constants constants;
    jr_named_text headers[JR_SOURCE_HEADERS_MAX];
    jr_kernel_cost cost;
    jr_constants_of(&plan->spec, &plan->tuning, plan->accumulator, &constants);
    const jr_program program = {.name = plan->algorithm->source,
                                .source = jr_sources_find(plan->algorithm->source),
                                .entry = plan->algorithm->entry,
                                .constants = constants.items,
                                .constant_count = constants.count,
                                .headers = headers,
                                .header_count = jr_sources_headers(headers),
                                .options = options,
                                .option_count = sizeof options / sizeof options[0]};
    const jr_status status = jr_kernel_find_or_make(plan->context, &program, &plan->kernel, &cost);
    if (status != JR_OK) return status;
    plan->stats = (jr_stats){.origin = cost.origin,
                             .nvrtc_ms = cost.nvrtc_ms,
                             .cache_ms = cost.cache_ms,
                             .load_ms = cost.load_ms,
                             .block = plan->tuning.block,
                             .unroll = plan->tuning.unroll,
                             .algorithm = plan->tuning.algorithm};
    return JR_OK;
}

/* The context is current. */
static jr_status size_wave(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    int occupancy = 0;
    const jr_cu_result result = device->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &occupancy, plan->kernel->module.function, plan->tuning.block, plan->algorithm->shared_bytes(plan));
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(&device->driver, result, "asking for the occupancy");
    if (occupancy == 0)
        return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                       "a block of %d threads of %s does not fit on a multiprocessor: each thread takes %d registers; "
                       "choose a smaller block or unroll factor",
                       plan->tuning.block, plan->algorithm->name,
                       jr_launch_attribute(device, plan->kernel->module.function, JR_CU_FUNC_REGISTERS));
    plan->wave = jr_estimate_wave(&plan->tuning, &device->info, occupancy);
    return JR_OK;
}

/* The context is current. The workspace is ready when this returns: a run may be on any stream. */
static jr_status allocate_workspace(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const size_t bytes = plan->algorithm->workspace_bytes(plan);
    if (bytes == 0) return JR_OK;
    jr_status status = jr_memory_allocate(device, bytes, &plan->workspace);
    if (status != JR_OK) return status;
    jr_cu_result result = device->driver.cuMemsetD8_v2(plan->workspace, 0, bytes);
    if (result == JR_CUDA_SUCCESS) result = device->driver.cuStreamSynchronize(NULL);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "clearing the workspace");
}

static jr_status fill(jr_plan *plan, const jr_spec *spec) {
    bool pushed;
    jr_status status = jr_spec_check(spec, &plan->accumulator);
    if (status != JR_OK) return status;
    plan->spec = *spec;
    plan->initial = spec->initial != NULL ? *spec->initial : (jr_value){.type = plan->accumulator};
    if (spec->initial != NULL) plan->spec.initial = &plan->initial;
    plan->element_bytes = jr_dtype_find(spec->type)->bytes;
    plan->accumulator_bytes = jr_dtype_find(plan->accumulator)->bytes;
    status = jr_algorithm_choose(spec, &plan->context->device.info, &plan->algorithm);
    if (status != JR_OK) return status;
    jr_estimate_tuning(spec, plan->algorithm, &plan->tuning);
    status = get_kernel(plan);
    if (status == JR_OK) status = jr_device_enter(&plan->context->device, &pushed);
    if (status != JR_OK) return status;
    status = size_wave(plan);
    if (status == JR_OK) status = allocate_workspace(plan);
    jr_device_leave(&plan->context->device, pushed);
    plan->stats.launches = plan->algorithm->launches(plan);
    plan->stats.grid = jr_plan_grid(plan, UINT64_MAX / plan->element_bytes);
    return status;
}

jr_status jr_plan_make(jr_context *context, const jr_spec *spec, jr_plan **plan) {
    jr_plan *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a plan");
    made->context = context;
    const jr_status status = fill(made, spec);
    if (status == JR_OK)
        *plan = made;
    else
        jr_plan_free(made);
    return status;
}

void jr_plan_free(jr_plan *plan) {
    bool pushed;
    if (plan == NULL) return;
    if (plan->workspace != 0) {
        jr_error_saved *saved = jr_error_save();
        if (jr_device_enter(&plan->context->device, &pushed) == JR_OK) {
            jr_memory_release(&plan->context->device, plan->workspace);
            jr_device_leave(&plan->context->device, pushed);
        }
        jr_error_restore(saved);
    }
    free(plan);
}

int jr_plan_grid(const jr_plan *plan, uint64_t count) {
    if (plan->tuning.grid > 0) return plan->tuning.grid;
    const uint64_t tile_elements =
        (uint64_t)plan->tuning.block * (uint64_t)plan->tuning.unroll * (16 / plan->element_bytes);
    const uint64_t tiles = count / tile_elements + (count % tile_elements != 0);
    if (tiles >= (uint64_t)plan->wave) return plan->wave;
    return tiles > 0 ? (int)tiles : 1;
}

static jr_status check_run(const jr_plan *plan, const jr_run *run) {
    const uint64_t address = (uint64_t)(uintptr_t)run->in;
    const uint64_t out = (uint64_t)(uintptr_t)run->out;
    if (run->in == NULL && run->count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the input is NULL, but the count is %llu",
                       (unsigned long long)run->count);
    if (run->count > (UINT64_MAX - address) / plan->element_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)run->count, plan->element_bytes);
    if (address % plan->element_bytes != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the input address %p is not aligned to its elements of %zu bytes",
                       run->in, plan->element_bytes);
    if (run->out == NULL || out % plan->accumulator_bytes != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the output address %p is NULL or not aligned to %zu bytes", run->out,
                       plan->accumulator_bytes);
    if ((uintptr_t)run->workspace % 16 != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the workspace address %p is not aligned to 16 bytes",
                       run->workspace);
    if (run->count == 0 && plan->spec.initial == NULL && jr_operator_find(plan->spec.op)->empty_is_error)
        return jr_fail(JR_ERROR_EMPTY_INPUT, "%s of no elements has no value: give an initial value",
                       jr_operator_find(plan->spec.op)->name);
    return JR_OK;
}

jr_status jr_plan_start(const jr_plan *plan, const jr_run *run) {
    bool pushed;
    jr_run filled = *run;
    if (filled.workspace == NULL)
        filled.workspace = (void *)(uintptr_t)plan->workspace; /* NOLINT(performance-no-int-to-ptr) */
    jr_status status = check_run(plan, &filled);
    if (status == JR_OK) status = jr_device_enter(&plan->context->device, &pushed);
    if (status != JR_OK) return status;
    status = plan->algorithm->run(plan, &filled);
    jr_device_leave(&plan->context->device, pushed);
    return status;
}

jr_status jr_plan_step(const jr_plan *plan, int grid, jr_stream stream, void **args) {
    const jr_launch launch = {.grid = {(unsigned)grid, 1, 1},
                              .block = {(unsigned)plan->tuning.block, 1, 1},
                              .shared_bytes = plan->algorithm->shared_bytes(plan),
                              .stream = stream};
    return jr_launch_run(&plan->context->device, plan->kernel->module.function, &launch, args);
}
