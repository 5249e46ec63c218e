/* Writes and compares the history. A line is a kind, a name and a value with tabs between them; both texts of a
 * comparison have their lines in the same order, so the first pair that differs is the reason. */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/seal.h"
#include "base/text.h"
#include "program/sources.h"

enum {
    RECORD_BYTES_MAX = 16 << 20,
    RECORD_NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof JR_HISTORY_SUFFIX - 1,
    VALUE_BYTES_MAX = 60 /* a longer value is cut, and its digest follows */
};

static const char first_line[] = "jitreduce history 1\n";

/* How a change is reported. */
typedef struct kind_row {
    const char *kind, *changed;
    bool has_values; /* both values are shown: they are texts that a reader knows, not digests */
} kind_row;

static const kind_row kinds[] = {
    {"library", "jitreduce", true},  {"architecture", "architecture", true}, {"NVRTC", "NVRTC", true},
    {"source", "its source", false}, {"constant", "constant", true},         {"options", "its options", true},
    {"header", "header", false},
};

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
        jr_text_append(text, "... [%02x%02x%02x%02x]", digest[0], digest[1], digest[2], digest[3]);
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

static void append_options(jr_text *text, const jr_program *program) {
    jr_text options = {0};
    for (size_t i = 0; i < program->option_count; i++)
        jr_text_append(&options, "%s%s", i > 0 ? " " : "", program->options[i]);
    append_line(text, "options", "", jr_text_string(&options));
    text->failed = text->failed || jr_text_failed(&options);
    jr_text_free(&options);
}

static void write_program(const jr_history_of *of, jr_text *text) {
    const jr_program *program = of->text->program;
    append_line(text, "library", "", jr_version());
    append_text_digest(text, "source", "", program->source);
    for (size_t i = 0; i < program->constant_count; i++)
        append_line(text, "constant", program->constants[i].name, program->constants[i].text);
    append_options(text, program);
    for (size_t i = 0; i < program->header_count; i++)
        append_text_digest(text, "header", program->headers[i].name, program->headers[i].text);
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
    return name_record(of, &digest, made);
}

static bool record_of_surroundings(const jr_history_of *of, record *made) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_field(&digest, "text key", of->text_key->bytes, JR_DIGEST_BYTES);
    made->write = write_surroundings;
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

static void note(const jr_history_of *of, const record *to) {
    jr_text text = {0};
    jr_text_append(&text, "%s", first_line);
    to->write(of, &text);
    jr_seal_append(&text);
    if (!jr_text_failed(&text) && !jr_folder_check(of->folder))
        jr_file_write(of->folder, to->name, jr_text_string(&text), text.length);
    jr_text_free(&text);
}

void jr_history_note(const jr_history_of *of) {
    record program, surroundings;
    if (!record_of_program(of, &program) || !record_of_surroundings(of, &surroundings)) return;
    jr_error_saved *saved = jr_error_save();
    note(of, &program);
    note(of, &surroundings);
    jr_error_restore(saved);
}

/* ---- comparing ---- */

/* The fields of a line; their lengths, since the text stays whole. */
typedef struct line {
    const char *kind, *name, *value;
    int kind_length, name_length, value_length;
} line;

/* False at the end of the text, and for what is not a line. */
static bool read_line(const char *at, line *read) {
    read->kind_length = (int)strcspn(at, "\t\n");
    if (at[read->kind_length] != '\t') return false;
    *read = (line){.kind = at, .kind_length = read->kind_length, .name = at + read->kind_length + 1};
    read->name_length = (int)strcspn(read->name, "\t\n");
    if (read->name[read->name_length] != '\t') return false;
    read->value = read->name + read->name_length + 1;
    read->value_length = (int)strcspn(read->value, "\n");
    return true;
}

/* True if a text has a line with the kind and name of this one. */
static bool has_name(const char *text, const line *wanted) {
    const int length = wanted->kind_length + 1 + wanted->name_length + 1;
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        if (strncmp(text, wanted->kind, (size_t)length) == 0) return true;
    return false;
}

static const kind_row *find_kind(const line *of) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(kinds[i].kind, of->kind, (size_t)of->kind_length) == 0 && kinds[i].kind[of->kind_length] == '\0')
            return &kinds[i];
    return NULL;
}

static void report_change(const line *before, const line *now, char reason[JR_COMPILED_BECAUSE_BYTES]) {
    const kind_row *kind = find_kind(now);
    const char *what = kind != NULL ? kind->changed : "something";
    const char *blank = now->name_length > 0 ? " " : "";
    if (kind == NULL || !kind->has_values)
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%s%s%.*s changed since its last compile", what, blank,
                 now->name_length, now->name);
    else
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%s%s%.*s changed from '%.*s' to '%.*s' since its last compile",
                 what, blank, now->name_length, now->name, before->value_length, before->value, now->value_length,
                 now->value);
}

/* Reports the first lines that differ; false if there are none. */
static bool compare(const char *before, const char *now, char reason[JR_COMPILED_BECAUSE_BYTES]) {
    size_t same = 0, begin = 0;
    for (; before[same] == now[same] && now[same] != '\0'; same++)
        if (now[same] == '\n') begin = same + 1;
    if (before[same] == now[same]) return false;
    line old, made;
    const bool has_old = read_line(before + begin, &old), has_new = read_line(now + begin, &made);
    if (has_new && has_name(before + begin, &made) && has_old && has_name(now + begin, &old))
        report_change(&old, &made, reason);
    else if (has_new && !has_name(before, &made))
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%.*s %.*s is new since its last compile", made.kind_length,
                 made.kind, made.name_length, made.name);
    else if (has_old)
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%.*s %.*s was there at its last compile and is not now",
                 old.kind_length, old.kind, old.name_length, old.name);
    else
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "the record of the last compile is damaged");
    return true;
}

/* What differs between the last compile and this one; false if nothing does, or the record is missing (*missing). */
static bool differs(const jr_history_of *of, const record *from, bool *missing,
                    char reason[JR_COMPILED_BECAUSE_BYTES]) {
    char *before = read_record(of, from);
    *missing = before == NULL;
    if (before == NULL) return false;
    jr_text now = {0};
    jr_text_append(&now, "%s", first_line);
    from->write(of, &now);
    const bool different = !jr_text_failed(&now) && compare(before, jr_text_string(&now), reason);
    jr_text_free(&now);
    free(before);
    return different;
}

void jr_history_reason(const jr_history_of *of, char reason[JR_COMPILED_BECAUSE_BYTES]) {
    record program, surroundings;
    bool text_is_new, program_is_new;
    snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "the cache has no entry for it");
    if (!record_of_program(of, &program) || !record_of_surroundings(of, &surroundings)) return;
    jr_error_saved *saved = jr_error_save();
    if (!differs(of, &surroundings, &text_is_new, reason)) {
        if (!text_is_new)
            snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "its entry was removed from the cache");
        else if (!differs(of, &program, &program_is_new, reason) && program_is_new)
            snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "first compile of this program in this cache");
    }
    jr_error_restore(saved);
}
