/* Reads arguments of kernels, and holds them against the kernel's parameters. */
#include "run_argument.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "input/early.h"
#include "input/readers.h"
#include "npy/npy_header.h"
#include "options/option_take.h"

#define fail(argument, code, error, format, ...)                                                                       \
    cli_fail((error), (code), "argument %zu ('%.200s'): " format, (argument)->number, (argument)->text, __VA_ARGS__)

uint64_t cli_argument_bytes(const cli_argument *argument) {
    return argument->data.count * jr_type_size(argument->data.type);
}

/* True if a text begins with "TYPE:"; *rest: what follows. */
static bool begins_with_type(const char *text, jr_type *type, const char **rest) {
    static cli_error unused;
    char word[32];
    const char *colon = strchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)(colon - text), text);
    if (cli_find_type("arg", word, type, &unused) != CLI_OK) return false;
    *rest = colon + 1;
    return true;
}

static bool begins_with(const char *text, const char *word, const char **rest) {
    const size_t bytes = strlen(word);
    if (strncmp(text, word, bytes) != 0) return false;
    *rest = text + bytes;
    return true;
}

/* ---- numbers and bytes ---- */

/* "i32:N * 2": writes the formula's value; fails if the type does not hold it. */
static cli_exit read_formula(cli_argument *argument, jr_type type, const char *text, const cli_names *names,
                             cli_error *error) {
    char where[256], digits[32], detail[192];
    int64_t value;
    snprintf(where, sizeof where, "argument %zu ('%.200s')", argument->number, argument->text);
    const cli_exit code = cli_formula(where, text, names, &value, error);
    if (code != CLI_OK) return code;
    const char *end = digits + snprintf(digits, sizeof digits, "%lld", (long long)value);
    const cli_number_status status = cli_number_parse(type, digits, end, argument->data.owned);
    if (status == CLI_NUMBER_OK) return CLI_OK;
    return fail(argument, CLI_USAGE, error, "%s", cli_number_explain(status, type, digits, end, detail));
}

static cli_exit read_number(cli_argument *argument, jr_type type, const char *text, const cli_names *names,
                            cli_error *error) {
    const char *end = text + strlen(text);
    char detail[192];
    argument->value_bytes = jr_type_size(type);
    cli_exit code = cli_data_create(&argument->data, type, argument->value_bytes, 1, argument->text, error);
    if (code != CLI_OK) return code;
    const cli_number_status status = cli_number_parse(type, text, end, argument->data.owned);
    if (status == CLI_NUMBER_OK) return CLI_OK;
    const bool formula = isalpha((unsigned char)*text) || strpbrk(text, "+-*/%(_") != NULL;
    if (formula && strchr("iu", jr_type_name(type)[0]) != NULL && status == CLI_NUMBER_NONE)
        return read_formula(argument, type, text, names, error);
    return fail(argument, CLI_USAGE, error, "%s", cli_number_explain(status, type, text, end, detail));
}

