/* What a fold has come to. */
#ifndef CLI_FOLD_VALUES_H
#define CLI_FOLD_VALUES_H

#include "fold_state.h"
#include "io/report.h"

/* Folds the rest and writes the values, and the report of them. Call it only after a part was folded. */
cli_exit cli_fold_finish(cli_fold *fold, cli_report *report, cli_error *error);

/* Writes the results in f64 into *wide, after cli_fold_finish; false: they are unknown, or nothing can have wrapped. */
bool cli_fold_wide_values(cli_fold *fold, cli_wide *wide);

#endif
