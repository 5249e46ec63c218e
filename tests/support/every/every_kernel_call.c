/* Calls of every public function of contexts, kernels, device memory and tunable kernels. */
#include "every_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CALLS(every_kernel_call)

/* ---- contexts ---- */

CALL(jr_context_open, EVERY_DRIVES) {
    const jr_options options = JR_INIT(jr_options, .device = w->wrong ? "abacus" : "sim");
    jr_context *made = o->pointer;
    RETURN_MADE(made, jr_context_open(&options, &made), jr_context_close(made));
}

CALL(jr_context_device_info, EVERY_DRIVES) {
    return jr_context_device_info(w->wrong ? NULL : w->context, &o->device);
}

CALL(jr_context_stats, 0) {
    return jr_context_stats(w->wrong ? NULL : w->context, &o->stats);
}

CALL(jr_context_counters, 0) {
    return jr_context_counters(w->wrong ? NULL : w->context, &o->counters);
}

CALL(jr_wisdom_info_get, 0) {
    return jr_wisdom_info_get(w->wrong ? NULL : w->context, &o->wisdom);
}

static void count_finding(void *user, const jr_finding *finding) {
    (void)finding;
    ++*(uint64_t *)user;
}

CALL(jr_doctor, 0) {
    const jr_options wrong = {.size = 1};
    return jr_doctor(w->wrong ? &wrong : NULL, count_finding, &o->count);
}

/* ---- kernels ---- */

CALL(jr_kernel_get, EVERY_DRIVES) {
    const jr_program program = every_call_program(w);
    return jr_kernel_get(w->context, &program, (jr_kernel **)&o->pointer);
}

CALL(jr_kernels_get, EVERY_DRIVES) {
    const jr_program program = every_call_program(w), *const list[] = {&program};
    jr_kernel *made = NULL;
    const jr_status status = jr_kernels_get(w->context, list, 1, &made);
    if (status == JR_OK) o->pointer = made;
    return status;
}

CALL(jr_kernels_of, EVERY_DRIVES) {
    const jr_program program = every_call_program(w);
    const char *const entries[] = {program.entry};
    jr_kernel *made = NULL;
    const jr_status status = jr_kernels_of(w->context, &program, entries, 1, &made);
    if (status == JR_OK) o->pointer = made;
    return status;
}

CALL(jr_kernel_get_async, EVERY_DRIVES) {
    const jr_program program = every_call_program(w);
    jr_kernel_order *order = NULL;
    jr_status status = jr_kernel_get_async(w->context, &program, NULL, NULL, &order);
    if (status == JR_OK) status = jr_kernel_order_wait(order, w->wrong ? -1 : INFINITY, (jr_kernel **)&o->pointer);
    jr_kernel_order_end(order);
    return status;
}

CALL(jr_kernel_launch, EVERY_DRIVES) {
    const jr_launch one = JR_INIT(jr_launch, .grid = {1}, .block = {w->wrong ? 4096 : 1});
    return jr_kernel_launch(w->kernel, &one, NULL);
}

CALL(jr_kernel_info_get, EVERY_DRIVES) {
    return jr_kernel_info_get(w->wrong ? NULL : w->kernel, &o->kernel);
}

CALL(jr_kernel_occupancy, EVERY_DRIVES) {
    return jr_kernel_occupancy(w->kernel, w->wrong ? -1 : 128, 0, &o->integer);
}

CALL(jr_kernel_clusters, EVERY_DRIVES) {
    const jr_launch launch = JR_INIT(jr_launch, .grid = {w->wrong ? 3u : 4u}, .block = {32}, .cluster = {2});
    return jr_kernel_clusters(w->kernel, &launch, &o->integer);
}

CALL(jr_kernel_block_choose, EVERY_DRIVES) {
    return jr_kernel_block_choose(w->wrong ? NULL : w->kernel, 0, &o->integer, &o->other_integer);
}

CALL(jr_kernel_global_find, EVERY_DRIVES) {
    return jr_kernel_global_find(w->kernel, w->wrong ? "none" : "total", &o->pointer, &o->bytes);
}

CALL(jr_kernel_global_write, EVERY_DRIVES) {
    return jr_kernel_global_write(w->kernel, w->wrong ? "none" : "total", "1234", 4);
}

