/* Calls of every public function that needs neither a context nor a device. */
#include <string.h>

#include "every_call.h"

static jr_status check_spec(every_world *w, every_outs *o) {
    jr_spec spec = every_call_spec;
    if (w->wrong) spec.unroll = 99;
    return jr_reduce_check(&spec, o->types);
}

static jr_status find_result_layout(every_world *w, every_outs *o) {
    jr_spec spec = every_call_spec;
    if (w->wrong) spec.unroll = 99;
    return jr_result_layout_of(&spec, &o->layout);
}

static jr_status foresee(every_world *w, every_outs *o) {
    jr_spec spec = every_call_spec;
    if (w->wrong) spec.unroll = 99;
    return jr_reduce_foresee(&spec, NULL, 5, &o->flags, NULL, 0);
}

static jr_status find_layout(every_world *w, every_outs *o) {
    const uint64_t shape[] = {4, 5};
    return jr_segment_layout_of(&JR_INIT(jr_axis, shape, 2, w->wrong ? 7 : 0), &o->segments, &o->count);
}

static jr_status find_type(every_world *w, every_outs *o) {
    return jr_type_find(w->wrong ? "f33" : "f32", &o->types[0]);
}

static jr_status find_op(every_world *w, every_outs *o) {
    return jr_op_find(w->wrong ? "summ" : "sum", &o->op);
}

static jr_status find_algorithm(every_world *w, every_outs *o) {
    return jr_algorithm_find(w->wrong ? "two_passes" : "two_pass", &o->algorithm);
}

static jr_status find_result(every_world *w, every_outs *o) {
    return jr_result_type(w->wrong ? (jr_op)99 : JR_OP_SUM, JR_F32, &o->types[0]);
}

static jr_status make_value(every_world *w, every_outs *o) {
    return jr_value_of_number(w->wrong ? JR_STRUCT : JR_I32, 7, &o->value);
}

static jr_status find_number(every_world *w, every_outs *o) {
    const jr_value value = {.type = w->wrong ? JR_STRUCT : JR_I32};
    return jr_value_number(&value, &o->samples[0]);
}

static jr_status print(every_world *w, every_outs *o) {
    const jr_value value = {.type = w->wrong ? JR_TYPE_NONE : JR_I32};
    return jr_value_print(&value, o->text, sizeof o->text);
}

static jr_status spread(every_world *w, every_outs *o) {
    const double numbers[] = {1, 2};
    return jr_spread_of(numbers, w->wrong ? 0 : 2, &o->spread);
}

static jr_status fit(every_world *w, every_outs *o) {
    const double x[] = {1, 2}, y[] = {w->wrong ? 0 : 1, 3};
    return jr_line_fit(x, y, 2, &o->line);
}

const every_call every_plain_call[] = {{.name = "jr_reduce_check", .make = check_spec},
                                       {.name = "jr_result_layout_of", .make = find_result_layout},
                                       {.name = "jr_reduce_foresee", .make = foresee},
                                       {.name = "jr_segment_layout_of", .make = find_layout},
                                       {.name = "jr_type_find", .make = find_type},
                                       {.name = "jr_op_find", .make = find_op},
                                       {.name = "jr_algorithm_find", .make = find_algorithm},
                                       {.name = "jr_result_type", .make = find_result},
                                       {.name = "jr_value_of_number", .make = make_value},
                                       {.name = "jr_value_number", .make = find_number},
                                       {.name = "jr_value_print", .make = print},
                                       {.name = "jr_spread_of", .make = spread},
                                       {.name = "jr_line_fit", .make = fit},
                                       {.name = NULL}};

/* ---- kept states ---- */

static jr_status write_state(every_world *w, every_outs *o) {
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

static jr_status read_state(every_world *w, every_outs *o) {
    unsigned char bytes[256];
    const size_t size = written(bytes, sizeof bytes);
    return jr_state_read(&every_call_spec, bytes, size - (w->wrong ? 1 : 0), o->numbers, &o->count);
}

static jr_status look_at(every_world *w, every_outs *o) {
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

const every_call every_state_call[] = {{.name = "jr_state_write", .make = write_state},
                                       {.name = "jr_state_read", .make = read_state},
                                       {.name = "jr_state_look", .make = look_at},
                                       {.name = "jr_exact_state_create", .make = create},
                                       {.name = "jr_exact_state_fold_host", .make = fold_host, .drives = true},
                                       {.name = "jr_exact_state_fold_plan", .make = fold_plan},
                                       {.name = "jr_exact_state_add", .make = add},
                                       {.name = "jr_exact_state_add_bytes", .make = add_bytes},
                                       {.name = "jr_exact_state_write", .make = write_bytes},
                                       {.name = "jr_exact_state_value", .make = find_value, .drives = true},
                                       {.name = "jr_exact_state_look", .make = look},
                                       {.name = NULL}};
