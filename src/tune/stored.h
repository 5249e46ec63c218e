/* Settings of tunables that are stored, by machine and sizes. */
#ifndef JR_TUNE_STORED_H
#define JR_TUNE_STORED_H

#include "kernel/context.h"
#include "wisdom/space.h"

/* Do what the public jr_tunable_store and jr_tunable_get do, with structs as this version knows them. */
jr_status jr_stored_add(jr_context *context, const jr_space *space, const int64_t *sizes,
                        const jr_tunable_found *found);
jr_status jr_stored_choose(jr_context *context, const jr_space *space, const int64_t *sizes, jr_tunable_choice *choice);

#endif
