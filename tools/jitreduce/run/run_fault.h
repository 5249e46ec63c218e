/* Why a launch failed, in the words of the command line. */
#ifndef CLI_RUN_FAULT_H
#define CLI_RUN_FAULT_H

#include "run_argument.h"

/* Writes the library's last error as the reason. What the simulator found says which --arg it is of. */
cli_exit cli_run_fail(const cli_argument *arguments, size_t count, jr_status status, cli_error *error);

#endif
