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

/* Opens all of --peer; a path without a slash is a file of this folder. */
cli_exit cli_peers_open(const cli_options *options, cli_peers *peers, cli_error *error);
void cli_peers_close(cli_peers *peers);

/* The same work as ours by a peer: one call for each operator of a list, one behind the other. */
typedef struct cli_peer_work {
    const peer *peer;
    int count;
    void *handles[JR_OPS_MAX];
    peer_work works[JR_OPS_MAX];
} cli_peer_work;

enum { CLI_PEER_OUT_BYTES = 64 }; /* of device memory for each result */

/* Prepares works of count operators; all but op and out as in `like`. False: the peer does not take it. */
bool cli_peer_prepare(const peer *other, const jr_op *ops, int count, const peer_work *like, cli_peer_work *work);
void cli_peer_release(cli_peer_work *work); /* one that was zeroed is fine */

/* Puts it on the stream; 0, or the peer's error number. */
int cli_peer_run(cli_peer_work *work, const void *const in[2], jr_stream stream);

/* The type of a result; `ours` where the peer does not say. */
jr_type cli_peer_result(const cli_peer_work *work, int index, jr_type ours);

#endif
