/* What all plans do: runs, from their checks to their launches. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/whole.h"
#include "cut.h"
#include "device/launch.h"
#include "device/memory.h"
#include "device/stopwatch.h"
#include "loader/nvtx.h"
#include "spec/dtype.h"

int jr_plan_launches(const jr_plan *plan, uint64_t count) {
    return plan->choice.row->launches != NULL ? plan->choice.row->launches(plan, count) : 1;
}

int jr_plan_two_launches(const jr_plan *plan, uint64_t count) {
    (void)plan;
    (void)count;
    return 2;
}

size_t jr_plan_workspace(const jr_plan *plan) {
    return plan->choice.row->workspace_bytes != NULL ? plan->choice.row->workspace_bytes(plan) : 0;
}

int jr_plan_grid(const jr_plan *plan, uint64_t count) {
    if (plan->choice.tuning.grid > 0) return plan->choice.tuning.grid;
    if (plan->choice.row->grid != NULL) return plan->choice.row->grid(plan, count);
    const uint64_t tile_elements = (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll *
                                   jr_cut_pack_elements(plan->reduction);
    const uint64_t tiles = jr_divide_up(count, tile_elements);
    if (tiles >= (uint64_t)plan->wave) return plan->wave;
    return tiles > 0 ? (int)tiles : 1;
}

/* The message for a NULL input: for one array a caller may have given its address, or an array of addresses. */
static jr_status fail_null(const jr_plan *plan, int input, const char *what, uint64_t count) {
    char index[16] = "";
    if (plan->reduction->input_count > 1) snprintf(index, sizeof index, "[%d]", input);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "d_in%s is NULL, but %s %llu", index, what, (unsigned long long)count);
}

jr_status jr_plan_check_input(const jr_plan *plan, int input, jr_cu_deviceptr in, uint64_t count) {
    const jr_input *row = &plan->reduction->inputs[input];
    if (in == 0 && count > 0) return fail_null(plan, input, "the count is", count);
    if (count > (UINT64_MAX - in) / row->bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)count, row->bytes);
    if (in % row->alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the address of input %d, %p, is not aligned to its elements of %zu bytes", input,
                       jr_cu_pointer(in), row->alignment);
    return JR_OK;
}

jr_status jr_plan_check_inputs(const jr_plan *plan, const jr_run *run, uint64_t count) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < plan->reduction->input_count; i++)
        status = jr_plan_check_input(plan, i, run->in[i], count);
    return status;
}

/* Where offsets are the device's, how many elements there are is not known. */
jr_status jr_plan_check_segmented(const jr_plan *plan, const jr_run *run, uint64_t count) {
    for (int i = 0; i < plan->reduction->input_count && run->segments.offsets != 0; i++)
        if (run->in[i] == 0) return fail_null(plan, i, "the count of segments is", run->count);
    return jr_plan_check_inputs(plan, run, count);
}

jr_status jr_plan_check_places(const jr_plan *plan, const jr_run *run) {
    const size_t alignment = plan->choice.tuning.to_state ? JR_RESULT_STRIDE : plan->reduction->output_alignment;
    JR_TRY(jr_given_aligned("output address", jr_cu_pointer(run->out), alignment));
    return jr_plan_check_workspace(run);
}

jr_status jr_plan_check_workspace(const jr_run *run) {
    return run->workspace != 0 ? jr_given_aligned("workspace address", jr_cu_pointer(run->workspace), 16) : JR_OK;
}

jr_run_range jr_plan_input_range(const jr_plan *plan, const jr_run *run, int input, uint64_t elements) {
    const uint64_t bytes = plan->reduction->inputs[input].bytes;
    uint64_t before, after;
    if (plan->view.arrays == 0) return (jr_run_range){"input", run->in[input], elements * bytes};
    jr_view_reach(&plan->view, input, &before, &after);
    return (jr_run_range){"input", run->in[input] - before * bytes, (before + 1 + after) * bytes};
}

