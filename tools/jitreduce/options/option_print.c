/* Takes how numbers are printed. */
#include <string.h>

#include "base/number.h"
#include "option_take.h"

/* The place after at most `most` digits. */
static const char *after_digits(const char *at, int most) {
    for (int i = 0; i < most && cli_is_digit(*at); i++) at++;
    return at;
}

/* One conversion of a float and nothing else: printf takes no other argument, and a number has at most 99 digits after
 * the point and is at most 99 wide. */
static bool is_number_format(const char *text) {
    if (*text++ != '%') return false;
    text = after_digits(text + strspn(text, "-+ #0"), 2);
    if (*text == '.') text = after_digits(text + 1, 2);
    return *text != '\0' && strchr("eEfFgG", *text) != NULL && text[1] == '\0';
}

cli_exit cli_take_format(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    const bool prints = strchr(argument, '%') != NULL;
    if (prints ? options->number_format != NULL : options->reads_format)
        return cli_fail(error, CLI_USAGE, "--format: is given twice: give one for what is read, and one like '%%.3f'");
    options->reads_format |= !prints;
    if (!prints) return cli_take_word(option, options, argument, error);
    options->number_format = argument;
    if (is_number_format(argument)) return CLI_OK;
    return cli_fail(
        error, CLI_USAGE,
        "--format: '%s' is not one conversion of a float like '%%.3f' or '%%10.2e': one of e E f F g G, with "
        "up to 99 digits, and nothing before or after it",
        argument);
}

cli_exit cli_take_round(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    uint64_t digits;
    if (!cli_count_parse(argument, &digits) || digits > option->range.most)
        return cli_fail(error, CLI_USAGE, "--round: '%s' is not a number of digits from 0 to %u", argument,
                        option->range.most);
    options->rounds = true;
    options->decimals = (int)digits;
    return CLI_OK;
}
