/* Looks at files and reads them. */
#include "watched_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/program_files.h"

enum { TEXT_BYTES_MAX = 64 << 20 };

static void free_headers(char **headers, size_t count) {
    for (size_t i = 0; i < count; i++) free(headers[i]);
    free(headers);
}

jr_status jr_watched_files_open(const jr_program *program, const char *path, jr_watched_files *files) {
    *files = (jr_watched_files){.path = jr_string_copy(path), .program = *program};
    return files->path != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to watch %s", path);
}

void jr_watched_files_close(jr_watched_files *files) {
    free_headers(files->headers, files->header_count);
    free(files->text);
    free(files->path);
    *files = (jr_watched_files){0};
}

/* ---- looking ---- */

static void add_file(jr_digest *digest, const char *path) {
    jr_file_identity identity = {0};
    jr_digest_number(digest, "there", jr_file_identify(path, &identity));
    jr_digest_number(digest, "bytes", identity.bytes);
    jr_digest_number(digest, "inode", identity.inode);
    jr_digest_number(digest, "device", identity.device);
    jr_digest_number(digest, "time", (uint64_t)identity.modified_ns);
}

static void look(const jr_watched_files *files, uint8_t seen[JR_DIGEST_BYTES]) {
    jr_digest digest;
    jr_digest_begin(&digest);
    add_file(&digest, files->path);
    for (size_t i = 0; i < files->header_count; i++) add_file(&digest, files->headers[i]);
    jr_digest_end(&digest, seen);
}

bool jr_watched_files_look(jr_watched_files *files) {
    enum { LOOKS_BETWEEN_TRIES = 10 };
    uint8_t now[JR_DIGEST_BYTES];
    look(files, now);
    const bool rests = memcmp(now, files->seen, sizeof now) == 0;
    memcpy(files->seen, now, sizeof now);
    if (!rests) return false;
    /* What was missing may be at a path that is not known, or was memory. */
    return memcmp(now, files->taken, sizeof now) != 0 ||
           (files->incomplete && ++files->looks % LOOKS_BETWEEN_TRIES == 0);
}

/* ---- reading ---- */

/* The file may be a link. */
static jr_status read_text(const char *path, char **text) {
    void *bytes = NULL;
    size_t count = 0;
    char *resolved = realpath(path, NULL);
    const jr_status status = jr_file_read(resolved != NULL ? resolved : path, TEXT_BYTES_MAX, &bytes, &count, NULL);
    free(resolved);
    if (status != JR_OK) return status;
    if (memchr(bytes, '\0', count) != NULL) {
        free(bytes);
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s has a byte that is 0: it is not text", path);
    }
    *text = bytes;
    return JR_OK;
}

static bool are_known(const jr_watched_files *files, const jr_headers *found) {
    bool known = files->header_count == found->probe_count;
    for (size_t i = 0; known && i < found->probe_count; i++)
        known = strcmp(files->headers[i], found->probes[i].path) == 0;
    return known;
}

/* Takes the paths at which headers were looked for. Where they are others than before, nothing is known of what they
 * were when the headers were read: the next look finds a change, and all is read once more. */
static jr_status take_headers(jr_watched_files *files, const jr_headers *found) {
    if (are_known(files, found)) return JR_OK;
    char **paths = calloc(found->probe_count + 1, sizeof *paths);
    bool good = paths != NULL;
    for (size_t i = 0; good && i < found->probe_count; i++) {
        paths[i] = jr_string_copy(found->probes[i].path);
        good = paths[i] != NULL;
    }
    if (!good) {
        if (paths != NULL) free_headers(paths, found->probe_count);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the headers of %s", files->path);
    }
    free_headers(files->headers, files->header_count);
    files->headers = paths;
    files->header_count = found->probe_count;
    memset(files->taken, 0, sizeof files->taken);
    return JR_OK;
}

static jr_status find_headers(jr_watched_files *files, const jr_context *context) {
    jr_program_text text;
    jr_headers *found = NULL;
    JR_TRY(jr_program_text_make(&files->program, &text));
    jr_status status = jr_program_files_find(context->compiler, jr_cache_folder(context->cache), &text, true, &found);
    if (status == JR_OK) status = take_headers(files, found);
    jr_headers_free(found);
    jr_program_text_free(&text);
    return status;
}

jr_status jr_watched_files_read(jr_watched_files *files, const jr_context *context) {
    char *text = NULL;
    const char *before = files->program.source;
    look(files, files->taken);
    jr_status status = read_text(files->path, &text);
    if (status == JR_OK) files->program.source = text;
    if (status == JR_OK) status = find_headers(files, context);
    files->incomplete = status != JR_OK;
    if (status == JR_OK) {
        free(files->text);
        files->text = text;
    } else {
        free(text);
        files->program.source = before;
    }
    return status;
}
