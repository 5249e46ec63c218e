/* Finds arrays of another type than the kernel's, and writes that would be lost. */
#include "argument_use.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_program.h"

/* ---- the pointers that a kernel takes ---- */

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* A copy with a blank for each comment; NULL: out of memory. */
static char *without_comments(const char *source) {
    char *copy = malloc(strlen(source) + 1), *to = copy;
    for (const char *at = source; copy != NULL && *at != '\0';) {
        const bool line = strncmp(at, "//", 2) == 0;
        if (!line && strncmp(at, "/*", 2) != 0) {
            *to++ = *at++;
            continue;
        }
        const char *end = strstr(at + 2, line ? "\n" : "*/");
        at = end == NULL ? at + strlen(at) : end + (line ? 0 : 2);
        *to++ = ' ';
    }
    if (copy != NULL) *to = '\0';
    return copy;
}

/* Past a bracket that opens here, and all up to the one that closes it. */
static const char *past_brackets(const char *at) {
    int depth = 0;
    do {
        depth += (*at == '(') - (*at == ')');
        at++;
    } while (depth > 0 && *at != '\0');
    return at;
}

static bool is_attribute(const char *word, size_t length) {
    static const char *const words[] = {"__launch_bounds__", "__maxnreg__",   "__block_size__",
                                        "__cluster_dims__",  "__attribute__", "alignas"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncmp(word, words[i], length) == 0) return true;
    return false;
}

