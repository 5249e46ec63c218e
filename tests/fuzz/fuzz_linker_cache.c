/* The dynamic linker's list of libraries. */
#include <string.h>

#include "fuzz.h"
#include "loader/linker_cache.h"

static void found(void *user, const char *name, const char *path) {
    *(size_t *)user += strlen(path);
    fuzz_demand(strncmp(name, "libnvrtc", 8) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t length = 0;
    jr_linker_cache_find(fuzz_file(data, size), "libnvrtc", found, &length);
    return 0;
}
