/* Notes on missing values whose effect no result shows. */
#ifndef CLI_MISSING_NOTE_H
#define CLI_MISSING_NOTE_H

#include "options/cli_options.h"
#include "text/cli_text.h"

/* Says on standard error what missing values, and the lines that go with them, mean for the operators and expressions.
 */
void cli_note_missing(const cli_options *options, const cli_beyond *beyond);

#endif
