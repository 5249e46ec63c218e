/* Makes plans and runs them. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/launch.h"
#include "device/memory.h"
#include "estimate.h"
#include "program/constants.h"
#include "program/expressions.h"
#include "program/operator.h"
#include "program/sources.h"

/* constants, headers -> program -> kernel, one after the other; what they cost is added up. */
static jr_status get_kernel(jr_plan *plan, const jr_algorithm_kernel *which, const jr_constants *constants,
                            const jr_expressions *expressions) {
    /* The first two only shorten the compile: measured on an H200, the kernels run as fast or faster (UF 16: by a
     * third). */
    static const char *const options[] = {"--minimal", "--Ofast-compile=min", "--disable-warnings"};
    jr_named_text headers[JR_SOURCE_HEADERS_MAX + 2];
    jr_kernel_cost cost;
    size_t header_count = jr_sources_headers(headers);
    if (expressions->functions != NULL) {
        headers[header_count++] = (jr_named_text){"declarations.cuh", expressions->declarations};
        headers[header_count++] = (jr_named_text){"expressions.cuh", expressions->functions};
    }
    const jr_program program = {.name = strrchr(which->source, '/') + 1, /* a program's name is no path */
                                .source = jr_sources_find(which->source),
                                .entry = which->entry,
                                .constants = constants->items,
                                .constant_count = constants->count,
                                .headers = headers,
                                .header_count = header_count,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0]};
    const jr_status status = jr_kernel_find_or_make(plan->context, &program, &plan->kernels[plan->kernel_count], &cost);
    if (status != JR_OK) return status;
    plan->kernel_count++;
    if (cost.origin > plan->stats.origin) plan->stats.origin = cost.origin;
    plan->stats.nvrtc_ms += cost.nvrtc_ms;
    if (cost.compiled_again) plan->stats.compiled_again = 1;
    plan->stats.cache_ms += cost.cache_ms;
    plan->stats.load_ms += cost.load_ms;
    return JR_OK;
}

/* spec + tuning -> constants and headers -> kernels */
static jr_status get_kernels(jr_plan *plan) {
    jr_constants constants;
    jr_expressions expressions;
    jr_status status = jr_expressions_make(plan->reduction, plan->tuning.unroll, &expressions);
    if (status != JR_OK) return status;
    jr_constants_of(plan->reduction, &plan->tuning, &constants);
    for (int k = 0; k < JR_KERNELS_MAX && plan->algorithm->kernels[k].source != NULL && status == JR_OK; k++)
        status = get_kernel(plan, &plan->algorithm->kernels[k], &constants, &expressions);
    jr_expressions_free(&expressions);
    if (status != JR_OK) return jr_expressions_explain(plan->reduction, status);
    plan->stats.block = plan->tuning.block;
    plan->stats.unroll = plan->tuning.unroll;
    plan->stats.algorithm = plan->tuning.algorithm;
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
    const jr_launch launch = {.block = {(unsigned)plan->tuning.block}, .shared_bytes = jr_plan_shared_bytes(plan)};
    int occupancy = 0;
    const jr_status status = jr_launch_allow_shared(device, plan->kernels[0]->module.function, &launch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &occupancy, plan->kernels[0]->module.function, plan->tuning.block, jr_plan_shared_bytes(plan));
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(&device->driver, result, "asking for the occupancy");
    if (occupancy == 0)
        return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                       "a block of %d threads of %s does not fit on a multiprocessor: each thread takes %d registers; "
                       "choose a smaller block or unroll factor",
                       plan->tuning.block, plan->algorithm->name,
                       jr_launch_attribute(device, plan->kernels[0]->module.function, JR_CU_FUNC_REGISTERS));
    plan->dependent = all_wait(plan);
    plan->wave = jr_estimate_wave(plan->algorithm, &plan->tuning, &device->info, occupancy);
    return JR_OK;
}

/* The context is current. The workspace is ready when this returns: a run may be on any stream. */
static jr_status allocate_workspace(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const size_t bytes = jr_plan_workspace(plan);
    if (bytes == 0) return JR_OK;
    jr_status status = jr_memory_allocate(device, bytes, &plan->workspace);
    if (status != JR_OK) return status;
    jr_cu_result result = device->driver.cuMemsetD8_v2(plan->workspace, 0, bytes);
    if (result == JR_CUDA_SUCCESS) result = device->driver.cuStreamSynchronize(NULL);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "clearing the workspace");
}

