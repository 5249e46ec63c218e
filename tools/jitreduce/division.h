/* Divisions by elements that are 0. */
#ifndef CLI_DIVISION_H
#define CLI_DIVISION_H

#include "inputs.h"

/* Says on standard error that --map divides whole numbers by an element that is 0, where it can be seen to: the divisor
 * is an input by itself, and nothing chooses the elements. */
void cli_division_note(const cli_options *options, const cli_inputs *inputs);

#endif
