/* Frees the room of segments. */
#include "room.h"

#include <stdlib.h>

#include "kernel/context.h"

static void release(const jr_device *device, jr_cu_deviceptr first, jr_cu_deviceptr second) {
    JR_INSIDE inside = jr_inside_device(device);
    if (inside.status != JR_OK) return;
    jr_memory_release(device, first, NULL);
    jr_memory_release(device, second, NULL);
}

void jr_group_room_free(jr_group *group, jr_group_room *room) {
    for (size_t i = 0; i < group->local_count; i++)
        release(&group->contexts[i]->device, room->states[i], room->workspace[i]);
    release(&group->contexts[0]->device, room->all, room->out);
    free(room->told);
    free(room->places);
    *room = (jr_group_room){.count = 0};
}
