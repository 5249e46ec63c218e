/* Finds the CUDA toolkit's headers. */
#include "toolkit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Adds a folder that is there. */
static void add(jr_toolkit *toolkit, const char *folder, const char *below) {
    char path[JR_PATH_BYTES];
    if (toolkit->count == JR_TOOLKIT_FOLDERS_MAX || !jr_path_join(path, folder, below) || !is_folder(path)) return;
    memcpy(toolkit->paths[toolkit->count++], path, sizeof path);
}

bool jr_toolkit_take(const char *folder, jr_toolkit *toolkit) {
    char path[JR_PATH_BYTES], resolved[PATH_MAX];
    toolkit->count = 0;
    if (realpath(folder, resolved) == NULL || strlen(resolved) >= JR_PATH_BYTES) return false;
    if (!jr_path_join(path, resolved, "cuda_fp16.h") || !jr_file_exists(path)) return false;
    memcpy(toolkit->paths[toolkit->count++], resolved, strlen(resolved) + 1);
    add(toolkit, resolved, "cccl");                    /* toolkits from 13.0 on */
    add(toolkit, resolved, "../../cuda_cccl/include"); /* wheels of 12.x */
    return true;
}

static bool take_below(const char *folder, const char *below, jr_toolkit *toolkit) {
    char path[JR_PATH_BYTES];
    return folder != NULL && *folder != '\0' && jr_path_join(path, folder, below) && jr_toolkit_take(path, toolkit);
}

bool jr_toolkit_named(const jr_places *places, const char *nvrtc_path, jr_toolkit *toolkit) {
    /* .../lib/libnvrtc.so: of a toolkit and of wheels of 13.x; of wheels of 12.x; of Debian's multi-arch folders */
    static const char *const beside[] = {"../include", "../../cuda_runtime/include", "../../include"};
    char folder[JR_PATH_BYTES];
    const char *slash = strrchr(nvrtc_path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - nvrtc_path) : 0, nvrtc_path);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (take_below(folder, beside[i], toolkit)) return true;
    return take_below(places->cuda_home, "include", toolkit) || take_below(places->cuda_path, "include", toolkit);
}

bool jr_toolkit_known(const jr_places *places, jr_toolkit *toolkit) {
    static const char *const known[] = {"usr/local/cuda/include", "opt/cuda/include", "usr/include"};
    for (size_t i = 0; places->root != NULL && i < sizeof known / sizeof *known; i++)
        if (take_below(*places->root != '\0' ? places->root : "/", known[i], toolkit)) return true;
    return false;
}
