/* Calls of every public function of contexts, kernels, device memory and tunable kernels. */
#include "every_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts ---- */

static jr_status open_one(every_world *w, every_outs *o) {
    const jr_options options = JR_INIT(jr_options, .device = w->wrong ? "abacus" : "sim");
    jr_context *made = o->pointer;
    const jr_status status = jr_context_open(&options, &made);
    if (status == JR_OK)
        jr_context_close(made);
    else
        o->pointer = made;
    return status;
}

static jr_status get_device(every_world *w, every_outs *o) {
    return jr_context_device_info(w->wrong ? NULL : w->context, &o->device);
}

static jr_status get_stats(every_world *w, every_outs *o) {
    return jr_context_stats(w->wrong ? NULL : w->context, &o->stats);
}

static jr_status get_counters(every_world *w, every_outs *o) {
    return jr_context_counters(w->wrong ? NULL : w->context, &o->counters);
}

static jr_status get_wisdom(every_world *w, every_outs *o) {
    return jr_wisdom_info_get(w->wrong ? NULL : w->context, &o->wisdom);
}

static void count_finding(void *user, const jr_finding *finding) {
    (void)finding;
    ++*(uint64_t *)user;
}

static jr_status doctor(every_world *w, every_outs *o) {
    const jr_options wrong = {.size = 1};
    return jr_doctor(w->wrong ? &wrong : NULL, count_finding, &o->count);
}

/* ---- kernels ---- */

static jr_status get_kernel(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    return jr_kernel_get(w->context, &program, (jr_kernel **)&o->pointer);
}

static jr_status get_kernels(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w), *const list[] = {&program};
    jr_kernel *made = NULL;
    const jr_status status = jr_kernels_get(w->context, list, 1, &made);
    if (status == JR_OK) o->pointer = made;
    return status;
}

static jr_status get_kernels_of(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    const char *const entries[] = {program.entry};
    jr_kernel *made = NULL;
    const jr_status status = jr_kernels_of(w->context, &program, entries, 1, &made);
    if (status == JR_OK) o->pointer = made;
    return status;
}

static jr_status wait_for_order(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    jr_kernel_order *order = NULL;
    jr_status status = jr_kernel_get_async(w->context, &program, NULL, NULL, &order);
    if (status == JR_OK) status = jr_kernel_order_wait(order, w->wrong ? -1 : INFINITY, (jr_kernel **)&o->pointer);
    jr_kernel_order_end(order);
    return status;
}

static jr_status launch(every_world *w, every_outs *o) {
    const jr_launch one = JR_INIT(jr_launch, .grid = {1}, .block = {w->wrong ? 4096 : 1});
    (void)o;
    return jr_kernel_launch(w->kernel, &one, NULL);
}

static jr_status get_kernel_info(every_world *w, every_outs *o) {
    return jr_kernel_info_get(w->wrong ? NULL : w->kernel, &o->kernel);
}

static jr_status get_occupancy(every_world *w, every_outs *o) {
    return jr_kernel_occupancy(w->kernel, w->wrong ? -1 : 128, 0, &o->integer);
}

static jr_status ask_clusters(every_world *w, every_outs *o) {
    const jr_launch launch = JR_INIT(jr_launch, .grid = {w->wrong ? 3u : 4u}, .block = {32}, .cluster = {2});
    return jr_kernel_clusters(w->kernel, &launch, &o->integer);
}

static jr_status choose_block(every_world *w, every_outs *o) {
    return jr_kernel_block_choose(w->wrong ? NULL : w->kernel, 0, &o->integer, &o->other_integer);
}

static jr_status find_global(every_world *w, every_outs *o) {
    return jr_kernel_global_find(w->kernel, w->wrong ? "none" : "total", &o->pointer, &o->bytes);
}

static jr_status write_global(every_world *w, every_outs *o) {
    (void)o;
    return jr_kernel_global_write(w->kernel, w->wrong ? "none" : "total", "1234", 4);
}

static jr_status read_global(every_world *w, every_outs *o) {
    int value;
    const jr_status status = jr_kernel_global_read(w->kernel, w->wrong ? "none" : "total", &value, sizeof value);
    if (status == JR_OK) o->integer = value;
    return status;
}

/* ---- images ---- */

static jr_status get_kernel_parameters(every_world *w, every_outs *o) {
    return jr_kernel_parameters(w->wrong ? NULL : w->kernel, NULL, 0, &o->bytes);
}

