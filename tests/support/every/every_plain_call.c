/* Calls of every public function that needs neither a context nor a device. */
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
