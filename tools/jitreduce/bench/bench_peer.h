/* Peers: other libraries' reductions, opened as plug-ins (peer.h, group_peer.h). */
#ifndef CLI_BENCH_PEER_H
#define CLI_BENCH_PEER_H

#include "group_peer.h"
#include "options/cli_options.h"
#include "peer.h"

typedef struct cli_peers {
    void *libraries[CLI_PEERS_MAX];
    const char *names[CLI_PEERS_MAX];
    const peer *peers[CLI_PEERS_MAX];        /* of one device */
    const group_peer *groups[CLI_PEERS_MAX]; /* or of a group */
    void *handles[CLI_PEERS_MAX];            /* of a group's; NULL: it cannot use these devices */
    int count;
} cli_peers;

/* Opens all of --peer, of a group those of group_peer.h; a path without a slash is a file of this folder. The caller
 * closes, also when it fails. */
cli_exit cli_peers_open(const cli_options *options, bool of_group, cli_peers *peers, cli_error *error);
void cli_peers_close(cli_peers *peers);

#endif