jr_status jr_plan_check_apart(const jr_run_range *written, const jr_run_range *other) {
    const uint64_t out = written->at, at = other->at;
    if (out == 0 || at == 0 || out + written->bytes <= at || at + other->bytes <= out) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the %s at %p, %llu bytes, overlap the %s at %p, %llu bytes",
                   written->name, jr_cu_pointer(written->at), (unsigned long long)written->bytes, other->name,
                   jr_cu_pointer(other->at), (unsigned long long)other->bytes);
}

static bool is_of_something(const jr_plan *plan, const jr_run *run) {
    return run->count > 0 || plan->reduction->spec.initial != NULL;
}

jr_call jr_plan_call(const jr_plan *plan, const jr_run *run) {
    jr_call call = plan->call;
    call.count = plan->choice.tuning.to_all ? run->flat.whole : run->count;
    call.first = run->first;
    call.mark = run->mark;
    if (plan->reduction->adds_floats) call.zero = is_of_something(plan, run) ? -0.0 : 0.0;
    if (run->counts_kept) call.kept_offset = plan->reduction->kept_offset;
    return call;
}

void jr_plan_count_kept(jr_plan *plan) {
    plan->call.kept_offset = plan->reduction->kept_offset;
}

size_t jr_plan_result_stride(const jr_plan *plan) {
    if (plan->choice.tuning.to_state) return plan->reduction->accumulator_bytes;
    return plan->call.kept_offset > 0 ? plan->reduction->place_bytes : plan->reduction->output_bytes;
}

jr_status jr_plan_start(const jr_plan *plan, const jr_run *run) {
    jr_run filled = *run;
    if (filled.workspace == 0) filled.workspace = plan->workspace;
    jr_status status = plan->kind->check(plan, &filled);
    if (status != JR_OK) return status;
    JR_IN_DEVICE(&plan->context->device);
    /* A plan with one result per element or segment writes nothing for an empty input. */
    if (filled.count > 0 || plan->kind->each == NULL || plan->kind->counts)
        status = plan->choice.row->run(plan, &filled);
    return status;
}

jr_status jr_plan_finish(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count) {
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&partials, &partial_count, (void *)&run->out, &call};
    return jr_plan_step(plan, 1, 1, run->stream, args);
}

/* Apart, so that a launch without a profiler needs one test more. */
static __attribute__((noinline)) jr_status launch_in_range(const jr_plan *plan, int kernel, const jr_launch *launch,
                                                           void **args) {
    const jr_kernel *launched = plan->kernels[kernel];
    const bool begun = jr_nvtx_push("launch", launched->name);
    const jr_status status = jr_launch_run(&plan->context->device, launched->module.function, launch, args);
    if (begun) jr_nvtx_pop();
    return status;
}

jr_status jr_plan_step(const jr_plan *plan, int kernel, int grid, jr_stream stream, void **args) {
    const jr_launch launch = {.grid = {(unsigned)grid, 1, 1},
                              .block = {(unsigned)plan->choice.tuning.block, 1, 1},
                              .shared_bytes = plan->choice.tuning.shared_bytes,
                              .stream = stream,
                              .dependent = plan->dependent};
    if (jr_nvtx_listens()) return launch_in_range(plan, kernel, &launch, args);
    return jr_launch_run(&plan->context->device, plan->kernels[kernel]->module.function, &launch, args);
}

jr_status jr_plan_run_once(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, &call};
    return jr_plan_step(plan, 0, jr_plan_grid(plan, run->count), run->stream, args);
}

jr_status jr_plan_fold_once(const jr_plan *plan, const jr_run *part, uint64_t partials) {
    const int blocks = jr_plan_grid(plan, part->count);
    const jr_algorithm_parts *parts = plan->choice.row->parts;
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_call call = jr_plan_call(plan, part);
    void *args[] = {&cut, &partials, &call};
    if (parts->deal == NULL) return jr_plan_step(plan, 0, blocks, part->stream, args);
    jr_deal deal = parts->deal(plan, &cut, part->count, (uint64_t)blocks);
    void *dealt_args[] = {&cut, &deal, &partials, &call};
    return jr_plan_step(plan, 0, blocks, part->stream, dealt_args);
}

