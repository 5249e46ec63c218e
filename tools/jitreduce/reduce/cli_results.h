/* Many results: of segments, of runs of equal keys, of an axis, of a scan. They become lines, or a file. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "base/number.h"
#include "fold/wide.h"
#include "io/data.h"
#include "key_print.h"

typedef struct cli_results {
    const cli_request *request; /* borrowed */
    cli_data data;              /* the results one after the other, each in the request's layout */
    const cli_keys *keys;       /* of each column of keys; borrowed */
    int key_count;              /* 0: results have no keys */
    const cli_options *options; /* whose `wide` stands in for what has wrapped; NULL: nothing does */
    uint64_t *counts;           /* elements of each, where some have none; NULL: not counted */
    bool drops_empty;           /* results of no elements are not printed */
} cli_results;

/* Fails when --output cannot hold results of the request. */
cli_exit cli_results_check(const cli_options *options, const cli_request *request, cli_error *error);

/* Makes room for the results of a request, to be filled through data.owned. Writes *results on success only; the caller
 * frees it. */
cli_exit cli_results_create(const cli_request *request, const cli_shape *shape, cli_results *results, cli_error *error);

/* Prints a line for each result, its key first, a list's values parted by blanks, or writes the file of --output. */
cli_exit cli_results_tell(const cli_options *options, const cli_results *results, cli_error *error);

/* The operator whose value has that number; JR_OP_NONE: it is a count. */
jr_op cli_results_op(const cli_results *results, int number);

/* How many values of that number are those in f64, because whole numbers do not fit. */
cli_wide_tally cli_results_tally(const cli_results *results, int number);

/* How many elements a result is of; UINT64_MAX: that was not counted. */
uint64_t cli_results_count(const cli_results *results, uint64_t index);

/* Whether a result is printed: those of no elements may be dropped. */
bool cli_results_shown(const cli_results *results, uint64_t index);

/* The value of that number (0: the first operator's) in a result; nan where it lacks one. */
jr_value cli_results_value(const cli_results *results, uint64_t index, int number);

/* Indices of argmin and argmax become those in the input, from those in what was reduced. offsets: where the elements
 * of each result begin, from which its index counts; NULL: it counts from 0. rows: where each element came from; NULL:
 * it has not moved. */
cli_exit cli_results_number_rows(cli_results *results, const uint64_t *offsets, const uint64_t *rows, cli_error *error);

/* Writes the file of --output by all ranks: each its results, which begin at `first` of all. Whole or not at all, as
 * cli_npy_write. results: flat. */
cli_exit cli_results_write_share(const cli_options *options, const cli_results *results, uint64_t first, uint64_t whole,
                                 cli_error *error);

/* Frees results; a zeroed struct is fine. */
void cli_results_free(cli_results *results);

#endif
