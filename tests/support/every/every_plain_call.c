/* Calls of every public function that needs neither a context nor a device. */
#include <string.h>

#include "every_call.h"

CALLS(every_plain_call)

CALL(jr_reduce_check, 0) {
    return jr_reduce_check(every_call_spec_of(w), o->types);
}

CALL(jr_result_layout_of, 0) {
    return jr_result_layout_of(every_call_spec_of(w), &o->layout);
}

CALL(jr_reduce_foresee, 0) {
    return jr_reduce_foresee(every_call_spec_of(w), NULL, 5, &o->flags, NULL, 0);
}

CALL(jr_segment_layout_of, 0) {
    const uint64_t shape[] = {4, 5};
    return jr_segment_layout_of(&JR_INIT(jr_axis, shape, 2, w->wrong ? 7 : 0), &o->segments, &o->count);
}

CALL(jr_type_find, 0) {
    return jr_type_find(w->wrong ? "f33" : "f32", &o->types[0]);
}

CALL(jr_op_find, 0) {
    return jr_op_find(w->wrong ? "summ" : "sum", &o->op);
}

CALL(jr_algorithm_find, 0) {
    return jr_algorithm_find(w->wrong ? "two_passes" : "two_pass", &o->algorithm);
}

CALL(jr_result_type, 0) {
    return jr_result_type(w->wrong ? (jr_op)99 : JR_OP_SUM, JR_F32, &o->types[0]);
}

CALL(jr_value_of_number, 0) {
    return jr_value_of_number(w->wrong ? JR_STRUCT : JR_I32, 7, &o->value);
}

CALL(jr_value_number, 0) {
    const jr_value value = {.type = w->wrong ? JR_STRUCT : JR_I32};
    return jr_value_number(&value, &o->samples[0]);
}

CALL(jr_value_print, 0) {
    const jr_value value = {.type = w->wrong ? JR_TYPE_NONE : JR_I32};
    return jr_value_print(&value, o->text, sizeof o->text);
}

CALL(jr_spread_of, 0) {
    const double numbers[] = {1, 2};
    return jr_spread_of(numbers, w->wrong ? 0 : 2, &o->spread);
}

CALL(jr_line_fit, 0) {
    const double x[] = {1, 2}, y[] = {w->wrong ? 0 : 1, 3};
    return jr_line_fit(x, y, 2, &o->line);
}

/* ---- kept states ---- */

CALL(jr_state_write, 0) {
    char room[256];
    const int64_t most = 7; /* as many bytes as a state has */
    return jr_state_write(&every_call_spec, &most, 1, room, w->wrong ? 1 : sizeof room, &o->bytes);
}

static size_t written(unsigned char *bytes, size_t room) {
    const int64_t most = 7; /* as many bytes as a state has */
    size_t size;
    works(jr_state_write(&every_call_spec, &most, 1, bytes, room, &size));
    return size;
}

CALL(jr_state_read, 0) {
    unsigned char bytes[256];
    const size_t size = written(bytes, sizeof bytes);
    return jr_state_read(&every_call_spec, bytes, size - (w->wrong ? 1 : 0), o->numbers, &o->count);
}

CALL(jr_state_look, 0) {
    unsigned char bytes[256];
    const size_t size = written(bytes, sizeof bytes);
    return jr_state_look(bytes, size - (w->wrong ? 1 : 0), &o->state);
}

/* Calls of every function of kept states of exact sums, as version 0.2 has them. A failed call must leave the state's
 * bytes alone, too: where it does not, it writes an integer. */
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

CALL(jr_exact_state_create, 0) {
    jr_exact_state *made = o->pointer;
    RETURN_MADE(made, jr_exact_state_create(w->context, w->wrong ? &every_call_spec : &every_call_exact_spec, &made),
                jr_exact_state_destroy(made));
}

CALL(jr_exact_state_fold_host, EVERY_DRIVES) {
    const void *arrays[] = {(const char *)every_call_data + (w->wrong ? 1 : 0)};
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before, jr_exact_state_fold_host(w->exact, arrays, EVERY_CALL_COUNT - 1, 0), o);
}

/* What a plan leaves of nothing is zeros; sums of ints into ints are no such sums. */
CALL(jr_exact_state_fold_plan, 0) {
    static const unsigned char left[BYTES];
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before,
                          jr_exact_state_fold_plan(w->exact, w->wrong ? w->states : w->exact_states, left, 7), o);
}

CALL(jr_exact_state_add, 0) {
    const state_bytes before = bytes_of(w);
    return unless_changed(w, &before, jr_exact_state_add(w->exact, w->wrong ? NULL : w->exact_one), o);
}

CALL(jr_exact_state_add_bytes, 0) {
    const state_bytes before = bytes_of(w);
    unsigned char bytes[BYTES];
    size_t size;
    works(jr_exact_state_write(w->exact_one, bytes, sizeof bytes, &size));
    if (w->wrong) bytes[size / 2] ^= 1;
    return unless_changed(w, &before, jr_exact_state_add_bytes(w->exact, bytes, size), o);
}

CALL(jr_exact_state_write, 0) {
    char room[BYTES];
    return jr_exact_state_write(w->exact, room, w->wrong ? 1 : sizeof room, &o->bytes);
}

CALL(jr_exact_state_value, EVERY_DRIVES) {
    return jr_exact_state_value(w->wrong ? NULL : w->exact, &o->value);
}

CALL(jr_exact_state_look, 0) {
    const state_bytes of = bytes_of(w);
    return jr_exact_state_look(of.bytes, of.size - (w->wrong ? 1 : 0), &o->exact);
}
