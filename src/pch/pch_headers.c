/* Files of fields, each its length and its bytes, with a NUL after texts. A file's name has the sum of its bytes. */
#include "pch_headers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "pch_files.h"
#include "program/options.h"

/* Its number is raised with the rules by which headers are followed, and with the form of the file. */
static const char first_field[] = "jitreduce header texts 1";

enum { FILE_BYTES_MAX = 256 << 20 };

size_t jr_pch_headers_bytes(const jr_headers *headers) {
    size_t bytes = 0;
    for (size_t i = 0; i < headers->count; i++) bytes += strlen(headers->texts[i]);
    return bytes;
}

/* ---- the key ---- */

static void add_directives(jr_digest *digest, const jr_program_text *text) {
    const int standard = jr_options_standard(text->program);
    jr_directives walk;
    jr_directive_name name;
    jr_directives_begin(&walk, jr_lexeme_past_mark(text->text), standard > 0 ? standard : JR_STANDARD_DEFAULT);
    while (jr_directives_next(&walk, &name)) {
        jr_digest_number(digest, "kind", (uint64_t)name.kind * 2 + name.quoted);
        jr_digest_field(digest, "name", name.text, name.length);
        if (name.kind == JR_DIRECTIVE_DEFINE) jr_digest_field(digest, "body", name.end, strcspn(name.end, "\n"));
    }
}

static void key_of(const jr_program_text *text, const jr_folders *folders, uint8_t key[JR_DIGEST_BYTES]) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "form", first_field);
    jr_digest_string(&digest, "library", jr_version());
    add_directives(&digest, text);
    jr_folders_digest(folders, text->program, &digest);
    jr_digest_end(&digest, key);
}

/* ---- writing ---- */

static void put(jr_text *out, const void *bytes, uint64_t count) {
    jr_text_append_bytes(out, &count, sizeof count);
    jr_text_append_bytes(out, bytes, count);
}

static void put_string(jr_text *out, const char *string) {
    put(out, string, strlen(string) + 1);
}

/* A probe without its path, as the file has it. */
typedef struct kept_probe {
    uint64_t there, settled;
    jr_file_stamp stamp;
    uint8_t digest[JR_DIGEST_BYTES];
} kept_probe;

static void put_all(jr_text *out, const jr_headers *headers) {
    put_string(out, first_field);
    put_string(out, headers->searched);
    put(out, &headers->probe_count, sizeof headers->probe_count);
    for (size_t i = 0; i < headers->probe_count; i++) {
        const jr_probe *probe = &headers->probes[i];
        kept_probe kept = {.there = probe->there, .settled = probe->settled, .stamp = probe->stamp};
        memcpy(kept.digest, probe->digest, sizeof kept.digest);
        put(out, &kept, sizeof kept);
        put_string(out, probe->path);
    }
    put(out, &headers->count, sizeof headers->count);
    for (size_t i = 0; i < headers->count; i++) {
        put(out, headers->digests[i], JR_DIGEST_BYTES);
        put_string(out, headers->names[i]);
        put_string(out, headers->texts[i]);
    }
}

void jr_pch_headers_write(const char *cache_folder, const jr_program_text *text, const jr_folders *folders,
                          const jr_headers *headers) {
    char folder[JR_PATH_BYTES], path[JR_PATH_BYTES];
    uint8_t key[JR_DIGEST_BYTES];
    if (*cache_folder == '\0' || !jr_path_join(folder, cache_folder, "pch") || jr_pch_files_cap() == 0 ||
        jr_pch_headers_bytes(headers) < JR_PCH_HEADER_BYTES_LEAST ||
        strcmp(headers->source, jr_lexeme_past_mark(text->text)) != 0)
        return;
    JR_KEEP_ERROR;
    jr_text made = {0};
    put_all(&made, headers);
    key_of(text, folders, key);
    if (!jr_text_failed(&made) && jr_pch_files_temporary(folder, path) &&
        jr_file_write(folder, strrchr(path, '/') + 1, made.data, made.length) == JR_OK &&
        jr_pch_files_keep(folder, key, JR_PCH_TEXTS_SUFFIX, path))
        jr_pch_file_seal(path);
    jr_text_free(&made);
}

/* ---- reading ---- */

typedef struct reading {
    const char *at, *end;
} reading;

/* The next field; NULL: the file ends before. */
static const char *take(reading *from, uint64_t *count) {
    if ((size_t)(from->end - from->at) < sizeof *count) return NULL;
    memcpy(count, from->at, sizeof *count);
    const char *field = from->at + sizeof *count;
    if ((size_t)(from->end - field) < *count) return NULL;
    from->at = field + *count;
    return field;
}

