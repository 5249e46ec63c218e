/* A progress bar on standard error, for what takes long, where that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include "options/cli_options.h"
#include "source.h"

typedef struct cli_progress {
    bool shows; /* a terminal looks on, and nothing was said against it */
    bool plain; /* the terminal moves no cursor, or NO_COLOR is set: a line for each tenth */
    bool drawn;
    double next_s; /* when it is drawn again */
    int tenths;    /* tenths printed so far, for plain output */
} cli_progress;

/* A bar that has not been drawn. */
cli_progress cli_progress_of(const cli_options *options);

/* Draws "[####....]  42 %  text" when the last drawing, or the begin of the work, is long enough ago. share: 0 to 1;
 * below 0: not known, and only the text is shown. */
void cli_progress_show(cli_progress *progress, double share, const char *text);

/* Shows how much of a source has been read. progress: NULL is fine. */
void cli_progress_reading(cli_progress *progress, const cli_source *source);

/* Takes the bar off the terminal. */
void cli_progress_end(cli_progress *progress);

#endif
