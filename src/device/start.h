/* The start of a device: its primary context, which the driver takes a tenth of a second to make, maybe meanwhile. With
 * it comes a little pinned host memory that is kept for as long: the driver gives such memory out of a large piece, and
 * making the first piece takes a millisecond, which a first result would wait for, and every one whose predecessor gave
 * the last of it back. */
#ifndef JR_DEVICE_START_H
#define JR_DEVICE_START_H

#include <stdbool.h>

#include "loader/driver.h"

typedef struct jr_start jr_start;

/* Whose context is made, and where it goes: none of them may move or be read before jr_start_wait. */
typedef struct jr_start_of {
    const jr_driver *driver;
    jr_cu_device handle;
    jr_cu_context *context;
    bool *primary; /* whether it was retained */
    void **pinned; /* kept host memory; NULL: none could be had, which is no failure */
} jr_start_of;

/* Retains a primary context: at once, and then *start is NULL, or, when there is a thread to be had, in the background.
 * Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_NO_DEVICE. */
jr_status jr_start_begin(const jr_start_of *of, bool in_background, jr_start **start);

/* Waits until the context is there; tries again where it could not be made. NULL is fine. Threads: any. Errors: as
 * above. */
jr_status jr_start_wait(jr_start *start);

/* Waits, and frees what the start took; the context stays. NULL is fine. */
void jr_start_end(jr_start *start);

#endif
