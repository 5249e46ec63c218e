/* Groups over MPI: an adapter that the caller's own mpicc compiles, so that the library need not know any MPI. */
#ifndef JITREDUCE_MPI_H
#define JITREDUCE_MPI_H

#include <limits.h>
#include <mpi.h>

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Brings bytes together (jr_allgather). user: the address of a communicator. Returns MPI's own number of an error. */
static inline int jr_mpi_allgather(void *user, const void *mine, size_t bytes, void *all) {
    if (bytes > INT_MAX) return MPI_ERR_COUNT;
    return MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, *(MPI_Comm *)user);
}

/* Sets the members of options that say who the ranks are: those of a communicator. Returns MPI's own number of an
 * error. communicator: read by each call of the group, which must be the only one to use it (MPI_Comm_dup), until that
 * is closed. With MPI_ERRORS_RETURN as its handler errors come back as JR_ERROR_TRANSPORT instead of ending the
 * program. With options->wait_limit_ms MPI is called from another thread: initialise it with MPI_THREAD_SERIALIZED, or
 * with MPI_THREAD_MULTIPLE where others call it meanwhile. Owns: nothing. Threads: as of MPI. Errors: none of
 * jitreduce's. Since: 0.2. */
static inline int jr_mpi_options(MPI_Comm *communicator, jr_group_options *options) {
    int error = MPI_Comm_rank(*communicator, &options->rank);
    if (error == MPI_SUCCESS) error = MPI_Comm_size(*communicator, &options->ranks);
    options->allgather = jr_mpi_allgather;
    options->user = communicator;
    return error;
}

#ifdef __cplusplus
}
#endif
#endif
