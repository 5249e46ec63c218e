/* What a fold has come to. */
#ifndef CLI_FOLD_VALUES_H
#define CLI_FOLD_VALUES_H

#include "fold_state.h"
#include "io/report.h"

/* Folds what is left and writes the values, and the report of them. Only behind a part that was folded. */
cli_exit cli_fold_finish(cli_fold *fold, cli_report *report, cli_error *error);

/* Writes what the results are in f64, into *wide, behind cli_fold_finish; false: nobody knows, or nothing can have
 * wrapped. */
bool cli_fold_wide_values(cli_fold *fold, cli_wide *wide);

#endif
