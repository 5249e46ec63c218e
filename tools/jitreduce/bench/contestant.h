/* What takes part in a benchmark. A kind of contestant is a file with one table of functions; to add one is to write
 * that file, and a line in bench.c that lists it. */
#ifndef CLI_CONTESTANT_H
#define CLI_CONTESTANT_H

#include "bench_result.h"
#include "fold/request.h"

/* A contestant at one work and size. */
typedef struct cli_bench_item {
    const cli_bench_contestant *who;
    const struct cli_bench_item *ours; /* the first item: prepared before the others */
    const cli_bench *bench;
    const cli_request *request;
    cli_bench_cell *cell;
    uint64_t count, bytes; /* elements of each input, bytes of all; on one device */
    int input_count;
    int result_count; /* of the request, if prepare does not say less */
    void *out;        /* CLI_OUT_BYTES of device memory */
    void *own;        /* what prepare made */
    bool failed;      /* a run of it: the cell's note says why */
} cli_bench_item;

/* The results of a contestant: those of a list lie 16 bytes apart, a peer's CLI_PEER_OUT_BYTES. */
enum { CLI_PEER_OUT_BYTES = 64, CLI_OUT_BYTES = JR_OPS_MAX * CLI_PEER_OUT_BYTES };

typedef struct cli_bench_kind {
    /* Makes it ready; clears cell->there where it cannot do this work. */
    jr_status (*prepare)(cli_bench_item *item);
    /* Puts a run on the stream. user: the item. */
    jr_status (*run)(void *user, uint64_t run, jr_stream stream);
    /* What --mode latency times: from the call until the value is in host memory. NULL: takes no part in that. */
    jr_status (*call)(void *user, uint64_t run, jr_stream stream);
    /* Reads the values of its last run, which has ended. NULL: it has none, or of other elements. */
    jr_status (*read)(const cli_bench_item *item, jr_value *values);
    /* Computes what the values of its run 0 must be, in another way; *known: whether it could, else the cell's note
     * says why not. NULL: there is no other way, or the values are held against ours. */
    jr_status (*expect)(const cli_bench_item *item, jr_value *values, bool *known);
    /* Frees what prepare made; after a prepare that failed, too. */
    void (*release)(cli_bench_item *item);
    bool rounds_otherwise; /* its values are printed, but not checked against the library's */
} cli_bench_kind;

extern const cli_bench_kind cli_contestant_ours, cli_contestant_aligned, cli_contestant_alone, cli_contestant_plain,
    cli_contestant_algorithm, cli_contestant_one; /* contestant_ours.c */
extern const cli_bench_kind cli_contestant_loop, cli_contestant_peer;
/* Of a group; their runs come back with the value. */
extern const cli_bench_kind cli_contestant_group, cli_contestant_group_peer;

/* Whether the spec has no expressions of the caller's, which peers do not know. */
bool cli_contestant_is_plain(const jr_spec *spec);
/* Notes that a run of a peer failed with this number. */
jr_status cli_contestant_fail(cli_bench_item *item, int failure);

#endif
