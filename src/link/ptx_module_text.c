/* Divides PTX text into the statements of its module scope. */
#include "ptx_module_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- words ---- */

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *past(const char *at, const char *end, const char *mark) {
    const size_t bytes = strlen(mark);
    while ((size_t)(end - at) >= bytes && memcmp(at, mark, bytes) != 0) at++;
    return (size_t)(end - at) >= bytes ? at + bytes : end;
}

static const char *skip(const char *at, const char *end) {
    for (;;) {
        while (at < end && isspace((unsigned char)*at)) at++;
        if (end - at > 1 && memcmp(at, "//", 2) == 0)
            at = past(at, end, "\n");
        else if (end - at > 1 && memcmp(at, "/*", 2) == 0)
            at = past(at + 2, end, "*/");
        else if (at < end && *at == '"')
            at = past(at + 1, end, "\"");
        else
            return at;
    }
}

jr_ptx_span jr_ptx_word(const char **at, const char *end) {
    const char *begin = skip(*at, end), *stop = begin;
    *at = begin;
    if (begin == end) return (jr_ptx_span){NULL, 0};
    for (stop++; (is_part(*begin) || *begin == '.') && stop < end && is_part(*stop);) stop++;
    *at = stop;
    return (jr_ptx_span){begin, (size_t)(stop - begin)};
}

bool jr_ptx_is(jr_ptx_span word, const char *text) {
    return word.at != NULL && word.bytes == strlen(text) && memcmp(word.at, text, word.bytes) == 0;
}

bool jr_ptx_same(jr_ptx_span a, jr_ptx_span b) {
    return a.at != NULL && b.at != NULL && a.bytes == b.bytes && memcmp(a.at, b.at, a.bytes) == 0;
}

/* ---- statements ---- */

typedef struct reader {
    const char *at, *end;
    const jr_link_part *part;
    jr_ptx_module_text *module;
} reader;

/* Past a group that begins after an opening bracket; false: it is left open. */
static bool skip_group(reader *it, const char *open, const char *close) {
    for (int depth = 1; depth > 0;) {
        const jr_ptx_span word = jr_ptx_word(&it->at, it->end);
        if (word.at == NULL) return false;
        depth += jr_ptx_is(word, open) ? 1 : jr_ptx_is(word, close) ? -1 : 0;
    }
    return true;
}

static int number_of(jr_ptx_span word) {
    int number = 0;
    for (size_t i = 0; i < word.bytes; i++)
        if (isdigit((unsigned char)word.at[i]) && number < 100000) number = 10 * number + (word.at[i] - '0');
    return number;
}

static void skip_line(reader *it) {
    while (it->at < it->end && *it->at != '\n') it->at++;
}

/* Reads a directive of the head or of debugging; false: the word is not one of these. */
static bool read_head(reader *it, jr_ptx_span word, bool *good) {
    jr_ptx_module_text *module = it->module;
    if (jr_ptx_is(word, ".version")) {
        module->version[0] = number_of(jr_ptx_word(&it->at, it->end));
        module->version[1] = number_of(jr_ptx_word(&it->at, it->end));
    } else if (jr_ptx_is(word, ".target")) {
        module->target = number_of(jr_ptx_word(&it->at, it->end));
        skip_line(it);
    } else if (jr_ptx_is(word, ".address_size")) {
        *good = number_of(jr_ptx_word(&it->at, it->end)) == 64;
    } else if (jr_ptx_is(word, ".file")) {
        skip_line(it);
    } else if (jr_ptx_is(word, ".section")) {
        while (!jr_ptx_is(word, "{") && word.at != NULL) word = jr_ptx_word(&it->at, it->end);
        *good = word.at != NULL && skip_group(it, "{", "}");
    } else {
        return false;
    }
    return true;
}

static bool take_linkage(jr_ptx_span word, jr_ptx_linkage *linkage) {
    static const struct {
        const char *word;
        jr_ptx_linkage linkage;
    } all[] = {
        {".visible", JR_PTX_VISIBLE}, {".extern", JR_PTX_EXTERN}, {".weak", JR_PTX_WEAK}, {".common", JR_PTX_WEAK}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!jr_ptx_is(word, all[i].word)) continue;
        *linkage = all[i].linkage;
        return true;
    }
    return false;
}

