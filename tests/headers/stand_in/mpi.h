/* Stands in for an MPI's own header where there need be none: what jitreduce/mpi.h uses of it, and
 * tests/mpi. */
#ifndef TESTS_STAND_IN_MPI_H
#define TESTS_STAND_IN_MPI_H

typedef struct stand_in_communicator *MPI_Comm;
typedef int MPI_Datatype;

#define MPI_COMM_WORLD ((MPI_Comm)0)
enum { MPI_SUCCESS = 0, MPI_ERR_COUNT = 2, MPI_BYTE = 1, MPI_THREAD_SERIALIZED = 2 };

#ifdef __cplusplus
extern "C" {
#endif
int MPI_Allgather(const void *mine, int count, MPI_Datatype type, void *all, int each, MPI_Datatype other,
                  MPI_Comm communicator);
int MPI_Comm_rank(MPI_Comm communicator, int *rank);
int MPI_Comm_size(MPI_Comm communicator, int *size);
int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *communicator);
int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided);
int MPI_Finalize(void);
#ifdef __cplusplus
}
#endif
#endif
