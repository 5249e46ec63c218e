/* Parses lists of counts. */
#include "sizes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

enum { ITEM_BYTES = 96 };

/* FROM..TO*FACTOR in its three parts; a count alone is a range of one. */
static bool parse_range(char *item, uint64_t *from, uint64_t *to, uint64_t *factor) {
    char *dots = strstr(item, ".."), *star = dots ? strchr(dots, '*') : NULL;
    *factor = 2;
    if (star != NULL) *star = '\0';
    if (star != NULL && !cli_count_parse(star + 1, factor)) return false;
    if (dots != NULL) *dots = '\0';
    if (!cli_count_parse(item, from)) return false;
    *to = *from;
    return dots == NULL || cli_count_parse(dots + 2, to);
}

static bool add(cli_sizes *sizes, uint64_t from, uint64_t to, uint64_t factor) {
    for (uint64_t count = from; count <= to; count *= factor) {
        if (sizes->count == CLI_SIZES_MAX) return false;
        sizes->counts[sizes->count++] = count;
        if (count > UINT64_MAX / factor) break;
    }
    return true;
}

cli_exit cli_sizes_parse(const char *text, cli_sizes *sizes, cli_error *error) {
    cli_sizes found = {.count = 0};
    for (const char *rest = text; rest != NULL;) {
        const char *comma = strchr(rest, ',');
        const size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
        char item[ITEM_BYTES];
        uint64_t from, to, factor;
        snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item), rest);
        if (length >= sizeof item || !parse_range(item, &from, &to, &factor))
            return cli_fail(error, CLI_USAGE,
                            "--sizes: '%.*s' is not a count or a range like 1000, 2^20, 2^10..2^28 or 2^10..2^28*4",
                            (int)length, rest);
        if (from == 0 || to < from || factor < 2)
            return cli_fail(error, CLI_USAGE, "--sizes: '%.*s': %s", (int)length, rest,
                            from == 0   ? "a size is 1 or more"
                            : to < from ? "a range goes from the smaller size to the larger one"
                                        : "each size is the one before it times 2 or more");
        if (!add(&found, from, to, factor))
            return cli_fail(error, CLI_USAGE, "--sizes: '%s' lists more than %d sizes", text, CLI_SIZES_MAX);
        rest = comma ? comma + 1 : NULL;
    }
    *sizes = found;
    return CLI_OK;
}
