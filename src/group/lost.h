/* Names the device of a group that a failure is of, and the devices whose contexts a fault has ended. */
#ifndef JR_GROUP_LOST_H
#define JR_GROUP_LOST_H

#include "group.h"

/* Prefixes the recorded message with the device of that index in this rank, if the group has several devices. After a
 * fault, which may end the contexts of other GPUs of the process, it names all of this rank's lost devices. status: of
 * a call on that device; returned. */
jr_status jr_group_name_device(const jr_group *group, size_t index, jr_status status);

/* The same of faults only: of failures that are the spec's rather than the device's. */
jr_status jr_group_name_lost(const jr_group *group, size_t index, jr_status status);

#endif
