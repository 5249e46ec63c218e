/* Opens peers. */
#include "bench_peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* What a plug-in exports. */
typedef struct interface {
    const char *what, *function, *header;
    int version;
} interface;

static const interface of_device = {"a peer", "peer_get", "peer.h", PEER_VERSION};
static const interface of_groups = {"a peer of groups", "group_peer_get", "group_peer.h", GROUP_PEER_VERSION};

typedef union getter {
    void *found;
    peer_get_fn of_device;
    group_peer_get_fn of_group;
} getter;

/* Opens the library and finds its function. */
static cli_exit find_getter(const char *path, const interface *wanted, cli_peers *peers, getter *get,
                            cli_error *error) {
    char here[4096];
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    void *library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return cli_fail(error, CLI_FAILURE, "--peer: %s", dlerror());
    peers->libraries[peers->count++] = library;
    get->found = dlsym(library, wanted->function);
    if (get->found != NULL) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "--peer: %s: is not %s: it has no function %s", path, wanted->what,
                    wanted->function);
}

static cli_exit open_one(const char *path, bool of_group, cli_peers *peers, cli_error *error) {
    const interface *wanted = of_group ? &of_groups : &of_device;
    const int at = peers->count;
    int version = 0;
    getter get;
    const cli_exit code = find_getter(path, wanted, peers, &get, error);
    if (code != CLI_OK) return code;
    if (of_group) {
        const group_peer *opened = peers->groups[at] = get.of_group();
        if (opened != NULL) version = opened->version, peers->names[at] = opened->name;
    } else {
        const peer *opened = peers->peers[at] = get.of_device();
        if (opened != NULL) version = opened->version, peers->names[at] = opened->name;
    }
    if (version == wanted->version) return CLI_OK;
    return cli_fail(error, CLI_FAILURE,
                    "--peer: %s: has version %d of the interface, and this is %d: build it with this "
                    "tools/jitreduce/bench/%s",
                    path, version, wanted->version, wanted->header);
}

cli_exit cli_peers_open(const cli_options *options, bool of_group, cli_peers *peers, cli_error *error) {
    cli_exit code = CLI_OK;
    for (int i = 0; code == CLI_OK && i < options->bench.peer_count; i++)
        code = open_one(options->bench.peers[i], of_group, peers, error);
    return code;
}

void cli_peers_close(cli_peers *peers) {
    for (int i = 0; i < peers->count; i++) {
        if (peers->handles[i] != NULL) peers->groups[i]->close(peers->handles[i]);
        dlclose(peers->libraries[i]);
    }
    peers->count = 0;
}
