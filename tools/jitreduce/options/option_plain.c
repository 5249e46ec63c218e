/* Takes plain arguments, numbers, words and types, into the members that rows of the table of options name. */
#include "option_plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/suggest.h"
#include "slip_word.h"

/* The member that a row names. */
static void *member_of(const cli_option *option, cli_options *options) {
    return (char *)options + option->member;
}

cli_exit cli_take_text(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)error;
    *(const char **)member_of(option, options) = argument;
    return CLI_OK;
}

cli_exit cli_take_flag(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)argument, (void)error;
    *(bool *)member_of(option, options) = true;
    return CLI_OK;
}

/* The library's structs have ints for flags. */
cli_exit cli_take_int_flag(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)argument, (void)error;
    *(int *)member_of(option, options) = 1;
    return CLI_OK;
}

cli_exit cli_find_word(const cli_option *option, const char *typed, unsigned *index, cli_error *error) {
    const size_t length = strlen(typed);
    *index = 0;
    for (const char *word = option->words; *word != '\0'; ++*index) {
        const size_t bytes = strcspn(word, " ");
        if (bytes == length && strncmp(word, typed, length) == 0) return CLI_OK;
        word += bytes + strspn(word + bytes, " ");
    }
    return cli_slip_word(option->name, typed, option->words, error);
}

cli_exit cli_take_word(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    return cli_find_word(option, argument, member_of(option, options), error);
}

/* True for 1e30, a count that 64 bits do not hold. */
static bool is_large(const char *text) {
    double number;
    return cli_number_parse(JR_F64, text, text + strlen(text), &number) == CLI_NUMBER_OK && number >= 0x1p64;
}

cli_exit cli_take_count(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    uint64_t *count = member_of(option, options);
    if (!cli_count_parse(argument, count))
        return cli_fail(error, CLI_USAGE, "--%s: '%s' %s" SEE_HELP, option->name, argument,
                        is_large(argument) ? "is more than 64 bits hold"
                                           : "is not a count like 1000, 1e8, 2^20, 100M or 1Gi");
    if (*count == 0 && option->not_zero != NULL)
        return cli_fail(error, CLI_USAGE, "--%s: '%s': %s" SEE_HELP, option->name, argument, option->not_zero);
    return CLI_OK;
}

cli_exit cli_take_random(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    const char *colon = strchr(argument, ':');
    char count[32];
    options->random = true;
    if (colon == NULL || (size_t)(colon - argument) >= sizeof count)
        return cli_take_count(option, options, argument, error);
    snprintf(count, sizeof count, "%.*s", (int)(colon - argument), argument);
    if (!cli_count_parse(colon + 1, &options->seed))
        return cli_fail(error, CLI_USAGE, "--random: the seed '%s' is not a whole number", colon + 1);
    return cli_take_count(option, options, count, error);
}

cli_exit cli_take_segments(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    if (!cli_count_parse(argument, &options->segment_length))
        options->offsets = argument;
    else if (options->segment_length == 0)
        return cli_fail(error, CLI_USAGE, "--%s: '%s': a segment has 1 element or more" SEE_HELP, option->name,
                        argument);
    return CLI_OK;
}

cli_exit cli_take_iota(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    options->iota = true;
    return cli_take_count(option, options, argument, error);
}

/* A whole number of the row's range. */
static cli_exit parse_in_range(const cli_option *option, const char *argument, uint64_t *number, cli_error *error) {
    const cli_range *range = &option->range;
    if (cli_count_parse(argument, number) && *number >= range->least && *number <= range->most &&
        *number % range->step == 0)
        return CLI_OK;
    if (range->step > 1)
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not a multiple of %u from %u to %u" SEE_HELP, option->name,
                        argument, range->step, range->least, range->most);
    const bool group = strcmp(option->name, "grid") == 0 && isalpha((unsigned char)argument[0]) &&
                       strpbrk(argument, "(/*+-") == NULL; /* of -g city */
    return cli_fail(error, CLI_USAGE, "--%s: '%s' is not a number from %u to %u%s", option->name, argument,
                    range->least, range->most, group ? "; groups are made by --group-by" : SEE_HELP);
}

