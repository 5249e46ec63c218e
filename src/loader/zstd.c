/* Opens zstd. */
#include "zstd.h"

#include <dlfcn.h>

#include "base/error.h"
#include "open_library.h"

static const jr_symbol_row rows[] = {
#define ZSTD_ROW(type, name, parameters) JR_SYMBOL_ROW(REQUIRED, jr_zstd, name),
    JR_ZSTD_FUNCTIONS(ZSTD_ROW)
#undef ZSTD_ROW
};

static const char usual_name[] = "libzstd.so.1";

jr_status jr_zstd_open(jr_zstd *zstd) {
    char reason[256] = "";
    jr_zstd opened = {0};
    opened.library = jr_library_open(usual_name, RTLD_NOW | RTLD_LOCAL, opened.path, reason, sizeof reason);
    if (opened.library == NULL)
        return jr_fail(JR_ERROR_MISSING_FUNCTION, "zstd (%s) cannot be opened: %s; install Debian's libzstd1",
                       usual_name, reason);
    const char *missing = jr_library_fill(opened.library, rows, sizeof rows / sizeof *rows, &opened);
    if (missing == NULL) {
        *zstd = opened;
        return JR_OK;
    }
    jr_fail(JR_ERROR_MISSING_FUNCTION, "zstd %s lacks the function %s", opened.path, missing);
    dlclose(opened.library);
    return JR_ERROR_MISSING_FUNCTION;
}

void jr_zstd_close(jr_zstd *zstd) {
    if (zstd->library != NULL) dlclose(zstd->library);
    *zstd = (jr_zstd){0};
}
