/* Follows the include names in a text, and renames them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "header_search.h"
#include "program/options.h"

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
    bool standard = false;
    jr_status status = jr_header_standard(search, name, &standard);
    if (status == JR_OK && !standard) status = jr_header_find(search, name, 0, &found, &folder);
    if (status == JR_OK && found != NULL && found->name == NULL) status = jr_header_name(search, found, folder, name);
    if (status != JR_OK) search->failed = status;
    return status == JR_OK && (found == NULL || strcmp(found->name, name) == 0);
}

/* Is what an include names one word? Its length, else 0. */
static size_t lone_word(const jr_directive_name *wanted) {
    size_t length = strspn(wanted->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length > wanted->length) length = wanted->length;
    return length + strspn(wanted->text + length, " \t\r") >= wanted->length ? length : 0;
}

/* An #include of a macro stays as it is if all names that the macro may expand to are known and none is a file of the
 * system. The same holds for __has_include of a macro. If the word is not a macro, it is a parameter of the macro that
 * asks: the names are then found where that macro is used, unless another macro has them. */
static jr_status follow_computed(jr_header_search *search, const jr_directive_name *wanted, jr_text *out) {
    const size_t length = lone_word(wanted);
    const bool asked = wanted->kind == JR_DIRECTIVE_ASKED;
    bool kept;
    search->computes = true;
    if (asked && length > 0 && !jr_macros_have(&search->macros, wanted->text, length))
        kept = !search->has_absolute;
    else
        kept = length > 0 && jr_macros_expand(&search->macros, wanted->text, length, follow_macro, search);
    if (kept)
        jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
    else
        put_refusal(out, wanted, "a macro");
    return search->failed;
}

/* May a macro's body become an absolute path where a file is asked for? */
static bool may_be_absolute(const char *body, size_t length) {
    const size_t blanks = strspn(body, " \t");
    if (blanks < length && body[blanks] == '/' && body[blanks + 1] != '/' && body[blanks + 1] != '*') return true;
    for (size_t i = 0; i + 1 < length; i++)
        if ((body[i] == '"' || body[i] == '<') && body[i + 1] == '/') return true;
    return false;
}

/* Keeps what a macro is defined as. */
static jr_status keep_macro(jr_header_search *search, const jr_directive_name *wanted) {
    const char *body = wanted->end;
    if (search->knows_macros) return JR_OK;
    const size_t length = strcspn(body, "\n");
    const bool splits = length > 0 && body[length - 1] == '\\';
    search->has_absolute = search->has_absolute || may_be_absolute(body, length);
    return jr_macros_add(&search->macros, wanted->text, wanted->length, splits ? NULL : body, length)
               ? JR_OK
               : jr_header_no_memory(search);
}

/* Finds the file that a name means. What is only mentioned may be no header at all: what goes wrong with it is no
 * failure. */
static jr_status find(jr_header_search *search, const jr_directive_name *wanted, const jr_header_file *includer,
                      const char *name, jr_header_file **file) {
    const bool mentioned = wanted->kind == JR_DIRECTIVE_MENTION || wanted->kind == JR_DIRECTIVE_CONDITION;
    jr_error_saved *saved = mentioned ? jr_error_save() : NULL;
    const jr_status status = jr_header_resolve(search, wanted, name, includer, file);
    if (!mentioned) return status;
    jr_error_restore(saved);
    return status == JR_ERROR_OUT_OF_MEMORY ? status : JR_OK;
}

/* Follows the name of a file in #include or __has_include, and writes what stands in its place. */
static jr_status follow_name(jr_header_search *search, const jr_directive_name *wanted, const jr_header_file *includer,
                             const char *name, jr_text *out) {
    jr_header_file *file = NULL;
    const bool own = jr_header_is_own(search, name);
    if (!own && name[0] == '/') {
        put_refusal(out, wanted, "an absolute path");
        return JR_OK;
    }
    const jr_status status = own ? JR_OK : find(search, wanted, includer, name, &file);
    const char *other = own || file != NULL ? NULL : jr_header_own_by_path(search, name, search->virtual_includer);
    if (file != NULL) other = file->name;
    if (status == JR_OK && other != NULL)
        put_name(out, other, wanted->quoted);
    else
        jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
    return status;
}

/* Follows a name that is mentioned, and writes it. */
static jr_status follow_mention(jr_header_search *search, const jr_directive_name *wanted,
                                const jr_header_file *includer, const char *name, jr_text *out) {
    jr_header_file *file = NULL;
    if (name[0] == '/' && (!wanted->quoted || wanted->kind == JR_DIRECTIVE_CONDITION)) {
        put_refusal(out, wanted, "an absolute path");
        return JR_OK;
    }
    jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
    if (jr_header_is_own(search, name)) return JR_OK;
    const jr_status status = find(search, wanted, includer, name, &file);
    if (status != JR_OK || !search->writes || file == NULL || strcmp(file->name, name) == 0) return status;
    return keep_alias(search, name);
}

/* Follows one name, and writes what stands in its place. */
static jr_status follow(jr_header_search *search, const jr_directive_name *wanted, const jr_header_file *includer,
                        jr_text *out) {
    char name[NAME_BYTES_MAX];
    if (wanted->kind == JR_DIRECTIVE_DEFINE) return keep_macro(search, wanted);
    if (wanted->kind == JR_DIRECTIVE_COMPUTED || wanted->kind == JR_DIRECTIVE_ASKED)
        return follow_computed(search, wanted, out);
    const bool mentioned = wanted->kind == JR_DIRECTIVE_MENTION || wanted->kind == JR_DIRECTIVE_CONDITION;
    if (wanted->length == 0 || wanted->length >= sizeof name) {
        if (mentioned)
            jr_text_append_bytes(out, wanted->begin, (size_t)(wanted->end - wanted->begin));
        else
            put_refusal(out, wanted, "a name of that length");
        return JR_OK;
    }
    memcpy(name, wanted->text, wanted->length);
    name[wanted->length] = '\0';
    return mentioned ? follow_mention(search, wanted, includer, name, out)
                     : follow_name(search, wanted, includer, name, out);
}

jr_status jr_header_follow(jr_header_search *search, const char *text, const jr_header_file *includer, char **made) {
    jr_directives walk;
    jr_directive_name name;
    jr_text out = {0};
    jr_status status = JR_OK;
    const char *copied = jr_lexeme_past_mark(text);
    const int standard = jr_options_standard(search->program);
    jr_directives_begin(&walk, copied, standard > 0 ? standard : JR_STANDARD_DEFAULT);
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