cli_exit cli_take_int(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    uint64_t number;
    const cli_exit code = parse_in_range(option, argument, &number, error);
    if (code == CLI_OK) *(int *)member_of(option, options) = (int)number;
    return code;
}

/* Beside our own names, those that a slip may be meant for: i4 of NumPy is <i4. */
#define NUMPY_TYPES " <i1 <i2 <i4 <u1 <u2 <u4"
#define MORE_TYPES  " int long short unsigned float double half int32 int64 uint8 float16 float32 float64"

/* Types of other programs that no element has, and what there is. */
static const char *const other_types[][2] = {
    {"string", "texts are keys: --group-by and --keys"},
    {"str", "texts are keys: --group-by and --keys"},
    {"text", "texts are keys: --group-by and --keys"},
    {"date", "dates are keys: --group-by and --keys"},
    {"datetime", "dates are keys: --group-by and --keys"},
    {"decimal", "f64 has 15 digits and more"},
    {"number", "f64 takes every number"},
    {"numeric", "f64 takes every number"},
    {"real", "f64 takes every number"},
    {"i128", "no type has more than 64 bits"},
    {"int128", "no type has more than 64 bits"},
    {"f128", "no type has more than 64 bits"},
    {"float128", "no type has more than 64 bits"},
    {"long double", "no type has more than 64 bits"},
    {"complex", "a complex number is a struct: --struct"},
};

cli_exit cli_find_type(const char *option, const char *word, jr_type *type, cli_error *error) {
    char hint[CLI_HINT_BYTES];
    if (jr_type_find(word, type) == JR_OK) return CLI_OK;
    if (word[0] == '>')
        return cli_fail(error, CLI_USAGE,
                        "--%s: '%s' is big-endian, and raw numbers are little-endian here: numpy.fromfile(FILE, '%s'), "
                        "saved as .npy, is read",
                        option, word, word);
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++)
        if (strcasecmp(word, other_types[i][0]) == 0)
            return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of" JR_TYPES(WORD) "; %s", option, word,
                            other_types[i][1]);
    return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of" JR_TYPES(WORD) "%s", option, word,
                    cli_hint(word, NUMPY_TYPES JR_TYPES(WORD) MORE_TYPES, hint));
}

cli_exit cli_parse_number(const char *option, const char *text, jr_type type, void *number, cli_error *error) {
    const char *end = text + strlen(text);
    char detail[192];
    const cli_number_status status = cli_number_parse(type, text, end, number);
    if (status == CLI_NUMBER_OK) return CLI_OK;
    const char *advice = status == CLI_NUMBER_NONE ? cli_number_advice(text) : "";
    if (strcmp(option, "ddof") == 0 && text[0] == 'n') advice = "; D is the number that is subtracted from n";
    return cli_fail(error, CLI_USAGE, "--%s: %s%s", option, cli_number_explain(status, type, text, end, detail),
                    advice);
}

cli_exit cli_take_type(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    return cli_find_type(option->name, argument, member_of(option, options), error);
}

cli_exit cli_take_number(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    return cli_parse_number(option->name, argument, JR_F64, member_of(option, options), error);
}

cli_exit cli_take_launch_ms(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    const cli_exit code = cli_take_number(option, options, argument, error);
    if (code != CLI_OK || options->spec.max_launch_ms > 0) return code;
    return cli_fail(error, CLI_USAGE, "--max-launch-ms: '%s' is not above 0", argument);
}

cli_exit cli_take_limit(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    const double most = 1e9;
    if (cli_take_number(option, options, argument, error) == CLI_OK && options->limit_s > 0 && options->limit_s <= most)
        return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--limit: '%s' is not a number of seconds above 0", argument);
}
