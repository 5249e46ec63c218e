/* What was meant by a word that is no operator. */
#ifndef CLI_SLIP_OPERATOR_H
#define CLI_SLIP_OPERATOR_H

#include "cli_options.h"

/* Fails for a word that is not an operator; names the operator that was meant, where one is near. */
cli_exit cli_slip_op(const char *word, cli_error *error);

/* The operator that a word names, here or in another program: "mean" of "avg"; NULL: none. */
const char *cli_slip_operator(const char *word);

/* How something is computed here that takes more than an operator, as a sentence: of "rms"; NULL: that is not known. */
const char *cli_slip_longer(const char *word);

/* True of "median", which no operator computes: two values at a time do not suffice. */
bool cli_slip_needs_sorting(const char *word);

#endif
