/* Characters of number texts, and messages that name file, line and column. */
#include "lines.h"

#include <stdarg.h>
#include <stdio.h>

const unsigned char cli_kinds[256] = {
    [' '] = CLI_BLANK,  ['\t'] = CLI_BLANK, ['\r'] = CLI_BLANK, ['\n'] = CLI_BLANK,
    ['\v'] = CLI_BLANK, ['\f'] = CLI_BLANK, [','] = CLI_BLANK,  ['#'] = CLI_COMMENT,
};

void cli_error_set_line(const cli_bytes *bytes, const char *at, cli_error *error, const char *format, ...) {
    size_t line = 1;
    const char *start = bytes->data;
    for (const char *next = start; (next = memchr(next, '\n', (size_t)(at - next))) != NULL; start = ++next) line++;
    char detail[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    cli_error_set(error, "%s:%zu:%td: %s", bytes->name, line, at - start + 1, detail);
}

static bool is_binary(const char *begin, const char *end) {
    for (; begin < end; begin++)
        if ((unsigned char)*begin < 0x20 && *begin != '\t' && *begin != '\r') return true;
    return false;
}

cli_exit cli_fail_token(const cli_bytes *bytes, const char *const token[2], jr_type type, cli_number_status reason,
                        cli_error *error) {
    char detail[192];
    cli_error_set_line(bytes, token[0], error, "%s%s", cli_number_explain(reason, type, token[0], token[1], detail),
                       is_binary(token[0], token[1]) ? "; for binary data give --raw and --type" : "");
    return CLI_FAILURE;
}
