/* Entries are files <key in hex>.jrn: the SHA-256 of the rest, then a library. The folder and its files must be ours,
 * and no other may write to them: they are code. */
#include "native_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/eviction.h"
#include "base/files.h"
#include "base/place.h"

#define SUFFIX    ".jrn"
#define CAP_BYTES ((uint64_t)128 << 20)
enum { ENTRY_BYTES_MAX = 64 << 20, NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof SUFFIX - 1 };

/* False: there is no disk cache. */
static bool find_folder(char folder[JR_PATH_BYTES]) {
    jr_place place;
    jr_place_of(&jr_place_rule_of_cache, NULL, &place);
    return *place.path && jr_path_join(folder, place.path, "native");
}

static void name_of(const uint8_t key[JR_DIGEST_BYTES], char name[NAME_BYTES]) {
    jr_digest_hex(key, name);
    memcpy(name + JR_DIGEST_HEX_BYTES - 1, SUFFIX, sizeof SUFFIX);
}

static bool is_entry(const char *name) {
    const size_t length = strlen(name);
    return length == NAME_BYTES - 1 && strcmp(name + length - (sizeof SUFFIX - 1), SUFFIX) == 0;
}

static bool is_whole(const uint8_t *bytes, size_t count) {
    uint8_t digest[JR_DIGEST_BYTES];
    if (count <= JR_DIGEST_BYTES) return false;
    jr_digest_of(bytes + JR_DIGEST_BYTES, count - JR_DIGEST_BYTES, digest);
    return memcmp(bytes, digest, sizeof digest) == 0;
}

void *jrs_native_store_read(const uint8_t key[JR_DIGEST_BYTES], size_t *count) {
    char folder[JR_PATH_BYTES], path[JR_PATH_BYTES], name[NAME_BYTES];
    void *bytes = NULL;
    bool missing = false;
    name_of(key, name);
    if (!find_folder(folder) || !jr_path_join(path, folder, name) || jr_folder_check(folder) != JR_OK) return NULL;
    if (jr_file_read_ours(path, ENTRY_BYTES_MAX, &bytes, count, &missing) != JR_OK || missing) return NULL;
    if (!is_whole(bytes, *count)) {
        free(bytes);
        jr_file_remove(path);
        return NULL;
    }
    jr_file_touch(path);
    *count -= JR_DIGEST_BYTES;
    memmove(bytes, (uint8_t *)bytes + JR_DIGEST_BYTES, *count);
    return bytes;
}

void jrs_native_store_write(const uint8_t key[JR_DIGEST_BYTES], const void *bytes, size_t count) {
    char folder[JR_PATH_BYTES], name[NAME_BYTES];
    uint64_t total;
    if (!find_folder(folder) || jr_folder_make_private(folder) != JR_OK) return;
    uint8_t *entry = malloc(JR_DIGEST_BYTES + count);
    if (!entry) return;
    name_of(key, name);
    jr_digest_of(bytes, count, entry);
    memcpy(entry + JR_DIGEST_BYTES, bytes, count);
    if (jr_file_write(folder, name, entry, JR_DIGEST_BYTES + count) == JR_OK)
        jr_evict(&(jr_eviction){.folder = folder, .cap_bytes = CAP_BYTES, .is_entry = is_entry, .kept = name}, &total);
    free(entry);
}
