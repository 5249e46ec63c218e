/* The library's log on standard error: JITREDUCE_LOG, and its warnings as notes. */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include "options/cli_options.h"

/* Installs the log for this process, before a device is opened. JITREDUCE_LOG=error, warning, info or debug: lines of
 * that level and above. Not set: warnings, as notes, with --stats but not --quiet, and where launches are captured;
 * else nothing. CLI_USAGE: JITREDUCE_LOG has another value. */
cli_exit cli_log_begin(const cli_options *options, cli_error *error);

/* Whether warnings of the library are printed: what it warns of need not be said again. */
bool cli_log_prints_warnings(const cli_options *options);

#endif
