/* Writes the history and compares it with a compile. A line is a kind, a name and a value with tabs between them. */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "history_report.h"
#include "program/request_words.h"
#include "program/sources.h"
#include "spec/expressions.h"

enum {
    RECORD_BYTES_MAX = 16 << 20,
    RECORD_NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof JR_HISTORY_SUFFIX - 1,
    VALUE_BYTES_MAX = 60 /* a longer value is cut, and its digest follows */
};

static const char first_line[] = "jitreduce history 3\n";
static const char between[] = "---\n"; /* compiles of one record, the newest first */
enum { COMPILES_MAX = 8 };

/* ---- writing ---- */

/* Appends a text without control characters, which would end a field or a line. */
static void append_plain(jr_text *text, const char *value, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char c = (unsigned char)value[i] < ' ' ? ' ' : value[i];
        jr_text_append_bytes(text, &c, 1);
    }
}

static void append_line(jr_text *text, const char *kind, const char *name, const char *value) {
    const size_t length = strlen(value);
    jr_text_append(text, "%s\t", kind);
    append_plain(text, name, strlen(name));
    jr_text_append(text, "\t");
    append_plain(text, value, length > VALUE_BYTES_MAX ? VALUE_BYTES_MAX : length);
    if (length > VALUE_BYTES_MAX) {
        uint8_t digest[JR_DIGEST_BYTES];
        jr_digest_of(value, length, digest);
        jr_text_append(text, "...%s [%02x%02x%02x%02x]", *value == '\'' ? "'" : "", digest[0], digest[1], digest[2],
                       digest[3]);
    }
    jr_text_append(text, "\n");
}

static void append_digest(jr_text *text, const char *kind, const char *name, const uint8_t digest[JR_DIGEST_BYTES]) {
    char hex[JR_DIGEST_HEX_BYTES];
    jr_digest_hex(digest, hex);
    jr_text_append(text, "%s\t", kind);
    append_plain(text, name, strlen(name));
    jr_text_append(text, "\t%s\n", hex);
}

static void append_text_digest(jr_text *text, const char *kind, const char *name, const char *value) {
    uint8_t made[JR_DIGEST_BYTES];
    const uint8_t *known = jr_sources_digest(value);
    if (known == NULL) jr_digest_of(value, strlen(value), made);
    append_digest(text, kind, name, known != NULL ? known : made);
}

static void append_options(jr_text *text, const char *kind, const jr_program *program) {
    jr_text options = {0};
    for (size_t i = 0; i < program->option_count; i++)
        jr_text_append(&options, "%s%s", i > 0 ? " " : "", program->options[i]);
    append_line(text, kind, "", jr_text_string(&options));
    text->failed = text->failed || jr_text_failed(&options);
    jr_text_free(&options);
}

static void append_request(void *user, const jr_request_line *line) {
    append_line(user, line->follows ? "consequence" : "request", line->words, line->value);
}

/* The headers that are written for one built-in program are reported in the words of what they hold. */
static void append_header(jr_text *text, bool built_in, const jr_named_text *header) {
    size_t length;
    if (built_in && strcmp(header->name, JR_EXPRESSIONS_HEADER) == 0)
        append_text_digest(text, "expressions", "", header->text);
    else if (!built_in || strcmp(header->name, JR_DECLARATIONS_HEADER) != 0)
        append_text_digest(text, "header", header->name, header->text);
    else if (jr_expressions_find(header->text, "structure", &length) != NULL)
        append_text_digest(text, "struct", "", header->text);
}

static void write_program(const jr_history_of *of, jr_text *text) {
    const jr_program *program = of->text->program;
    const bool built_in = jr_request_words_known(program);
    append_line(text, "library", "", jr_version());
    append_text_digest(text, "source", "", program->source);
    if (built_in) jr_request_words_each(program, append_request, text);
    for (size_t i = 0; !built_in && i < program->constant_count; i++)
        append_line(text, "constant", program->constants[i].name, program->constants[i].text);
    append_options(text, built_in ? "choice" : "options", program);
    append_line(text, "debug", "",
                of->text->debug == JR_DEBUG_NONE    ? "none"
                : of->text->debug == JR_DEBUG_LINES ? "lines"
                                                    : "full");
    for (size_t i = 0; i < program->header_count; i++) append_header(text, built_in, &program->headers[i]);
}

