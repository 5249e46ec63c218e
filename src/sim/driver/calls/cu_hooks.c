/* The simulator's own exports: version and leak accounting; those of fault injection stand in fail.c. */
#include <string.h>

#include "jitreduce/types.h"
#include "sim/driver/sim_driver.h"

#define TEXT_OF(number)                   #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *jrsim_version(void) {
    return VERSION_TEXT(JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH);
}

/* Lock held. */
static size_t live_contexts(const jrs_driver *driver) {
    size_t idle = 0;
    for (unsigned k = 0; k < JRS_DEVICES; k++)
        idle += driver->devices[k].primary && !driver->devices[k].primary->active;
    return driver->handles.live[JRS_HANDLE_CONTEXT] - idle;
}

static int live(const jrs_driver *driver, const char *kind) {
    const size_t *handles = driver->handles.live;
    jrs_memory_totals totals = {0};
    if (driver->memory) jrs_memory_count(driver->memory, &totals);
    const struct {
        const char *kind;
        size_t count;
    } rows[] = {
        {"memory", totals.live[JRS_MEMORY_DEVICE]},
        {"host", totals.live[JRS_MEMORY_HOST] + totals.live[JRS_MEMORY_REGISTERED]},
        {"modules", handles[JRS_HANDLE_MODULE]},
        {"streams", handles[JRS_HANDLE_STREAM]},
        {"events", handles[JRS_HANDLE_EVENT]},
        {"graphs", handles[JRS_HANDLE_GRAPH] + handles[JRS_HANDLE_GRAPH_EXEC]},
        {"contexts", live_contexts(driver)},
    };
    for (size_t i = 0; kind && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].kind, kind) == 0) return (int)rows[i].count;
    return -1;
}

int jrsim_live(const char *kind) {
    jrs_driver *driver = jrs_driver_get();
    pthread_mutex_lock(&driver->lock);
    int count = live(driver, kind);
    pthread_mutex_unlock(&driver->lock);
    return count;
}
