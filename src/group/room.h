/* The room of segments of a group: memory that runs on so many of them share. */
#ifndef JR_GROUP_ROOM_H
#define JR_GROUP_ROOM_H

#include "device/memory.h"
#include "group.h"

/* What a run on `count` segments needs beside the plan; of one that was zeroed, nothing. */
typedef struct jr_group_room {
    uint64_t count;
    jr_cu_deviceptr states[JR_GROUP_DEVICES_MAX], workspace[JR_GROUP_DEVICES_MAX]; /* of this rank's devices */
    jr_cu_deviceptr all, out; /* on the first of them: the states of all, and the results' places */
    unsigned char *told, *places;
} jr_group_room;

void jr_group_room_free(jr_group *group, jr_group_room *room);

#endif
