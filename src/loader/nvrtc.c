/* Finds NVRTC without loading it, and opens it. */
#include "nvrtc.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elf_file.h"
#include "map_place.h"
#include "open_library.h"

static const jr_symbol_row rows[] = {
#define NVRTC_ROW(need, type, name, parameters) JR_SYMBOL_ROW(need, jr_nvrtc, name),
    JR_NVRTC_FUNCTIONS(NVRTC_ROW)
#undef NVRTC_ROW
};

/* ---- locating ---- */

static const char prefix[] = "libnvrtc.";

/* Checks a candidate; NULL and its real path in `out`, or the reason why it is rejected. */
static const char *refusal_of(const char *path, char out[JR_PATH_BYTES]) {
    char resolved[PATH_MAX];
    if (!realpath(path, resolved)) return strerror(errno);
    const char *refusal = jr_elf_file_refusal(resolved);
    if (refusal) return refusal;
    bool named = !strncmp(jr_places_base_name(path), prefix, sizeof prefix - 1) ||
                 !strncmp(jr_places_base_name(resolved), prefix, sizeof prefix - 1);
    if (!named) return "its name does not begin with 'libnvrtc.'";
    if (strlen(resolved) >= JR_PATH_BYTES) return "its path is too long";
    memcpy(out, resolved, strlen(resolved) + 1);
    return NULL;
}

/* Looks at the candidates from `from` on; the chosen one's path is written to out once. */
static bool inspect(jr_candidates *list, size_t from, bool found, char out[JR_PATH_BYTES]) {
    for (size_t i = from; i < list->count; i++) {
        char path[JR_PATH_BYTES];
        const char *refusal = refusal_of(list->items[i].path, path);
        if (refusal)
            jr_candidates_explain(list, i, false, "%s", refusal);
        else if (found)
            jr_candidates_explain(list, i, false, "not needed: an earlier place has one");
        else {
            jr_candidates_explain(list, i, true, "%s", path);
            memcpy(out, path, strlen(path) + 1);
            found = true;
        }
    }
    return found;
}

static jr_status fail_locate(const jr_candidates *list, size_t start, bool wished) {
    static const char advice[] =
        "`python3 -m venv ~/.local/share/jitreduce/nvrtc && ~/.local/share/jitreduce/nvrtc/bin/pip install "
        "nvidia-cuda-nvrtc` puts it where it is found (Debian: after `apt install python3-venv`); so does a CUDA "
        "toolkit "
        "(Arch: `pacman -S cuda`); or name its path in JITREDUCE_NVRTC";
    if (list->failed) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to search for NVRTC");
    jr_candidates ours = {list->items + start, list->count - start, 0, false};
    char *log = jr_candidates_text(&ours);
    const jr_candidate *first = ours.count ? ours.items : NULL;
    if (wished && first)
        jr_fail_with(JR_ERROR_NVRTC_NOT_FOUND, NULL, log,
                     "NVRTC %s (%s) cannot be used: %s; correct the path, or leave it out to search", first->path,
                     first->origin, first->detail ? first->detail : "no reason is known");
    else
        jr_fail_with(JR_ERROR_NVRTC_NOT_FOUND, NULL, log, "no NVRTC was found in %zu places: %s", ours.count, advice);
    free(log);
    return JR_ERROR_NVRTC_NOT_FOUND;
}

jr_status jr_nvrtc_locate(const jr_places *places, const char *path, jr_candidates *findings, char out[JR_PATH_BYTES]) {
    jr_candidates own = {0};
    jr_candidates *list = findings ? findings : &own;
    const size_t start = list->count;
    jr_places of_process;
    if (!places) jr_places_of_process(&of_process);
    if (!places) places = &of_process;
    const bool wished = jr_places_nvrtc_wish(places, path, list);
    bool found = inspect(list, start, false, out);
    /* Without a list to fill the search ends at the first good one: each stage costs file system calls. */
    for (size_t stage = 0; !wished && (!found || findings); stage++) {
        const size_t looked = list->count;
        if (!jr_places_nvrtc(places, stage, list)) break;
        found = inspect(list, looked, found, out);
    }
    const jr_status status = found ? JR_OK : fail_locate(list, start, wished);
    jr_candidates_free(&own);
    return status;
}

/* ---- builtins ---- */

bool jr_nvrtc_builtins_find(const char *nvrtc_path, int major, int minor, char out[JR_PATH_BYTES]) {
    char folder[PATH_MAX], pattern[64];
    glob_t found;
    bool good = false;
    if (!realpath(nvrtc_path, folder)) return false;
    *strrchr(folder, '/') = '\0';
    snprintf(pattern, sizeof pattern, "/libnvrtc-builtins.so.%d.%d*", major, minor);
    jr_places_glob(folder, pattern, &found);
    for (size_t i = 0; i < found.gl_pathc && !good; i++) {
        long version[JR_PLACES_VERSION_PARTS];
        const char *path = found.gl_pathv[i];
        jr_places_version(path, version);
        good = version[1] == minor && strlen(path) < JR_PATH_BYTES && !jr_elf_file_refusal(path);
        if (good) memcpy(out, path, strlen(path) + 1);
    }
    globfree(&found);
    return good;
}

/* ---- opening ---- */

/* NVRTC opens its builtins by bare name at the first compile, which finds a library of that name that is already
 * loaded, wherever it came from. */