static void write_surroundings(const jr_history_of *of, jr_text *text) {
    char nvrtc[128];
    snprintf(nvrtc, sizeof nvrtc, "%d.%d (build %s)", of->surroundings->nvrtc_major, of->surroundings->nvrtc_minor,
             of->surroundings->nvrtc_build);
    append_line(text, "architecture", "", of->surroundings->architecture);
    append_line(text, "NVRTC", "", nvrtc);
    for (size_t i = 0; of->headers != NULL && i < of->headers->probe_count; i++) {
        const jr_probe *probe = &of->headers->probes[i];
        if (probe->there) append_digest(text, "header", probe->path, probe->digest);
    }
}

/* ---- the files ---- */

typedef struct record {
    char name[RECORD_NAME_BYTES], path[JR_PATH_BYTES];
    void (*write)(const jr_history_of *of, jr_text *text);
    bool last_alone; /* it keeps the last compile only; else the last COMPILES_MAX */
} record;

static bool name_record(const jr_history_of *of, const jr_digest *digest, record *made) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_digest copy = *digest;
    jr_digest_end(&copy, key);
    jr_digest_hex(key, made->name);
    memcpy(made->name + JR_DIGEST_HEX_BYTES - 1, JR_HISTORY_SUFFIX, sizeof JR_HISTORY_SUFFIX);
    return *of->folder != '\0' && jr_path_join(made->path, of->folder, made->name);
}

static bool record_of_program(const jr_history_of *of, record *made) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "name", of->text->program->name);
    jr_digest_string(&digest, "entry", of->text->program->entry);
    made->write = write_program;
    made->last_alone = false;
    return name_record(of, &digest, made);
}

static void add_operator(void *user, const jr_request_line *line) {
    if (strcmp(line->words, JR_REQUEST_OPERATOR) == 0) jr_digest_string(user, "operator", line->value);
}

/* The record of a built-in program together with its operator. One command may compile several operators, and each is
 * compared with its own last compile if it has one. */
static bool record_of_operator(const jr_history_of *of, record *made) {
    jr_digest digest;
    if (!jr_request_words_known(of->text->program)) return false;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "name", of->text->program->name);
    jr_digest_string(&digest, "entry", of->text->program->entry);
    jr_request_words_each(of->text->program, add_operator, &digest);
    made->write = write_program;
    made->last_alone = false;
    return name_record(of, &digest, made);
}

static bool record_of_surroundings(const jr_history_of *of, record *made) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_field(&digest, "text key", of->text_key->bytes, JR_DIGEST_BYTES);
    made->write = write_surroundings;
    made->last_alone = true;
    return name_record(of, &digest, made);
}

/* The lines of a record as it is on disk, malloc'd; NULL: it is missing, damaged, or not ours. */
static char *read_record(const jr_history_of *of, const record *from) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    if (!jr_file_exists(from->path) || jr_folder_check(of->folder)) return NULL;
    if (jr_file_read_ours(from->path, RECORD_BYTES_MAX, &bytes, &count, &missing) || missing) return NULL;
    if (jr_seal_cut(bytes, count) && strncmp(bytes, first_line, sizeof first_line - 1) == 0) return bytes;
    free(bytes);
    return NULL;
}

/* The next compile of a record's text, ended by a NUL that is written into the text; NULL at the end. */
static char *next_compile(char **rest) {
    char *compile = *rest;
    if (compile == NULL || *compile == '\0') return NULL;
    char *end = strstr(compile, between);
    *rest = end != NULL ? end + sizeof between - 1 : NULL;
    if (end != NULL) *end = '\0';
    return compile;
}

