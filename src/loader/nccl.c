/* Opens NCCL. */
#include "nccl.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/settings.h"
#include "open_library.h"

static const jr_symbol_row rows[] = {
#define NCCL_ROW(need, type, name, parameters) JR_SYMBOL_ROW(need, jr_nccl, name),
    JR_NCCL_FUNCTIONS(NCCL_ROW)
#undef NCCL_ROW
};

/* In the interface's version 2; it numbers versions before 2.9 otherwise, all of them below those that we take. */
static const char usual_name[] = "libnccl.so.2";

const char *jr_nccl_named(const char *path) {
    if (path == NULL || path[0] == '\0') path = jr_setting_get(JR_SETTING_NCCL);
    return path != NULL && path[0] != '\0' ? path : NULL;
}

static jr_status check_version(jr_nccl *nccl) {
    const int least = JR_NCCL_VERSION_MIN;
    const jr_nccl_result result = nccl->ncclGetVersion(&nccl->version);
    if (result != JR_NCCL_SUCCESS)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "NCCL %s does not report its version: %s", nccl->path,
                       nccl->ncclGetErrorString(result));
    if (nccl->version >= least) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE, "NCCL %s is of version %d: %d.%d (%d) or later is needed", nccl->path,
                   nccl->version, least / 10000, least / 100 % 100, least);
}

/* It stays mapped until the process ends: its threads may outlive our last use of it. */
jr_status jr_nccl_open(const char *path, jr_nccl *nccl) {
    char reason[256] = "";
    jr_nccl opened = {0};
    const char *named = jr_nccl_named(path), *wanted = named != NULL ? named : usual_name;
    opened.library = jr_library_open(wanted, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, opened.path, reason, sizeof reason);
    if (opened.library == NULL)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "NCCL %s cannot be opened: %s; install it, or name its path in %s",
                       wanted, reason, jr_setting_variable(JR_SETTING_NCCL));
    const char *missing = jr_library_fill(opened.library, rows, sizeof rows / sizeof *rows, &opened);
    const bool tells = opened.ncclGetVersion != NULL && opened.ncclGetErrorString != NULL; /* the first ones */
    jr_status status = tells ? check_version(&opened) : JR_OK;
    if (status == JR_OK && missing != NULL)
        status = jr_fail(JR_ERROR_NOT_APPLICABLE, "NCCL %s lacks the function %s", opened.path, missing);
    if (status == JR_OK)
        *nccl = opened;
    else
        dlclose(opened.library);
    return status;
}
