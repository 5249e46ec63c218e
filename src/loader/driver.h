/* The driver's function table: libcuda.so.1, or the simulator, which exports the same functions. */
#ifndef JR_LOADER_DRIVER_H
#define JR_LOADER_DRIVER_H

#include <stdbool.h>

#include "base/files.h"
#include "cuda_abi.h"
#include "jitreduce/status.h"
#include "places.h"

typedef struct jr_driver {
    void *library; /* dlopen handle; NULL for a table filled by a test */
    bool simulated;
    char path[JR_PATH_BYTES];
#define JR_DRIVER_FIELD(need, name, parameters) jr_cu_result(*name) parameters;
    JR_DRIVER_FUNCTIONS(JR_DRIVER_FIELD)
#undef JR_DRIVER_FIELD
} jr_driver;

/* What helps where there is no GPU. In the library's words: how a program names a device is its own affair. */
#define JR_USE_SIMULATOR "use the simulator (device \"sim\")"

/* Opens the first candidate that loads and has every required function; stubs are recognised and refused.
 * places: where to look; NULL: those of this process. path: of the driver, or of the simulator when simulated; NULL:
 * the setting, then the search decides. findings: NULL, or a list that receives every candidate looked at with the
 * reason why it lost. Errors: JR_ERROR_DRIVER_NOT_FOUND, JR_ERROR_SIMULATOR_NOT_FOUND, JR_ERROR_MISSING_FUNCTION (names
 * it). Calls no driver function. */
jr_status jr_driver_open(const jr_places *places, const char *path, bool simulated, jr_candidates *findings,
                         jr_driver *driver);

/* Closes the library. driver: may be one that was never opened (zeroed). */
void jr_driver_close(jr_driver *driver);

/* Leaves a context that this thread has pushed. A driver may return an error of earlier work although it popped the
 * context; if it did not, setting no context leaves the current one. If that fails, too, the failure is logged. */
void jr_driver_leave(const jr_driver *driver, jr_cu_context context);

/* True for the failures after which a context is lost: a kernel has faulted. */
bool jr_driver_lost(jr_cu_result result);

/* JR_OK for a success; else records the driver's error with its own name ("CUDA_ERROR_...") and returns the status for
 * it: out of memory, faults (of 700-719 those after which the context is lost), no device and launch resources have
 * statuses of their own, the toolkit's stub (34) is JR_ERROR_DRIVER_NOT_FOUND, all else is JR_ERROR_DRIVER.
 * action: what was tried, with its values: "allocating 4096 bytes of device memory". */
jr_status jr_driver_check(const jr_driver *driver, jr_cu_result result, const char *action, ...)
    __attribute__((format(printf, 3, 4)));

#endif
