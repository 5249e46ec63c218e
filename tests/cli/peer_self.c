/* A peer for tests: this library itself under another name. PEER_WRONG: it gives the maximum for every operator;
 * PEER_FAILS: its runs fail with error 7; PEER_OLD: it was built with an earlier interface. */
#include <jitreduce.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peer.h"

typedef struct handle {
    jr_context *context;
    jr_plan *plan;
    int input_count;
    jr_segment_layout layout; /* kind 0: one reduction or scan of all */
} handle;

static void release(void *opaque) {
    handle *h = opaque;
    jr_plan_destroy(h->plan);
    jr_context_close(h->context);
    free(h);
}

/* Makes the plan of "sum", "inclusive sum f32" or "reduce sum f32 offsets". */
static jr_status make_plan(handle *h, const peer_work *work) {
    char kind[16] = "", op[16] = "", type[16] = "", layout[16] = "";
    jr_spec spec = JR_INIT(jr_spec, .capacity = work->count, .block = 64);
    const int words = sscanf(work->op, "%15s %15s %15s %15s", kind, op, type, layout);
    jr_work made = JR_INIT(jr_work, .spec = &spec);
    if (jr_op_find(words == 1 ? kind : op, &spec.op) != JR_OK || jr_type_find(work->type, &spec.type) != JR_OK ||
        (words > 1 && jr_type_find(type, &spec.result) != JR_OK) || jr_context_open(NULL, &h->context) != JR_OK)
        return JR_ERROR_NOT_APPLICABLE;
    h->input_count = spec.op == JR_OP_DOT ? 2 : 1;
    h->layout = JR_INIT(jr_segment_layout, .length = work->segment_length);
    h->layout.kind = strcmp(layout, "keys") == 0      ? JR_SEGMENTS_KEYS
                     : strcmp(layout, "offsets") == 0 ? JR_SEGMENTS_OFFSETS
                     : strcmp(layout, "rows") == 0    ? JR_SEGMENTS_EQUAL
                                                      : (jr_segment_kind)0;
    if (h->layout.kind == JR_SEGMENTS_KEYS) h->layout.key_type = JR_I32;
#ifdef PEER_WRONG
    spec.op = JR_OP_MAX;
#endif
    if (words > 1 && strcmp(kind, "reduce") != 0)
        made.kind = strcmp(kind, "exclusive") == 0 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE;
    if (h->layout.kind != 0) made.layout = &h->layout;
    return jr_work_plan_create(h->context, &made, &h->plan);
}

/* Takes no u8, so that there is something it does not take. */
static void *prepare(const peer_work *work) {
    handle *h = calloc(1, sizeof *h);
    const bool alone = work->segment_count > 0 && strchr(work->op, ' ') == NULL; /* what jitreduce bench has not */
    if (h != NULL && !alone && strcmp(work->type, "u8") != 0 && make_plan(h, work) == JR_OK) return h;
    if (h != NULL) release(h);
    return NULL;
}

static int run(void *opaque, const peer_work *work, void *stream) {
#ifdef PEER_FAILS
    (void)opaque, (void)work, (void)stream;
    return 7;
#else
    handle *h = opaque;
    const jr_work_data data =
        JR_INIT(jr_work_data, .in = work->in, .count = work->count, .out = work->out, .segments = work->segment_count,
                .offsets = (const uint64_t *)work->offsets, .keys = work->keys, .run_keys = work->keys_out,
                .run_count = (uint64_t *)work->runs_out);
    return -(int)jr_work_plan_run(h->plan, &data, NULL, stream);
#endif
}

static const char *result(void *opaque) {
    return jr_type_name(jr_plan_result_type(((handle *)opaque)->plan));
}

const peer *peer_get(void) {
#ifdef PEER_OLD
    static const peer self = {.version = 1};
#else
    static const peer self = {PEER_VERSION, "ourselves", prepare, run, release, result};
#endif
    return &self;
}
