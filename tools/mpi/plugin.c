/* The plug-in of `jitreduce --mpi`, for the MPI whose mpicc compiles it. */
#include <stdlib.h>

#include <jitreduce/mpi.h>

#include "io/mpi_plugin.h"

__attribute__((visibility("default"))) cli_mpi_get_fn cli_mpi_get;

/* The ranks of one host share its devices. */
static int find_local(MPI_Comm all, int *local) {
    MPI_Comm host;
    int error = MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    if (error == MPI_SUCCESS) error = MPI_Comm_rank(host, local);
    if (error == MPI_SUCCESS) error = MPI_Comm_free(&host);
    return error;
}

static int begin(jr_group_options *way, int *local) {
    int provided;
    MPI_Comm *all = malloc(sizeof(MPI_Comm));
    if (all == NULL) return MPI_ERR_NO_MEM;
    int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (error == MPI_SUCCESS) error = MPI_Comm_dup(MPI_COMM_WORLD, all);
    if (error == MPI_SUCCESS) error = MPI_Comm_set_errhandler(*all, MPI_ERRORS_RETURN);
    if (error == MPI_SUCCESS) error = find_local(*all, local);
    if (error == MPI_SUCCESS) error = jr_mpi_options(all, way);
    if (error != MPI_SUCCESS) free(all);
    return error;
}

/* Behind the barrier none has anything left to say. */
static void end(jr_group_options *way) {
    MPI_Barrier(*(MPI_Comm *)way->user);
    MPI_Comm_free(way->user);
    free(way->user);
    way->user = NULL;
    MPI_Finalize();
}

static void abort_all(const jr_group_options *way, int code) {
    MPI_Abort(*(MPI_Comm *)way->user, code);
}

const cli_mpi *cli_mpi_get(void) {
    static const cli_mpi calls = {.version = CLI_MPI_VERSION, .begin = begin, .end = end, .abort = abort_all};
    return &calls;
}
