/* Calls of every public function of packs, captured launches and watched kernels, and of images as fat binaries. */
#include "every_call.h"

#include <unistd.h>

#include "support/fixtures/replay_case.h"

static jr_status write_images(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    jr_image *made = NULL;
    jr_status status = jr_image_compile(NULL, &program, "compute_75", &made);
    if (status == JR_OK) status = jr_image_write((const jr_image *const *)&made, 1, NULL, 0, &o->bytes);
    jr_image_destroy(made);
    return status;
}

static jr_status create(every_world *w, every_outs *o) {
    const char *const architectures[] = {w->wrong ? "sm_0" : "sim"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    jr_pack *made = o->pointer;
    const jr_status status = jr_pack_create(NULL, &how, &made);
    if (status == JR_OK)
        jr_pack_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status add(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    (void)o;
    return jr_pack_add(w->pack, &program);
}

/* A spec for one count, so that little is compiled. */
static jr_spec small_spec(const every_world *w) {
    jr_spec spec = *every_call_spec_of(w);
    spec.capacity = EVERY_CALL_COUNT;
    return spec;
}

static jr_status add_spec(every_world *w, every_outs *o) {
    const jr_spec spec = small_spec(w);
    (void)o;
    return jr_pack_add_spec(w->pack, &spec);
}

static jr_status add_scan(every_world *w, every_outs *o) {
    const jr_spec spec = small_spec(w);
    (void)o;
    return jr_pack_add_scan(w->pack, &spec, JR_SCAN_INCLUSIVE);
}

static const jr_segment_layout rows = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 4};

static jr_status add_segments(every_world *w, every_outs *o) {
    const jr_spec spec = small_spec(w);
    (void)o;
    return jr_pack_add_segments(w->pack, &spec, &rows);
}

static jr_status add_scan_segments(every_world *w, every_outs *o) {
    const jr_spec spec = small_spec(w);
    (void)o;
    return jr_pack_add_scan_segments(w->pack, &spec, JR_SCAN_INCLUSIVE, &rows);
}

static jr_status write_pack(every_world *w, every_outs *o) {
    (void)o;
    return jr_pack_write(w->pack, scratch_path(w->folder, w->wrong ? "none/a.jrpack" : "a.jrpack"));
}

static jr_status look(every_world *w, every_outs *o) {
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

static jr_status open_replay(every_world *w, every_outs *o) {
    jr_replay *made = o->pointer;
    replay_case_write(w->folder, "a.jrlaunch");
    const jr_status status = jr_replay_open(scratch_path(w->folder, w->wrong ? "b.jrlaunch" : "a.jrlaunch"), &made);
    if (status == JR_OK)
        jr_replay_close(made);
    else
        o->pointer = made;
    return status;
}

static jr_status look_at_replay(every_world *w, every_outs *o) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_look(w->wrong ? NULL : replay, &o->replay);
    jr_replay_close(replay);
    return status;
}

static jr_status get_argument(every_world *w, every_outs *o) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_argument_get(replay, w->wrong ? 2 : 1, &o->argument);
    jr_replay_close(replay);
    return status;
}

static jr_status get_buffer(every_world *w, every_outs *o) {
    jr_replay *replay = replay_of(w);
    const jr_status status = jr_replay_buffer_get(replay, w->wrong ? 1 : 0, &o->buffer);
    jr_replay_close(replay);
    return status;
}

static jr_status watch(every_world *w, every_outs *o) {
    jr_program program = every_call_program(w);
    jr_watch *made = o->pointer;
    const char *path = scratch_path(w->folder, "set.cu");
    scratch_text(path, program.source);
    program.source = NULL;
    const jr_status status = jr_kernel_watch(w->context, &program, path, &made);
    if (status == JR_OK)
        jr_watch_end(made);
    else
        o->pointer = made;
    return status;
}

static jr_status get_watched(every_world *w, every_outs *o) {
    return jr_watch_kernel(w->watch, w->wrong ? -1 : 0, (jr_kernel **)&o->pointer);
}

const every_call every_pack_call[] = {{.name = "jr_pack_create", .make = create},
                                      {.name = "jr_pack_add", .make = add},
                                      {.name = "jr_pack_add_spec", .make = add_spec},
                                      {.name = "jr_pack_add_scan", .make = add_scan},
                                      {.name = "jr_pack_add_segments", .make = add_segments},
                                      {.name = "jr_pack_add_scan_segments", .make = add_scan_segments},
                                      {.name = "jr_pack_write", .make = write_pack},
                                      {.name = "jr_pack_look", .make = look},
                                      {.name = "jr_replay_open", .make = open_replay},
                                      {.name = "jr_replay_look", .make = look_at_replay},
                                      {.name = "jr_replay_argument_get", .make = get_argument},
                                      {.name = "jr_replay_buffer_get", .make = get_buffer},
                                      {.name = "jr_image_write", .make = write_images},
                                      {.name = "jr_kernel_watch", .make = watch, .drives = true},
                                      {.name = "jr_watch_kernel", .make = get_watched},
                                      {.name = NULL}};
