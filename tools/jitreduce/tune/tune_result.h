/* What tuning found, and the forms in which the command prints it. */
#ifndef CLI_TUNE_RESULT_H
#define CLI_TUNE_RESULT_H

#include <stdio.h>

#include "base/number.h"
#include "io/progress.h"

enum { CLI_WORK_BYTES = 64 };

/* One operator and type at one size, reduced or scanned. */
typedef struct cli_tuning {
    const char *scan; /* "inclusive" or "exclusive"; NULL: a reduction */
    jr_op op;
    jr_type type;
    jr_tuned tuned;
    bool stored;
    jr_tune_candidate *failures; /* from malloc */
    int failure_count;
} cli_tuning;

/* All that was tuned so far, and what is under way. */
typedef struct cli_tune {
    const cli_options *options;
    jr_context *context;
    jr_device_info device;
    jr_wisdom_info wisdom;
    cli_tuning *tunings; /* from malloc */
    int count, planned;
    cli_progress progress;
    bool interrupted, out_of_memory;
} cli_tune;

/* "sum f32", "inclusive scan sum f32"; returns text, which has CLI_WORK_BYTES. */
const char *cli_tune_work_text(const cli_tuning *tuning, char *text);

/* Called for each candidate; user is the cli_tune, whose last tuning is running. Draws a bar on standard error. */
int cli_tune_progress(void *user, const jr_tune_progress *progress);

/* Prints a table, a line for each tuning, and below it the candidates that failed; or the object of --json. */
void cli_tune_table(const cli_tune *tune, FILE *out);
void cli_tune_json(const cli_tune *tune, FILE *out);

#endif
