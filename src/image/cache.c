/* The disk cache. Entry files are called <key in hex>.jri; files of other names in the folder are not ours to touch. */
#include "cache.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/eviction.h"
#include "base/log.h"
#include "base/settings.h"
#include "history.h"

#define DEFAULT_CAP_BYTES ((uint64_t)256 << 20)
#define ENTRY_SUFFIX      ".jri"
#define MANIFEST_SUFFIX   ".jrm" /* manifest.c writes and reads these; they count here */
enum {
    ENTRY_BYTES_MAX = 1 << 30,
    ENTRY_NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof ENTRY_SUFFIX - 1,
    UNLISTED_PART = 16 /* a process fills one part in 16 of the room below the cap before it lists the folder again */
};

struct jr_cache {
    jr_place place;
    uint64_t cap_bytes;
    _Atomic uint64_t unlisted_bytes; /* how much may be written before the folder is listed again */
    _Atomic uint64_t failures;
};

void jr_cache_place_of(const char *explicit_folder, jr_place *place) {
    jr_place_of(&jr_place_rule_of_cache, explicit_folder, place);
}

/* ---- opening ---- */

static uint64_t cap_of(uint64_t cap_bytes) {
    const char *text = jr_setting_get(JR_SETTING_CACHE_BYTES);
    if (cap_bytes) return cap_bytes;
    if (!text || !*text) return DEFAULT_CAP_BYTES;
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno) return number;
    jr_log(JR_LOG_WARNING, "%s is '%s', which is not a number of bytes: using %llu",
           jr_setting_variable(JR_SETTING_CACHE_BYTES), text, (unsigned long long)DEFAULT_CAP_BYTES);
    return DEFAULT_CAP_BYTES;
}

/* Makes the folder and replaces its path by the link-free one; or turns the cache off. */
static void folder_prepare(jr_cache *cache) {
    jr_place *place = &cache->place;
    char resolved[PATH_MAX];
    JR_KEEP_ERROR;
    if (jr_folder_make_private(place->path)) {
        jr_log(JR_LOG_WARNING, "the disk cache is off: %s", jr_last_error()->message);
        jr_place_off(place, jr_last_error()->message);
        atomic_fetch_add(&cache->failures, 1);
    } else if (realpath(place->path, resolved) && strlen(resolved) < JR_PATH_BYTES)
        memcpy(place->path, resolved, strlen(resolved) + 1);
}

jr_status jr_cache_open(const char *explicit_folder, uint64_t cap_bytes, jr_cache **cache) {
    jr_cache *opened = calloc(1, sizeof *opened);
    if (!opened) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the disk cache's record");
    jr_cache_place_of(explicit_folder, &opened->place);
    opened->cap_bytes = cap_of(cap_bytes);
    if (!opened->cap_bytes) jr_place_off(&opened->place, "its cap is 0 bytes");
    if (*opened->place.path) folder_prepare(opened);
    if (*opened->place.path)
        jr_log(JR_LOG_INFO, "disk cache: %s (%s)", opened->place.path, opened->place.origin);
    else
        jr_log(JR_LOG_INFO, "no disk cache: %s", opened->place.reason);
    *cache = opened;
    return JR_OK;
}

void jr_cache_close(jr_cache *cache) {
    free(cache);
}

/* ---- entries ---- */

static bool entry_path(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], char name[ENTRY_NAME_BYTES],
                       char path[JR_PATH_BYTES]) {
    jr_digest_hex(key, name);
    memcpy(name + JR_DIGEST_HEX_BYTES - 1, ENTRY_SUFFIX, sizeof ENTRY_SUFFIX);
    return jr_path_join(path, cache->place.path, name);
}

/* Counts a failure, and logs the message of the thread's error record. */
static void failed(jr_cache *cache, const char *what) {
    atomic_fetch_add(&cache->failures, 1);
    jr_log(JR_LOG_WARNING, "disk cache: %s: %s", what, jr_last_error()->message);
}

static jr_image *entry_read(jr_cache *cache, const uint8_t *key, const char *path) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    jr_image *image = NULL;
    jr_status status = jr_file_read_ours(path, ENTRY_BYTES_MAX, &bytes, &count, &missing);
    if (status) failed(cache, "cannot read an entry");
    if (status || missing) return NULL;
    status = jr_image_adopt(bytes, count, key, &image);
    if (!status) return image;
    free(bytes);
    failed(cache, status == JR_ERROR_OUT_OF_MEMORY ? "cannot read an entry" : "dropping a damaged entry");
    if (status != JR_ERROR_OUT_OF_MEMORY && jr_file_remove(path)) failed(cache, "cannot drop it");
    return NULL;
}

