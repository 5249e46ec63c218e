/* Where NVRTC may lie: a table of stages, each with an origin, in the order of trying.
 *
 * In one stage the newest version comes first, except that the linker's own order stands among libraries of one major
 * version: there LD_LIBRARY_PATH is somebody's wish. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "places.h"

static const char prefix[] = "libnvrtc.so.";

/* "libnvrtc.so.13", "libnvrtc.so.13.0.88": not the builtins, not the .alt build, not a backup copy. */
static bool is_nvrtc_name(const char *name) {
    const char *version = name + sizeof prefix - 1;
    return !strncmp(name, prefix, sizeof prefix - 1) && *version && strspn(version, "0123456789.") == strlen(version);
}

/* Below, equal to or above 0 as a's version is older than, the same as or newer than b's, in the first parts numbers.
 */
static int version_compare(const char *a, const char *b, int parts) {
    long left[JR_PLACES_VERSION_PARTS], right[JR_PLACES_VERSION_PARTS];
    jr_places_version(a, left);
    jr_places_version(b, right);
    for (int i = 0; i < parts; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* Sorts the candidates from `start` on, newest first; equal ones keep their order. */
static void sort_from(jr_candidates *list, size_t start, int parts) {
    for (size_t i = start; i < list->count; i++) {
        jr_candidate item = list->items[i];
        size_t at = i;
        for (; at > start && version_compare(list->items[at - 1].path, item.path, parts) < 0; at--)
            list->items[at] = list->items[at - 1];
        list->items[at] = item;
    }
}

/* Adds the NVRTC files of the folders that `folder` (taken literally) + `below` (a pattern) match. */
static void glob_add(jr_candidates *list, const char *origin, const char *folder, const char *below) {
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s*", below, prefix);
    list->failed |= !jr_places_glob(folder, pattern, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (is_nvrtc_name(jr_places_base_name(found.gl_pathv[i]))) jr_places_add_once(list, origin, found.gl_pathv[i]);
    globfree(&found);
}

/* Folders that were listed: of a toolkit's folders of libraries two are links to the third. */
typedef struct listed_folders {
    struct {
        dev_t device;
        ino_t inode;
    } items[8];
    size_t count;
} listed_folders;

/* True for a folder that was not listed yet, which counts as listed from now on. */
static bool is_new(listed_folders *listed, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    for (size_t i = 0; i < listed->count; i++)
        if (listed->items[i].inode == status.st_ino && listed->items[i].device == status.st_dev) return false;
    if (listed->count == sizeof listed->items / sizeof *listed->items) return true;
    listed->items[listed->count].device = status.st_dev;
    listed->items[listed->count++].inode = status.st_ino;
    return true;
}

/* A toolkit somebody pointed at: when it holds no NVRTC, it is listed all the same, so that doctor can say so. */
static void toolkit_add(jr_candidates *list, const char *origin, const char *folder) {
    static const char *const below[] = {"/lib64", "/lib", "/targets/*-linux/lib"};
    listed_folders listed = {0};
    size_t start = list->count;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        glob_t found;
        list->failed |= !jr_places_glob(folder, below[i], &found);
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (is_new(&listed, found.gl_pathv[k])) glob_add(list, origin, found.gl_pathv[k], "");
        globfree(&found);
    }
    sort_from(list, start, JR_PLACES_VERSION_PARTS);
}

static void named_toolkit_add(jr_candidates *list, const char *origin, const char *folder) {
    char path[JR_PATH_BYTES];
    if (!folder || !*folder) return;
    size_t start = list->count;
    toolkit_add(list, origin, folder);
    int length = snprintf(path, sizeof path, "%s/lib64/%s*", folder, prefix);
    if (list->count == start && length > 0 && length < JR_PATH_BYTES) jr_candidates_add(list, origin, path);
}

/* ---- the stages ---- */

static void fill_loaded(const jr_places *places, jr_candidates *list) {
    jr_places_add_loaded(places, "libnvrtc.so", list);
}

static void fill_cuda_home(const jr_places *places, jr_candidates *list) {
    named_toolkit_add(list, "CUDA_HOME", places->cuda_home);
    named_toolkit_add(list, "CUDA_PATH", places->cuda_path);
}

static void fill_beside(const jr_places *places, jr_candidates *list) {
    size_t start = list->count;
    if (*places->own_folder) {
        glob_add(list, "next to jitreduce", places->own_folder, "");
        glob_add(list, "next to jitreduce", places->own_folder, "/jitreduce"); /* of make install */
    }
    sort_from(list, start, JR_PLACES_VERSION_PARTS);
}

static void linker_folder_visit(void *user, const char *folder) {
    glob_add(user, "linker", folder, "");
}

static void linker_cache_visit(void *user, const char *name, const char *path) {
    if (is_nvrtc_name(name)) jr_places_add_once(user, "linker", path);
}

static void fill_linker(const jr_places *places, jr_candidates *list) {
    size_t start = list->count;
    jr_places_each_linker_folder(places, linker_folder_visit, list);
    if (places->linker_cache) jr_linker_cache_find(places->linker_cache, prefix, linker_cache_visit, list);
    sort_from(list, start, 1);
}

/* /usr/local/cuda-13.1 before cuda-13.0 before cuda-12.4 before plain cuda, which is a link to one of them. */
static void fill_toolkits(const jr_places *places, jr_candidates *list) {
    if (!places->root) return;
    jr_candidates folders = {0};
    glob_t found;
    list->failed |= !jr_places_glob(places->root, "/usr/local/cuda*", &found);
    for (size_t i = 0; i < found.gl_pathc; i++) jr_candidates_add(&folders, "", found.gl_pathv[i]);
    sort_from(&folders, 0, JR_PLACES_VERSION_PARTS);
    for (size_t i = 0; i < folders.count; i++) toolkit_add(list, "toolkit folder", folders.items[i].path);
    list->failed |= folders.failed;
    globfree(&found);
    jr_candidates_free(&folders);
    static const char *const others[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/opt/cuda/lib64",
                                         "/opt/cuda/lib", "/opt/cuda/targets/*-linux/lib"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        glob_add(list, "toolkit folder", places->root, others[i]);
}

/* A folder with Python packages: wheels of 13.x put NVRTC in nvidia/cu13, those of 12.x in nvidia/cuda_nvrtc. */
static void packages_add(jr_candidates *list, const char *folder, const char *below) {
    static const char *const wheels[] = {"/nvidia/cu[0-9]*/lib", "/nvidia/cuda_nvrtc/lib"};
    size_t start = list->count;
    for (size_t i = 0; folder && i < sizeof wheels / sizeof *wheels; i++) {
        char pattern[128];
        snprintf(pattern, sizeof pattern, "%s%s", below, wheels[i]);
        glob_add(list, "wheel", folder, pattern);
    }
    sort_from(list, start, JR_PLACES_VERSION_PARTS);
}

/* The environment in which jitreduce itself lies need not be activated: PREFIX/lib, or its site-packages/jitreduce. */
static void own_environment_add(jr_candidates *list, const char *own_folder) {
    if (!*own_folder) return;
    packages_add(list, own_folder, "/..");
    packages_add(list, own_folder, "/../lib/python3*/site-packages");
}

/* An environment of conda holds NVRTC as a package of its own or as a wheel. */
static void conda_add(jr_candidates *list, const char *folder) {
    if (!folder || !*folder) return;
    toolkit_add(list, "CONDA_PREFIX", folder);
    packages_add(list, folder, "/lib/python3*/site-packages");
}

static void fill_wheels(const jr_places *places, jr_candidates *list) {
    if (places->virtual_env && *places->virtual_env)
        packages_add(list, places->virtual_env, "/lib/python3*/site-packages");
    conda_add(list, places->conda_prefix);
    own_environment_add(list, places->own_folder);
    if (places->home && *places->home) {
        packages_add(list, places->home, "/.local/share/jitreduce/nvrtc/lib/python3*/site-packages");
        packages_add(list, places->home, "/.local/lib/python3*/site-packages");
    }
    packages_add(list, places->root, "/usr/local/lib/python3*/dist-packages");
    packages_add(list, places->root, "/usr/local/lib/python3*/site-packages");
    packages_add(list, places->root, "/usr/lib/python3/dist-packages");
}

/* A wish that is a bare name is the linker's to find, as dlopen would. */
static void wish_resolve(const jr_places *places, jr_candidates *list) {
    jr_candidates found = {0};
    if (list->failed || strchr(list->items[list->count - 1].path, '/')) return;
    jr_candidate *wish = &list->items[list->count - 1];
    fill_linker(places, &found);
    for (size_t i = 0; i < found.count; i++) {
        jr_candidate *item = &found.items[i];
        if (strcmp(jr_places_base_name(item->path), wish->path) != 0) continue;
        char *name = wish->path;
        wish->path = item->path;
        item->path = name;
        break;
    }
    jr_candidates_free(&found);
}

bool jr_places_nvrtc_wish(const jr_places *places, const char *explicit_path, jr_candidates *list) {
    const bool wished = jr_places_wish(list, explicit_path, places->nvrtc, JR_SETTING_NVRTC);
    if (wished) wish_resolve(places, list);
    return wished;
}

bool jr_places_nvrtc(const jr_places *places, size_t stage, jr_candidates *list) {
    static void (*const fills[])(const jr_places *places, jr_candidates *list) = {
        fill_loaded, fill_cuda_home, fill_beside, fill_linker, fill_toolkits, fill_wheels};
    if (stage >= sizeof fills / sizeof *fills) return false;
    fills[stage](places, list);
    return true;
}
