/* Least-recently-used eviction. Other processes may write and evict at the same time: an entry that is gone already is
 * fine, and a wrong guess costs a compile. */
#include "cache_evict.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files.h"
#include "base/log.h"

enum { LEFTOVER_SECONDS = 3600 };

static bool is_entry(const char *name) {
    return strspn(name, "0123456789abcdef") == JR_DIGEST_HEX_BYTES - 1 &&
           !strcmp(name + JR_DIGEST_HEX_BYTES - 1, JR_CACHE_SUFFIX);
}

static bool is_leftover(const jr_folder_entry *entry) {
    return !strncmp(entry->name, JR_TEMPORARY_PREFIX, sizeof JR_TEMPORARY_PREFIX - 1) &&
           entry->used_ns / 1000000000 < (int64_t)time(NULL) - LEFTOVER_SECONDS;
}

static int oldest_first(const void *left, const void *right) {
    const jr_folder_entry *a = left, *b = right;
    if (a->used_ns != b->used_ns) return a->used_ns < b->used_ns ? -1 : 1;
    return strcmp(a->name, b->name);
}

static jr_status remove_from(const char *folder, const char *name) {
    char path[JR_PATH_BYTES];
    return jr_path_join(path, folder, name) ? jr_file_remove(path) : JR_OK;
}

jr_status jr_cache_evict(const char *folder, uint64_t cap_bytes, const char *kept) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    jr_status status = jr_folder_list(folder, &entries, &count);
    if (status) return status;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        if (is_entry(entries[i].name)) total += entries[i].bytes;
    if (count) qsort(entries, count, sizeof *entries, oldest_first);
    for (size_t i = 0; i < count; i++) {
        const jr_folder_entry *entry = &entries[i];
        bool over = total > cap_bytes && is_entry(entry->name) && strcmp(entry->name, kept) != 0;
        if (!over && !is_leftover(entry)) continue;
        jr_status removed = remove_from(folder, entry->name);
        if (removed)
            status = removed;
        else if (over) {
            total -= entry->bytes;
            jr_log(JR_LOG_DEBUG, "disk cache: dropped %s to stay below the cap", entry->name);
        }
    }
    free(entries);
    return status;
}
