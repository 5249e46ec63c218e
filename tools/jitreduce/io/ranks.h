/* The ranks of --mpi: processes of one command line, each of which works on its share of the input. The first one alone
 * prints.
 *
 * What any rank fails for is agreed upon by all of them, before devices are opened and at the end, so that none waits
 * for what another one will not do. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "mpi_plugin.h"
#include "options/cli_options.h"

typedef struct cli_ranks {
    const cli_mpi *mpi;   /* NULL: no ranks */
    jr_group_options way; /* who this rank is, and the way to the others */
    int local;            /* which of its host's ranks it is */
    bool over;            /* one has failed, and all know it */
    bool lost;            /* there is no way to the others any more */
} cli_ranks;

/* Opens the plug-in and starts MPI. What other ranks than the first would print goes nowhere. */
cli_exit cli_ranks_begin(cli_ranks *ranks, cli_error *error);

/* Whether this process prints, and writes what there is once: it is alone (ranks NULL, or never begun), or the first
 * one. */
bool cli_ranks_first(const cli_ranks *ranks);

/* Brings together `bytes` bytes of each rank. */
cli_exit cli_ranks_gather(cli_ranks *ranks, const void *mine, size_t bytes, void *all, cli_error *error);

/* Returns the code of the first rank that has failed, on all of them, with its message; CLI_OK: none has. code: of this
 * one. Behind a failure: code. */
cli_exit cli_ranks_agree(cli_ranks *ranks, cli_exit code, cli_error *error);

/* Cuts count elements into shares as equal as can be; of a process alone it is all. */
uint64_t cli_ranks_share(const cli_ranks *ranks, uint64_t count, uint64_t *first);

/* Ends MPI, after the last agreement and after everything is printed: an mpirun ends the other ranks as soon as one
 * exits with a code. */
void cli_ranks_end(cli_ranks *ranks, cli_exit code);

#endif