static bool take_bytes(reading *from, void *bytes, size_t count) {
    uint64_t got;
    const char *field = take(from, &got);
    if (field == NULL || got != count) return false;
    memcpy(bytes, field, count);
    return true;
}

static const char *take_string(reading *from) {
    uint64_t count;
    const char *field = take(from, &count);
    return field != NULL && count > 0 && strlen(field) + 1 == count ? field : NULL; /* a NUL follows all bytes */
}

static bool take_probes(reading *from, jr_headers *headers) {
    size_t count;
    if (!take_bytes(from, &count, sizeof count) || count > JR_HEADER_PATHS_MAX) return false;
    headers->probes = calloc(count + 1, sizeof *headers->probes);
    if (headers->probes == NULL) return false;
    for (; headers->probe_count < count; headers->probe_count++) {
        jr_probe *probe = &headers->probes[headers->probe_count];
        kept_probe kept;
        if (!take_bytes(from, &kept, sizeof kept)) return false;
        *probe = (jr_probe){.there = kept.there == 1, .settled = kept.settled == 1, .stamp = kept.stamp};
        memcpy(probe->digest, kept.digest, sizeof kept.digest);
        probe->path = jr_string_copy(take_string(from));
        if (probe->path == NULL) return false;
    }
    return true;
}

static bool take_texts(reading *from, jr_headers *headers) {
    size_t count;
    if (!take_bytes(from, &count, sizeof count) || count > JR_HEADER_PATHS_MAX) return false;
    headers->names = calloc(count + 1, sizeof *headers->names);
    headers->texts = calloc(count + 1, sizeof *headers->texts);
    headers->digests = calloc(count + 1, sizeof *headers->digests);
    if (headers->names == NULL || headers->texts == NULL || headers->digests == NULL) return false;
    for (size_t i = 0; i < count; i++, headers->count++) {
        if (!take_bytes(from, headers->digests[i], JR_DIGEST_BYTES)) return false;
        headers->names[i] = take_string(from);
        headers->texts[i] = take_string(from);
        if (headers->names[i] == NULL || headers->texts[i] == NULL) return false;
    }
    return from->at == from->end;
}

/* Takes the file's bytes, to which names and texts point. */
static bool take_all(char *bytes, size_t count, const char *source, jr_headers *headers) {
    reading from = {bytes, bytes + count};
    headers->owned = malloc(sizeof *headers->owned);
    if (headers->owned == NULL) {
        free(bytes);
        return false;
    }
    headers->owned[headers->owned_count++] = bytes;
    const char *first = take_string(&from);
    if (first == NULL || strcmp(first, first_field) != 0) return false;
    headers->searched = jr_string_copy(take_string(&from));
    headers->source = jr_string_copy(source);
    return headers->searched != NULL && headers->source != NULL && take_probes(&from, headers) &&
           take_texts(&from, headers);
}

static jr_headers *read_file(const char *path, const char *source, bool *renewed) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    if (!jr_pch_file_is_whole(path) || jr_file_read_ours(path, FILE_BYTES_MAX, &bytes, &count, &missing) != JR_OK ||
        missing)
        return NULL;
    jr_headers *read = calloc(1, sizeof *read);
    if (read == NULL) free(bytes);
    if (read != NULL && take_all(bytes, count, source, read) && jr_headers_hold(read, renewed)) {
        jr_headers_digest(read);
        return read;
    }
    jr_headers_free(read);
    return NULL;
}

bool jr_pch_headers_read(const char *cache_folder, const jr_program_text *text, const jr_folders *folders,
                         jr_headers **headers) {
    char folder[JR_PATH_BYTES], path[JR_PATH_BYTES];
    uint8_t key[JR_DIGEST_BYTES];
    bool renewed = false;
    if (*cache_folder == '\0' || !jr_path_join(folder, cache_folder, "pch") || jr_pch_files_cap() == 0) return false;
    JR_KEEP_ERROR;
    key_of(text, folders, key);
    if (!jr_pch_files_find(folder, key, JR_PCH_TEXTS_SUFFIX, path)) return false;
    jr_headers *read = read_file(path, jr_lexeme_past_mark(text->text), &renewed);
    if (read != NULL && !renewed) jr_pch_file_seal(path);
    if (read == NULL || renewed) (void)jr_file_remove(path);
    if (read != NULL && renewed)
        jr_pch_headers_write(cache_folder, text, folders, read); /* so that files need not be read again */
    *headers = read;
    return read != NULL;
}
