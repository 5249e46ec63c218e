/* Hands the library's own headers on to callers' programs. */
#include "block_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "directives.h"
#include "options.h"
#include "sources.h"

static const char prefix[] = "jitreduce/", wanted[] = "jitreduce/block.cuh";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Does a text name <jitreduce/block.cuh> in a directive? */
static bool text_asks(const jr_program *program, const char *text) {
    const int standard = jr_options_standard(program);
    jr_directives walk;
    jr_directive_name name;
    if (strstr(text, wanted) == NULL) return false;
    jr_directives_begin(&walk, text, standard > 0 ? standard : JR_STANDARD_DEFAULT);
    while (jr_directives_next(&walk, &name))
        if (name.length == sizeof wanted - 1 && memcmp(name.text, wanted, name.length) == 0) return true;
    return false;
}

/* The same of a caller's program: its source with the constants (text), or one of its headers. */
static bool asks(const jr_program *program, const char *text) {
    if (jr_sources_digest(program->source) != NULL) return false; /* one of our own */
    if (text_asks(program, text)) return true;
    for (size_t i = 0; i < program->header_count; i++)
        if (text_asks(program, program->headers[i].text)) return true;
    return false;
}

/* Copies a text, with the prefix before every included name that lacks it; NULL: no memory. */
static char *below_prefix(const char *text) {
    static const char include[] = "#include \"";
    jr_text made = {0};
    for (const char *found; (found = strstr(text, include)) != NULL; text = found) {
        found += sizeof include - 1;
        jr_text_append_bytes(&made, text, (size_t)(found - text));
        if (!begins(found, prefix)) jr_text_append(&made, "%s", prefix);
    }
    jr_text_append(&made, "%s", text);
    return jr_text_take(&made);
}

static char *name_below_prefix(const char *name) {
    jr_text made = {0};
    jr_text_append(&made, "%s%s", begins(name, prefix) ? "" : prefix, name);
    return jr_text_take(&made);
}

static jr_status check_names(const jr_program *program) {
    for (size_t i = 0; i < program->header_count; i++)
        if (begins(program->headers[i].name, prefix))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "header %s of program %s: names below jitreduce/ are the library's own where "
                           "<jitreduce/block.cuh> is included",
                           program->headers[i].name, program->name);
    return JR_OK;
}

/* Adds jitreduce/block.cuh and what it includes after the program's own headers; false: no memory. */
static bool fill(const jr_program *program, jr_block_parts *parts) {
    jr_named_text all[JR_SOURCE_HEADERS_MAX + 1];
    size_t have = program->header_count, count = jr_sources_headers(wanted, all);
    all[count++] = (jr_named_text){wanted, jr_sources_find(wanted)};
    parts->headers = calloc(have + count, sizeof *parts->headers);
    parts->made = calloc(2 * count, sizeof *parts->made);
    if (parts->headers == NULL || parts->made == NULL) return false;
    for (size_t i = 0; i < have; i++) parts->headers[i] = program->headers[i];
    for (size_t i = 0; i < count; i++) {
        char **made = parts->made + parts->made_count;
        parts->made_count += 2;
        made[0] = name_below_prefix(all[i].name);
        made[1] = below_prefix(all[i].text);
        if (made[0] == NULL || made[1] == NULL) return false;
        parts->headers[have++] = (jr_named_text){made[0], made[1]};
    }
    parts->program.headers = parts->headers;
    parts->program.header_count = have;
    return true;
}

jr_status jr_block_parts_add(const jr_program *program, const char *text, jr_block_parts **parts) {
    if (!asks(program, text)) return JR_OK;
    JR_TRY(check_names(program));
    jr_block_parts *made = calloc(1, sizeof *made);
    if (made != NULL) made->program = *program;
    if (made == NULL || !fill(program, made)) {
        jr_block_parts_free(made);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the library's headers in program %s", program->name);
    }
    *parts = made;
    return JR_OK;
}

void jr_block_parts_free(jr_block_parts *parts) {
    if (parts == NULL) return;
    for (size_t i = 0; i < parts->made_count; i++) free(parts->made[i]);
    free(parts->made);
    free(parts->headers);
    free(parts);
}
