/* Characters of number texts, and messages that name file, line and column. */
#include "lines.h"

#include <stdarg.h>
#include <stdio.h>

const unsigned char cli_kinds[256] = {
    [' '] = CLI_BLANK,  ['\t'] = CLI_BLANK, ['\r'] = CLI_BLANK, ['\n'] = CLI_BLANK,
    ['\v'] = CLI_BLANK, ['\f'] = CLI_BLANK, [','] = CLI_BLANK,  ['#'] = CLI_COMMENT,
};

void cli_place_move(cli_place *place, const char *to) {
    const char *start = place->block;
    for (const char *next = start; (next = memchr(next, '\n', (size_t)(to - next))) != NULL; start = ++next) {
        place->lines++;
        place->bytes = 0;
    }
    place->bytes += (uint64_t)(to - start);
    place->block = to;
}

void cli_error_set_line(const cli_place *place, const char *at, cli_error *error, const char *format, ...) {
    cli_place here = *place;
    char detail[512];
    va_list arguments;
    cli_place_move(&here, at);
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    cli_error_set(error, "%s:%llu:%llu: %s", here.name, (unsigned long long)here.lines + 1,
                  (unsigned long long)here.bytes + 1, detail);
}
