/* Peers: other libraries' reductions, opened as plug-ins (peer.h). */
#ifndef CLI_BENCH_PEER_H
#define CLI_BENCH_PEER_H

#include "options.h"
#include "peer.h"

typedef struct cli_peers {
    void *libraries[CLI_PEERS_MAX];
    const peer *peers[CLI_PEERS_MAX];
    int count;
} cli_peers;

/* Opens all of --peer; a path without a slash is a file of this folder. The caller closes, also when it fails. */
cli_exit cli_peers_open(const cli_options *options, cli_peers *peers, cli_error *error);
void cli_peers_close(cli_peers *peers);

#endif
