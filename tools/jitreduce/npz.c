/* Reads zip archives (APPNOTE.TXT, 4.3) by their central directory; members are stored or deflated. Invariant: nothing
 * is read beyond the archive, whatever it says of itself. */
#include "npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, COMMENT_MOST = 65535, STORED = 0, DEFLATED = 8 };

typedef struct entry {
    const char *name;
    size_t name_bytes;
    unsigned method, crc;
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

/* The record at the end; NULL: there is none. */
static const char *find_end(const cli_bytes *archive) {
    if (archive->size < END_BYTES) return NULL;
    const size_t most = archive->size - END_BYTES, back = most < COMMENT_MOST ? most : COMMENT_MOST;
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

/* Reads the entry at *at, and goes to the next; false where it is none. */
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

/* Inflates a member. */
static cli_exit inflate_member(const cli_bytes *archive, const entry *found, const char *packed, char **made,
                               cli_error *error) {
    z_stream stream = {.next_in = NULL};
    uint64_t in = 0, out = 0;
    int status = Z_OK;
    char *to = found->size <= PTRDIFF_MAX ? malloc(found->size > 0 ? (size_t)found->size : 1) : NULL;
    if (to == NULL || inflateInit2(&stream, -15) != Z_OK) {
        free(to);
        return cli_fail(error, CLI_FAILURE, "%s: out of memory for unpacking %llu bytes", archive->name,
                        (unsigned long long)found->size);
    }
    while (status == Z_OK) {
        const uint64_t most = 1 << 30, left = found->packed - in, room = found->size - out;
        stream.next_in = (Bytef *)(uintptr_t)(packed + in);
        stream.avail_in = (uInt)(left < most ? left : most);
        stream.next_out = (Bytef *)to + out;
        stream.avail_out = (uInt)(room < most ? room : most);
        const uInt given = stream.avail_in, free_bytes = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        in += given - stream.avail_in;
        out += free_bytes - stream.avail_out;
    }
    inflateEnd(&stream);
    *made = to;
    if (status == Z_STREAM_END && out == found->size) return CLI_OK;
    free(to);
    return fail_damaged(archive, "a member cannot be unpacked", error);
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

static cli_exit read_entry(const cli_bytes *archive, const entry *found, cli_bytes *member, cli_error *error) {
    const char *local = archive->data + found->local;
    if (found->local > archive->size || archive->size - found->local < LOCAL_BYTES ||
        memcmp(local, "PK\x03\x04", 4) != 0)
        return fail_damaged(archive, "a member's header is not where it should be", error);
    const uint64_t begin = found->local + LOCAL_BYTES + number_at(local + 26, 2) + number_at(local + 28, 2);
    if (begin > archive->size || found->packed > archive->size - begin)
        return fail_damaged(archive, "a member goes beyond its end", error);
    char *made = NULL;
    const char *packed = archive->data + begin;
    if (found->method != STORED && found->method != DEFLATED)
        return cli_fail(error, CLI_FAILURE, "%s: packed by method %u of zip; stored (0) and deflated (8) are read",
                        archive->name, found->method);
    if (found->method == STORED && found->size != found->packed)
        return fail_damaged(archive, "a stored member has two sizes", error);
    const cli_exit code = found->method == DEFLATED ? inflate_member(archive, found, packed, &made, error) : CLI_OK;
    if (code != CLI_OK) return code;
    const cli_bytes read = {.name = archive->name,
                            .data = made != NULL ? made : packed,
                            .size = (size_t)found->size,
                            .field = archive->field,
                            .borrowed = made == NULL};
    if (!is_whole(read.data, read.size, found->crc)) {
        free(made);
        return fail_damaged(archive, "a member's checksum is another", error);
    }
    *member = read;
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

cli_exit cli_npz_find(const cli_bytes *archive, const char *name, cli_bytes *member, cli_error *error) {
    const char *end = find_end(archive);
    if (end == NULL) return fail_damaged(archive, "it has no directory", error);
    const uint64_t offset = number_at(end + 16, 4);
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
    if (matching == 1 || (matching > 1 && name != NULL)) return read_entry(archive, &wanted, member, error);
    if (arrays == 0) return cli_fail(error, CLI_FAILURE, "%s: is a zip archive without .npy members", archive->name);
    char names[512];
    list_members(archive, directory, names, sizeof names);
    if (name == NULL)
        return cli_fail(error, CLI_FAILURE, "%s: has several arrays, give one as FILE.npz:NAME:%s", archive->name,
                        names);
    return cli_fail(error, CLI_FAILURE, "%s: has no array of this name; there are%s", archive->name, names);
}