static int digit_of(char c) {
    if (isdigit((unsigned char)c)) return c - '0';
    return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

static cli_exit read_hexadecimal(cli_argument *argument, const char *text, cli_error *error) {
    const size_t digits = strlen(text);
    if (digits == 0 || digits % 2 != 0 || digits / 2 > CLI_ARGUMENT_BYTES)
        return fail(argument, CLI_USAGE, error, "%zu hexadecimal digits: two a byte, of 1 to %d bytes", digits,
                    CLI_ARGUMENT_BYTES);
    argument->value_bytes = digits / 2;
    const cli_exit code = cli_data_create(&argument->data, JR_U8, 1, digits / 2, argument->text, error);
    if (code != CLI_OK) return code;
    unsigned char *bytes = argument->data.owned;
    for (size_t i = 0; i < digits; i++) {
        const int digit = digit_of(text[i]);
        if (digit < 0) return fail(argument, CLI_USAGE, error, "'%.20s' is no hexadecimal digit", text + i);
        bytes[i / 2] = (unsigned char)(i % 2 == 0 ? digit << 4 : bytes[i / 2] | digit);
    }
    return CLI_OK;
}

/* ---- arrays ---- */

static cli_exit make_zeros(cli_argument *argument, jr_type type, const char *text, const cli_names *names,
                           cli_error *error) {
    char where[256];
    int64_t count;
    snprintf(where, sizeof where, "argument %zu ('%.200s')", argument->number, argument->text);
    cli_exit code = cli_formula(where, text, names, &count, error);
    if (code != CLI_OK) return code;
    if (count < 0) return fail(argument, CLI_USAGE, error, "%lld elements", (long long)count);
    argument->array = argument->fresh = true;
    code = cli_data_create(&argument->data, type, jr_type_size(type), (uint64_t)count, argument->text, error);
    if (code != CLI_OK) return code;
    argument->data.shape = (cli_shape){.dimensions = 1, .sizes = {(uint64_t)count}};
    memset(argument->data.owned, 0, cli_argument_bytes(argument));
    return CLI_OK;
}

/* Fails if the file does not name the type of its elements. Other faults of its header are the reader's to report. */
static cli_exit check_named(const cli_argument *argument, const char *path, cli_error *error) {
    cli_npy_header header;
    if (cli_npy_header_parse(&argument->bytes, &header, error) != CLI_OK || !header.unnamed) return CLI_OK;
    const bool two = jr_type_size(header.type) == 2;
    return fail(argument, CLI_FAILURE, error,
                "elements of type '%s' (%s), which is not a NumPy type: give their type as --arg %s%s:%.200s%s",
                cli_npy_word(&header), two ? "2 bytes" : "1 byte", argument->written_back ? "inout:" : "",
                two ? "bf16" : "e4m3", path, two ? "" : " or e5m2:");
}

/* Whether a text after "TYPE:" is the path of a file, not a number: their ends differ. */
static bool is_npy_path(const char *text) {
    const size_t bytes = strlen(text);
    return bytes > 4 && strcmp(text + bytes - 4, ".npy") == 0;
}

/* type: of the elements, where the caller gives it; JR_TYPE_NONE: that which the file names. */
static cli_exit read_file(cli_argument *argument, jr_type type, const char *path, cli_error *error) {
    static const cli_options npy = {.format = CLI_FORMAT_NPY};
    cli_source source = {.name = NULL};
    argument->array = true;
    cli_exit code = cli_source_open(path, &source, error);
    if (code == CLI_OK) code = cli_bytes_read(&source, cli_early_check, &npy, &argument->bytes, error);
    cli_source_close(&source);
    if (code == CLI_OK && !cli_npy_recognise(&argument->bytes))
        code = cli_fail(
            error, CLI_FAILURE,
            "%s: is not an .npy file; of text, jitreduce scan --op max --segments 1 --type f32 FILE -o NEW.npy "
            "makes one",
            path);
    if (code == CLI_OK && type == JR_TYPE_NONE && check_named(argument, path, error) != CLI_OK) return CLI_FAILURE;
    if (code == CLI_OK) code = cli_read_npy(&argument->bytes, type, &argument->data, error);
    if (code == CLI_OK) return code;
    char reason[512];
    snprintf(reason, sizeof reason, "%.500s", error->message);
    return fail(argument, code, error, "%s", reason);
}

/* "1000", "2.5": a number takes the type of the kernel's parameter, as in a call in C. Writes whether it is one. */
static cli_exit read_literal(cli_argument *argument, bool *found, cli_error *error) {
    static const jr_type types[] = {JR_I64, JR_U64, JR_F64};
    const char *text = argument->text, *end = text + strlen(text);
    jr_value value = {.type = JR_TYPE_NONE};
    for (size_t i = 0; value.type == JR_TYPE_NONE && i < sizeof types / sizeof *types; i++)
        if (cli_number_parse(types[i], text, end, &value.as) == CLI_NUMBER_OK) value.type = types[i];
    *found = argument->literal = value.type != JR_TYPE_NONE && access(text, F_OK) != 0;
    if (!*found) return CLI_OK;
    argument->value_bytes = jr_type_size(value.type);
    const cli_exit code = cli_data_create(&argument->data, value.type, argument->value_bytes, 1, text, error);
    if (code == CLI_OK) memcpy(argument->data.owned, &value.as, argument->value_bytes);
    return code;
}

/* What is neither a file, a number nor TYPE:VALUE. */
static cli_exit fail_no_file(const cli_argument *argument, cli_error *error) {
    return fail(argument, CLI_USAGE, error, "%s",
                "there is no such file; a number is 1000 or 2.5, a formula needs a type: i32:N");
}

/* Reports that the word from `begin` to ':' is not a type. before: the first words of the message. */
static cli_exit fail_word(const cli_argument *argument, const char *begin, const char *before, cli_error *error) {
    char word[40], reason[512];
    jr_type type;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(begin, ":"), begin);
    const cli_exit code = cli_find_type("arg", word, &type, error);
    if (code == CLI_OK)
        return fail(argument, CLI_USAGE, error, "%s",
                    "a fresh array is out:T:COUNT, as out:f32:1000; a file is inout:");
    snprintf(reason, sizeof reason, "%.500s", error->message + strlen("--arg: "));
    return fail(argument, code, error, "%s%s", before, reason);
}

