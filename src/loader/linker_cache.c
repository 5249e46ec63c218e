/* Reads glibc's ld.so.cache, format 1.1 (glibc's sysdeps/generic/dl-cache.h, struct cache_file_new), alone or after an
 * older "ld.so-1.7.0" cache. Nothing in it is trusted: every offset is checked against the bytes that were read. */
#include "linker_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"

enum {
    CACHE_BYTES_MAX = 64 << 20,
    NEW_HEADER_BYTES = 48, /* magic and version 20, counts 2 x 4, flags 4, extension offset 4, unused 12 */
    NEW_COUNT_AT = 20,
    NEW_ENTRY_BYTES = 24, /* flags, name, path, OS version: 4 each; hardware capabilities 8 */
    NEW_ENTRY_NAME_AT = 4,
    NEW_ENTRY_PATH_AT = 8,
    OLD_HEADER_BYTES = 16, /* magic 11, padding 1, count 4 */
    OLD_COUNT_AT = 12,
    OLD_ENTRY_BYTES = 12
};

static const char new_magic[] = "glibc-ld.so.cache1.1";
static const char old_magic[] = "ld.so-1.7.0";

typedef struct span {
    const char *bytes;
    size_t count;
} span;

static uint32_t number_at(span data, size_t at) {
    uint32_t number; /* the cache is in the host's byte order */
    memcpy(&number, data.bytes + at, sizeof number);
    return number;
}

static bool begins_with(span data, const char *magic) {
    size_t length = strlen(magic);
    return data.count >= length && !memcmp(data.bytes, magic, length);
}

/* Steps over an old-format cache in front: the new one follows its entries, aligned to 8. */
static span skip_old(span data) {
    if (!begins_with(data, old_magic) || data.count < OLD_HEADER_BYTES) return data;
    uint64_t end = OLD_HEADER_BYTES + (uint64_t)number_at(data, OLD_COUNT_AT) * OLD_ENTRY_BYTES;
    end = (end + 7) & ~(uint64_t)7;
    if (end > data.count) return (span){"", 0};
    return (span){data.bytes + end, data.count - (size_t)end};
}

/* A string at an offset from the new cache's start; NULL when it does not lie, with its NUL, inside the data. */
static const char *string_at(span data, uint32_t at) {
    if (at >= data.count || !memchr(data.bytes + at, '\0', data.count - at)) return NULL;
    return data.bytes + at;
}

void jr_linker_cache_find(const char *file, const char *prefix,
                          void (*found)(void *user, const char *name, const char *path), void *user) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    if (jr_file_read(file, CACHE_BYTES_MAX, &bytes, &count, &missing) || missing) return;
    span data = skip_old((span){bytes, count});
    uint64_t entries = 0;
    if (begins_with(data, new_magic) && data.count >= NEW_HEADER_BYTES) {
        uint64_t fit = (data.count - NEW_HEADER_BYTES) / NEW_ENTRY_BYTES;
        entries = number_at(data, NEW_COUNT_AT);
        if (entries > fit) entries = 0; /* it lies about its size: trust none of it */
    }
    for (uint64_t i = 0; i < entries; i++) {
        size_t entry = NEW_HEADER_BYTES + (size_t)i * NEW_ENTRY_BYTES;
        const char *name = string_at(data, number_at(data, entry + NEW_ENTRY_NAME_AT));
        const char *path = string_at(data, number_at(data, entry + NEW_ENTRY_PATH_AT));
        if (name && path && !strncmp(name, prefix, strlen(prefix))) found(user, name, path);
    }
    free(bytes);
}
