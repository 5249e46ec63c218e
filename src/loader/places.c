/* What the searches share: our own folder, loaded libraries, the linker's folders; and the driver's and the simulator's
 * places, which have fixed names. NVRTC's, whose name has a version, stand in places_nvrtc.c. */
#include "places.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The executable's path. Its file may be gone, replaced by a newer one: then its name stands there all the same. */
static bool executable_path(char out[JR_PATH_BYTES]) {
    const ssize_t length = readlink("/proc/self/exe", out, JR_PATH_BYTES - 1);
    if (length > 0) out[length] = '\0';
    return length > 0;
}

void jr_places_own_folder(char out[JR_PATH_BYTES]) {
    Dl_info info;
    struct link_map *map = NULL;
    char path[JR_PATH_BYTES];
    *out = '\0';
    void *here = (void *)(uintptr_t)jr_places_own_folder; /* POSIX lets a function's address be an object's */
    if (!dladdr1(here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return;
    if (*map->l_name ? !realpath(map->l_name, path) : !executable_path(path)) return;
    char *slash = strrchr(path, '/');
    if (!slash) return;
    *(slash == path ? slash + 1 : slash) = '\0';
    memcpy(out, path, strlen(path) + 1);
}

void jr_places_of_process(jr_places *places) {
    *places = (jr_places){
        .driver = jr_setting_get(JR_SETTING_DRIVER),
        .nvrtc = jr_setting_get(JR_SETTING_NVRTC),
        .simulator = jr_setting_get(JR_SETTING_SIMULATOR),
        .cuda_home = jr_setting_get(JR_SETTING_CUDA_HOME),
        .cuda_path = jr_setting_get(JR_SETTING_CUDA_PATH),
        .virtual_env = jr_setting_get(JR_SETTING_VIRTUAL_ENV),
        .conda_prefix = jr_setting_get(JR_SETTING_CONDA_PREFIX),
        .home = jr_setting_get(JR_SETTING_HOME),
        .linker_path = jr_setting_get(JR_SETTING_LD_LIBRARY_PATH),
        .linker_cache = "/etc/ld.so.cache",
        .root = "",
        .loaded = true,
        .bare_names = true,
    };
    jr_places_own_folder(places->own_folder);
}

bool jr_places_wish(jr_candidates *list, const char *explicit_path, const char *value, jr_setting setting) {
    char origin[64] = "option";
    const bool option = explicit_path && *explicit_path;
    if (!option && (!value || !*value)) return false;
    if (!option) snprintf(origin, sizeof origin, "setting %s", jr_setting_variable(setting));
    jr_candidates_add(list, origin, option ? explicit_path : value);
    return true;
}

void jr_places_add_once(jr_candidates *list, const char *origin, const char *path) {
    char resolved[PATH_MAX];
    if (realpath(path, resolved)) path = resolved;
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].path, path)) return;
    jr_candidates_add(list, origin, path);
}

const char *jr_places_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void jr_places_version(const char *path, long version[JR_PLACES_VERSION_PARTS]) {
    const char *text = jr_places_base_name(path);
    text += strcspn(text, "0123456789");
    for (int i = 0; i < JR_PLACES_VERSION_PARTS; i++) {
        char *end = NULL;
        version[i] = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
        if (end) text = *end == '.' ? end + 1 : end;
    }
}

bool jr_places_glob(const char *folder, const char *pattern, glob_t *found) {
    jr_text whole = {0};
    for (; *folder; folder++) jr_text_append(&whole, strchr("*?[\\", *folder) ? "\\%c" : "%c", *folder);
    jr_text_append(&whole, "%s", pattern);
    *found = (glob_t){0};
    const bool good = !jr_text_failed(&whole) && glob(jr_text_string(&whole), 0, NULL, found) != GLOB_NOSPACE;
    jr_text_free(&whole);
    return good;
}

typedef struct named_search {
    const char *name; /* "libcuda.so.1"; of loaded libraries "libcuda.so": that, or that and a version */
    jr_candidates *list;
} named_search;

static int loaded_visit(struct dl_phdr_info *object, size_t bytes, void *user) {
    (void)bytes;
    const named_search *search = user;
    const char *slash = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
    size_t length = strlen(search->name);
    if (slash && !strncmp(slash + 1, search->name, length) && (slash[1 + length] == '\0' || slash[1 + length] == '.'))
        jr_places_add_once(search->list, "already loaded", object->dlpi_name);
    return 0;
}

void jr_places_add_loaded(const jr_places *places, const char *name, jr_candidates *list) {
    named_search search = {name, list};
    if (places->loaded) dl_iterate_phdr(loaded_visit, &search);
}

void jr_places_each_linker_folder(const jr_places *places, void (*visit)(void *user, const char *folder), void *user) {
    const char *rest = places->linker_path ? places->linker_path : "";
    while (*rest) {
        char folder[JR_PATH_BYTES];
        size_t length = strcspn(rest, ":;");
        if (length && length < sizeof folder) { /* the linker takes an empty one for the working directory: we do not */
            memcpy(folder, rest, length);
            folder[length] = '\0';
            visit(user, folder);
        }
        rest += length + (rest[length] != '\0');
    }
}

static void linker_folder_visit(void *user, const char *folder) {
    const named_search *search = user;
    char path[JR_PATH_BYTES];
    if (jr_path_join(path, folder, search->name) && jr_file_exists(path))
        jr_places_add_once(search->list, "linker", path);
}

static void linker_cache_visit(void *user, const char *name, const char *path) {
    const named_search *search = user;
    if (!strcmp(name, search->name)) jr_places_add_once(search->list, "linker", path);
}

/* The linker's own search, written out, so that the reasons can name files; then dlopen's, whatever it may find. */
static void linker_add(const jr_places *places, const char *name, jr_candidates *list) {
    named_search search = {name, list};
    jr_places_each_linker_folder(places, linker_folder_visit, &search);
    if (places->linker_cache) jr_linker_cache_find(places->linker_cache, name, linker_cache_visit, &search);
    if (places->bare_names) jr_candidates_add(list, "linker", name);
}

bool jr_places_driver(const jr_places *places, const char *explicit_path, jr_candidates *list) {
    static const char *const folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib",
                                          "/usr/local/nvidia/lib64", "/run/opengl-driver/lib"};
    if (jr_places_wish(list, explicit_path, places->driver, JR_SETTING_DRIVER)) return true;
    jr_places_add_loaded(places, "libcuda.so", list);
    linker_add(places, "libcuda.so.1", list);
    for (size_t i = 0; places->root && i < sizeof folders / sizeof *folders; i++) {
        char path[JR_PATH_BYTES];
        snprintf(path, sizeof path, "%s%s/libcuda.so.1", places->root, folders[i]);
        jr_places_add_once(list, "system folder", path);
    }
    return false;
}

bool jr_places_simulator(const jr_places *places, const char *explicit_path, jr_candidates *list) {
    static const char *const names[] = {"libjrsim.so", "libjrsim.so.0", "../lib/libjrsim.so", "../lib/libjrsim.so.0"};
    if (jr_places_wish(list, explicit_path, places->simulator, JR_SETTING_SIMULATOR)) return true;
    for (size_t i = 0; *places->own_folder && i < sizeof names / sizeof *names; i++) {
        char path[JR_PATH_BYTES];
        if (jr_path_join(path, places->own_folder, names[i])) jr_places_add_once(list, "next to jitreduce", path);
    }
    linker_add(places, "libjrsim.so", list);
    return false;
}
