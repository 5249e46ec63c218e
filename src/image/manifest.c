/* Manifests: text files '<first-level key in hex>.jrm', ended by a seal. A path may hold any byte, so its length stands
 * before it. */
#include "manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/text.h"

#define SUFFIX ".jrm"
enum { MANIFEST_BYTES_MAX = 256 << 20, NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof SUFFIX - 1 };

/* Its number is raised with the rules by which headers are followed. */
static const char first_line[] = "jitreduce manifest 2\n";

/* The file of a program's manifest. All branches are followed; of options those count that define macros. */
static bool path_of(const char *folder, const jr_program_text *text, const jr_folders *folders, char name[NAME_BYTES],
                    char path[JR_PATH_BYTES]) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "library", jr_version());
    jr_digest_string(&digest, "text", text->text);
    jr_folders_digest(folders, text->program, &digest);
    jr_digest_end(&digest, key);
    jr_digest_hex(key, name);
    memcpy(name + JR_DIGEST_HEX_BYTES - 1, SUFFIX, sizeof SUFFIX);
    return *folder != '\0' && jr_path_join(path, folder, name);
}

/* ---- writing ---- */

static void probe_append(jr_text *text, const jr_probe *probe) {
    const jr_file_stamp *stamp = &probe->stamp;
    char hex[JR_DIGEST_HEX_BYTES];
    if (probe->there) {
        jr_digest_hex(probe->digest, hex);
        jr_text_append(text, "file %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %s", probe->settled,
                       stamp->bytes, stamp->inode, stamp->device, stamp->modified_ns, stamp->changed_ns, hex);
    } else {
        jr_text_append(text, "none");
    }
    jr_text_append(text, " %zu %s\n", strlen(probe->path), probe->path);
}

static bool manifest_write(const char *folder, const char *name, const jr_headers *headers, jr_text *text) {
    char hex[JR_DIGEST_HEX_BYTES];
    jr_digest_hex(headers->digest, hex);
    jr_text_append(text, "%sdigest %s\npaths %zu \n", first_line, hex, headers->probe_count);
    for (size_t i = 0; i < headers->probe_count; i++) probe_append(text, &headers->probes[i]);
    jr_seal_append(text);
    return !jr_text_failed(text) && !jr_folder_check(folder) &&
           !jr_file_write(folder, name, jr_text_string(text), text->length);
}

bool jr_manifest_write(const char *folder, const jr_program_text *text, const jr_folders *folders,
                       const jr_headers *headers) {
    char name[NAME_BYTES], path[JR_PATH_BYTES];
    if (!path_of(folder, text, folders, name, path)) return false;
    JR_KEEP_ERROR;
    jr_text made = {0};
    const bool written = manifest_write(folder, name, headers, &made);
    if (!written) jr_log(JR_LOG_WARNING, "disk cache: cannot store what the includes of %s found", text->program->name);
    jr_text_free(&made);
    return written;
}

/* ---- reading ---- */

/* Steps over a literal; false when the text does not go on with it. */
static bool literal_read(const char **text, const char *literal) {
    const size_t length = strlen(literal);
    if (strncmp(*text, literal, length) != 0) return false;
    *text += length;
    return true;
}

/* Reads a whole number and the blank after it. */
static bool unsigned_read(const char **text, uint64_t *number) {
    char *end = NULL;
    if (**text < '0' || **text > '9') return false;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return literal_read(text, " ");
}

static bool signed_read(const char **text, int64_t *number) {
    uint64_t size = 0;
    const bool negative = literal_read(text, "-");
    if (!unsigned_read(text, &size) || size > INT64_MAX) return false;
    *number = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

static bool digest_read(const char **text, uint8_t digest[JR_DIGEST_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    if (strspn(*text, digits) != JR_DIGEST_HEX_BYTES - 1) return false;
    for (size_t i = 0; i < JR_DIGEST_BYTES; i++) {
        const char *high = strchr(digits, (*text)[2 * i]), *low = strchr(digits, (*text)[2 * i + 1]);
        digest[i] = (uint8_t)((high - digits) * 16 + (low - digits));
    }
    *text += JR_DIGEST_HEX_BYTES - 1;
    return true;
}

/* Reads a path's length and the path, up to the line's end. */
static bool path_read(const char **text, char **path) {
    char *end = NULL;
    const unsigned long long length = strtoull(*text, &end, 10);
    if (end == *text || *end != ' ' || length > strlen(end + 1) || end[1 + length] != '\n') return false;
    *path = malloc(length + 1);
    if (*path == NULL) return false;
    memcpy(*path, end + 1, length);
    (*path)[length] = '\0';
    *text = end + 1 + length + 1;
    return true;
}

static bool probe_read(const char **text, jr_probe *probe) {
    jr_file_stamp *stamp = &probe->stamp;
    uint64_t settled = 0;
    if (literal_read(text, "none ")) return path_read(text, &probe->path);
    if (!literal_read(text, "file ") || !unsigned_read(text, &settled) || !unsigned_read(text, &stamp->bytes) ||
        !unsigned_read(text, &stamp->inode) || !unsigned_read(text, &stamp->device) ||
        !signed_read(text, &stamp->modified_ns) || !signed_read(text, &stamp->changed_ns) ||
        !digest_read(text, probe->digest) || !literal_read(text, " "))
        return false;
    probe->there = true;
    probe->settled = settled == 1;
    return path_read(text, &probe->path);
}

/* Parses a manifest whose seal was cut off. */
static bool manifest_parse(const char *text, jr_headers *headers) {
    uint64_t count = 0;
    if (!literal_read(&text, first_line) || !literal_read(&text, "digest ") || !digest_read(&text, headers->digest) ||
        !literal_read(&text, "\npaths ") || !unsigned_read(&text, &count) || !literal_read(&text, "\n") ||
        count > JR_HEADER_PATHS_MAX)
        return false;
    headers->probes = calloc(count + 1, sizeof *headers->probes);
    if (headers->probes == NULL) return false;
    for (; headers->probe_count < count; headers->probe_count++)
        if (!probe_read(&text, &headers->probes[headers->probe_count])) return false;
    return *text == '\0';
}

static jr_headers *manifest_read(const char *folder, const char *path, bool *renewed) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    if (!jr_file_exists(path) || jr_folder_check(folder)) return NULL;
    if (jr_file_read_ours(path, MANIFEST_BYTES_MAX, &bytes, &count, &missing) || missing) return NULL;
    jr_headers *read = calloc(1, sizeof *read);
    const bool good =
        read != NULL && jr_seal_cut(bytes, count) && manifest_parse(bytes, read) && jr_headers_hold(read, renewed);
    free(bytes);
    if (good) return read;
    jr_headers_free(read);
    return NULL;
}

bool jr_manifest_read(const char *folder, const jr_program_text *text, const jr_folders *folders,
                      jr_headers **headers) {
    char name[NAME_BYTES], path[JR_PATH_BYTES];
    bool renewed = false;
    if (!path_of(folder, text, folders, name, path)) return false;
    JR_KEEP_ERROR;
    jr_headers *read = manifest_read(folder, path, &renewed);
    if (read == NULL) return false;
    if (renewed)
        jr_manifest_write(folder, text, folders, read); /* so that its files need not be read the next time */
    else
        jr_file_touch(path);
    *headers = read;
    return true;
}
