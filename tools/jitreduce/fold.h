/* A reduction of a text while it is read: what was read is folded into partial states, and not kept. */
#ifndef CLI_FOLD_H
#define CLI_FOLD_H

#include "column.h"
#include "report.h"
#include "request.h"

typedef struct cli_fold {
    const cli_options *options;
    bool repeats; /* the texts can be read anew: types that are still open may be folded, too */
    cli_column room[JR_INPUTS_MAX];
    cli_column *columns; /* those that are read: in `room` */
    int column_count;
    uint64_t elements; /* of each column, folded so far; 0: all are kept */
    uint64_t parts;
    jr_context *context; /* from the first part on */
    cli_request request;
    jr_spec spec; /* of the request; with a count of what was kept, where that may be nothing */
    jr_plan *plan;
    void *device_elements[JR_INPUTS_MAX], *device_state;
    cli_vector states; /* on the host */
    double copy_ms, run_ms;
} cli_fold;

/* Whether the command line asks for what can be folded. */
bool cli_fold_applies(const cli_options *options);

/* user: the cli_fold. Folds the elements of the columns, where they are many and their types are settled. */
cli_exit cli_fold_take(void *user, cli_error *error);

/* Forgets what was folded, for a text that is read anew. */
void cli_fold_forget(cli_fold *fold);

/* Folds what is left and writes the values, and the report of them. Only behind a part that was folded. */
cli_exit cli_fold_finish(cli_fold *fold, cli_report *report, cli_error *error);

/* Frees it; one that has taken nothing is fine. */
void cli_fold_close(cli_fold *fold);

#endif
