/* Follows includes and renames them. */
#include "headers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "header_search.h"

/* Headers while they are made of what a search finds. */
typedef struct header_maker {
    jr_header_search search;
    jr_headers *headers;
} header_maker;

/* ---- texts ---- */

/* Keeps a text that the headers own; NULL: there was no memory for it. */
static jr_status own(header_maker *maker, char *text) {
    jr_headers *headers = maker->headers;
    char **larger = text != NULL ? realloc(headers->owned, (headers->owned_count + 1) * sizeof *larger) : NULL;
    if (larger == NULL) {
        free(text);
        return jr_header_no_memory(&maker->search);
    }
    headers->owned = larger;
    headers->owned[headers->owned_count++] = text;
    return JR_OK;
}

/* Appends a virtual header; name is borrowed, text becomes the headers' own. digest: of the text, NULL: not known. */
static jr_status add_header(header_maker *maker, const char *name, char *text, const uint8_t *digest) {
    jr_headers *headers = maker->headers;
    if (own(maker, text) != JR_OK) return JR_ERROR_OUT_OF_MEMORY;
    const char **names = realloc(headers->names, (headers->count + 1) * sizeof *names);
    if (names != NULL) headers->names = names;
    const char **texts = realloc(headers->texts, (headers->count + 1) * sizeof *texts);
    if (texts != NULL) headers->texts = texts;
    void *digests = realloc(headers->digests, (headers->count + 1) * sizeof *headers->digests);
    if (digests != NULL) headers->digests = digests;
    if (names == NULL || texts == NULL || digests == NULL) return jr_header_no_memory(&maker->search);
    if (digest != NULL)
        memcpy(headers->digests[headers->count], digest, JR_DIGEST_BYTES);
    else
        jr_digest_of(text, strlen(text), headers->digests[headers->count]);
    headers->names[headers->count] = name;
    headers->texts[headers->count++] = text;
    return JR_OK;
}

static void add_texts(const jr_headers *headers, jr_digest *digest) {
    for (size_t i = 0; i < headers->count; i++) {
        jr_digest_string(digest, "name", headers->names[i]);
        jr_digest_field(digest, "text", headers->digests[i], JR_DIGEST_BYTES);
    }
}

void jr_headers_digest(jr_headers *headers) {
    jr_digest digest;
    jr_digest_begin(&digest);
    add_texts(headers, &digest);
    jr_digest_end(&digest, headers->texts_digest);
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "source", headers->source);
    add_texts(headers, &digest);
    jr_digest_end(&digest, headers->digest);
}

/* Makes __has_include find, through a macro, what is there under another name. */
static jr_status add_aliases(header_maker *maker) {
    static const char text[] = "#error \"jitreduce reads no header by a macro\"\n";
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < maker->search.alias_count; i++) {
        bool taken = false;
        for (size_t k = 0; k < maker->headers->count && !taken; k++)
            taken = strcmp(maker->headers->names[k], maker->search.aliases[i]) == 0;
        if (taken) continue;
        status = own(maker, maker->search.aliases[i]);
        const char *name = maker->search.aliases[i];
        maker->search.aliases[i] = NULL;
        if (status == JR_OK) status = add_header(maker, name, jr_string_copy(text), NULL);
    }
    return status;
}

/* Rewrites a file's text. */
static jr_status write_file(header_maker *maker, const jr_header_file *file) {
    char *made = NULL;
    JR_TRY(jr_header_follow(&maker->search, file->text, file, &made));
    char *name = jr_string_copy(file->name);
    const jr_status status = own(maker, name);
    if (status == JR_OK)
        return add_header(maker, name, made, strcmp(made, file->text) == 0 ? file->probe->digest : NULL);
    free(made);
    return status;
}

/* Adds the standard headers that texts name. */
static jr_status add_standards(header_maker *maker) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < jr_standard_header_count; i++) {
        if (!maker->search.standard[i]) continue;
        char *text = jr_header_standard_text(i), *made = NULL;
        status =
            text != NULL ? jr_header_follow(&maker->search, text, NULL, &made) : jr_header_no_memory(&maker->search);
        free(text);
        if (status == JR_OK) status = add_header(maker, jr_standard_headers[i].name, made, NULL);
    }
    return status;
}

/* Walks through a text for what it names. */
static jr_status search_text(jr_header_search *search, const char *text, const jr_header_file *file) {
    char *unused = NULL;
    const jr_status status = jr_header_follow(search, text, file, &unused);
    free(unused);
    return status;
}

/* Walks through the standard headers that were named since the last time. */
static jr_status search_standards(jr_header_search *search) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < jr_standard_header_count; i++) {
        if (!search->standard[i] || search->standard_searched[i]) continue;
        char *text = jr_header_standard_text(i);
        search->standard_searched[i] = true;
        status = text != NULL ? search_text(search, text, NULL) : jr_header_no_memory(search);
        free(text);
    }
    return status;
}

/* Walks through texts that are new, and again through those that include macros, as these may be defined elsewhere. */
static jr_status search_files(jr_header_search *search) {
    jr_status status = JR_OK;
    for (jr_header_file *file = search->first; status == JR_OK && file != NULL; file = file->next) { /* it grows */
        if (file->searched && !file->computes) continue;
        search->knows_macros = file->searched;
        search->computes = false;
        status = search_text(search, file->text, file);
        file->searched = true;
        file->computes = search->computes;
    }
    return status;
}

