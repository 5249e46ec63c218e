/* Reads zip archives (APPNOTE.TXT, 4.3) by their central directory; members are stored or deflated. Invariant: nothing
 * is read beyond the archive, whatever it says of itself. */
#include "npz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, COMMENT_MAX = 65535 };
enum { LOCATOR_BYTES = 20, END_64_BYTES = 56, STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

typedef struct entry {
    const char *name;
    size_t name_bytes;
    unsigned method, crc;
    bool encrypted;
    uint64_t packed, size, local; /* bytes, bytes, where its local header stands */
} entry;

static uint64_t number_at(const char *at, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return number;
}

bool cli_npz_recognise(const cli_bytes *bytes) {
    return bytes->size >= 4 && memcmp(bytes->data, "PK\x03\x04", 4) == 0;
}

const char *cli_npz_member_name(const char *path) {
    const char *found = strstr(path, ".npz:");
    return found != NULL && found[5] != '\0' && access(path, F_OK) != 0 ? found + 5 : NULL;
}

static cli_exit fail_damaged(const cli_bytes *archive, const char *what, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: the archive is damaged: %s", archive->name, what);
}

/* The record at the end of the archive; NULL: not found. */
static const char *find_end(const cli_bytes *archive) {
    if (archive->size < END_BYTES) return NULL;
    const size_t most = archive->size - END_BYTES, back = most < COMMENT_MAX ? most : COMMENT_MAX;
    for (size_t i = 0; i <= back; i++) {
        const char *at = archive->data + most - i;
        if (memcmp(at, "PK\x05\x06", 4) == 0) return at;
    }
    return NULL;
}

/* Sizes of 4 GiB and more stand in the extra field (4.5.3), in this order, those that do not fit alone. */
static void take_large(entry *found, const char *extra, size_t bytes) {
    uint64_t *members[] = {&found->size, &found->packed, &found->local};
    for (size_t at = 0; at + 4 <= bytes;) {
        const size_t length = (size_t)number_at(extra + at + 2, 2), end = at + 4 + length;
        if (number_at(extra + at, 2) == 1 && end <= bytes) {
            size_t from = at + 4;
            for (int i = 0; i < 3; i++) {
                if (*members[i] != UINT32_MAX || from + 8 > end) continue;
                *members[i] = number_at(extra + from, 8);
                from += 8;
            }
        }
        at = end;
    }
}

/* Reads the entry at *at, and moves *at to the next one; false if it is not an entry. */
static bool take_entry(const cli_bytes *archive, const char **at, entry *found) {
    const char *end = archive->data + archive->size;
    if (end - *at < ENTRY_BYTES || memcmp(*at, "PK\x01\x02", 4) != 0) return false;
    const size_t name = (size_t)number_at(*at + 28, 2), extra = (size_t)number_at(*at + 30, 2),
                 comment = (size_t)number_at(*at + 32, 2);
    if ((size_t)(end - *at) < ENTRY_BYTES + name + extra + comment) return false;
    *found = (entry){.name = *at + ENTRY_BYTES,
                     .name_bytes = name,
                     .method = (unsigned)number_at(*at + 10, 2),
                     .crc = (unsigned)number_at(*at + 16, 4),
                     .encrypted = (number_at(*at + 8, 2) & ENCRYPTED) != 0,
                     .packed = number_at(*at + 20, 4),
                     .size = number_at(*at + 24, 4),
                     .local = number_at(*at + 42, 4)};
    take_large(found, found->name + name, extra);
    *at += ENTRY_BYTES + name + extra + comment;
    return true;
}

static bool ends_npy(const entry *found) {
    return found->name_bytes >= 4 && memcmp(found->name + found->name_bytes - 4, ".npy", 4) == 0;
}

static bool is_called(const entry *found, const char *name) {
    const size_t length = strlen(name), bytes = found->name_bytes;
    if (length > bytes || memcmp(found->name, name, length) != 0) return false;
    return length == bytes || (length + 4 == bytes && ends_npy(found));
}

/* Checks a member's checksum: crc32 takes lengths of 32 bits. */
static bool is_whole(const char *bytes, uint64_t size, unsigned crc) {
    uLong sum = crc32(0, NULL, 0);
    for (uint64_t at = 0; at < size;) {
        const uint64_t left = size - at, step = left < 1 << 30 ? left : 1 << 30;
        sum = crc32(sum, (const Bytef *)bytes + at, (uInt)step);
        at += step;
    }
    return sum == crc;
}

/* Where the packed bytes of a member lie. */
static cli_exit find_packed(const cli_bytes *archive, const entry *found, const char **packed, cli_error *error) {
    const char *local = archive->data + found->local;
    if (found->local > archive->size || archive->size - found->local < LOCAL_BYTES ||
        memcmp(local, "PK\x03\x04", 4) != 0)
        return fail_damaged(archive, "a member's header is not where it should be", error);
    const uint64_t begin = found->local + LOCAL_BYTES + number_at(local + 26, 2) + number_at(local + 28, 2);
    if (begin > archive->size || found->packed > archive->size - begin)
        return fail_damaged(archive, "a member goes beyond its end", error);
    *packed = archive->data + begin;
    return CLI_OK;
}

static cli_exit take_member(const cli_bytes *archive, const entry *found, cli_npz_member *member, cli_error *error) {
    const char *packed = NULL;
    const cli_exit code = find_packed(archive, found, &packed, error);
    if (code != CLI_OK) return code;
    if (found->encrypted) return cli_fail(error, CLI_FAILURE, "%s: the member is encrypted", archive->name);
    if (found->method != STORED && found->method != DEFLATED)
        return cli_fail(error, CLI_FAILURE, "%s: packed by method %u of zip; stored (0) and deflated (8) are read",
                        archive->name, found->method);
    if (found->method == DEFLATED) {
        *member = (cli_npz_member){.deflated = true,
                                   .packed = {archive->name, packed, found->packed, found->size, found->crc}};
        return CLI_OK;
    }
    if (found->size != found->packed) return fail_damaged(archive, "a stored member has two sizes", error);
    if (!is_whole(packed, found->size, found->crc))
        return fail_damaged(archive, "a member's checksum is another", error);
    *member = (cli_npz_member){.bytes = {.name = archive->name,
                                         .data = packed,
                                         .size = (size_t)found->size,
                                         .field = archive->field,
                                         .wanted = archive->wanted,
                                         .borrowed = true}};
    return CLI_OK;
}

/* The .npy members by name, for a message. */
static void list_members(const cli_bytes *archive, const char *at, char *text, size_t bytes) {
    entry found;
    text[0] = '\0';
    for (size_t used = 0; take_entry(archive, &at, &found) && used < bytes; used = strlen(text)) {
        char quoted[64];
        if (ends_npy(&found))
            snprintf(text + used, bytes - used, " %s",
                     cli_quote(found.name, found.name + found.name_bytes - 4, quoted));
    }
}

/* Where the directory begins. An archive of 4 GiB and more says that in a record of its own (4.3.14), which another one
 * before the end finds (4.3.15). Beyond the archive: it is damaged. */
static uint64_t find_directory(const cli_bytes *archive, const char *end) {
    const uint64_t offset = number_at(end + 16, 4);
    if (offset != UINT32_MAX || end - archive->data < LOCATOR_BYTES) return offset;
    const char *locator = end - LOCATOR_BYTES;
    if (memcmp(locator, "PK\x06\x07", 4) != 0) return offset;
    const uint64_t at = number_at(locator + 8, 8);
    if (at > archive->size || archive->size - at < END_64_BYTES) return UINT64_MAX;
    const char *record = archive->data + at;
    return memcmp(record, "PK\x06\x06", 4) == 0 ? number_at(record + 48, 8) : UINT64_MAX;
}

cli_exit cli_npz_find(const cli_bytes *archive, const char *name, cli_npz_member *member, cli_error *error) {
    const char *end = find_end(archive);
    if (end == NULL) return fail_damaged(archive, "it has no directory", error);
    const uint64_t offset = find_directory(archive, end);
    if (offset > archive->size) return fail_damaged(archive, "its directory lies beyond its end", error);
    const char *directory = archive->data + offset, *at = directory;
    entry found, wanted = {.name = NULL};
    int matching = 0, arrays = 0;
    while (at < end && take_entry(archive, &at, &found)) {
        arrays += ends_npy(&found);
        if (name != NULL ? !is_called(&found, name) : !ends_npy(&found)) continue;
        wanted = found;
        matching++;
    }
    if (matching == 1 || (matching > 1 && name != NULL)) return take_member(archive, &wanted, member, error);
    if (arrays == 0) return cli_fail(error, CLI_FAILURE, "%s: is a zip archive without .npy members", archive->name);
    char names[512];
    list_members(archive, directory, names, sizeof names);
    if (name == NULL)
        return cli_fail(error, CLI_FAILURE, "%s: has several arrays, give one as FILE.npz:NAME:%s", archive->name,
                        names);
    return cli_fail(error, CLI_FAILURE, "%s: has no array of this name; there are%s", archive->name, names);
}
