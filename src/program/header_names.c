/* Follows the names in a text, and names includes anew. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "header_search.h"

enum { NAME_BYTES_MAX = 2048 };

/* Keeps a name that is mentioned and is not what its file is called. */
static jr_status keep_alias(jr_header_search *search, const char *name) {
    char *copy = jr_string_copy(name);
    char **larger = realloc(search->aliases, (search->alias_count + 1) * sizeof *larger);
    if (larger != NULL) search->aliases = larger;
    if (larger == NULL || copy == NULL) {
        free(copy);
        return jr_header_no_memory(search);
    }
    search->aliases[search->alias_count++] = copy;
    return JR_OK;
}

/* Writes a name with its delimiters. */
static void put_name(jr_text *out, const char *name, bool quoted) {
    const bool quotes = quoted ? strchr(name, '"') == NULL : strchr(name, '>') != NULL;
    jr_text_append(out, quotes ? "\"%s\"" : "<%s>", name);
}

/* Writes, instead of a name that cannot be followed, one that no file has and that says so; on as many lines. */
static void put_refusal(jr_text *out, const jr_directive_name *wanted, const char *what) {
    size_t length = strcspn(wanted->text, " \t\r\n\\\"<>");
    if (length > wanted->length) length = wanted->length;
    jr_text_append(out, "\"jitreduce reads no header by %s: %.*s\"", what, (int)length, wanted->text);
    for (const char *at = wanted->begin; at < wanted->end; at++)
        if (*at == '\n') jr_text_append(out, "\\\n");
}

/* Finds a file that a macro may mean: it must be called what the compiler will ask for. False: no more is to be found.
 */
static bool follow_macro(void *opaque, const char *file) {
    jr_header_search *search = opaque;
    char name[NAME_BYTES_MAX];
    jr_header_file *found = NULL;
    size_t folder = 0;
    const size_t length = strlen(file) - 2;
    if (length >= sizeof name) return false;
    memcpy(name, file + 1, length);
    name[length] = '\0';
    if (jr_header_is_own(search, name)) return true;
    jr_status status = jr_header_look(search, name, 0, &found, &folder);
    if (status == JR_OK && found != NULL && found->name == NULL) status = jr_header_name(search, found, folder, name);
    if (status != JR_OK) search->failed = status;
    return status == JR_OK && (found == NULL || strcmp(found->name, name) == 0);
}

/* #include of a macro stays what it is where all that it may mean is known, and is none of the system's files. */
static jr_status follow_computed(jr_header_search *search, const jr_directive_name *wanted, jr_text *out) {
    size_t length = strspn(wanted->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length > wanted->length) length = wanted->length;
    const size_t rest = strspn(wanted->text + length, " \t\r");
    search->computes = true;
    const bool alone = length + rest >= wanted->length || wanted->text[length + rest] == '/';
    if (alone && jr_macros_expand(&search->macros, wanted->text, length, follow_macro, search))
        jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
    else
        put_refusal(out, wanted, "a macro");
    return search->failed;
}

/* Keeps what a macro is defined as. */
static jr_status keep_macro(jr_header_search *search, const jr_directive_name *wanted) {
    const char *body = wanted->end;
    if (search->knows_macros) return JR_OK;
    const size_t length = strcspn(body, "\n");
    const bool splits = length > 0 && body[length - 1] == '\\';
    return jr_macros_add(&search->macros, wanted->text, wanted->length, splits ? NULL : body, length)
               ? JR_OK
               : jr_header_no_memory(search);
}

/* Follows one name, and writes what stands in its place. */
static jr_status follow(jr_header_search *search, const jr_directive_name *wanted, const jr_header_file *includer,
                        jr_text *out) {
    char name[NAME_BYTES_MAX];
    jr_header_file *file = NULL;
    const bool mentioned = wanted->kind == JR_DIRECTIVE_MENTION;
    if (wanted->kind == JR_DIRECTIVE_DEFINE) return keep_macro(search, wanted);
    if (wanted->kind == JR_DIRECTIVE_COMPUTED) return follow_computed(search, wanted, out);
    if (wanted->text[0] == '/' && !(mentioned && wanted->quoted)) {
        put_refusal(out, wanted, "an absolute path");
        return JR_OK;
    }
    jr_text_append_bytes(out, wanted->begin, mentioned ? (size_t)(wanted->end - wanted->begin) : 0);
    jr_status status = JR_OK;
    if (wanted->length > 0 && wanted->length < sizeof name) {
        memcpy(name, wanted->text, wanted->length);
        name[wanted->length] = '\0';
        if (!jr_header_is_own(search, name)) {
            jr_error_saved *saved = mentioned ? jr_error_save() : NULL;
            status = jr_header_resolve(search, wanted, name, includer, &file);
            if (mentioned) jr_error_restore(saved); /* what may be no header at all is no failure */
            if (mentioned && status != JR_ERROR_OUT_OF_MEMORY) status = JR_OK;
        }
    }
    if (mentioned)
        return status == JR_OK && search->writes && file != NULL && strcmp(file->name, name) != 0
                   ? keep_alias(search, name)
                   : status;
    if (file != NULL)
        put_name(out, file->name, wanted->quoted);
    else
        jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
    return status;
}

jr_status jr_header_follow(jr_header_search *search, const char *text, const jr_header_file *includer, char **made) {
    jr_directives walk = {text, 1, NULL};
    jr_directive_name name;
    jr_text out = {0};
    jr_status status = JR_OK;
    const char *copied = text;
    while (status == JR_OK && jr_directives_next(&walk, &name)) {
        jr_text_append_bytes(&out, copied, (size_t)(name.begin - copied));
        status = follow(search, &name, includer, &out);
        copied = name.end;
    }
    jr_text_append_bytes(&out, copied, strlen(copied));
    if (jr_text_failed(&out) && status == JR_OK) status = jr_header_no_memory(search);
    *made = status == JR_OK ? jr_text_take(&out) : NULL;
    if (status == JR_OK && *made == NULL) *made = jr_string_copy(""); /* of no text */
    jr_text_free(&out);
    return status == JR_OK && *made == NULL ? jr_header_no_memory(search) : status;
}
