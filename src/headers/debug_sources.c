/* Writes sources as files. */
#include "debug_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/text.h"

jr_status jr_debug_asked(const jr_program *program, jr_debug *debug) {
    static const char *const values[] = {[JR_DEBUG_NONE] = "", [JR_DEBUG_LINES] = "lines", [JR_DEBUG_FULL] = "full"};
    const char *setting = jr_setting_get(JR_SETTING_DEBUG);
    *debug = program->debug;
    if (setting == NULL) return JR_OK;
    for (int value = JR_DEBUG_NONE; value <= JR_DEBUG_FULL; value++) {
        if (strcmp(setting, values[value]) != 0) continue;
        if (value > (int)*debug) *debug = (jr_debug)value;
        return JR_OK;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "JITREDUCE_DEBUG=%s is not allowed: give lines (line numbers), full (also variables, without "
                   "optimisation), or unset it",
                   setting);
}

/* One text that NVRTC is given, and the part of it that is a file. */
typedef struct source {
    const char *name, *head, *text; /* head: what stands before the file's own text; not ended by a NUL */
    size_t head_length;
} source;

/* The program's own text: its constants come first, then a line that numbers the rest from 1. */
static source source_of_program(const jr_program_text *text, const char *whole) {
    char mark[JR_PATH_BYTES];
    source found = {text->program->name, whole, whole, 0};
    snprintf(mark, sizeof mark, "#line 1 \"%s\"\n", text->program->name);
    const char *line = strstr(whole, mark);
    if (line == NULL) return found;
    found.head_length = (size_t)(line - whole);
    found.text = line + strlen(mark);
    return found;
}

/* Is it a path that stays in its folder? */
static bool stays(const char *name) {
    if (name[0] == '/' || name[0] == '\0' || strpbrk(name, "\"\\\n") != NULL) return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    }
    return true;
}

/* Writes folder/name where no file of that size is: a folder's name is the digest of what lies in it. */
static void write_file(const char *folder, const source *one) {
    char path[JR_PATH_BYTES];
    jr_file_identity there;
    const size_t bytes = strlen(one->text);
    JR_KEEP_ERROR;
    if (!jr_path_join(path, folder, one->name)) return;
    if (jr_file_identify(path, &there) && there.bytes == bytes) return;
    char *slash = strrchr(path, '/');
    *slash = '\0';
    jr_status status = jr_folder_make(path);
    if (status == JR_OK) status = jr_file_write(path, slash + 1, one->text, bytes);
    if (status != JR_OK) jr_log(JR_LOG_WARNING, "debug sources: %s", jr_last_error()->message);
}

/* The text with a line that says which file it is; NULL: no memory. */
static char *name_file(const char *folder, const source *one) {
    jr_text text = {0};
    jr_text_append_bytes(&text, one->head, one->head_length);
    if (stays(one->name))
        jr_text_append(&text, "#line 1 \"%s/%s\"\n", folder, one->name);
    else if (one->head_length > 0)
        jr_text_append(&text, "#line 1 \"%s\"\n", one->name);
    jr_text_append(&text, "%s", one->text);
    return jr_text_take(&text);
}

static void digest_of(const source *sources, size_t count, char hex[JR_DIGEST_HEX_BYTES]) {
    uint8_t bytes[JR_DIGEST_BYTES];
    jr_digest digest;
    jr_digest_begin(&digest);
    for (size_t i = 0; i < count; i++) {
        jr_digest_string(&digest, "name", sources[i].name);
        jr_digest_string(&digest, "text", sources[i].text);
    }
    jr_digest_end(&digest, bytes);
    jr_digest_hex(bytes, hex);
}

/* Names the folder of sources; false: there is no disk cache, or the path is too long. */
static bool name_folder(const char *cache_folder, const source *sources, size_t count, char folder[JR_PATH_BYTES]) {
    enum { DIGITS = 16 };
    char hex[JR_DIGEST_HEX_BYTES];
    char *whole = *cache_folder != '\0' ? realpath(cache_folder, NULL) : NULL;
    digest_of(sources, count, hex);
    const int length = whole == NULL || strpbrk(whole, "\"\\\n") != NULL
                           ? JR_PATH_BYTES
                           : snprintf(folder, JR_PATH_BYTES, "%s/" JR_DEBUG_SOURCES_FOLDER "/%.*s", whole, DIGITS, hex);
    free(whole);
    return length < JR_PATH_BYTES;
}

/* The first source is the program's text, the others are its headers. */
static jr_status make_headers(const char *folder, const source *sources, size_t count, jr_headers *out) {
    out->names = calloc(count, sizeof *out->names);
    out->texts = calloc(count, sizeof *out->texts);
    out->owned = calloc(count, sizeof *out->owned);
    if (out->names == NULL || out->texts == NULL || out->owned == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the sources of program %s", sources[0].name);
    for (size_t i = 0; i < count; i++) {
        char *text = name_file(folder, &sources[i]);
        if (text == NULL)
            return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the sources of program %s", sources[0].name);
        if (stays(sources[i].name)) write_file(folder, &sources[i]);
        if (i == 0) {
            out->source = text;
            continue;
        }
        out->owned[out->owned_count++] = text;
        out->names[out->count] = sources[i].name;
        out->texts[out->count++] = text;
    }
    return JR_OK;
}

static size_t list_sources(const jr_program_text *text, const jr_headers *headers, source *out) {
    const jr_program *program = text->program;
    const size_t count = headers != NULL ? headers->count : program->header_count;
    out[0] = source_of_program(text, headers != NULL ? headers->source : text->text);
    for (size_t i = 0; i < count; i++) {
        out[i + 1] = headers != NULL ? (source){headers->names[i], "", headers->texts[i], 0}
                                     : (source){program->headers[i].name, "", program->headers[i].text, 0};
    }
    return count + 1;
}

jr_status jr_debug_sources_make(const char *cache_folder, const jr_program_text *text, const jr_headers *headers,
                                jr_headers **made) {
    char folder[JR_PATH_BYTES];
    *made = NULL;
    const size_t room = 1 + (headers != NULL ? headers->count : text->program->header_count);
    source *sources = calloc(room, sizeof *sources);
    jr_headers *out = calloc(1, sizeof *out);
    jr_status status =
        sources != NULL && out != NULL
            ? JR_OK
            : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the sources of program %s", text->program->name);
    if (status == JR_OK) {
        const size_t count = list_sources(text, headers, sources);
        if (name_folder(cache_folder, sources, count, folder))
            status = make_headers(folder, sources, count, out);
        else
            jr_log(JR_LOG_WARNING,
                   "debug sources: there is no folder for the files of program %s: its debug information "
                   "names files that do not exist; set JITREDUCE_CACHE_DIR to a folder",
                   text->program->name);
    }
    if (status == JR_OK && out->source != NULL) {
        out->searched = jr_string_copy(headers != NULL && headers->searched != NULL ? headers->searched : "");
        out->lacks_toolkit = headers != NULL && headers->lacks_toolkit;
        if (out->searched == NULL)
            status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the sources of program %s", text->program->name);
    }
    if (status == JR_OK && out->source != NULL)
        *made = out;
    else
        jr_headers_free(out);
    free(sources);
    return status;
}
