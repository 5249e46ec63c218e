/* Writes machines down and compares them. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define FIELD_NAME(id, name) name,
    JR_MACHINE_FIELDS(FIELD_NAME)
#undef FIELD_NAME
};

const char *jr_machine_field_name(jr_machine_field field) {
    return names[field];
}

void jr_machine_make(const jr_device_info *device, const char *nvrtc_build, jr_machine *machine) {
    const size_t bytes = JR_MACHINE_VALUE_BYTES;
    *machine = (jr_machine){0};
    snprintf(machine->values[JR_MACHINE_DEVICE], bytes, "%s", device->name);
    snprintf(machine->values[JR_MACHINE_CAPABILITY], bytes, "%d.%d", device->capability_major,
             device->capability_minor);
    snprintf(machine->values[JR_MACHINE_MULTIPROCESSORS], bytes, "%d", device->multiprocessor_count);
    snprintf(machine->values[JR_MACHINE_DRIVER], bytes, "%d.%d", device->driver_version / 1000,
             device->driver_version % 1000 / 10);
    snprintf(machine->values[JR_MACHINE_NVRTC], bytes, "%s", nvrtc_build);
    snprintf(machine->values[JR_MACHINE_LIBRARY], bytes, "%s", jr_version());
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++)
        for (char *at = machine->values[field]; *at != '\0'; at++)
            if ((unsigned char)*at < ' ' || *at == '\x7f') *at = '?';
}

jr_status jr_machine_of(jr_context *context, jr_machine *machine) {
    const jr_nvrtc_about *record;
    const jr_status status = jr_compiler_describe(context->compiler, &record);
    if (status == JR_OK) jr_machine_make(&context->device.info, record->build, machine);
    return status;
}

int jr_machine_compare(const jr_machine *one, const jr_machine *other) {
    int order = 0;
    for (int field = 0; order == 0 && field < JR_MACHINE_FIELD_COUNT; field++)
        order = strcmp(one->values[field], other->values[field]);
    return order;
}

jr_machine_field jr_machine_misfit(const jr_machine *made, const jr_machine *here) {
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++)
        if (field != JR_MACHINE_DEVICE && field != JR_MACHINE_MULTIPROCESSORS &&
            strcmp(made->values[field], here->values[field]) != 0)
            return (jr_machine_field)field;
    return JR_MACHINE_FIELD_COUNT;
}
