/* Calls of every public function of kept states of exact sums. A failed call must leave the state's bytes alone, too:
 * where it does not, it writes an integer. */
#include "every_call.h"

#include <string.h>

enum { BYTES = 512 };

const jr_spec every_call_exact_spec = {
    .size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .result = JR_F64, .accuracy = JR_ACCURACY_EXACT};

typedef struct state_bytes {
    unsigned char bytes[BYTES];
    size_t size;
} state_bytes;

static state_bytes bytes_of(const every_world *w) {
    state_bytes made = {.size = 0};
    works(jr_exact_state_write(w->exact, made.bytes, sizeof made.bytes, &made.size));
    return made;
}

static jr_status unless_changed(const every_world *w, const state_bytes *before, jr_status status, every_outs *o) {
    const state_bytes after = bytes_of(w);
    if (status != JR_OK && memcmp(before, &after, sizeof after) != 0) o->integer = 1;
    return status;
}

static jr_status create(every_world *w, every_outs *o) {
    jr_exact_state *made = o->pointer;
    const jr_status status =
        jr_exact_state_create(w->context, w->wrong ? &every_call_spec : &every_call_exact_spec, &made);
    if (status == JR_OK)
        jr_exact_state_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status fold_host(every_world *w, every_outs *o) {
    const void *arrays[] = {(const char *)every_call_data + (w->wrong ? 1 : 0)};
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before, jr_exact_state_fold_host(w->exact, arrays, EVERY_CALL_COUNT - 1, 0), o);
}

/* What a plan leaves of nothing is zeros; sums of ints into ints are no such sums. */
static jr_status fold_plan(every_world *w, every_outs *o) {
    static const unsigned char left[BYTES];
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before,
                          jr_exact_state_fold_plan(w->exact, w->wrong ? w->states : w->exact_states, left, 7), o);
}

static jr_status add(every_world *w, every_outs *o) {
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before, jr_exact_state_add(w->exact, w->wrong ? NULL : w->exact_one), o);
}

static jr_status add_bytes(every_world *w, every_outs *o) {
    const state_bytes before = bytes_of(w);
    unsigned char bytes[BYTES];
    size_t size;
    works(jr_exact_state_write(w->exact_one, bytes, sizeof bytes, &size));
    if (w->wrong) bytes[size / 2] ^= 1;
    return unless_changed(w, &before, jr_exact_state_add_bytes(w->exact, bytes, size), o);
}

static jr_status write_bytes(every_world *w, every_outs *o) {
    char room[BYTES];
    return jr_exact_state_write(w->exact, room, w->wrong ? 1 : sizeof room, &o->bytes);
}

static jr_status find_value(every_world *w, every_outs *o) {
    return jr_exact_state_value(w->wrong ? NULL : w->exact, &o->value);
}

static jr_status look(every_world *w, every_outs *o) {
    const state_bytes of = bytes_of(w);
    return jr_exact_state_look(of.bytes, of.size - (w->wrong ? 1 : 0), &o->exact);
}

const every_call every_state_call[] = {{.name = "jr_exact_state_create", .make = create},
                                       {.name = "jr_exact_state_fold_host", .make = fold_host, .drives = true},
                                       {.name = "jr_exact_state_fold_plan", .make = fold_plan},
                                       {.name = "jr_exact_state_add", .make = add},
                                       {.name = "jr_exact_state_add_bytes", .make = add_bytes},
                                       {.name = "jr_exact_state_write", .make = write_bytes},
                                       {.name = "jr_exact_state_value", .make = find_value, .drives = true},
                                       {.name = "jr_exact_state_look", .make = look},
                                       {.name = NULL}};
