/* The device: one GPU (or the simulator) with the driver that runs it and the CUDA context that everything lives in. */
#ifndef JR_DEVICE_DEVICE_H
#define JR_DEVICE_DEVICE_H

#include <stdbool.h>

#include "jitreduce/context.h"
#include "loader/driver.h"
#include "start.h"

/* The caller's own, or all NULL: the driver's. */
typedef struct jr_allocator {
    jr_allocate_function allocate;
    jr_free_function free;
    void *self;
} jr_allocator;

typedef struct jr_device {
    jr_driver driver;
    jr_cu_device handle;
    jr_cu_context context; /* once it has started */
    bool primary;          /* we hold a reference to the primary context; else the context is the application's */
    jr_start *start;       /* of the primary context, in the background; NULL: none */
    void *pinned;          /* see jr_start_of */
    jr_device_info info;
    jr_allocator allocator; /* of device memory */
} jr_device;

/* Where the name of a device comes from, for messages: "" for one that is given, the setting for NULL. */
const char *jr_device_source(const char *text);

/* Parses jr_options.device: "cuda", "cuda:N", "sim", "sim#N"; NULL: the setting, else "auto". "auto" gives "cuda",
 * which jr_device_open replaces by "sim" where there is no GPU. *ordinal: -1 when the name has no
 * number. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_device_parse(const char *text, bool *simulated, int *ordinal);

/* Fills info, but for what is free. Errors: JR_ERROR_DRIVER: it does not say what nothing can be chosen without. */
jr_status jr_device_describe(const jr_driver *driver, jr_cu_device handle, jr_device_info *info);

/* Opens driver and device. Errors: those of jr_context_open. *device must not move afterwards. */
jr_status jr_device_open(const jr_options *options, jr_device *device);
void jr_device_close(jr_device *device);

/* Waits until the device has started, and makes its context current unless it already is. jr_device_leave undoes that
 * if *pushed is true. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, those of jr_start_wait. */
jr_status jr_device_enter(const jr_device *device, bool *pushed);
void jr_device_leave(const jr_device *device, bool pushed);

/* Refuses, of a call that waits for a stream, one that is being captured or, of the default stream (NULL), one that a
 * captured stream waits for: waiting would spoil the capture. The context is current. Errors:
 * JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_device_check_capture(const jr_device *device, jr_cu_stream stream);

/* ---- the scope guard: a scope enters a device, and leaves it on every way out ---- */

typedef struct jr_inside {
    const jr_device *device;
    bool pushed;      /* whether jr_device_leave has something to undo; may be true after a failure, too */
    jr_status status; /* why nothing may be done inside */
} jr_inside;

static inline jr_inside jr_inside_device(const jr_device *device) {
    jr_inside inside; /* all is written: runs take this road */
    inside.device = device;
    inside.status = jr_device_enter(device, &inside.pushed);
    return inside;
}

/* The same for a call that waits for a stream: refused as by jr_device_check_capture. */
jr_inside jr_inside_to_wait(const jr_device *device, jr_cu_stream stream);

static inline void jr_inside_leave(const jr_inside *inside) {
    if (inside->pushed) jr_driver_leave(&inside->device->driver, inside->device->context);
}

/* Where a failure is no status of the function: `JR_INSIDE inside = jr_inside_device(device);`, then inside.status. */
#define JR_INSIDE __attribute__((unused, cleanup(jr_inside_leave))) const jr_inside

/* Where it is: returned at once. */
#define JR_GO_INSIDE(how)                                                                                              \
    JR_INSIDE inside = how;                                                                                            \
    if (inside.status != JR_OK) return inside.status
#define JR_IN_DEVICE(device)                 JR_GO_INSIDE(jr_inside_device(device))
#define JR_IN_DEVICE_TO_WAIT(device, stream) JR_GO_INSIDE(jr_inside_to_wait(device, stream))

#endif
