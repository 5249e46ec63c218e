/* Takes the results of one of many works as texts, to be printed with those of the others. */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include "cli_results.h"
#include "io/report.h"

typedef struct cli_sink {
    bool json;               /* how texts are written */
    char separator;          /* of CSV and lines */
    bool takes_keys;         /* of the first work */
    FILE *out, *keys;        /* into `bytes` and `key_bytes` */
    char *bytes, *key_bytes; /* texts, each with a 0 at its end: the values of each result */
    size_t size, key_size;
    uint64_t rows; /* results */
    int value_count;
    char names[JR_OPS_MAX][24]; /* of the operators */
    jr_type types[JR_OPS_MAX], key_types[CLI_KEYS_MAX];
    int key_count; /* columns of keys */
} cli_sink;

/* Opens a sink. False: out of memory. The caller closes it in any case. */
bool cli_sink_open(cli_sink *sink);

/* Takes one result. */
cli_exit cli_sink_take_report(cli_sink *sink, const cli_report *report, cli_error *error);

/* Takes a result for each key. */
cli_exit cli_sink_take_results(cli_sink *sink, const cli_results *results, const cli_report *report, cli_error *error);

/* Ends the texts, after which they may be read. False: out of memory. */
bool cli_sink_end(cli_sink *sink);

/* Frees it; a zeroed struct is fine. */
void cli_sink_close(cli_sink *sink);

#endif
