/* The plug-in of --mpi: the calls of an MPI that the command needs, compiled by that MPI's own mpicc into a shared
 * library, so that the command is linked with none.
 *
 * The shared library exports `const cli_mpi *cli_mpi_get(void)`. All calls come from one thread. */
#ifndef CLI_MPI_PLUGIN_H
#define CLI_MPI_PLUGIN_H

#include <jitreduce.h>

/* The version of this header: a plug-in that was built with another version is refused. */
enum { CLI_MPI_VERSION = 1 };

typedef struct cli_mpi {
    int version; /* CLI_MPI_VERSION */

    /* Starts MPI and sets rank, ranks, allgather and user of a group's options. local: which of the ranks of its host
     * this one is. Returns 0, or MPI's number of an error. */
    int (*begin)(jr_group_options *way, int *local);

    /* Ends MPI, with all other ranks. */
    void (*end)(jr_group_options *way);

    /* Ends all ranks, where the way to them is lost. */
    void (*abort)(const jr_group_options *way, int code);
} cli_mpi;

typedef const cli_mpi *cli_mpi_get_fn(void);

#endif
