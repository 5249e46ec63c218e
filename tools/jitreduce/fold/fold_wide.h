/* Folding in f64, too, what may wrap as whole numbers. */
#ifndef CLI_FOLD_WIDE_H
#define CLI_FOLD_WIDE_H

#include "fold_state.h"

/* Makes `wide` fold in f64 what `fold` folds; `fold` has folded nothing yet. */
void cli_fold_widen(cli_fold *fold, cli_fold *wide);

/* Makes the request of a fold in f64 for columns of these types. */
cli_exit cli_fold_wide_request(cli_fold *fold, const jr_type *types, cli_error *error);

/* Measures the elements that have come; where they may wrap, wakes the fold in f64: fold->again, if some are folded. */
void cli_fold_measure(cli_fold *fold);

#endif