/* The name and the parameters that follow "__global__", both within the text; false: no function is declared there. */
static bool read_declaration(const char *at, const char **name, size_t *length, const char **parameters) {
    while (*at != '\0' && strchr(";{}", *at) == NULL) {
        if (!is_letter(*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (is_letter(*at)) at++;
        const size_t letters = (size_t)(at - word);
        at += strspn(at, " \t\r\n");
        if (*at != '(') continue;
        if (!is_attribute(word, letters)) {
            *name = word;
            *length = letters;
            *parameters = at + 1;
            return true;
        }
        at = past_brackets(at);
    }
    return false;
}

/* The kernel's own name in "ours::scale<float>"; length 0: any. */
static const char *name_of(const char *entry, size_t *length) {
    *length = entry != NULL ? strcspn(entry, "<") : 0;
    size_t begin = *length;
    while (begin > 0 && entry[begin - 1] != ':') begin--;
    *length -= begin;
    return entry != NULL ? entry + begin : NULL;
}

/* ---- one parameter ---- */

/* Copies a parameter with one blank for each run of them, none after '*'; false: it is too long. */
static bool copy_parameter(const char *begin, const char *end, char *text, size_t room) {
    size_t used = 0;
    for (; begin < end && used + 2 < room; begin++) {
        const bool blank = isspace((unsigned char)*begin);
        if (blank && (used == 0 || text[used - 1] == ' ' || text[used - 1] == '*')) continue;
        text[used++] = blank ? ' ' : *begin;
    }
    while (used > 0 && text[used - 1] == ' ') used--;
    text[used] = '\0';
    return begin == end;
}

/* Removes a qualifier from a text's beginning or end; false: the text has none there. */
static bool trim(const char **text, size_t *length, const char *word) {
    const size_t bytes = strlen(word);
    while (*length > 0 && **text == ' ') (*text)++, (*length)--;
    while (*length > 0 && (*text)[*length - 1] == ' ') (*length)--;
    if (*length <= bytes) return false;
    const bool first = strncmp(*text, word, bytes) == 0 && (*text)[bytes] == ' ';
    const bool last = strncmp(*text + *length - bytes, word, bytes) == 0 && (*text)[*length - bytes - 1] == ' ';
    if (!first && !last) return false;
    if (first) *text += bytes;
    *length -= bytes;
    return true;
}

/* The type before the only '*', of "float *x" or "const float *__restrict__ x". */
static void read_pointee(cli_pointer *pointer) {
    const char *star = strchr(pointer->text, '*'), *word = pointer->text;
    char name[64];
    jr_type type;
    if (strpbrk(pointer->text, "<[&(") != NULL || strchr(star + 1, '*') != NULL) return;
    size_t length = (size_t)(star - word);
    for (bool again = true; again;) {
        const bool constant = trim(&word, &length, "const");
        again = constant || trim(&word, &length, "volatile");
        pointer->constant |= constant;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (length < sizeof name && jr_type_find(name, &type) == JR_OK) pointer->type = type;
}

static void read_parameter(const char *begin, const char *end, cli_pointer *pointer) {
    *pointer = (cli_pointer){.type = JR_TYPE_NONE};
    if (!copy_parameter(begin, end, pointer->text, sizeof pointer->text)) return;
    char *value = strchr(pointer->text, '=');
    if (value != NULL) *value = '\0';
    pointer->found = strchr(pointer->text, '*') != NULL;
    if (pointer->found) read_pointee(pointer);
}

/* The parameters up to the bracket that closes their list. */
static void read_parameters(const char *at, cli_pointer pointers[CLI_ARGUMENTS_MAX]) {
    int depth = 0;
    size_t index = 0;
    for (const char *begin = at; index < CLI_ARGUMENTS_MAX && *at != '\0'; at++) {
        if (depth == 0 && (*at == ',' || *at == ')')) {
            read_parameter(begin, at, &pointers[index++]);
            begin = at + 1;
            if (*at == ')') return;
        }
        depth += (strchr("([{<", *at) != NULL) - (strchr(")]}>", *at) != NULL);
    }
}

/* Whether two declarations say the same of the pointers, whatever their names. */
static bool agree(const cli_pointer *a, const cli_pointer *b) {
    bool equal = true;
    for (size_t i = 0; i < CLI_ARGUMENTS_MAX; i++)
        equal &= a[i].found == b[i].found && a[i].constant == b[i].constant && a[i].type == b[i].type;
    return equal;
}

/* Finds the pointers among a kernel's parameters, by their place. entry: NULL: the only kernel. None where the text has
 * no such kernel, or several whose parameters differ: a template's, say, or those of a branch. */
static void find_pointers(const char *source, const char *entry, cli_pointer pointers[CLI_ARGUMENTS_MAX]) {
    static const cli_pointer none[CLI_ARGUMENTS_MAX];
    cli_pointer others[CLI_ARGUMENTS_MAX];
    size_t wanted, length;
    const char *name = name_of(entry, &wanted), *found, *parameters;
    char *text = without_comments(source);
    bool any = false;
    memcpy(pointers, none, sizeof none);
    for (const char *at = text; at != NULL && (at = strstr(at, "__global__")) != NULL;) {
        at += strlen("__global__");
        if (!read_declaration(at, &found, &length, &parameters)) continue;
        if (wanted > 0 && (wanted != length || strncmp(found, name, length) != 0)) continue;
        memcpy(others, none, sizeof none);
        read_parameters(parameters, others);
        const bool differ = any && !agree(others, pointers);
        memcpy(pointers, differ ? none : others, sizeof none);
        any = true;
        if (differ) break;
    }
    free(text);
}

/* ---- what they are used for ---- */

cli_exit cli_pointers_read(const cli_options *options, cli_pointer pointers[CLI_ARGUMENTS_MAX], cli_error *error) {
    struct stat status;
    cli_run_source source;
    if (cli_run_is_ptx(options) || stat(options->files[0], &status) != 0 || !S_ISREG(status.st_mode)) return CLI_OK;
    const cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    find_pointers(source.text, options->run.entry, pointers);
    cli_run_source_free(&source);
    return CLI_OK;
}

static bool is_float(jr_type type) {
    return strchr("fbe", jr_type_name(type)[0]) != NULL && type != JR_BOOL;
}

static cli_exit check_elements(const cli_options *options, const cli_argument *argument, const cli_pointer *pointer,
                               cli_error *error) {
    const size_t has = jr_type_size(argument->data.type), wants = jr_type_size(pointer->type);
    const char *given = jr_type_name(argument->data.type), *wanted = jr_type_name(pointer->type);
    if (has == 1 || wants == 1) return CLI_OK;
    if (has != wants)
        return cli_fail(error, CLI_USAGE,
                        "argument %zu ('%.200s') has elements of %s, %zu bytes each, but the parameter '%s' points to "
                        "%s, %zu bytes: give an array of %s%s%s%s",
                        argument->number, argument->text, given, has, pointer->text, wanted, wants, wanted,
                        argument->fresh ? "" : ", as jitreduce scan --op max --segments 1 --result ",
                        argument->fresh ? "" : wanted, argument->fresh ? "" : " -o NEW.npy makes one");
    if (has == 2) return CLI_OK; /* C has no float of 16 bits: a kernel takes it as unsigned short */
    if (is_float(argument->data.type) != is_float(pointer->type) && !options->quiet)
        fprintf(stderr,
                "jitreduce: note: argument %zu ('%.200s') has elements of %s, but the parameter '%s' points to %s: the "
                "kernel reads their bytes as %s\n",
                argument->number, argument->text, given, pointer->text, wanted, wanted);
    return CLI_OK;
}

cli_exit cli_arguments_check_elements(const cli_options *options, const cli_argument *arguments, size_t count,
                                      const cli_pointer *pointers, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < count; i++)
        if (arguments[i].array && pointers[i].found && pointers[i].type != JR_TYPE_NONE)
            code = check_elements(options, &arguments[i], &pointers[i], error);
    return code;
}

static cli_exit note_dropped(const cli_argument *argument, jr_context *context, cli_error *error) {
    const uint64_t bytes = cli_argument_bytes(argument);
    void *now = malloc(bytes + 1);
    if (now == NULL) return cli_fail(error, CLI_FAILURE, "run: out of memory");
    const jr_status status = bytes > 0 ? jr_memory_read(context, now, argument->device, bytes) : JR_OK;
    if (status == JR_OK && memcmp(now, argument->data.elements, bytes) != 0)
        fprintf(stderr,
                "jitreduce: note: argument %zu ('%.200s') was changed by the kernel, and the change is dropped: "
                "inout:%.200s keeps it, in:%.200s says that it may go\n",
                argument->number, argument->text, argument->text, argument->text);
    free(now);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

cli_exit cli_arguments_note_dropped(const cli_options *options, const cli_argument *arguments, size_t count,
                                    const cli_pointer *pointers, jr_context *context, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < count && !options->quiet; i++) {
        const cli_argument *argument = &arguments[i];
        const bool meant = strncmp(argument->text, "in:", 3) == 0;
        if (argument->array && !argument->written_back && !meant && !pointers[i].constant)
            code = note_dropped(argument, context, error);
    }
    return code;
}
