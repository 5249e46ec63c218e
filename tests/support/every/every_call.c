/* What calls of every public function work with, and the lists of them as one. */
#include "every_call.h"

#include <stdio.h>

int32_t every_call_data[EVERY_CALL_COUNT];
const jr_spec every_call_spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
const jr_segment_layout every_call_rows = {
    .size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = EVERY_CALL_ROW};

const jr_spec *every_call_spec_of(const every_world *w) {
    static const jr_spec bad = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .unroll = 99};
    return w->wrong ? &bad : &every_call_spec;
}

const every_call *every_call_at(size_t index) {
    enum { LISTS = 8 };
    const every_call *const lists[LISTS] = {every_plan_call,  every_group_call,  every_kernel_call, every_image_call,
                                            every_plain_call, every_stream_call, every_pack_call,   every_work_call};
    for (int list = 0; list < LISTS; list++)
        for (const every_call *call = lists[list]; call != NULL; call = call->next)
            if (index-- == 0) return call;
    return NULL;
}

void every_call_add(every_call **list, every_call *call) {
    while (*list != NULL) list = &(*list)->next;
    *list = call;
}

jr_program every_call_program(every_world *w) {
    static char text[16];
    static jr_named_text number = {.name = "NUMBER", .text = text};
    snprintf(text, sizeof text, "%d", ++w->made);
    return (jr_program){.size = sizeof(jr_program),
                        .name = "set.cu",
                        .source = w->wrong
                                      ? "extern \"C\" __global__ void set() { wrong }"
                                      : "__device__ int total; extern \"C\" __global__ void set() { total = NUMBER; }",
                        .entry = "set",
                        .constants = &number,
                        .constant_count = 1};
}

static void make_watch(every_world *w, jr_program program) {
    const char *path = scratch_path(w->folder, "watched.cu");
    scratch_text(path, program.source);
    program.source = NULL;
    works(jr_kernel_watch(w->context, &program, path, &w->watch));
}

/* Its first value makes a place for values. */
static void make_scaled(every_world *w) {
    const void *arrays[] = {w->d_in};
    jr_value value;
    const jr_parameter scale = {.name = "scale", .value = {.type = JR_I32, .as.i32 = EVERY_CALL_SCALE}};
    jr_spec spec = every_call_spec;
    spec.map = "x * scale";
    spec.parameters = &scale;
    spec.parameter_count = 1;
    works(jr_plan_create(w->context, &spec, &w->scaled));
    works(jr_plan_value(w->scaled, arrays, EVERY_CALL_COUNT, NULL, &value));
    works(jr_group_plan_create(w->group, &spec, &w->group_scaled));
}

static void make_stream(every_world *w) {
    works(jr_stream_create(w->context, 0, &w->stream));
    works(jr_event_create(w->context, 0, &w->event));
    works(jr_event_record(w->context, w->event, w->stream));
    works(jr_event_wait(w->context, w->event));
    works(jr_capture_begin(w->context, w->stream));
    works(jr_capture_end(w->context, w->stream, &w->graph));
}

static void make_pack(every_world *w, const jr_program *program) {
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    works(jr_pack_create(NULL, &how, &w->pack));
    works(jr_pack_add(w->pack, program));
}

static void make_group(every_world *w) {
    jr_context *const contexts[] = {w->context, w->context};
    works(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 2), &w->group));
    const jr_segment_layout rows[] = {every_call_rows, every_call_rows};
    works(jr_group_plan_create(w->group, &every_call_spec, &w->group_plan));
    works(jr_allreduce_create(w->group, &every_call_spec, NULL, &w->allreduce));
    works(jr_group_segment_plan_create(w->group, &every_call_spec, rows, &w->group_rows));
    works(jr_group_scan_plan_create(w->group, &every_call_spec, JR_SCAN_INCLUSIVE, &w->group_scan));
}

static void make_exact(every_world *w) {
    const void *const one[] = {every_call_data + 1};
    works(jr_state_plan_create(w->context, &every_call_exact_spec, &w->exact_states));
    works(jr_exact_state_create(w->context, &every_call_exact_spec, &w->exact));
    works(jr_exact_state_create(w->context, &every_call_exact_spec, &w->exact_one));
    works(jr_exact_state_fold_host(w->exact_one, one, 1, 0));
}

void every_world_make(every_world *w) {
    const jr_program program = every_call_program(w);
    for (int i = 0; i < EVERY_CALL_COUNT; i++) every_call_data[i] = i;
    w->d_in = device_new(w->device, sizeof every_call_data);
    w->d_out = device_new(w->device, EVERY_CALL_COUNT * sizeof(int64_t));
    device_write(w->device, w->d_in, every_call_data, sizeof every_call_data);
    works(jr_plan_create(w->context, &every_call_spec, &w->plan));
    works(jr_segment_plan_create(w->context, &every_call_spec, &every_call_rows, &w->rows));
    works(jr_state_plan_create(w->context, &every_call_spec, &w->states));
    works(jr_merge_plan_create(w->context, &every_call_spec, JR_MERGE_TO_RESULT, &w->merge));
    make_stream(w);
    make_group(w);
    make_scaled(w);
    make_exact(w);
    w->workspace = workspace_new(w->device, w->plan, NULL);
    works(jr_kernel_get(w->context, &program, &w->kernel));
    works(jr_image_compile(NULL, &program, "compute_75", &w->image));
    make_pack(w, &program);
    make_watch(w, program);
}

void every_world_end(every_world *w) {
    jr_image_destroy(w->image);
    jr_watch_end(w->watch);
    jr_pack_destroy(w->pack);
    jr_allreduce_destroy(w->allreduce);
    jr_group_plan_destroy(w->group_plan);
    jr_group_plan_destroy(w->group_scaled);
    jr_group_plan_destroy(w->group_rows);
    jr_group_plan_destroy(w->group_scan);
    jr_group_close(w->group);
    jr_plan_destroy(w->plan);
    jr_plan_destroy(w->rows);
    jr_plan_destroy(w->states);
    jr_plan_destroy(w->merge);
    jr_plan_destroy(w->scaled);
    jr_plan_destroy(w->exact_states);
    jr_exact_state_destroy(w->exact);
    jr_exact_state_destroy(w->exact_one);
    works(jr_graph_destroy(w->context, w->graph));
    works(jr_event_destroy(w->context, w->event));
    works(jr_stream_destroy(w->context, w->stream));
    device_free(w->device, w->workspace);
    device_free(w->device, w->d_in);
    device_free(w->device, w->d_out);
}
