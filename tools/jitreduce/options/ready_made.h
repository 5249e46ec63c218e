/* Formulas of --expr that have names: softmax, layer_norm, ... */
#ifndef CLI_READY_MADE_H
#define CLI_READY_MADE_H

#include "cli_options.h"

#define CLI_READY_NAMES "softmax log_softmax rms_norm layer_norm zscore minmax_scale l1_normalize l2_normalize"

/* Puts what a name stands for into the options: its operators and its expression; and the last axis where nothing says
 * how the input is divided. Of other expressions nothing changes. */
cli_exit cli_ready_settle(cli_options *options, cli_error *error);

#endif