static cli_exit read_text(cli_argument *argument, const cli_names *names, cli_error *error) {
    const char *text = argument->text, *rest = text, *count;
    jr_type type;
    if (begins_with(text, "bytes:", &rest)) return read_hexadecimal(argument, rest, error);
    if (begins_with(text, "in:", &rest)) return read_file(argument, JR_TYPE_NONE, rest, error);
    argument->written_back = begins_with(text, "inout:", &rest) || begins_with(text, "out:", &rest);
    const bool typed = begins_with_type(rest, &type, &count);
    if (typed && is_npy_path(count) && text[0] != 'o') return read_file(argument, type, count, error);
    if (argument->written_back && typed) return make_zeros(argument, type, count, names, error);
    if (argument->written_back && text[0] == 'o' && strpbrk(rest, "./") != NULL)
        return fail(argument, CLI_USAGE, error, "%s",
                    "a fresh array is out:T:COUNT, as out:f32:1000; a file is inout:");
    if (argument->written_back && text[0] == 'o')
        return fail_word(argument, rest, "a fresh array is out:T:COUNT, as out:f32:1000, but ", error);
    if (argument->written_back) return read_file(argument, JR_TYPE_NONE, rest, error);
    if (typed) return read_number(argument, type, count, names, error);
    const char *colon = strchr(text, ':');
    if (colon != NULL && colon - text < 32 && strcspn(text, "./") > (size_t)(colon - text) && access(text, F_OK) != 0)
        return fail_word(argument, text, "there is no such file, and ", error);
    bool is_literal;
    const cli_exit code = read_literal(argument, &is_literal, error);
    if (code != CLI_OK || is_literal) return code;
    if (strcmp(text, "-") != 0 && strpbrk(text, "./") == NULL && access(text, F_OK) != 0)
        return fail_no_file(argument, error);
    return read_file(argument, JR_TYPE_NONE, text, error);
}

cli_exit cli_argument_read(cli_argument *argument, const cli_names *names, cli_error *error) {
    cli_argument read = *argument;
    const cli_exit code = read_text(&read, names, error);
    if (code == CLI_OK)
        *argument = read;
    else
        cli_argument_free(&read);
    return code;
}

void cli_argument_free(cli_argument *argument) {
    cli_data_free(&argument->data);
    cli_bytes_free(&argument->bytes);
}

/* ---- what the kernel takes ---- */

/* An argument for jr_kernel_arguments, which borrows it. For an array it is the device address; else the bytes are
 * here. */
static jr_argument argument_of(cli_argument *argument) {
    if (argument->array) return (jr_argument){.kind = JR_ARGUMENT_POINTER, .bytes = &argument->device};
    if (strncmp(argument->text, "bytes:", 6) == 0)
        return (jr_argument){.kind = JR_ARGUMENT_BYTES, .bytes = argument->data.owned, .count = argument->value_bytes};
    const jr_argument_kind kind = argument->literal ? JR_ARGUMENT_LITERAL : JR_ARGUMENT_NUMBER;
    return (jr_argument){.kind = kind, .type = argument->data.type, .bytes = argument->data.owned};
}

cli_exit cli_arguments_convert(cli_argument *arguments, size_t count, const jr_kernel *kernel, cli_converted *converted,
                               cli_error *error) {
    jr_argument given[CLI_ARGUMENTS_MAX];
    for (size_t i = 0; i < count; i++) given[i] = argument_of(&arguments[i]);
    const jr_status status =
        jr_kernel_arguments(kernel, given, count, converted->room, sizeof converted->room, converted->pointers);
    if (status == JR_OK) return CLI_OK;
    if (status != JR_ERROR_INVALID_ARGUMENT && status != JR_ERROR_UNSUPPORTED_TYPE)
        return cli_fail_library(error, status);
    return cli_fail(error, CLI_USAGE, "--arg: %.900s", jr_last_error()->message);
}
