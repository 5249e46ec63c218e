/* Calls of every public function of packs, captured launches and watched kernels, and of images as fat binaries. */
#include "every_call.h"

#include <unistd.h>

#include "support/fixtures/replay_case.h"

CALLS(every_pack_call)

CALL(jr_image_write, 0) {
    const jr_program program = every_call_program(w);
    jr_image *made = NULL;
    jr_status status = jr_image_compile(NULL, &program, "compute_75", &made);
    if (status == JR_OK) status = jr_image_write((const jr_image *const *)&made, 1, NULL, 0, &o->bytes);
    jr_image_destroy(made);
    return status;
}

CALL(jr_pack_create, 0) {
    const char *const architectures[] = {w->wrong ? "sm_0" : "sim"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    jr_pack *made = o->pointer;
    RETURN_MADE(made, jr_pack_create(NULL, &how, &made), jr_pack_destroy(made));
}

CALL(jr_pack_add, 0) {
    const jr_program program = every_call_program(w);
    return jr_pack_add(w->pack, &program);
}

/* A spec for one count, so that little is compiled. */
static jr_spec small_spec(const every_world *w) {
    jr_spec spec = *every_call_spec_of(w);
    spec.capacity = EVERY_CALL_COUNT;
    return spec;
}

CALL(jr_pack_add_spec, 0) {
    const jr_spec spec = small_spec(w);
    return jr_pack_add_spec(w->pack, &spec);
}

CALL(jr_pack_add_scan, 0) {
    const jr_spec spec = small_spec(w);
    return jr_pack_add_scan(w->pack, &spec, JR_SCAN_INCLUSIVE);
}

static const jr_segment_layout rows = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 4};

CALL(jr_pack_add_segments, 0) {
    const jr_spec spec = small_spec(w);
    return jr_pack_add_segments(w->pack, &spec, &rows);
}

CALL(jr_pack_add_scan_segments, 0) {
    const jr_spec spec = small_spec(w);
    return jr_pack_add_scan_segments(w->pack, &spec, JR_SCAN_INCLUSIVE, &rows);
}

CALL(jr_pack_write, 0) {
    return jr_pack_write(w->pack, scratch_path(w->folder, w->wrong ? "none/a.jrpack" : "a.jrpack"));
}

CALL(jr_pack_look, 0) {
    const char *path = scratch_path(w->folder, "a.jrpack");
    works(jr_pack_write(w->pack, path));
    if (w->wrong && truncate(path, 100) != 0) return JR_OK;
    return jr_pack_look(path, &o->pack);
}

/* ---- captured launches ---- */

static jr_replay *replay_of(const every_world *w) {
    jr_replay *replay = NULL;
    replay_case_write(w->folder, "a.jrlaunch");
    works(jr_replay_open(scratch_path(w->folder, "a.jrlaunch"), &replay));
    return replay;
}

CALL(jr_replay_open, 0) {
    jr_replay *made = o->pointer;
    replay_case_write(w->folder, "a.jrlaunch");
    RETURN_MADE(made, jr_replay_open(scratch_path(w->folder, w->wrong ? "b.jrlaunch" : "a.jrlaunch"), &made),
                jr_replay_close(made));
}

CALL(jr_replay_look, 0) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_look(w->wrong ? NULL : replay, &o->replay);
    jr_replay_close(replay);
    return status;
}

CALL(jr_replay_argument_get, 0) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_argument_get(replay, w->wrong ? 2 : 1, &o->argument);
    jr_replay_close(replay);
    return status;
}

CALL(jr_replay_buffer_get, 0) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_buffer_get(replay, w->wrong ? 1 : 0, &o->buffer);
    jr_replay_close(replay);
    return status;
}

CALL(jr_kernel_watch, EVERY_DRIVES) {
    jr_program program = every_call_program(w);
    jr_watch *made = o->pointer;
    const char *path = scratch_path(w->folder, "set.cu");
    scratch_text(path, program.source);
    program.source = NULL;
    RETURN_MADE(made, jr_kernel_watch(w->context, &program, path, &made), jr_watch_end(made));
}

CALL(jr_watch_kernel, 0) {
    return jr_watch_kernel(w->watch, w->wrong ? -1 : 0, (jr_kernel **)&o->pointer);
}
