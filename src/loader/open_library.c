/* dlopen and dlsym with reasons. */
#include "open_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* The path of a loaded library; the requested name if the linker does not report a path. */
static void path_of(void *library, const char *wanted, char path[JR_PATH_BYTES]) {
    struct link_map *map = NULL;
    char resolved[PATH_MAX];
    const char *name = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && *map->l_name ? map->l_name : wanted;
    if (strchr(name, '/') && realpath(name, resolved)) name = resolved;
    snprintf(path, JR_PATH_BYTES, "%s", name);
}

void *jr_library_open(const char *wanted, int flags, char path[JR_PATH_BYTES], char *reason, size_t reason_bytes) {
    char resolved[PATH_MAX];
    const char *target = wanted;
    if (strchr(wanted, '/') && *wanted != '/') {
        target = realpath(wanted, resolved);
        if (!target) {
            snprintf(reason, reason_bytes, "%s", strerror(errno));
            return NULL;
        }
    }
    dlerror(); /* forgets an older error */
    void *library = dlopen(target, flags);
    if (!library) {
        const char *text = dlerror();
        size_t length = strlen(target);
        if (text && !strncmp(text, target, length) && !strncmp(text + length, ": ", 2)) text += length + 2;
        snprintf(reason, reason_bytes, "%s", text ? text : "the linker gave no reason");
        return NULL;
    }
    path_of(library, target, path);
    return library;
}

static bool is_loaded(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) dlclose(library);
    return library != NULL;
}

bool jr_library_has_room(const char *path) {
    enum { BESIDE_BYTES = 32 << 20 }; /* what is not in the file, and what its beginning allocates */
    struct stat found;
    if (stat(path, &found) != 0 || is_loaded(path)) return true;
    const size_t bytes = (size_t)found.st_size + BESIDE_BYTES;
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return errno != ENOMEM;
    munmap(room, bytes);
    return true;
}

const char *jr_library_fill(void *library, const jr_symbol_row *rows, size_t count, void *table) {
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, rows[i].name);
        if (!symbol && rows[i].required) return rows[i].name;
        /* POSIX lets dlsym's result be a function's address; memcpy says so without a cast C does not define. */
        memcpy((char *)table + rows[i].offset, &symbol, sizeof symbol);
    }
    return NULL;
}
