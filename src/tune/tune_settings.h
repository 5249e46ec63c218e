/* The search for the best setting of a tunable. */
#ifndef JR_TUNE_TUNE_SETTINGS_H
#define JR_TUNE_TUNE_SETTINGS_H

#include "kernel/context.h"
#include "setting.h"

/* Does what the public jr_tunable_tune does, with structs as this version knows them. */
jr_status jr_settings_search(jr_context *context, const jr_space *space, const jr_tunable_problem *problem,
                             const jr_tunable_options *options, jr_tunable_found *found);

#endif