bool jr_cache_read(jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], jr_image **image) {
    char name[ENTRY_NAME_BYTES], path[JR_PATH_BYTES];
    *image = NULL;
    if (!*cache->place.path || !entry_path(cache, key, name, path)) return false;
    JR_KEEP_ERROR;
    /* The folder may have been replaced since: an entry is code, so ask each time whose it is. */
    if (!jr_file_exists(path))
        *image = NULL;
    else if (jr_folder_check(cache->place.path))
        failed(cache, "the folder has changed");
    else
        *image = entry_read(cache, key, path);
    if (*image) jr_file_touch(path);
    return *image != NULL;
}

bool jr_cache_has(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES]) {
    char name[ENTRY_NAME_BYTES], path[JR_PATH_BYTES];
    return *cache->place.path && entry_path(cache, key, name, path) && jr_file_exists(path);
}

/* ---- eviction ---- */

static bool is_entry(const char *name) {
    return strspn(name, "0123456789abcdef") == JR_DIGEST_HEX_BYTES - 1 &&
           (!strcmp(name + JR_DIGEST_HEX_BYTES - 1, ENTRY_SUFFIX) ||
            !strcmp(name + JR_DIGEST_HEX_BYTES - 1, MANIFEST_SUFFIX) ||
            !strcmp(name + JR_DIGEST_HEX_BYTES - 1, JR_HISTORY_SUFFIX));
}

static jr_status evict(jr_cache *cache, const char *kept) {
    const jr_eviction how = {cache->place.path, cache->cap_bytes, is_entry, kept};
    uint64_t total;
    const jr_status status = jr_evict(&how, &total);
    const uint64_t left = total < how.cap_bytes ? (how.cap_bytes - total) / UNLISTED_PART : 0;
    atomic_store(&cache->unlisted_bytes, left);
    return status;
}

/* True if this write needs no listing of the folder, and counts its bytes: to list a folder of 20 000 files takes as
 * long as a small compile. */
static bool far_below_cap(jr_cache *cache, uint64_t bytes) {
    uint64_t left = atomic_load(&cache->unlisted_bytes);
    while (left >= bytes)
        if (atomic_compare_exchange_weak(&cache->unlisted_bytes, &left, left - bytes)) return true;
    return false;
}

/* ---- writing ---- */

/* Writes an entry's file. A folder that was removed, or is no longer private, is made again first. */
static jr_status entry_write(const char *folder, const char *name, const void *bytes, size_t count) {
    if (jr_folder_check(folder)) {
        jr_status status = jr_folder_make_private(folder);
        if (status) return status;
    }
    return jr_file_write(folder, name, bytes, count);
}

jr_status jr_cache_write(jr_cache *cache, const jr_image *image) {
    char name[ENTRY_NAME_BYTES], path[JR_PATH_BYTES];
    if (!*cache->place.path || !entry_path(cache, image->key, name, path)) return JR_OK;
    JR_KEEP_ERROR;
    jr_status status;
    if (image->stored_bytes > cache->cap_bytes)
        status = jr_fail(JR_ERROR_CACHE, "an image of %zu bytes is larger than the limit of the cache, %llu bytes",
                         image->stored_bytes, (unsigned long long)cache->cap_bytes);
    else
        status = entry_write(cache->place.path, name, image->stored, image->stored_bytes);
    if (status)
        failed(cache, "cannot store an image");
    else if (!far_below_cap(cache, image->stored_bytes) && evict(cache, name))
        failed(cache, "cannot keep the cap");
    return status ? JR_ERROR_CACHE : JR_OK; /* the error record is again the caller's: see JR_KEEP_ERROR */
}

void jr_cache_drop(jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES]) {
    char name[ENTRY_NAME_BYTES], path[JR_PATH_BYTES];
    if (!*cache->place.path || !entry_path(cache, key, name, path)) return;
    JR_KEEP_ERROR;
    if (jr_file_remove(path)) failed(cache, "cannot drop an entry");
}

const char *jr_cache_folder(const jr_cache *cache) {
    return cache->place.path;
}

const jr_place *jr_cache_place(const jr_cache *cache) {
    return &cache->place;
}

uint64_t jr_cache_failures(const jr_cache *cache) {
    return atomic_load(&cache->failures);
}
