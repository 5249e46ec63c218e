/* Groups over MPI: an adapter that the caller's own mpicc compiles, so that the library does not depend on an MPI.
 * Manual: group.md. It is not included by jitreduce.h: include <jitreduce/mpi.h>. */
#ifndef JITREDUCE_MPI_H
#define JITREDUCE_MPI_H

#include <limits.h>
#include <mpi.h>

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gathers bytes from all ranks over MPI: a jr_allgather.
 *
 * user: the address of an MPI_Comm.
 * mine, bytes, all: as in jr_allgather.
 *
 * Returns: 0 (MPI_SUCCESS), or MPI's number of the error. */
static inline int jr_mpi_allgather(void *user, const void *mine, size_t bytes, void *all) {
    if (bytes > INT_MAX) return MPI_ERR_COUNT;
    return MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, *(MPI_Comm *)user);
}

/* Sets the members of options that describe the ranks (rank, ranks, allgather, user) from a communicator.
 *
 * communicator: must stay valid until the group is closed. Calls of the group use it, and nothing else may use it
 *   meanwhile (make one with MPI_Comm_dup). If its error handler is MPI_ERRORS_RETURN, errors become JR_ERROR_TRANSPORT
 *   instead of ending the program.
 * options: JR_INIT(jr_group_options). If wait_limit_ms is set, MPI is called from another thread: initialise MPI with
 *   MPI_THREAD_SERIALIZED, or with MPI_THREAD_MULTIPLE if other threads call MPI at the same time.
 *
 * Returns: 0 (MPI_SUCCESS), or MPI's number of the error.
 * Owns: nothing.
 * Threads: as MPI allows.
 * Errors: none of jitreduce's.
 * Since: 0.2. */
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
