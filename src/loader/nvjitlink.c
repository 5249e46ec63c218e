/* Finds nvJitLink and opens it. */
#include "nvjitlink.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/settings.h"
#include "open_library.h"
#include "places.h"

static const jr_symbol_row rows[] = {
#define NVJITLINK_ROW(name, parameters) JR_SYMBOL_ROW(REQUIRED, jr_nvjitlink, name),
    JR_NVJITLINK_FUNCTIONS(NVJITLINK_ROW)
#undef NVJITLINK_ROW
};

/* Takes the file of the highest version in a folder. */
static bool take(const char *folder, const char *below, char out[JR_PATH_BYTES]) {
    char pattern[64], resolved[PATH_MAX] = "";
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/libnvJitLink.so*", below);
    jr_places_glob(folder, pattern, &found);
    const bool good = found.gl_pathc > 0 && realpath(found.gl_pathv[found.gl_pathc - 1], resolved) != NULL &&
                      strlen(resolved) < JR_PATH_BYTES;
    if (good) memcpy(out, resolved, strlen(resolved) + 1);
    globfree(&found);
    return good;
}

bool jr_nvjitlink_locate(const char *nvrtc_path, char out[JR_PATH_BYTES]) {
    static const char *const known[] = {"/usr/local/cuda", "/opt/cuda"};
    static const char *const next[] = {"", "/../../nvjitlink/lib"}, *const below[] = {"/lib64", "/lib"};
    const char *named = jr_setting_get(JR_SETTING_NVJITLINK);
    char folder[PATH_MAX];
    if (named != NULL) {
        const bool fits = named[0] != '\0' && strlen(named) < JR_PATH_BYTES;
        if (fits) memcpy(out, named, strlen(named) + 1);
        return fits;
    }
    if (nvrtc_path != NULL && realpath(nvrtc_path, folder) != NULL) {
        *strrchr(folder, '/') = '\0';
        for (size_t i = 0; i < sizeof next / sizeof next[0]; i++)
            if (take(folder, next[i], out)) return true;
    }
    const char *const homes[] = {jr_setting_get(JR_SETTING_CUDA_HOME), jr_setting_get(JR_SETTING_CUDA_PATH), known[0],
                                 known[1]};
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++)
        for (size_t k = 0; homes[i] != NULL && homes[i][0] != '\0' && k < sizeof below / sizeof below[0]; k++)
            if (take(homes[i], below[k], out)) return true;
    return false;
}

jr_status jr_nvjitlink_open(const char *path, jr_nvjitlink *linker) {
    jr_nvjitlink opened = {0};
    char reason[256];
    opened.library = jr_library_open(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, opened.path, reason, sizeof reason);
    if (opened.library == NULL)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "nvJitLink %s cannot be opened: %s; name another one in %s", path,
                       reason, jr_setting_variable(JR_SETTING_NVJITLINK));
    const char *missing = jr_library_fill(opened.library, rows, sizeof rows / sizeof rows[0], &opened);
    if (missing != NULL) {
        dlclose(opened.library);
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "nvJitLink %s lacks the function %s: version 12.4 or later is needed",
                       path, missing);
    }
    *linker = opened;
    return JR_OK;
}

void jr_nvjitlink_close(jr_nvjitlink *linker) {
    if (linker->library != NULL) dlclose(linker->library);
    *linker = (jr_nvjitlink){0};
}
