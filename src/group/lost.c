/* Names the device of a failure, and looks which others a fault has ended. */
#include "lost.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernel/context.h"

/* A context that is lost says so to whatever is asked. While a stream is being captured nothing is. */
static bool is_lost(const jr_device *device) {
    JR_INSIDE inside = jr_inside_to_wait(device, NULL);
    jr_status status = inside.status;
    if (status == JR_OK)
        status = jr_driver_check(&device->driver, device->driver.cuStreamQuery(NULL), "asking the device");
    return status == JR_ERROR_DEVICE_FAULT;
}

static bool is_same(const jr_group *group, size_t one, size_t other) {
    return group->contexts[one]->device.context == group->contexts[other]->device.context;
}

/* Writes "device 0 of the group, device 3": those but `index`; how many there are. */
static size_t list_lost(const jr_group *group, size_t index, char *text, size_t bytes) {
    size_t found = 0, at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < group->local_count; i++) {
        if (is_same(group, i, index) || !is_lost(&group->contexts[i]->device)) continue;
        const int wrote = snprintf(text + at, bytes - at, "%sdevice %zu%s", found > 0 ? ", " : "", group->first + i,
                                   found == 0 ? " of the group" : "");
        if (wrote > 0) at += (size_t)wrote < bytes - at ? (size_t)wrote : bytes - at - 1;
        found++;
    }
    return found;
}

/* Writes ", or 1, 3, which are the same device": a context that several share does not say whose work failed. */
static void list_same(const jr_group *group, size_t index, char *text, size_t bytes) {
    size_t found = 0, at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < group->local_count; i++) {
        if (i == index || !is_same(group, i, index)) continue;
        const int wrote = snprintf(text + at, bytes - at, "%s%zu", found++ > 0 ? ", " : ", or ", group->first + i);
        if (wrote > 0) at += (size_t)wrote < bytes - at ? (size_t)wrote : bytes - at - 1;
    }
    if (found > 0) snprintf(text + at, bytes - at, ", on the same device");
}

jr_status jr_group_name_device(const jr_group *group, size_t index, jr_status status) {
    enum { LIST_BYTES = 512 };
    char others[LIST_BYTES];
    if (status == JR_OK || group->size == 1) return status;
    if (status == JR_ERROR_DEVICE_FAULT) list_same(group, index, others, sizeof others);
    jr_fail_prefix("device %zu of the group%s: ", group->first + index, status == JR_ERROR_DEVICE_FAULT ? others : "");
    if (status != JR_ERROR_DEVICE_FAULT) return status;
    jr_error_saved *saved = jr_error_save();
    const size_t found = list_lost(group, index, others, sizeof others);
    jr_error_restore(saved);
    if (saved == NULL || found == 0) return status;
    const jr_error *told = jr_last_error();
    return jr_fail_with(status, told->driver_name, told->log,
                        "%s; lost as well: %s (a fault may end the contexts of other GPUs of the process)",
                        told->message, others);
}

jr_status jr_group_name_lost(const jr_group *group, size_t index, jr_status status) {
    return status == JR_ERROR_DEVICE_FAULT ? jr_group_name_device(group, index, status) : status;
}