/* A function after its .func or .entry: the name, past a group of results. */
static bool read_function(reader *it, jr_ptx_statement *made) {
    jr_ptx_span word = jr_ptx_word(&it->at, it->end);
    if (jr_ptx_is(word, "(")) {
        if (!skip_group(it, "(", ")")) return false;
        word = jr_ptx_word(&it->at, it->end);
    }
    made->is_function = true;
    made->name = word;
    while (word.at != NULL && !jr_ptx_is(word, ";") && !jr_ptx_is(word, "{")) word = jr_ptx_word(&it->at, it->end);
    made->is_defined = jr_ptx_is(word, "{");
    if (made->is_defined) made->prototype = (jr_ptx_span){made->text.at, (size_t)(word.at - made->text.at)};
    return word.at != NULL && (!made->is_defined || skip_group(it, "{", "}"));
}

/* What is no function: a variable, or a directive such as .pragma. */
static bool read_other(reader *it, jr_ptx_span word, jr_ptx_statement *made) {
    const bool is_variable = jr_ptx_is(word, ".global") || jr_ptx_is(word, ".const") || jr_ptx_is(word, ".shared");
    made->is_shared = jr_ptx_is(word, ".shared");
    made->is_defined = is_variable && made->linkage != JR_PTX_EXTERN;
    for (int depth = 0; word.at != NULL && (depth > 0 || !jr_ptx_is(word, ";"));) {
        if (jr_ptx_is(word, ".align")) (void)jr_ptx_word(&it->at, it->end);
        depth += jr_ptx_is(word, "{") || jr_ptx_is(word, "(")   ? 1
                 : jr_ptx_is(word, "}") || jr_ptx_is(word, ")") ? -1
                                                                : 0;
        if (is_variable && depth == 0 && made->name.at == NULL && *word.at != '.' && is_part(*word.at))
            made->name = word;
        word = jr_ptx_word(&it->at, it->end);
    }
    return word.at != NULL;
}

static bool read_statement(reader *it, jr_ptx_span word, jr_ptx_statement *made) {
    *made = (jr_ptx_statement){0};
    while (take_linkage(word, &made->linkage)) word = jr_ptx_word(&it->at, it->end);
    if (word.at == NULL) return false;
    made->text.at = word.at;
    made->is_kernel = jr_ptx_is(word, ".entry");
    const bool good =
        made->is_kernel || jr_ptx_is(word, ".func") ? read_function(it, made) : read_other(it, word, made);
    made->text.bytes = (size_t)(it->at - made->text.at);
    return good;
}

static jr_status add(jr_ptx_module_text *module, const jr_ptx_statement *statement) {
    enum { STEP = 64 };
    if (module->count % STEP == 0) {
        jr_ptx_statement *more = realloc(module->statements, (module->count + STEP) * sizeof *more);
        if (more == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the statements of %s", module->name);
        module->statements = more;
    }
    module->statements[module->count++] = *statement;
    return JR_OK;
}

static jr_status read_all(reader *it) {
    for (jr_ptx_span word; (word = jr_ptx_word(&it->at, it->end)).at != NULL;) {
        jr_ptx_statement made;
        bool good = true;
        if (read_head(it, word, &good)) {
            if (good) continue;
        } else if (read_statement(it, word, &made)) {
            JR_TRY(add(it->module, &made));
            continue;
        }
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s is PTX that is cut short or is not for 64 bits, near '%.*s'",
                       it->part->name, (int)(word.bytes < 80 ? word.bytes : 80), word.at);
    }
    return JR_OK;
}

jr_status jr_ptx_module_text_read(const jr_link_part *part, jr_ptx_module_text *module) {
    const char *text = part->data;
    jr_ptx_module_text made = {.name = part->name};
    reader it = {text, text + part->bytes, part, &made};
    jr_status status = read_all(&it);
    if (status == JR_OK && (made.version[0] == 0 || made.target == 0))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s is not PTX: it has no .version and .target", part->name);
    if (status == JR_OK)
        *module = made;
    else
        jr_ptx_module_text_free(&made);
    return status;
}

void jr_ptx_module_text_free(jr_ptx_module_text *module) {
    free(module->statements);
    *module = (jr_ptx_module_text){0};
}
