/* NCCL: its binary interface as far as we use it, written from the NCCL user guide (2.28), and its function table:
 * libnccl.so.2, opened when a group asks for it and never linked. */
#ifndef JR_LOADER_NCCL_H
#define JR_LOADER_NCCL_H

#include <limits.h>
#include <stddef.h>

#include "base/files.h"
#include "jitreduce/status.h"

/* ncclResult_t, ncclComm_t, ncclUniqueId. */
typedef int jr_nccl_result;
typedef struct ncclComm *jr_nccl_communicator;
enum { JR_NCCL_ID_BYTES = 128 };
typedef struct jr_nccl_id {
    char bytes[JR_NCCL_ID_BYTES];
} jr_nccl_id;

enum { JR_NCCL_SUCCESS = 0, JR_NCCL_IN_PROGRESS = 7 }; /* in progress: the call has returned, and its work continues */
enum { JR_NCCL_INT8 = 0 };                             /* ncclDataType_t */

/* The first version whose calls need not wait, and how ncclConfig_t began there: newer ones read as much as `size` and
 * `version` say. */
enum { JR_NCCL_VERSION_MIN = 21400 };
typedef struct jr_nccl_config {
    size_t size;
    unsigned magic, version;
    int blocking; /* 0: calls return at once, and ncclCommGetAsyncError reports progress */
    int unused;   /* where newer versions have a number: JR_NCCL_UNDEFINED */
} jr_nccl_config;
#define JR_NCCL_MAGIC     0xcafebeefu
#define JR_NCCL_UNDEFINED INT_MIN

#define JR_NCCL_FUNCTIONS(XX)                                                                                          \
    XX(REQUIRED, jr_nccl_result, ncclGetVersion, (int *version))                                                       \
    XX(REQUIRED, const char *, ncclGetErrorString, (jr_nccl_result result))                                            \
    XX(OPTIONAL, const char *, ncclGetLastError, (jr_nccl_communicator communicator))                                  \
    XX(REQUIRED, jr_nccl_result, ncclGetUniqueId, (jr_nccl_id * id))                                                   \
    XX(REQUIRED, jr_nccl_result, ncclCommInitRankConfig,                                                               \
       (jr_nccl_communicator * communicator, int ranks, jr_nccl_id id, int rank, jr_nccl_config *config))              \
    XX(REQUIRED, jr_nccl_result, ncclCommGetAsyncError, (jr_nccl_communicator communicator, jr_nccl_result * result))  \
    XX(REQUIRED, jr_nccl_result, ncclCommFinalize, (jr_nccl_communicator communicator))                                \
    XX(REQUIRED, jr_nccl_result, ncclCommDestroy, (jr_nccl_communicator communicator))                                 \
    XX(REQUIRED, jr_nccl_result, ncclCommAbort, (jr_nccl_communicator communicator))                                   \
    XX(REQUIRED, jr_nccl_result, ncclGroupStart, (void))                                                               \
    XX(REQUIRED, jr_nccl_result, ncclGroupEnd, (void))                                                                 \
    XX(REQUIRED, jr_nccl_result, ncclAllGather,                                                                        \
       (const void *from, void *to, size_t count, int type, jr_nccl_communicator communicator, void *stream))

typedef struct jr_nccl {
    void *library;
    char path[JR_PATH_BYTES];
    int version; /* 22809: 2.28.9 */
#define JR_NCCL_FIELD(need, type, name, parameters) type(*name) parameters;
    JR_NCCL_FUNCTIONS(JR_NCCL_FIELD)
#undef JR_NCCL_FIELD
} jr_nccl;

/* What somebody has named: path, else the setting; NULL: nothing. */
const char *jr_nccl_named(const char *path);

/* Opens the library at `path`, or else the one loaded by this process or found by the linker. Errors:
 * JR_ERROR_NOT_APPLICABLE: no library is found, it is too old (the message has both versions), or it lacks a
 * function. */
jr_status jr_nccl_open(const char *path, jr_nccl *nccl);

#endif
