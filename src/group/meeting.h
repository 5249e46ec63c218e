/* Meetings: what the devices of one process need to push their states into each other's slots from their kernels. */
#ifndef JR_GROUP_MEETING_H
#define JR_GROUP_MEETING_H

#include "device/memory.h"
#include "group.h"
#include "kernel/context.h"

/* Zero, but for the members that the caller sets before it is opened. */
typedef struct jr_meeting {
    double limit_ms;      /* set: how long a device waits for another one; 0: no limit */
    bool collects;        /* set: only the first device waits, for all others, and has a result */
    jr_cu_deviceptr mark; /* set: the first device's, as in jr_call; 0: none */
    const jr_group *group;
    bool stale; /* it must be restarted before the next run */
    size_t slots_bytes;
    jr_cu_deviceptr peers[JR_GROUP_DEVICES_MAX]; /* per device: its jr_peers, then its slots */
    jr_mapped words;                             /* jr_peers.leave */
} jr_meeting;

/* Has the devices of a group reach each other's memory, so that they can meet. Errors: JR_ERROR_NOT_APPLICABLE, with
 * the reason; those of the driver. */
jr_status jr_meeting_check(const jr_group *group);

/* Opens one of a group that has been checked, for slots of so many bytes of each device (JR_SLOT_BYTES, of segments as
 * many times). */
jr_status jr_meeting_open(const jr_group *group, size_t slot_bytes, jr_meeting *meeting);
void jr_meeting_close(jr_meeting *meeting); /* one that was zeroed, or could not be opened, is fine */

/* Restarts the exchange after a run in which not all devices took part. No run may be in progress. */
jr_status jr_meeting_begin(jr_meeting *meeting);

/* The first makes all devices stop waiting. The second checks whether a device gave up, and which one it waited for.
 * Errors: JR_ERROR_TRANSPORT. */
void jr_meeting_leave(const jr_meeting *meeting);
jr_status jr_meeting_look(const jr_meeting *meeting);

#endif