static void builtins_preload(jr_nvrtc *nvrtc) {
    char path[JR_PATH_BYTES], opened[JR_PATH_BYTES], reason[sizeof nvrtc->builtins_missing] = "";
    if (!jr_nvrtc_builtins_find(nvrtc->about.path, nvrtc->about.major, nvrtc->about.minor, path)) return;
    nvrtc->builtins = jr_library_open(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE, opened, reason, sizeof reason);
    if (nvrtc->builtins == NULL && strstr(reason, "cannot open shared object file") != NULL)
        memcpy(nvrtc->builtins_missing, reason, sizeof reason);
}

/* Two builds of one version compile differently, so the key needs more than "13.0". */
static void build_read(jr_nvrtc *nvrtc) {
    long version[JR_PLACES_VERSION_PARTS];
    const char *text = strstr(jr_places_base_name(nvrtc->about.path), ".so.");
    jr_file_identity identity = {0};
    jr_places_version(nvrtc->about.path, version);
    if (text && version[2] >= 0 && strlen(text + 4) < sizeof nvrtc->about.build)
        memcpy(nvrtc->about.build, text + 4, strlen(text + 4) + 1);
    else if (!jr_elf_build_id(nvrtc->about.path, nvrtc->about.build, sizeof nvrtc->about.build) &&
             jr_file_identify(nvrtc->about.path, &identity))
        snprintf(nvrtc->about.build, sizeof nvrtc->about.build, "%llu bytes of %lld",
                 (unsigned long long)identity.bytes, (long long)identity.modified_ns);
}

static int compare_numbers(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static jr_status fail_asking(const jr_nvrtc *nvrtc, jr_nvrtc_result result, const char *what) {
    const char *name = nvrtc->nvrtcGetErrorString(result);
    return jr_fail_with(JR_ERROR_NVRTC_NOT_FOUND, name, NULL, "NVRTC %s does not report its %s: %s", nvrtc->about.path,
                        what, name);
}

static jr_status architectures_read(jr_nvrtc *nvrtc) {
    int count = 0;
    jr_nvrtc_result result = nvrtc->nvrtcGetNumSupportedArchs(&count);
    if (!result && (count < 1 || count > 4096))
        return jr_fail(JR_ERROR_NVRTC_NOT_FOUND, "NVRTC %s names %d architectures", nvrtc->about.path, count);
    int *all = result ? NULL : calloc((size_t)count, sizeof *all);
    if (!result && !all) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for NVRTC's %d architectures", count);
    if (!result) result = nvrtc->nvrtcGetSupportedArchs(all);
    if (!result) {
        qsort(all, (size_t)count, sizeof *all, compare_numbers);
        int kept = count < JR_NVRTC_ARCHITECTURES_MAX ? count : JR_NVRTC_ARCHITECTURES_MAX;
        memcpy(nvrtc->about.architectures, all + (count - kept), (size_t)kept * sizeof *all); /* the newest */
        nvrtc->about.architecture_count = kept;
    }
    free(all);
    return result ? fail_asking(nvrtc, result, "architectures") : JR_OK;
}

static jr_status describe(jr_nvrtc *nvrtc) {
    const char *missing = jr_library_fill(nvrtc->library, rows, sizeof rows / sizeof *rows, nvrtc);
    if (missing)
        return jr_fail(JR_ERROR_MISSING_FUNCTION, "NVRTC %s lacks the function %s: jitreduce needs NVRTC 11.2 or newer",
                       nvrtc->about.path, missing);
    jr_nvrtc_result result = nvrtc->nvrtcVersion(&nvrtc->about.major, &nvrtc->about.minor);
    if (result) return fail_asking(nvrtc, result, "version");
    jr_status status = architectures_read(nvrtc);
    if (status) return status;
    build_read(nvrtc);
    builtins_preload(nvrtc);
    return JR_OK;
}

/* What one opening of the library needs, as its place is chosen around it. */
typedef struct opening {
    const char *path;
    jr_nvrtc *nvrtc;
    char reason[512];
} opening;

/* The library stays mapped when closed, since a compile registers thread-exit handlers. */
static void load(void *opaque) {
    opening *self = opaque;
    self->nvrtc->library = jr_library_open(self->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, self->nvrtc->about.path,
                                           self->reason, sizeof self->reason);
}

static uintptr_t base_of(void *library) {
    struct link_map *map = NULL;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != NULL ? (uintptr_t)map->l_addr : 0;
}

jr_status jr_nvrtc_open_at(const char *path, uintptr_t place, jr_nvrtc *nvrtc) {
    jr_nvrtc opened = {0};
    opening self = {.path = path, .nvrtc = &opened};
    if (!jr_library_has_room(path))
        return jr_fail(JR_ERROR_OUT_OF_MEMORY,
                       "there is too little memory to load NVRTC %s: raise the limit of memory (ulimit -v)", path);
    if (place == 0 || !jr_map_place_run(place, JR_NVRTC_ROOM_BYTES, load, &self)) load(&self);
    if (!opened.library) return jr_fail(JR_ERROR_NVRTC_NOT_FOUND, "NVRTC %s cannot be loaded: %s", path, self.reason);
    opened.base = base_of(opened.library);
    opened.about.place = place;
    jr_status status = describe(&opened);
    if (status)
        jr_nvrtc_close(&opened);
    else
        *nvrtc = opened;
    return status;
}

jr_status jr_nvrtc_open(const char *path, jr_nvrtc *nvrtc) {
    return jr_nvrtc_open_at(path, 0, nvrtc);
}

void jr_nvrtc_close(jr_nvrtc *nvrtc) {
    if (nvrtc->builtins) dlclose(nvrtc->builtins);
    if (nvrtc->library) dlclose(nvrtc->library);
    *nvrtc = (jr_nvrtc){0};
}
