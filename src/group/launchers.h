/* Launchers: threads of a group that launch on a device each while the calling thread launches on the first one. */
#ifndef JR_GROUP_LAUNCHERS_H
#define JR_GROUP_LAUNCHERS_H

#include "group.h"

typedef struct jr_launchers jr_launchers;

/* Calls launch(user, index) for each device of this rank, whose calls must not depend on each other: those that have a
 * launcher awake at a time, then the others from the last one to the first, until one fails. All that were begun have
 * ended when this returns. Returns the first failure of the highest device, which is recorded. */
jr_status jr_launchers_run(jr_group *group, jr_status (*launch)(void *user, size_t index), void *user);

#endif
