/* Calls of every public function of streams, events, copies, pinned memory and graphs. What a call made is destroyed,
 * also when a later step of it failed. */
#include "every_call.h"

/* ---- streams ---- */

static jr_status create_stream(every_world *w, every_outs *o) {
    jr_stream made = o->pointer;
    const jr_status status = jr_stream_create(w->context, w->wrong ? 99 : 0, &made);
    if (status == JR_OK)
        (void)jr_stream_destroy(w->context, made);
    else
        o->pointer = made;
    return status;
}

static jr_status destroy_stream(every_world *w, every_outs *o) {
    jr_stream made = NULL;
    (void)o;
    if (w->wrong) return jr_stream_destroy(NULL, w->stream);
    jr_status status = jr_stream_create(w->context, 0, &made);
    if (status != JR_OK) return status;
    status = jr_stream_destroy(w->context, made);
    if (status != JR_OK) (void)jr_stream_destroy(w->context, made);
    return status;
}

static jr_status wait_for_stream(every_world *w, every_outs *o) {
    (void)o;
    return jr_stream_wait(w->wrong ? NULL : w->context, w->stream);
}

static jr_status query_stream(every_world *w, every_outs *o) {
    return jr_stream_query(w->wrong ? NULL : w->context, w->stream, &o->integer);
}

static jr_status wait_event(every_world *w, every_outs *o) {
    (void)o;
    return jr_stream_wait_event(w->context, w->stream, w->wrong ? NULL : w->event);
}

static jr_status wait_for_context(every_world *w, every_outs *o) {
    (void)o;
    return jr_context_wait(w->wrong ? NULL : w->context);
}

/* ---- copies ---- */

static jr_status write_on(every_world *w, every_outs *o) {
    (void)o;
    return jr_stream_write(w->context, w->wrong ? NULL : w->d_in, every_call_data, sizeof every_call_data, w->stream);
}

static jr_status read_on(every_world *w, every_outs *o) {
    jr_status status =
        jr_stream_read(w->context, o->numbers, w->wrong ? NULL : w->d_in, sizeof every_call_data, w->stream);
    if (status == JR_OK) status = jr_stream_wait(w->context, w->stream);
    return status;
}

static jr_status copy_on(every_world *w, every_outs *o) {
    (void)o;
    return jr_stream_copy(w->context, w->wrong ? NULL : w->d_out, w->d_in, sizeof every_call_data, w->stream);
}

static jr_status clear_on(every_world *w, every_outs *o) {
    (void)o;
    return jr_stream_clear(w->context, w->wrong ? NULL : w->d_out, sizeof every_call_data, w->stream);
}

static jr_status pin(every_world *w, every_outs *o) {
    void *made = o->pointer;
    const jr_status status = jr_pinned_new(w->wrong ? NULL : w->context, 64, &made);
    if (status == JR_OK)
        jr_pinned_free(w->context, made);
    else
        o->pointer = made;
    return status;
}

/* ---- events ---- */

static jr_status create_event(every_world *w, every_outs *o) {
    jr_event made = o->pointer;
    const jr_status status = jr_event_create(w->context, w->wrong ? 99 : 0, &made);
    if (status == JR_OK)
        (void)jr_event_destroy(w->context, made);
    else
        o->pointer = made;
    return status;
}

static jr_status destroy_event(every_world *w, every_outs *o) {
    jr_event made = NULL;
    (void)o;
    if (w->wrong) return jr_event_destroy(NULL, w->event);
    jr_status status = jr_event_create(w->context, 0, &made);
    if (status != JR_OK) return status;
    status = jr_event_destroy(w->context, made);
    if (status != JR_OK) (void)jr_event_destroy(w->context, made);
    return status;
}

static jr_status record_event(every_world *w, every_outs *o) {
    (void)o;
    return jr_event_record(w->context, w->wrong ? NULL : w->event, w->stream);
}

static jr_status wait_for_event(every_world *w, every_outs *o) {
    (void)o;
    return jr_event_wait(w->context, w->wrong ? NULL : w->event);
}

static jr_status query_event(every_world *w, every_outs *o) {
    return jr_event_query(w->context, w->wrong ? NULL : w->event, &o->integer);
}

static jr_status elapsed(every_world *w, every_outs *o) {
    return jr_event_elapsed(w->context, w->event, w->wrong ? NULL : w->event, &o->samples[0]);
}

/* ---- graphs ---- */

