/* The devices of a group in this process: their names as one text, and their contexts. */
#ifndef JR_GROUP_DEVICES_H
#define JR_GROUP_DEVICES_H

#include "jitreduce/group.h"

/* Opens a context for each device that a text names, as jr_group_options have it.
 * options: of all of them, but for the device. contexts: room for JR_GROUP_DEVICES_MAX; written on success only, as is
 * *count; the caller frees each (jr_context_free). Errors: JR_ERROR_INVALID_ARGUMENT, those of jr_context_open. */
jr_status jr_group_devices_open(const char *text, const jr_options *options, jr_context **contexts, size_t *count);

#endif
