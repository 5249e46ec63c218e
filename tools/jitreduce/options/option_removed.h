/* Spellings of options that earlier versions had. */
#ifndef CLI_OPTION_REMOVED_H
#define CLI_OPTION_REMOVED_H

#include "base/cli_error.h"

typedef struct cli_removed {
    const char *old; /* without its dashes */
    const char *now; /* what to write instead */
} cli_removed;

extern const cli_removed cli_removed_options[];
extern const int cli_removed_option_count;

/* Fails for a removed spelling, given without its dashes: the message has the new one. */
cli_exit cli_check_removed(const char *name, cli_error *error);

#endif
