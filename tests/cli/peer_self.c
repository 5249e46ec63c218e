/* A peer for tests: this library itself under another name. PEER_WRONG: it gives the maximum for every operator;
 * PEER_FAILS: its runs fail with error 7; PEER_OLD: it was built with an earlier interface. */
#include <jitreduce.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct handle {
    jr_context *context;
    jr_plan *plan;
    int input_count;
} handle;

static void release(void *opaque) {
    handle *h = opaque;
    jr_plan_destroy(h->plan);
    jr_context_close(h->context);
    free(h);
}

/* Takes no u8, so that there is something it does not take. */
static void *prepare(const peer_work *work) {
    handle *h = calloc(1, sizeof *h);
    jr_spec spec = JR_INIT(jr_spec, .capacity = work->count, .block = 64);
    if (h == NULL || work->segment_count > 0 || strcmp(work->type, "u8") == 0 ||
        jr_op_find(work->op, &spec.op) != JR_OK || jr_type_find(work->type, &spec.type) != JR_OK)
        goto fail;
    h->input_count = spec.op == JR_OP_DOT ? 2 : 1;
#ifdef PEER_WRONG
    spec.op = JR_OP_MAX;
#endif
    if (jr_context_open(NULL, &h->context) != JR_OK || jr_plan_create(h->context, &spec, &h->plan) != JR_OK) goto fail;
    return h;

fail:
    if (h != NULL) release(h);
    return NULL;
}

static int run(void *opaque, const peer_work *work, void *stream) {
#ifdef PEER_FAILS
    (void)opaque, (void)work, (void)stream;
    return 7;
#else
    handle *h = opaque;
    return -(int)jr_plan_run_arrays(h->plan, work->in, work->count, work->out, NULL, stream);
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
