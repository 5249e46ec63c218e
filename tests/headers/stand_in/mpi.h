/* Stands in for an MPI's own header where no MPI is installed: the parts that jitreduce/mpi.h, tools/mpi and tests/mpi
 * use. */
#ifndef TESTS_STAND_IN_MPI_H
#define TESTS_STAND_IN_MPI_H

typedef struct stand_in_communicator *MPI_Comm;
typedef int MPI_Datatype;

#define MPI_COMM_WORLD ((MPI_Comm)0)
enum { MPI_SUCCESS = 0, MPI_ERR_COUNT = 2, MPI_ERR_NO_MEM = 34, MPI_BYTE = 1 };
enum { MPI_THREAD_FUNNELED = 1, MPI_THREAD_SERIALIZED = 2, MPI_COMM_TYPE_SHARED = 1, MPI_ERRORS_RETURN = 1 };
enum { MPI_INFO_NULL = 0 };

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
int MPI_Barrier(MPI_Comm communicator);
int MPI_Comm_split_type(MPI_Comm communicator, int type, int key, int info, MPI_Comm *made);
int MPI_Comm_set_errhandler(MPI_Comm communicator, int handler);
int MPI_Abort(MPI_Comm communicator, int code);
#ifdef __cplusplus
}
#endif
#endif