CALL(jr_kernel_global_read, EVERY_DRIVES) {
    int value;
    const jr_status status = jr_kernel_global_read(w->kernel, w->wrong ? "none" : "total", &value, sizeof value);
    if (status == JR_OK) o->integer = value;
    return status;
}

/* ---- images ---- */

CALL(jr_kernel_parameters, 0) {
    return jr_kernel_parameters(w->wrong ? NULL : w->kernel, NULL, 0, &o->bytes);
}

/* Room and pointers may be written on failure, too. */
CALL(jr_kernel_arguments, 0) {
    enum { MOST = 8, ROOM_BYTES = 1 << 12 };
    static const uint64_t zero;
    jr_argument given[MOST];
    unsigned char room[ROOM_BYTES];
    void *pointers[MOST];
    size_t count = 0;
    works(jr_kernel_parameters(w->kernel, NULL, 0, &count));
    assert_in_range(count, 0, MOST - 1);
    for (size_t i = 0; i < MOST; i++)
        given[i] = (jr_argument){.kind = JR_ARGUMENT_LITERAL, .type = JR_I64, .bytes = &zero};
    return jr_kernel_arguments(w->kernel, given, w->wrong ? MOST : count, room, sizeof room, pointers);
}

/* ---- memory ---- */

CALL(jr_memory_new, EVERY_DRIVES) {
    void *made = o->pointer;
    RETURN_MADE(made, jr_memory_new(w->wrong ? NULL : w->context, 64, &made), jr_memory_free(w->context, made));
}

CALL(jr_memory_write, EVERY_DRIVES) {
    return jr_memory_write(w->wrong ? NULL : w->context, w->d_out, every_call_data, sizeof every_call_data);
}

CALL(jr_memory_read, EVERY_DRIVES | EVERY_COPIES_BACK) {
    return jr_memory_read(w->context, o->numbers, w->wrong ? NULL : w->d_in, sizeof every_call_data);
}

/* ---- tunable kernels ---- */

static const char tunable_source[] = "extern \"C\" __global__ void add(int *out) { out[threadIdx.x] += MADE * 0 + 1; }";

static const char *const restrictions[] = {"BLOCK <= 32"};

/* number: makes it another one. */
typedef struct tunable_call {
    char number[16];
    jr_named_text constant, parameter;
    jr_program program;
    jr_tunable tunable;
    void *args[1];
    jr_tunable_output output;
    jr_tunable_problem problem;
} tunable_call;

static void make_tunable(every_world *w, int number, tunable_call *made) {
    *made = (tunable_call){.constant = {"MADE", made->number}, .parameter = {"BLOCK", w->wrong ? "32," : "32,64"}};
    snprintf(made->number, sizeof made->number, "%d", number);
    made->program = JR_INIT(jr_program, .name = "add", .source = tunable_source, .entry = "add",
                            .constants = &made->constant, .constant_count = 1);
    made->tunable = JR_INIT(jr_tunable, .program = &made->program, .parameters = &made->parameter, .parameter_count = 1,
                            .grid = "1", .block = "BLOCK", .restrictions = restrictions, .restriction_count = 1);
    made->args[0] = &w->d_out;
    made->output = (jr_tunable_output){.address = w->d_out, .bytes = 32 * sizeof(int32_t)};
    made->problem = JR_INIT(jr_tunable_problem, .args = made->args, .outputs = &made->output, .output_count = 1);
}

CALL(jr_formula_compute, 0) {
    return jr_formula_compute(w->wrong ? "1 +" : "1 + 1", NULL, 0, &o->numbers[0]);
}

CALL(jr_tunable_tune, EVERY_DRIVES) {
    tunable_call on;
    make_tunable(w, 0, &on); /* its kernels are kept */
    return jr_tunable_tune(w->context, &on.tunable, &on.problem, NULL, &o->found);
}

CALL(jr_tunable_store, 0) {
    const jr_tunable_found found = JR_INIT(jr_tunable_found, .complete = 1, .best.values = {w->wrong ? 33 : 32});
    tunable_call on;
    make_tunable(w, 0, &on);
    return jr_tunable_store(w->context, &on.tunable, NULL, &found);
}

CALL(jr_tunable_get, EVERY_DRIVES) {
    tunable_call on;
    make_tunable(w, ++w->made, &on);
    return jr_tunable_get(w->context, &on.tunable, NULL, &o->choice);
}

CALL(jr_kernel_order_wait, 0) {
    return call_jr_kernel_get_async(w, o);
}
