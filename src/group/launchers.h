/* Launchers: threads of a group that launch on a device each while the calling thread launches on the first one. */
#ifndef JR_GROUP_LAUNCHERS_H
#define JR_GROUP_LAUNCHERS_H

#include "group.h"

typedef struct jr_launchers jr_launchers;

/* Calls launch(user, index) for each device of this rank, whose calls must not depend on each other: those that have a
 * launcher awake at a time, then the others from the last one to the first, until one fails. All that were begun have
 * ended when this returns. streams: on which it launches, or for which it waits; NULL: the default one of each device.
 * What goes to a stream that each thread has for itself is done by this thread. Returns the first failure of the
 * highest device, which is recorded. */
jr_status jr_launchers_run(jr_group *group, const jr_stream *streams, jr_status (*launch)(void *user, size_t index),
                           void *user);

/* The same by this thread alone. */
jr_status jr_launchers_in_turn(const jr_group *group, jr_status (*launch)(void *user, size_t index), void *user);

#endif