/* Room and pointers may be written on failure, too. */
static jr_status convert_arguments(every_world *w, every_outs *o) {
    enum { MOST = 8, ROOM_BYTES = 1 << 12 };
    static const uint64_t zero;
    jr_argument given[MOST];
    unsigned char room[ROOM_BYTES];
    void *pointers[MOST];
    size_t count = 0;
    (void)o;
    works(jr_kernel_parameters(w->kernel, NULL, 0, &count));
    assert_in_range(count, 0, MOST - 1);
    for (size_t i = 0; i < MOST; i++)
        given[i] = (jr_argument){.kind = JR_ARGUMENT_LITERAL, .type = JR_I64, .bytes = &zero};
    return jr_kernel_arguments(w->kernel, given, w->wrong ? MOST : count, room, sizeof room, pointers);
}

/* ---- memory ---- */

static jr_status allocate(every_world *w, every_outs *o) {
    void *made = o->pointer;
    const jr_status status = jr_memory_new(w->wrong ? NULL : w->context, 64, &made);
    if (status == JR_OK)
        jr_memory_free(w->context, made);
    else
        o->pointer = made;
    return status;
}

static jr_status write_memory(every_world *w, every_outs *o) {
    (void)o;
    return jr_memory_write(w->wrong ? NULL : w->context, w->d_out, every_call_data, sizeof every_call_data);
}

static jr_status read_memory(every_world *w, every_outs *o) {
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

static jr_status compute_formula(every_world *w, every_outs *o) {
    return jr_formula_compute(w->wrong ? "1 +" : "1 + 1", NULL, 0, &o->numbers[0]);
}

static jr_status tune_kernel(every_world *w, every_outs *o) {
    tunable_call on;
    make_tunable(w, 0, &on); /* its kernels are kept */
    return jr_tunable_tune(w->context, &on.tunable, &on.problem, NULL, &o->found);
}

static jr_status store_tuned(every_world *w, every_outs *o) {
    const jr_tunable_found found = JR_INIT(jr_tunable_found, .complete = 1, .best.values = {w->wrong ? 33 : 32});
    tunable_call on;
    (void)o;
    make_tunable(w, 0, &on);
    return jr_tunable_store(w->context, &on.tunable, NULL, &found);
}

static jr_status get_tuned(every_world *w, every_outs *o) {
    tunable_call on;
    make_tunable(w, ++w->made, &on);
    return jr_tunable_get(w->context, &on.tunable, NULL, &o->choice);
}

const every_call every_kernel_call[] = {
    {.name = "jr_context_open", .make = open_one, .drives = true},
    {.name = "jr_context_device_info", .make = get_device, .drives = true},
    {.name = "jr_context_stats", .make = get_stats},
    {.name = "jr_context_counters", .make = get_counters},
    {.name = "jr_wisdom_info_get", .make = get_wisdom},
    {.name = "jr_doctor", .make = doctor},
    {.name = "jr_kernel_get", .make = get_kernel, .drives = true},
    {.name = "jr_kernels_get", .make = get_kernels, .drives = true},
    {.name = "jr_kernels_of", .make = get_kernels_of, .drives = true},
    {.name = "jr_kernel_get_async", .make = wait_for_order, .drives = true},
    {.name = "jr_kernel_order_wait", .make = wait_for_order},
    {.name = "jr_kernel_launch", .make = launch, .drives = true},
    {.name = "jr_kernel_parameters", .make = get_kernel_parameters},
    {.name = "jr_kernel_arguments", .make = convert_arguments},
    {.name = "jr_kernel_info_get", .make = get_kernel_info, .drives = true},
    {.name = "jr_kernel_occupancy", .make = get_occupancy, .drives = true},
    {.name = "jr_kernel_clusters", .make = ask_clusters, .drives = true},
    {.name = "jr_kernel_block_choose", .make = choose_block, .drives = true},
    {.name = "jr_kernel_global_find", .make = find_global, .drives = true},
    {.name = "jr_kernel_global_write", .make = write_global, .drives = true},
    {.name = "jr_kernel_global_read", .make = read_global, .drives = true},
    {.name = "jr_memory_new", .make = allocate, .drives = true},
    {.name = "jr_memory_write", .make = write_memory, .drives = true},
    {.name = "jr_memory_read", .make = read_memory, .drives = true, .copies_back = true},
    {.name = "jr_formula_compute", .make = compute_formula},
    {.name = "jr_tunable_tune", .make = tune_kernel, .drives = true},
    {.name = "jr_tunable_store", .make = store_tuned},
    {.name = "jr_tunable_get", .make = get_tuned, .drives = true},
    {.name = NULL}};
