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
    void *pinned;          /* as of jr_start_of */
    jr_device_info info;
    jr_allocator allocator; /* of device memory */
} jr_device;

/* Parses jr_options.device: "cuda", "cuda:N", "sim", "sim#N"; NULL: the setting, else "auto". "auto" gives "cuda",
 * which jr_device_open replaces by "sim" where there is no GPU (jr_device_is_auto). *ordinal: -1 when the name has no
 * number. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_device_parse(const char *text, bool *simulated, int *ordinal);

/* True for "auto" and for no choice: a GPU if there is one, else the simulator. */
bool jr_device_is_auto(const char *text);

/* Fills info, but for what is free. Errors: JR_ERROR_DRIVER: it does not say what nothing can be chosen without. */
jr_status jr_device_describe(const jr_driver *driver, jr_cu_device handle, jr_device_info *info);

/* Opens driver and device. Errors: those of jr_context_open. *device must not move afterwards. */
jr_status jr_device_open(const jr_options *options, jr_device *device);
void jr_device_close(jr_device *device);

/* Makes the device's context current unless it is already, and waits for its start before. *pushed tells
 * jr_device_leave what to undo. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, those of jr_start_wait. */
jr_status jr_device_enter(const jr_device *device, bool *pushed);
void jr_device_leave(const jr_device *device, bool pushed);

/* As jr_device_enter, for a call that waits for a stream: refused, before anything is done, while that is being
 * captured or, of the default stream (NULL), while one is that waits for it: waiting would spoil the capture. Errors:
 * those of jr_device_enter, JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_device_enter_to_wait(const jr_device *device, jr_cu_stream stream, bool *pushed);

#endif
