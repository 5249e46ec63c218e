/* Contestants from other libraries: the works of opened peers. A peer that fails is skipped, and its error number
 * printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contestant.h"

bool cli_contestant_is_plain(const jr_spec *spec) {
    return spec->map == NULL && spec->where == NULL && spec->finish == NULL && spec->combine == NULL &&
           spec->nan == JR_NAN_PROPAGATE;
}

jr_status cli_contestant_fail(cli_bench_item *item, int failure) {
    item->failed = true;
    snprintf(item->cell->note, sizeof item->cell->note, "it fails with error %d", failure);
    return JR_ERROR_DRIVER;
}

/* The same work by a peer: one call for each operator of a list, in order. */
typedef struct peer_calls {
    const peer *peer;
    int count;
    void *handles[JR_OPS_MAX];
    peer_work works[JR_OPS_MAX];
} peer_calls;

static jr_status prepare_peer(cli_bench_item *item) {
    const cli_request *request = item->request;
    peer_calls *calls = item->own = calloc(1, sizeof *calls);
    if (calls == NULL) return JR_ERROR_OUT_OF_MEMORY;
    calls->peer = item->bench->peers.peers[item->who->which];
    item->cell->there = cli_contestant_is_plain(&request->spec);
    for (int i = 0; item->cell->there && i < request->op_count; i++) {
        calls->works[i] = (peer_work){.device = item->bench->device.ordinal,
                                      .op = jr_op_name(request->ops[i]),
                                      .type = jr_type_name(request->spec.type),
                                      .count = item->count,
                                      .out = (char *)item->out + i * CLI_PEER_OUT_BYTES};
        calls->handles[i] = calls->peer->prepare(&calls->works[i]);
        item->cell->there = calls->handles[i] != NULL;
        calls->count += item->cell->there;
    }
    return JR_OK;
}

static jr_status run_peer(void *user, uint64_t run, jr_stream stream) {
    cli_bench_item *item = user;
    peer_calls *calls = item->own;
    int failure = 0;
    for (int i = 0; failure == 0 && i < calls->count; i++) {
        for (int k = 0; k < item->input_count && k < 2; k++)
            calls->works[i].in[k] = cli_bench_array(item->bench->data, run, k, false);
        failure = calls->peer->run(calls->handles[i], &calls->works[i], stream);
    }
    return failure == 0 ? JR_OK : cli_contestant_fail(item, failure);
}

/* The type of a result: ours where the peer does not say. */
static jr_type result_type(const cli_bench_item *item, int index) {
    const peer_calls *calls = item->own;
    jr_type type;
    const char *name = calls->peer->result != NULL ? calls->peer->result(calls->handles[index]) : NULL;
    return name != NULL && jr_type_find(name, &type) == JR_OK ? type : item->request->results.types[index];
}

/* A peer's value is copied on the default stream. */
static jr_status call_peer(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    unsigned char bytes[CLI_OUT_BYTES];
    const int last = item->request->op_count - 1;
    const uint64_t size = (uint64_t)last * CLI_PEER_OUT_BYTES + jr_type_size(result_type(item, last));
    (void)stream;
    const jr_status status = run_peer(user, run, NULL);
    return status == JR_OK ? jr_memory_read(item->bench->context, bytes, item->out, size) : status;
}

static jr_status read_values(const cli_bench_item *item, jr_value *values) {
    unsigned char bytes[CLI_OUT_BYTES];
    const jr_status status = jr_memory_read(item->bench->context, bytes, item->out, sizeof bytes);
    for (int i = 0; status == JR_OK && i < item->result_count; i++) {
        values[i] = (jr_value){.type = result_type(item, i)};
        memcpy(&values[i].as, bytes + (size_t)i * CLI_PEER_OUT_BYTES, jr_type_size(values[i].type));
    }
    return status;
}

static void release_peer(cli_bench_item *item) {
    peer_calls *calls = item->own;
    for (int i = 0; calls != NULL && i < calls->count; i++) calls->peer->release(calls->handles[i]);
    free(calls);
}

const cli_bench_kind cli_contestant_peer = {
    .prepare = prepare_peer, .run = run_peer, .call = call_peer, .read = read_values, .release = release_peer};
