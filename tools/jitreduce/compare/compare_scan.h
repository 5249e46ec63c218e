/* Scans in a comparison: every result is held against that of the first algorithm. */
#ifndef CLI_COMPARE_SCAN_H
#define CLI_COMPARE_SCAN_H

#include "comparison.h"
#include "fold/request.h"
#include "input/inputs.h"

typedef struct cli_compare_scan {
    jr_context *context;
    jr_work_kind kind;
    const cli_request *request;
    uint64_t count, bytes; /* of the results */
    jr_algorithm first;    /* the algorithm whose results are `expected`; JR_ALGORITHM_AUTO: no results yet */
    unsigned char *expected, *results;
} cli_compare_scan;

/* Makes room for all results twice. Writes *scan on success only; the caller closes it. */
cli_exit cli_compare_scan_open(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                               jr_context *context, cli_compare_scan *scan, cli_error *error);

/* Runs the plan of an algorithm over overwritten results, and records in the row how they compare. */
jr_status cli_compare_scan_look(cli_compare_scan *scan, jr_plan *plan, const jr_work_data *data, cli_contestant *row);

/* Holds scan->results against scan->expected, those of scan->first. */
void cli_compare_scan_hold(const cli_compare_scan *scan, cli_apart *apart);

/* Fails when a row's results are wrong. */
cli_exit cli_compare_scan_check(const cli_comparison *comparison, cli_error *error);

/* Frees what was opened; a zeroed struct is fine. */
void cli_compare_scan_close(cli_compare_scan *scan);

#endif
