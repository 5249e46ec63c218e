/* Calls of every public function of captured launches. */
#include "every_call.h"

#include "support/fixtures/replay_case.h"

static jr_replay *replay_of(const every_world *w) {
    jr_replay *replay = NULL;
    replay_case_write(w->folder, "a.jrlaunch");
    works(jr_replay_open(scratch_path(w->folder, "a.jrlaunch"), &replay));
    return replay;
}

static jr_status open_file(every_world *w, every_outs *o) {
    jr_replay *made = o->pointer;
    replay_case_write(w->folder, "a.jrlaunch");
    const jr_status status = jr_replay_open(scratch_path(w->folder, w->wrong ? "b.jrlaunch" : "a.jrlaunch"), &made);
    if (status == JR_OK)
        jr_replay_close(made);
    else
        o->pointer = made;
    return status;
}

static jr_status look(every_world *w, every_outs *o) {
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

const every_call every_replay_call[] = {{.name = "jr_replay_open", .make = open_file},
                                        {.name = "jr_replay_look", .make = look},
                                        {.name = "jr_replay_argument_get", .make = get_argument},
                                        {.name = "jr_replay_buffer_get", .make = get_buffer},
                                        {.name = NULL}};