/* Walks through the program's own texts: again where they include macros, as these may be defined elsewhere. */
static jr_status search_program(jr_header_search *search, const jr_program_text *text) {
    const jr_program *program = search->program;
    jr_status status = search_text(search, text->text, NULL);
    for (size_t i = 0; status == JR_OK && i < program->header_count; i++) {
        search->virtual_includer = program->headers[i].name;
        status = search_text(search, program->headers[i].text, NULL);
    }
    search->virtual_includer = NULL;
    return status;
}

/* Finds all files: those that texts name and, as long as that finds more, those that macros may mean. */
static jr_status find_all(jr_header_search *search, const jr_program_text *text) {
    const jr_header_file *last = NULL;
    jr_status status = search_program(search, text);
    const bool computes = search->computes;
    if (status == JR_OK) status = search_files(search);
    if (status == JR_OK) status = search_standards(search);
    do {
        last = search->last;
        search->knows_macros = true;
        if (status == JR_OK && computes) status = search_program(search, text);
        if (status == JR_OK) status = search_files(search);
        if (status == JR_OK) status = search_standards(search);
    } while (status == JR_OK && search->last != last);
    search->knows_macros = search->writes = true;
    return status;
}

/* Rewrites all texts. */
static jr_status write_all(header_maker *maker, const jr_program_text *text) {
    const jr_program *program = maker->search.program;
    char *made = NULL;
    jr_status status = jr_header_follow(&maker->search, text->text, NULL, &maker->headers->source);
    for (size_t i = 0; status == JR_OK && i < program->header_count; i++) {
        maker->search.virtual_includer = program->headers[i].name;
        status = jr_header_follow(&maker->search, program->headers[i].text, NULL, &made);
        if (status == JR_OK) status = add_header(maker, program->headers[i].name, made, NULL);
    }
    maker->search.virtual_includer = NULL;
    for (const jr_header_file *file = maker->search.first; status == JR_OK && file != NULL; file = file->next)
        status = write_file(maker, file);
    if (status == JR_OK) status = add_standards(maker);
    return status == JR_OK ? add_aliases(maker) : status;
}

/* Keeps a macro that an option defines; name: "X", "X=BODY", "X(a)=BODY". */
static bool keep_option(jr_header_search *search, const char *name) {
    const size_t length = strcspn(name, "=( ");
    const char *body = name[length] == '=' ? name + length + 1 : name[length] == '\0' ? "1" : NULL;
    search->has_absolute = search->has_absolute || strchr(name, '/') != NULL;
    return jr_macros_add(&search->macros, name, length, body, body != NULL ? strlen(body) : 0);
}

static jr_status keep_options(jr_header_search *search) {
    const jr_program *program = search->program;
    for (size_t i = 0; i < program->option_count; i++) {
        const char *name = program->options[i] + strspn(program->options[i], "-");
        name = name[0] == 'D' ? name + 1 : strncmp(name, "define-macro", 12) == 0 ? name + 12 : NULL;
        if (name != NULL && !keep_option(search, name + strspn(name, "= "))) return jr_header_no_memory(search);
    }
    return JR_OK;
}

/* Lists the folders, for messages. */
static jr_status tell_folders(header_maker *maker) {
    jr_text text = {0};
    for (size_t i = 0; i < maker->search.folders->count; i++)
        jr_text_append(&text, "%s%s", i > 0 ? ", " : "", maker->search.folders->paths[i]);
    maker->headers->searched = jr_text_take(&text);
    return maker->headers->searched != NULL ? JR_OK : jr_header_no_memory(&maker->search);
}

jr_status jr_headers_find(const jr_program_text *text, const jr_folders *folders, jr_headers **headers) {
    header_maker maker = {.search = {.program = text->program, .folders = folders}};
    jr_header_search *search = &maker.search;
    maker.headers = calloc(1, sizeof *maker.headers);
    if (maker.headers == NULL) return jr_header_no_memory(search);
    jr_status status = jr_header_files_create(&search->files);
    if (status == JR_OK) status = tell_folders(&maker);
    if (status == JR_OK) status = keep_options(search);
    if (status == JR_OK) status = find_all(search, text);
    if (status == JR_OK) status = write_all(&maker, text);
    if (status == JR_OK)
        status = jr_header_files_probes(search->files, &maker.headers->probes, &maker.headers->probe_count);
    jr_header_files_destroy(search->files);
    for (size_t i = 0; i < search->alias_count; i++) free(search->aliases[i]);
    free(search->aliases);
    jr_macros_free(&search->macros);
    if (status != JR_OK) {
        jr_headers_free(maker.headers);
        return status;
    }
    jr_headers_digest(maker.headers);
    *headers = maker.headers;
    return JR_OK;
}

bool jr_headers_hold(jr_headers *headers, bool *renewed) {
    for (size_t i = 0; i < headers->probe_count; i++)
        if (!jr_probe_holds(&headers->probes[i], renewed)) {
            jr_log(JR_LOG_DEBUG, "%s has changed since headers were looked for there", headers->probes[i].path);
            return false;
        }
    return true;
}

void jr_headers_free(jr_headers *headers) {
    if (headers == NULL) return;
    for (size_t i = 0; i < headers->owned_count; i++) free(headers->owned[i]);
    jr_probes_free(headers->probes, headers->probe_count);
    free(headers->owned);
    free(headers->names);
    free(headers->texts);
    free(headers->digests);
    free(headers->source);
    free(headers->searched);
    free(headers);
}