static jr_status end_capture(every_world *w, jr_graph *graph) {
    const jr_status status = jr_capture_end(w->context, w->stream, graph);
    jr_graph again = NULL;
    if (status != JR_OK && jr_capture_end(w->context, w->stream, &again) == JR_OK)
        (void)jr_graph_destroy(w->context, again);
    return status;
}

static jr_status begin_capture(every_world *w, every_outs *o) {
    jr_graph graph = NULL;
    (void)o;
    jr_status status = jr_capture_begin(w->context, w->wrong ? NULL : w->stream);
    if (status == JR_OK) status = end_capture(w, &graph);
    if (graph != NULL) (void)jr_graph_destroy(w->context, graph);
    return status;
}

static jr_status query_capture(every_world *w, every_outs *o) {
    return jr_capture_query(w->wrong ? NULL : w->context, w->stream, &o->integer);
}

static jr_status make_graph(every_world *w, every_outs *o) {
    jr_graph graph = o->pointer;
    jr_status status = w->wrong ? JR_OK : jr_capture_begin(w->context, w->stream);
    if (status != JR_OK) return status;
    status = w->wrong ? jr_capture_end(w->context, w->stream, &graph) : end_capture(w, &graph);
    if (status == JR_OK)
        (void)jr_graph_destroy(w->context, graph);
    else
        o->pointer = graph;
    return status;
}

/* The graph of the world is as it was: what is captured is what it has. */
static jr_status update_graph(every_world *w, every_outs *o) {
    (void)o;
    if (w->wrong) return jr_graph_update(w->context, NULL, w->stream);
    jr_status status = jr_capture_begin(w->context, w->stream);
    if (status != JR_OK) return status;
    status = jr_graph_update(w->context, w->graph, w->stream);
    jr_graph left = NULL;
    if (status != JR_OK && jr_capture_end(w->context, w->stream, &left) == JR_OK)
        (void)jr_graph_destroy(w->context, left);
    return status;
}

static jr_status launch_graph(every_world *w, every_outs *o) {
    (void)o;
    return jr_graph_launch(w->context, w->wrong ? NULL : w->graph, w->stream);
}

static jr_status destroy_graph(every_world *w, every_outs *o) {
    jr_graph made = NULL;
    (void)o;
    if (w->wrong) return jr_graph_destroy(NULL, w->graph);
    jr_status status = jr_capture_begin(w->context, w->stream);
    if (status == JR_OK) status = end_capture(w, &made);
    if (status != JR_OK) return status;
    status = jr_graph_destroy(w->context, made);
    if (status != JR_OK) (void)jr_graph_destroy(w->context, made);
    return status;
}

const every_call every_stream_call[] = {
    {.name = "jr_stream_create", .make = create_stream, .drives = true},
    {.name = "jr_stream_destroy", .make = destroy_stream, .drives = true},
    {.name = "jr_stream_wait", .make = wait_for_stream, .drives = true},
    {.name = "jr_stream_query", .make = query_stream, .drives = true},
    {.name = "jr_stream_wait_event", .make = wait_event, .drives = true},
    {.name = "jr_context_wait", .make = wait_for_context, .drives = true},
    {.name = "jr_stream_write", .make = write_on, .drives = true},
    {.name = "jr_stream_read", .make = read_on, .drives = true, .copies_back = true},
    {.name = "jr_stream_copy", .make = copy_on, .drives = true},
    {.name = "jr_stream_clear", .make = clear_on, .drives = true},
    {.name = "jr_pinned_new", .make = pin, .drives = true},
    {.name = "jr_event_create", .make = create_event, .drives = true},
    {.name = "jr_event_destroy", .make = destroy_event, .drives = true},
    {.name = "jr_event_record", .make = record_event, .drives = true},
    {.name = "jr_event_wait", .make = wait_for_event, .drives = true},
    {.name = "jr_event_query", .make = query_event, .drives = true},
    {.name = "jr_event_elapsed", .make = elapsed, .drives = true},
    {.name = "jr_capture_begin", .make = begin_capture, .drives = true},
    {.name = "jr_capture_query", .make = query_capture, .drives = true},
    {.name = "jr_capture_end", .make = make_graph, .drives = true},
    {.name = "jr_graph_update", .make = update_graph, .drives = true},
    {.name = "jr_graph_launch", .make = launch_graph, .drives = true},
    {.name = "jr_graph_destroy", .make = destroy_graph, .drives = true},
    {.name = NULL}};
