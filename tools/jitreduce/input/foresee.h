/* What whole numbers may do in a request, by the ranges in which they lie: wrap, be cut, be divided by 0. */
#ifndef CLI_FORESEE_H
#define CLI_FORESEE_H

#include "base/text_ranges.h"
#include "fold/request.h"
#include "inputs.h"

/* Finds the ranges of all inputs, over the shares of all ranks, which come here together. */
cli_exit cli_foresee_ranges(const cli_options *options, const cli_inputs *inputs, cli_ranges *ranges, cli_error *error);

/* Whether values may not fit their types. */
bool cli_foresee_wraps(const cli_request *request, const cli_ranges *ranges);

/* Whether numbers in --map or --where may not fit where they are compared, so that no result is right modulo 2^64. */
bool cli_foresee_inside(const cli_request *request, const cli_ranges *ranges);

/* Says on standard error what is C and may not be meant; open: no type was asked for. */
void cli_foresee_note(const cli_options *options, const cli_request *request, const cli_ranges *ranges, bool open);

#endif
