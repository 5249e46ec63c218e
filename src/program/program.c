/* Makes the text of a program. */
#include "program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static bool is_identifier(const char *name) {
    if (!isalpha((unsigned char)name[0]) && name[0] != '_') return false;
    for (const char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return true;
}

static bool has_any(const char *text, const char *characters) {
    return strpbrk(text, characters) != NULL;
}

static jr_status check_texts(const jr_program *program) {
    if (program->name == NULL || program->name[0] == '\0' || has_any(program->name, "/\\\"\n"))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "program name '%s' is not allowed: one line without '/', '\\' and quotes, as \"saxpy\"",
                       program->name != NULL ? program->name : "(NULL)");
    if (program->source == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s has no source", program->name);
    if (program->entry == NULL || program->entry[0] == '\0' || has_any(program->entry, "\n"))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s has no entry: name its __global__ function",
                       program->name);
    return JR_OK;
}

static jr_status check_constants(const jr_program *program) {
    for (size_t i = 0; i < program->constant_count; i++) {
        const jr_named_text *constant = &program->constants[i];
        if (constant->name == NULL || !is_identifier(constant->name))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "constant '%s' of program %s is no identifier",
                           constant->name != NULL ? constant->name : "(NULL)", program->name);
        if (constant->text == NULL || has_any(constant->text, "\n\r\\"))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "constant %s of program %s: its text must be one line without backslashes", constant->name,
                           program->name);
    }
    return JR_OK;
}

static jr_status check_headers(const jr_program *program) {
    for (size_t i = 0; i < program->header_count; i++)
        if (program->headers[i].name == NULL || program->headers[i].name[0] == '\0' || program->headers[i].text == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "header %zu of program %s lacks a name or a text", i,
                           program->name);
    return JR_OK;
}

/* Options that read other files or choose what we choose: the result would not be decided by text and key. */
static const char *const refused_options[] = {
    "-I",
    "--include-path",
    "-include",
    "--pre-include",
    "-arch",
    "--gpu-architecture",
    "-ptx",
    "--ptx",
    "--cubin",
    "-dlto",
    "--dlink-time-opt",
    "--device-as-default-execution-space-file",
    "-pch",
    "--pch",
    "--create-pch",
    "--use-pch",
    "--pch-dir",
    "--optix-ir",
    "-optix-ir",
    "--time",
    "-time",
    "--fdevice-time-trace",
};

static jr_status check_options(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *option = program->options[i];
        if (option == NULL || option[0] != '-')
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "option '%s' of program %s does not begin with '-'",
                           option != NULL ? option : "(NULL)", program->name);
        for (size_t r = 0; r < sizeof refused_options / sizeof refused_options[0]; r++) {
            const char *refused = refused_options[r];
            const size_t length = strlen(refused);
            const bool letter = length == 2; /* -I takes its value without a space */
            if (strncmp(option, refused, length) != 0) continue;
            if (!letter && option[length] != '\0' && option[length] != '=' && option[length] != ' ') continue;
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "option '%s' of program %s is not allowed: files, architecture and output are chosen by the "
                           "library; pass headers as program.headers",
                           option, program->name);
        }
    }
    return JR_OK;
}

jr_status jr_program_text_make(const jr_program *program, jr_program_text *out) {
    if (program == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program is NULL");
    jr_status status = check_texts(program);
    if (status == JR_OK) status = check_constants(program);
    if (status == JR_OK) status = check_headers(program);
    if (status == JR_OK) status = check_options(program);
    if (status != JR_OK) return status;
    jr_text text = {0};
    for (size_t i = 0; i < program->constant_count; i++)
        jr_text_append(&text, "#define %s %s\n", program->constants[i].name, program->constants[i].text);
    jr_text_append(&text, "#line 1 \"%s\"\n", program->name);
    jr_text_append_bytes(&text, program->source, strlen(program->source));
    char *joined = jr_text_take(&text);
    if (joined == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the text of program %s", program->name);
    *out = (jr_program_text){program, joined};
    return JR_OK;
}

void jr_program_text_free(jr_program_text *text) {
    free(text->text);
    text->text = NULL;
}
