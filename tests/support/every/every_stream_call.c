/* Calls of every public function of streams, events, copies, pinned memory and graphs. What a call made is destroyed,
 * also when a later step of it failed. */
#include "every_call.h"

CALLS(every_stream_call)

/* ---- streams ---- */

CALL(jr_stream_create, EVERY_DRIVES) {
    jr_stream made = o->pointer;
    RETURN_MADE(made, jr_stream_create(w->context, w->wrong ? 99 : 0, &made),
                (void)jr_stream_destroy(w->context, made));
}

CALL(jr_stream_destroy, EVERY_DRIVES) {
    jr_stream made = NULL;
    if (w->wrong) return jr_stream_destroy(NULL, w->stream);
    jr_status status = jr_stream_create(w->context, 0, &made);
    if (status != JR_OK) return status;
    status = jr_stream_destroy(w->context, made);
    if (status != JR_OK) (void)jr_stream_destroy(w->context, made);
    return status;
}

CALL(jr_stream_wait, EVERY_DRIVES) {
    return jr_stream_wait(w->wrong ? NULL : w->context, w->stream);
}

CALL(jr_stream_query, EVERY_DRIVES) {
    return jr_stream_query(w->wrong ? NULL : w->context, w->stream, &o->integer);
}

CALL(jr_stream_wait_event, EVERY_DRIVES) {
    return jr_stream_wait_event(w->context, w->stream, w->wrong ? NULL : w->event);
}

CALL(jr_context_wait, EVERY_DRIVES) {
    return jr_context_wait(w->wrong ? NULL : w->context);
}

/* ---- copies ---- */

CALL(jr_stream_write, EVERY_DRIVES) {
    return jr_stream_write(w->context, w->wrong ? NULL : w->d_in, every_call_data, sizeof every_call_data, w->stream);
}

CALL(jr_stream_read, EVERY_DRIVES | EVERY_COPIES_BACK) {
    jr_status status =
        jr_stream_read(w->context, o->numbers, w->wrong ? NULL : w->d_in, sizeof every_call_data, w->stream);
    if (status == JR_OK) status = jr_stream_wait(w->context, w->stream);
    return status;
}

CALL(jr_stream_copy, EVERY_DRIVES) {
    return jr_stream_copy(w->context, w->wrong ? NULL : w->d_out, w->d_in, sizeof every_call_data, w->stream);
}

CALL(jr_stream_clear, EVERY_DRIVES) {
    return jr_stream_clear(w->context, w->wrong ? NULL : w->d_out, sizeof every_call_data, w->stream);
}

CALL(jr_pinned_new, EVERY_DRIVES) {
    void *made = o->pointer;
    RETURN_MADE(made, jr_pinned_new(w->wrong ? NULL : w->context, 64, &made), jr_pinned_free(w->context, made));
}

/* ---- events ---- */

CALL(jr_event_create, EVERY_DRIVES) {
    jr_event made = o->pointer;
    RETURN_MADE(made, jr_event_create(w->context, w->wrong ? 99 : 0, &made), (void)jr_event_destroy(w->context, made));
}

CALL(jr_event_destroy, EVERY_DRIVES) {
    jr_event made = NULL;
    if (w->wrong) return jr_event_destroy(NULL, w->event);
    jr_status status = jr_event_create(w->context, 0, &made);
    if (status != JR_OK) return status;
    status = jr_event_destroy(w->context, made);
    if (status != JR_OK) (void)jr_event_destroy(w->context, made);
    return status;
}

CALL(jr_event_record, EVERY_DRIVES) {
    return jr_event_record(w->context, w->wrong ? NULL : w->event, w->stream);
}

CALL(jr_event_wait, EVERY_DRIVES) {
    return jr_event_wait(w->context, w->wrong ? NULL : w->event);
}

CALL(jr_event_query, EVERY_DRIVES) {
    return jr_event_query(w->context, w->wrong ? NULL : w->event, &o->integer);
}

CALL(jr_event_elapsed, EVERY_DRIVES) {
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

CALL(jr_capture_begin, EVERY_DRIVES) {
    jr_graph graph = NULL;
    jr_status status = jr_capture_begin(w->context, w->wrong ? NULL : w->stream);
    if (status == JR_OK) status = end_capture(w, &graph);
    if (graph != NULL) (void)jr_graph_destroy(w->context, graph);
    return status;
}

CALL(jr_capture_query, EVERY_DRIVES) {
    return jr_capture_query(w->wrong ? NULL : w->context, w->stream, &o->integer);
}

CALL(jr_capture_end, EVERY_DRIVES) {
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
CALL(jr_graph_update, EVERY_DRIVES) {
    if (w->wrong) return jr_graph_update(w->context, NULL, w->stream);
    jr_status status = jr_capture_begin(w->context, w->stream);
    if (status != JR_OK) return status;
    status = jr_graph_update(w->context, w->graph, w->stream);
    jr_graph left = NULL;
    if (status != JR_OK && jr_capture_end(w->context, w->stream, &left) == JR_OK)
        (void)jr_graph_destroy(w->context, left);
    return status;
}

CALL(jr_graph_launch, EVERY_DRIVES) {
    return jr_graph_launch(w->context, w->wrong ? NULL : w->graph, w->stream);
}

CALL(jr_graph_destroy, EVERY_DRIVES) {
    jr_graph made = NULL;
    if (w->wrong) return jr_graph_destroy(NULL, w->graph);
    jr_status status = jr_capture_begin(w->context, w->stream);
    if (status == JR_OK) status = end_capture(w, &made);
    if (status != JR_OK) return status;
    status = jr_graph_destroy(w->context, made);
    if (status != JR_OK) (void)jr_graph_destroy(w->context, made);
    return status;
}