jr_status jr_plan_parameter_write(jr_plan *plan, const char *name, const jr_value *value) {
    const jr_spec *spec = &plan->reduction->spec;
    if (plan->first != NULL) {
        const jr_status status = jr_plan_parameter_write(plan->first, name, value);
        if (status != JR_OK) return status;
    }
    for (int i = 0; i < spec->parameter_count; i++) {
        const jr_type type = spec->parameters[i].value.type;
        if (strcmp(spec->parameters[i].name, name) != 0) continue;
        if (value->type != type)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is of type %s, the value of type %s", name,
                           jr_dtype_find(type)->name,
                           jr_dtype_find(value->type) != NULL ? jr_dtype_find(value->type)->name : "none");
        memcpy(&plan->call.parameters[i], value->as.bytes, sizeof plan->call.parameters[i]);
        return JR_OK;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown parameter %s: it is not one of the %d in the plan's spec", name,
                   spec->parameter_count);
}

static void release_memory(jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    if (plan->workspace == 0 && plan->mailbox.host == NULL && plan->table == 0) return;
    JR_KEEP_ERROR;
    JR_INSIDE inside = jr_inside_device(device);
    if (inside.status != JR_OK) return;
    jr_memory_release(device, plan->workspace, NULL);
    jr_memory_release(device, plan->table, NULL);
    jr_mapped_destroy(device, &plan->mailbox);
}

void jr_plan_free(jr_plan *plan) {
    if (plan == NULL) return;
    release_memory(plan);
    jr_plan_free(plan->first);
    jr_reduction_destroy(plan->reduction);
    free(plan);
}

const jr_segment_layout *jr_plan_heads(const jr_plan *plan) {
    return plan->has_heads ? &plan->layout : NULL;
}

/* ---- measuring ---- */

/* Input and output once each, and what the algorithm keeps in between. */
static uint64_t moved_bytes(const jr_plan *plan, uint64_t count) {
    uint64_t bytes = jr_plan_result_stride(plan);
    for (int i = 0; i < plan->reduction->input_count; i++) bytes += count * plan->reduction->inputs[i].bytes;
    return bytes + (plan->choice.row->partial_bytes != NULL ? plan->choice.row->partial_bytes(plan, count) : 0);
}

static jr_status time_run(const jr_plan *plan, const jr_run *run, jr_stopwatch *watch, double *milliseconds) {
    JR_TRY(jr_stopwatch_start(watch, run->stream));
    JR_TRY(jr_plan_start(plan, run));
    JR_TRY(jr_stopwatch_stop(watch, run->stream));
    return jr_stopwatch_read(watch, milliseconds);
}

/* The context is current. */
static jr_status time_rounds(const jr_plan *plan, const jr_run *run, int rounds, double *least_ms) {
    jr_stopwatch watch = {0};
    jr_status status = jr_stopwatch_create(&plan->context->device, &watch);
    for (int round = 0; status == JR_OK && round < rounds; round++) {
        double milliseconds = 0;
        status = time_run(plan, run, &watch, &milliseconds);
        if (round == 0 || milliseconds < *least_ms) *least_ms = milliseconds;
    }
    JR_KEEP_ERROR;
    jr_stopwatch_destroy(&watch);
    return status;
}

jr_status jr_plan_measure(const jr_plan *plan, const jr_run *run, int rounds, jr_run_cost *cost) {
    jr_run_cost found = {0};
    if (rounds < 1) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d rounds: 1 or more are needed", rounds);
    JR_IN_DEVICE_TO_WAIT(&plan->context->device, run->stream);
    JR_TRY(time_rounds(plan, run, rounds, &found.kernel_ms));
    found.launches = jr_plan_launches(plan, run->count);
    found.moved_bytes = moved_bytes(plan, run->count);
    *cost = found;
    return JR_OK;
}
