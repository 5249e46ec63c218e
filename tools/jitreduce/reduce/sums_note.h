/* A note on a sum or product of typed whole numbers that its type does not hold. */
#ifndef CLI_SUMS_NOTE_H
#define CLI_SUMS_NOTE_H

#include "input/foresee.h"

/* Looks at the elements again only where their range says that a sum or product may not fit. inputs NULL: they were not
 * kept, and the note says no more than that. */
void cli_sums_note(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                   const cli_ranges *ranges);

#endif
