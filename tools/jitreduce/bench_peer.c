/* Opens and calls peers. */
#include "bench_peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static cli_exit open_one(const char *path, cli_peers *peers, cli_error *error) {
    char here[4096];
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    peer_get_fn get = NULL;
    if (library == NULL) return cli_fail(error, CLI_FAILURE, "--peer: %s", dlerror());
    peers->libraries[peers->count] = library;
    *(void **)&get = dlsym(library, "peer_get");
    peers->peers[peers->count++] = get != NULL ? get() : NULL;
    if (get == NULL)
        return cli_fail(error, CLI_FAILURE, "--peer: %s: is not a peer: it has no function peer_get", path);
    const peer *opened = peers->peers[peers->count - 1];
    if (opened == NULL || opened->version != PEER_VERSION)
        return cli_fail(error, CLI_FAILURE,
                        "--peer: %s: has version %d of the interface, and this is %d: build it with this "
                        "tools/jitreduce/peer.h",
                        path, opened ? opened->version : 0, PEER_VERSION);
    return CLI_OK;
}

cli_exit cli_peers_open(const cli_options *options, cli_peers *peers, cli_error *error) {
    cli_exit code = CLI_OK;
    *peers = (cli_peers){.count = 0};
    for (int i = 0; code == CLI_OK && i < options->bench.peer_count; i++)
        code = open_one(options->bench.peers[i], peers, error);
    if (code != CLI_OK) cli_peers_close(peers);
    return code;
}

void cli_peers_close(cli_peers *peers) {
    for (int i = 0; i < peers->count; i++) dlclose(peers->libraries[i]);
    peers->count = 0;
}

bool cli_peer_prepare(const peer *other, const jr_op *ops, int count, const peer_work *like, cli_peer_work *work) {
    *work = (cli_peer_work){.peer = other};
    for (; work->count < count; work->count++) {
        const int i = work->count;
        work->works[i] = *like;
        work->works[i].op = jr_op_name(ops[i]);
        work->works[i].out = (char *)like->out + i * CLI_PEER_OUT_BYTES;
        work->handles[i] = other->prepare(&work->works[i]);
        if (work->handles[i] == NULL) break;
    }
    if (work->count == count) return true;
    cli_peer_release(work);
    return false;
}

void cli_peer_release(cli_peer_work *work) {
    for (int i = 0; i < work->count; i++) work->peer->release(work->handles[i]);
    work->count = 0;
}

int cli_peer_run(cli_peer_work *work, const void *const in[2], jr_stream stream) {
    int failure = 0;
    for (int i = 0; failure == 0 && i < work->count; i++) {
        work->works[i].in[0] = in[0];
        work->works[i].in[1] = in[1];
        failure = work->peer->run(work->handles[i], &work->works[i], stream);
    }
    return failure;
}

jr_type cli_peer_result(const cli_peer_work *work, int index, jr_type ours) {
    jr_type type;
    const char *name = work->peer->result != NULL ? work->peer->result(work->handles[index]) : NULL;
    return name != NULL && jr_type_find(name, &type) == JR_OK ? type : ours;
}
