/* Lists of counts: what --sizes says. */
#ifndef CLI_SIZES_H
#define CLI_SIZES_H

#include "cli_error.h"

enum { CLI_SIZES_MAX = 64 };

typedef struct cli_sizes {
    uint64_t counts[CLI_SIZES_MAX]; /* 1 or more each, in the order in which they were said */
    int count;
} cli_sizes;

/* Parses counts and ranges parted by commas: 1000, 2^20, 2^10..2^28 (each twice the one before), 2^10..2^28*4 (four
 * times; the last one is omitted if no step reaches it). Writes *sizes on success only. */
cli_exit cli_sizes_parse(const char *text, cli_sizes *sizes, cli_error *error);

#endif
