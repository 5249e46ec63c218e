/* Opens peers. */
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
    for (int i = 0; code == CLI_OK && i < options->bench.peer_count; i++)
        code = open_one(options->bench.peers[i], peers, error);
    return code;
}

void cli_peers_close(cli_peers *peers) {
    for (int i = 0; i < peers->count; i++) dlclose(peers->libraries[i]);
    peers->count = 0;
}
