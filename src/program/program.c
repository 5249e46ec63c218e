/* Makes the text of a program. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "entries.h"
#include "expression/token.h"
#include "kernel_names.h"
#include "lexemes.h"
#include "options.h"

static bool has_any(const char *text, const char *characters) {
    return strpbrk(text, characters) != NULL;
}

static jr_status check_texts(const jr_program *program) {
    if (program->name == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program->name is NULL: give it a name for messages, as \"saxpy\"");
    if (program->name[0] == '\0' || has_any(program->name, "/\\\"\n"))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "program name '%s' is not allowed: one line without '/', '\\' and quotes, as \"saxpy\"",
                       program->name);
    if (program->toolkit_headers != 0 && program->toolkit_headers != 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "toolkit_headers %d of program %s is not allowed: give 0 or 1",
                       program->toolkit_headers, program->name);
    if ((unsigned)program->debug > JR_DEBUG_FULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "debug %d of program %s is not allowed: give JR_DEBUG_NONE, JR_DEBUG_LINES or JR_DEBUG_FULL",
                       (int)program->debug, program->name);
    if (program->source == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program->source is NULL (program %s)", program->name);
    if (program->entry != NULL && (program->entry[0] == '\0' || has_any(program->entry, "\n")))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s has no entry: name its __global__ function",
                       program->name);
    return JR_OK;
}

static jr_status check_named(const char *list, size_t index, const jr_named_text *named, const jr_program *program) {
    if (named->name != NULL && named->text != NULL) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s[%zu].%s of program %s is NULL", list, index,
                   named->name == NULL ? "name" : "text", program->name);
}

static jr_status check_constants(const jr_program *program) {
    for (size_t i = 0; i < program->constant_count; i++) {
        const jr_named_text *constant = &program->constants[i];
        JR_TRY(check_named("constants", i, constant, program));
        if (!jr_token_is_identifier(constant->name, SIZE_MAX))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "constant '%s' of program %s is not an identifier",
                           constant->name, program->name);
        if (has_any(constant->text, "\n\r\\"))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "constant %s of program %s: its text must be one line without backslashes", constant->name,
                           program->name);
    }
    return JR_OK;
}

static jr_status check_headers(const jr_program *program) {
    for (size_t i = 0; i < program->header_count; i++) {
        JR_TRY(check_named("headers", i, &program->headers[i], program));
        if (program->headers[i].name[0] == '\0')
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "headers[%zu].name of program %s is empty", i, program->name);
    }
    return JR_OK;
}

/* Refuses a count without its array, before anything reads the array. */
static jr_status check_arrays(const jr_program *program) {
    const struct {
        const char *name;
        const void *array;
        size_t count;
    } arrays[] = {{"constants", program->constants, program->constant_count},
                  {"headers", program->headers, program->header_count},
                  {"options", program->options, program->option_count},
                  {"include folders", program->include_folders, program->include_folder_count}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i].array == NULL && arrays[i].count > 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s has %zu %s, but their array is NULL", program->name,
                           arrays[i].count, arrays[i].name);
    return JR_OK;
}

/* A copy of a program, with the entry that was found in its source, or with its entries as all callers would write
 * them. */
typedef struct jr_entered_program {
    jr_program program;
    char *entry;
} jr_entered_program;

/* Finds the source's only kernel, for a program that names no entry. Fails if the source has no kernel, only a
 * template, or several kernels. */
static jr_status find_entry(const jr_program *program, char **entry) {
    jr_kernel_names names;
    jr_text list = {0};
    const int standard = jr_options_standard(program);
    jr_kernel_names_find(program->source, standard > 0 ? standard : JR_STANDARD_DEFAULT, &names);
    if (names.count == 1 && !names.items[0].is_template) {
        *entry = jr_string_copy(names.items[0].text);
        return *entry != NULL ? JR_OK
                              : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the entry of program %s", program->name);
    }
    jr_kernel_names_append(&names, &list);
    const jr_status status =
        names.count == 0
            ? jr_fail(JR_ERROR_INVALID_ARGUMENT,
                      "program %s names no entry, and its source declares no __global__ function", program->name)
        : names.count == 1
            ? jr_fail(JR_ERROR_INVALID_ARGUMENT,
                      "program %s names no entry, and its kernel is a template: name an "
                      "instance, as %s<float>",
                      program->name, names.items[0].text)
            : jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s names no entry, and has several kernels: name one of %s",
                      program->name, jr_text_string(&list));
    jr_text_free(&list);
    return status;
}

static jr_status normalise(const jr_program *program, char **entry) {
    const jr_status status = jr_entries_normalise(program->entry, entry);
    return status == JR_ERROR_INVALID_ARGUMENT ? jr_fail_prefix("program %s: ", program->name) : status;
}

static jr_status enter(const jr_program *program, jr_entered_program **entered) {
    jr_entered_program *made = malloc(sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the entry of program %s", program->name);
    const jr_status status =
        program->entry == NULL ? find_entry(program, &made->entry) : normalise(program, &made->entry);
    if (status != JR_OK) {
        free(made);
        return status;
    }
    made->program = *program;
    made->program.entry = made->entry;
    *entered = made;
    return JR_OK;
}

static jr_status check(const jr_program *program) {
    JR_TRY(JR_GIVEN(program));
    JR_TRY(check_texts(program));
    JR_TRY(check_arrays(program));
    JR_TRY(check_constants(program));
    JR_TRY(check_headers(program));
    return jr_options_check(program);
}

/* Makes the text: the constants as #define lines, then the source, whose lines are counted from 1 again. */
static jr_status join(const jr_program *program, char **joined) {
    jr_text text = {0};
    const char *source = jr_lexeme_past_mark(program->source);
    for (size_t i = 0; i < program->constant_count; i++)
        jr_text_append(&text, "#define %s %s\n", program->constants[i].name, program->constants[i].text);
    jr_text_append(&text, "#line 1 \"%s\"\n", program->name);
    jr_text_append_bytes(&text, source, strlen(source));
    *joined = jr_text_take(&text);
    if (*joined == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the text of program %s", program->name);
    return JR_OK;
}

jr_status jr_program_text_make(const jr_program *program, jr_program_text *out) {
    jr_program_text made = {.program = program};
    jr_status status = check(program);
    if (status == JR_OK && (program->entry == NULL || jr_entries_several(program->entry)))
        status = enter(program, &made.entered);
    if (made.entered != NULL) made.program = &made.entered->program;
    if (status == JR_OK) status = join(made.program, &made.text);
    if (status == JR_OK) status = jr_block_parts_add(made.program, made.text, &made.parts);
    if (status != JR_OK) {
        jr_program_text_free(&made);
        return status;
    }
    if (made.parts != NULL) made.program = &made.parts->program;
    *out = made;
    return JR_OK;
}

bool jr_program_has_folders(const jr_program *program) {
    return program->include_folder_count > 0 || program->toolkit_headers != 0;
}

void jr_program_text_free(jr_program_text *text) {
    free(text->text);
    jr_block_parts_free(text->parts);
    if (text->entered != NULL) free(text->entered->entry);
    free(text->entered);
    *text = (jr_program_text){0};
}
