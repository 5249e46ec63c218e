/* The machine: what stored tunings hold for, every field as text. */
#ifndef JR_WISDOM_MACHINE_H
#define JR_WISDOM_MACHINE_H

#include "kernel/context.h"

/* id, name in a wisdom file. Tunings of another device of the same compute capability may be used; every other field
 * must be the same. */
#define JR_MACHINE_FIELDS(XX)                                                                                          \
    XX(DEVICE, "device")                                                                                               \
    XX(CAPABILITY, "capability")                                                                                       \
    XX(MULTIPROCESSORS, "multiprocessors")                                                                             \
    XX(DRIVER, "driver")                                                                                               \
    XX(NVRTC, "nvrtc")                                                                                                 \
    XX(LIBRARY, "library")

typedef enum jr_machine_field {
#define JR_MACHINE_FIELD_ENUM(id, name) JR_MACHINE_##id,
    JR_MACHINE_FIELDS(JR_MACHINE_FIELD_ENUM)
#undef JR_MACHINE_FIELD_ENUM
        JR_MACHINE_FIELD_COUNT
} jr_machine_field;

enum { JR_MACHINE_VALUE_BYTES = 128 };

/* Each value is printable ASCII or UTF-8, without control characters. */
typedef struct jr_machine {
    char values[JR_MACHINE_FIELD_COUNT][JR_MACHINE_VALUE_BYTES];
} jr_machine;

/* "driver" */
const char *jr_machine_field_name(jr_machine_field field);

/* Writes down a device of that driver with an NVRTC and this library. */
void jr_machine_make(const jr_device_info *device, const char *nvrtc_build, jr_machine *machine);

/* The machine of a context. Errors: those of finding NVRTC. */
jr_status jr_machine_of(jr_context *context, jr_machine *machine);

/* The order of machines, as strcmp. */
int jr_machine_compare(const jr_machine *one, const jr_machine *other);

/* The first field that keeps tunings of one machine from being used here; JR_MACHINE_FIELD_COUNT: none does. */
jr_machine_field jr_machine_misfit(const jr_machine *made, const jr_machine *here);

#endif