/* Appends the compiles that the record has on disk, except one that is equal to `now`. */
static void append_earlier(const jr_history_of *of, const record *to, const char *now, jr_text *text) {
    char *before = to->last_alone ? NULL : read_record(of, to);
    char *rest = before != NULL ? before + sizeof first_line - 1 : NULL;
    int count = 1;
    for (const char *compile; count < COMPILES_MAX && (compile = next_compile(&rest)) != NULL;) {
        if (strcmp(compile, now) == 0) continue;
        jr_text_append(text, "%s%s", between, compile);
        count++;
    }
    free(before);
}

static void note(const jr_history_of *of, const record *to) {
    jr_text now = {0}, text = {0};
    to->write(of, &now);
    jr_text_append(&text, "%s%s", first_line, jr_text_string(&now));
    append_earlier(of, to, jr_text_string(&now), &text);
    jr_seal_append(&text);
    if (!jr_text_failed(&now) && !jr_text_failed(&text) && !jr_folder_check(of->folder))
        jr_file_write(of->folder, to->name, jr_text_string(&text), text.length);
    jr_text_free(&now);
    jr_text_free(&text);
}

void jr_history_note(const jr_history_of *of) {
    record program, operator, surroundings;
    if (!record_of_program(of, &program) || !record_of_surroundings(of, &surroundings)) return;
    JR_KEEP_ERROR;
    note(of, &program);
    if (record_of_operator(of, &operator)) note(of, &operator);
    note(of, &surroundings);
}

/* ---- the reason ---- */

/* The nearest compile so far: the one with the fewest differences, of several the first that was compared. */
typedef struct nearest {
    int differences; /* -1: none was compared */
    char reason[JR_COMPILED_BECAUSE_BYTES];
} nearest;

/* Compares this compile (`now`) with those of a record, the newest first. Changes the record's text (`before`). */
static void compare_all(char *before, const char *now, nearest *found) {
    char reason[JR_COMPILED_BECAUSE_BYTES] = "", *rest = before;
    bool last = true;
    for (const char *compile; (compile = next_compile(&rest)) != NULL; last = false) {
        const int count = jr_history_compare(compile, now, last, reason);
        if (found->differences >= 0 && count >= found->differences) continue;
        found->differences = count;
        memcpy(found->reason, reason, sizeof reason);
    }
}

static void compare_record(const jr_history_of *of, const record *from, nearest *found) {
    char *before = read_record(of, from);
    jr_text now = {0};
    if (before == NULL) return;
    from->write(of, &now);
    if (!jr_text_failed(&now)) compare_all(before + sizeof first_line - 1, jr_text_string(&now), found);
    jr_text_free(&now);
    free(before);
}

static nearest find_in_surroundings(const jr_history_of *of, const record *surroundings) {
    nearest found = {.differences = -1};
    compare_record(of, surroundings, &found);
    return found;
}

/* A compile with this operator is preferred to an equally near one with another. */
static nearest find_in_programs(const jr_history_of *of) {
    nearest found = {.differences = -1};
    record operator, program;
    if (record_of_operator(of, &operator)) compare_record(of, &operator, & found);
    if (record_of_program(of, &program)) compare_record(of, &program, &found);
    return found;
}

void jr_history_reason(const jr_history_of *of, char reason[JR_COMPILED_BECAUSE_BYTES]) {
    static const char no_entry[] = "the cache has no entry for it";
    record surroundings;
    snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%s", no_entry);
    if (!record_of_surroundings(of, &surroundings)) return;
    JR_KEEP_ERROR;
    const nearest here = find_in_surroundings(of, &surroundings);
    const nearest found = here.differences < 0 ? find_in_programs(of) : here;
    snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%s",
             here.differences == 0    ? "its entry was removed from the cache"
             : found.differences > 0  ? found.reason
             : found.differences == 0 ? no_entry
                                      : "first compile of this program in this cache");
}
