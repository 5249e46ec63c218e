/* Contestants from other libraries: the works of opened peers. A peer that fails is left out, and its number told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contestant.h"

/* Expressions of the caller's are not known to peers. */
static bool is_plain(const jr_spec *spec) {
    return spec->map == NULL && spec->where == NULL && spec->finish == NULL && spec->combine == NULL &&
           spec->nan == JR_NAN_PROPAGATE;
}

static jr_status prepare_peer(cli_bench_item *item) {
    const cli_request *request = item->request;
    const peer_work like = {.device = item->place->device,
                            .type = jr_type_name(request->spec.type),
                            .count = item->count,
                            .out = item->out};
    item->own = calloc(1, sizeof(cli_peer_work));
    if (item->own == NULL) return JR_ERROR_OUT_OF_MEMORY;
    item->cell->there =
        is_plain(&request->spec) && cli_peer_prepare(item->place->peers.peers[item->who->which], request->ops,
                                                     request->result_count, &like, item->own);
    return JR_OK;
}

static jr_status run_peer(void *user, uint64_t run, jr_stream stream) {
    cli_bench_item *item = user;
    const void *in[2] = {cli_bench_array(&item->place->data, run, 0, false), NULL};
    if (item->input_count > 1) in[1] = cli_bench_array(&item->place->data, run, 1, false);
    const int failure = cli_peer_run(item->own, in, stream);
    if (failure == 0) return JR_OK;
    item->failed = true;
    snprintf(item->cell->note, sizeof item->cell->note, "it fails with error %d", failure);
    return JR_ERROR_DRIVER;
}

/* A peer's value is copied on the default stream. */
static jr_status call_peer(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    const cli_peer_work *work = item->own;
    unsigned char bytes[CLI_OUT_BYTES];
    const int last = work->count - 1;
    const jr_type type = cli_peer_result(work, last, item->request->results[last]);
    const uint64_t size = (uint64_t)last * CLI_PEER_OUT_BYTES + jr_type_size(type);
    (void)stream;
    const jr_status status = run_peer(user, run, NULL);
    return status == JR_OK ? jr_memory_read(item->place->context, bytes, item->out, size) : status;
}

static jr_status read_values(const cli_bench_item *item, jr_value *values) {
    unsigned char bytes[CLI_OUT_BYTES];
    const jr_status status = jr_memory_read(item->place->context, bytes, item->out, sizeof bytes);
    for (int i = 0; status == JR_OK && i < item->result_count; i++) {
        values[i] = (jr_value){.type = cli_peer_result(item->own, i, item->request->results[i])};
        memcpy(&values[i].as, bytes + (size_t)i * CLI_PEER_OUT_BYTES, jr_type_size(values[i].type));
    }
    return status;
}

static void release_peer(cli_bench_item *item) {
    if (item->own != NULL) cli_peer_release(item->own);
    free(item->own);
}

const cli_bench_kind cli_contestant_peer = {
    .prepare = prepare_peer, .run = run_peer, .call = call_peer, .read = read_values, .release = release_peer};
