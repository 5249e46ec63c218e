/* The driver: its one state, and what it knows of each thread. */
#include "sim_driver.h"

#include <unistd.h>

/* The driver API has no handle for the driver itself, so its state is the process's: the one exception to the rule that
 * files have none. */
static jrs_driver the_driver = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .log.lock = PTHREAD_MUTEX_INITIALIZER, .rounds.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local jrs_thread the_thread;
static _Atomic uint64_t thread_count;

jrs_driver *jrs_driver_get(void) {
    return &the_driver;
}

jrs_thread *jrs_thread_self(void) {
    if (!the_thread.id) the_thread.id = atomic_fetch_add(&thread_count, 1) + 1;
    return &the_thread;
}

/* Ends the workers with the process. The memory stays: other threads may still be inside a call. */
__attribute__((destructor)) static void close_driver(void) {
    int state = atomic_exchange(&the_driver.state, JRS_DRIVER_CLOSING);
    if (state != JRS_DRIVER_READY || the_driver.process != getpid()) return;
    for (unsigned k = 0; k < the_driver.options.devices; k++) jrs_queue_stop(the_driver.devices[k].queue);
    for (unsigned k = 0; k < the_driver.options.devices; k++) jrs_queue_join(the_driver.devices[k].queue);
}
