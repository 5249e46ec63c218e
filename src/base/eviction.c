/* Evicts the least recently used files. */
#include "eviction.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log.h"

enum { LEFTOVER_SECONDS = 3600 }; /* age after which a half-written file counts as abandoned */

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

jr_status jr_evict(const jr_eviction *how, uint64_t *total) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    *total = UINT64_MAX;
    jr_status status = jr_folder_list(how->folder, &entries, &count);
    if (status) return status;
    *total = 0;
    for (size_t i = 0; i < count; i++)
        if (how->is_entry(entries[i].name)) *total += entries[i].bytes;
    if (count) qsort(entries, count, sizeof *entries, oldest_first);
    for (size_t i = 0; i < count; i++) {
        const jr_folder_entry *entry = &entries[i];
        const bool over = *total > how->cap_bytes && how->is_entry(entry->name) && strcmp(entry->name, how->kept) != 0;
        if (!over && !is_leftover(entry)) continue;
        const jr_status removed = remove_from(how->folder, entry->name);
        if (removed)
            status = removed;
        else if (over) {
            *total -= entry->bytes;
            jr_log(JR_LOG_DEBUG, "disk cache: dropped %s to stay below the cap", entry->name);
        }
    }
    free(entries);
    return status;
}