jr_status jr_plan_parameter_write(jr_plan *plan, const char *name, const jr_value *value) {
    for (int i = 0; i < plan->spec.parameter_count; i++) {
        if (strcmp(plan->parameters[i].name, name) != 0) continue;
        if (value->type != plan->parameters[i].type)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is of type %s, the value of type %s", name,
                           jr_dtype_find(plan->parameters[i].type)->name,
                           jr_dtype_find(value->type) != NULL ? jr_dtype_find(value->type)->name : "none");
        memcpy(&plan->call.parameters[i], value->as.bytes, sizeof plan->call.parameters[i]);
        return JR_OK;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown parameter %s: it is not one of the %d in the plan's spec", name,
                   plan->spec.parameter_count);
}

/* What the spec says of values, copied. */
static void fill_call(jr_plan *plan, const jr_spec *spec) {
    plan->call.ddof = spec->ddof;
    if (spec->initial != NULL) memcpy(plan->call.initial, spec->initial->as.bytes, plan->reduction->outputs[0].bytes);
    for (int i = 0; i < spec->parameter_count; i++) {
        const jr_parameter *parameter = &spec->parameters[i];
        snprintf(plan->parameters[i].name, sizeof plan->parameters[i].name, "%s", parameter->name);
        plan->parameters[i].type = parameter->value.type;
        memcpy(&plan->call.parameters[i], parameter->value.as.bytes, sizeof plan->call.parameters[i]);
    }
}

/* A workspace sized by the capacity takes at most an accumulator an element. */
static jr_status check_capacity(const jr_plan *plan, uint64_t capacity) {
    const uint64_t most = UINT64_MAX / 2 / plan->reduction->accumulator_bytes;
    if ((plan->launch_count == 0 && !plan->algorithm->needs_capacity) || capacity <= most) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a capacity of %llu is beyond the address space: at most %llu",
                   (unsigned long long)capacity, (unsigned long long)most);
}

static jr_status fill(jr_plan *plan, const jr_spec *spec, const jr_algorithm_row *row) {
    const jr_device_info *device = &plan->context->device.info;
    bool pushed;
    jr_status status = jr_reduction_create(spec, &plan->reduction);
    if (status != JR_OK) return status;
    plan->spec = plan->reduction->spec;
    fill_call(plan, spec);
    if (row == NULL) status = jr_algorithm_choose(spec, plan->reduction, device, spec->max_launch_ms > 0, &row);
    plan->algorithm = row;
    if (spec->max_launch_ms > 0)
        plan->launch_count = jr_estimate_launch_count(plan->reduction, device, spec->max_launch_ms);
    if (status == JR_OK) status = check_capacity(plan, spec->capacity);
    if (status == JR_OK) status = jr_estimate_tuning(spec, plan->reduction, plan->algorithm, device, &plan->tuning);
    if (status == JR_OK) status = get_kernels(plan);
    if (status == JR_OK) status = jr_device_enter_to_wait(&plan->context->device, NULL, &pushed);
    if (status != JR_OK) return status;
    status = size_wave(plan);
    if (status == JR_OK) status = allocate_workspace(plan);
    jr_device_leave(&plan->context->device, pushed);
    plan->stats.launches = jr_plan_launches(plan, spec->capacity > 0 ? spec->capacity : UINT64_MAX);
    plan->stats.grid = jr_plan_grid(plan, UINT64_MAX);
    return status;
}

jr_status jr_plan_make(jr_context *context, const jr_spec *spec, const jr_algorithm_row *row, jr_plan **plan) {
    jr_plan *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a plan");
    made->context = context;
    const bool given = spec->algorithm != JR_ALGORITHM_AUTO && spec->unroll > 0 && spec->block > 0;
    snprintf(made->stats.tuned_by, sizeof made->stats.tuned_by, "%s", given ? "given" : "estimate");
    const jr_status status = fill(made, spec, row);
    if (status == JR_OK)
        *plan = made;
    else
        jr_plan_free(made);
    return status;
}

void jr_plan_free(jr_plan *plan) {
    bool pushed;
    if (plan == NULL) return;
    if (plan->workspace != 0 || plan->mailbox.host != NULL) {
        jr_error_saved *saved = jr_error_save();
        if (jr_device_enter(&plan->context->device, &pushed) == JR_OK) {
            jr_memory_release(&plan->context->device, plan->workspace);
            jr_mapped_destroy(&plan->context->device, &plan->mailbox);
            jr_device_leave(&plan->context->device, pushed);
        }
        jr_error_restore(saved);
    }
    jr_reduction_destroy(plan->reduction);
    free(plan);
}
