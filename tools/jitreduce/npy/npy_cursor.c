/* Takes words of .npy headers, and says at which byte one is wrong. */
#include "npy_cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cli_npy_set_error(const cli_npy_cursor *in, const char *at, const char *format, ...) {
    char detail[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    cli_error_set(in->error, "%s: npy header, byte %td: %s", in->bytes->name, at - in->bytes->data, detail);
}

void cli_npy_skip_space(cli_npy_cursor *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\t' || *in->at == '\r')) in->at++;
}

bool cli_npy_take(cli_npy_cursor *in, char c) {
    cli_npy_skip_space(in);
    if (in->at == in->end || *in->at != c) return false;
    in->at++;
    return true;
}

cli_exit cli_npy_expect(cli_npy_cursor *in, char c) {
    return cli_npy_take(in, c) ? CLI_OK : cli_npy_fail(in, in->at, "'%c' expected", c);
}

cli_exit cli_npy_take_string(cli_npy_cursor *in, const char **begin, const char **end) {
    cli_npy_skip_space(in);
    char quote = in->at < in->end ? *in->at : '\0';
    if (quote != '\'' && quote != '"') return cli_npy_fail(in, in->at, "a quoted string expected");
    const char *start = in->at + 1;
    const char *stop = memchr(start, quote, (size_t)(in->end - start));
    if (stop == NULL) return cli_npy_fail(in, in->at, "a string that does not end");
    if (memchr(start, '\\', (size_t)(stop - start)) != NULL) return cli_npy_fail(in, in->at, "an escape in a string");
    *begin = start;
    *end = stop;
    in->at = stop + 1;
    return CLI_OK;
}
