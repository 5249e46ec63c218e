/* NCCL's function table: libnccl.so.2, opened when a group asks for it and never linked. */
#ifndef JR_LOADER_NCCL_H
#define JR_LOADER_NCCL_H

#include "base/files.h"
#include "jitreduce/status.h"
#include "nccl_abi.h"

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

/* Opens what is named, else the one of this process or of the linker. Errors: JR_ERROR_NOT_APPLICABLE: there is none,
 * it is too old (both versions are named), or lacks a function. */
jr_status jr_nccl_open(const char *path, jr_nccl *nccl);

#endif
