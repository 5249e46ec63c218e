/* Events as the driver knows them. */
#ifndef JRS_DRIVER_EVENT_H
#define JRS_DRIVER_EVENT_H

#include "capture.h"

/* Shared by its handle and by the recordings of it under way. */
typedef struct jrs_event {
    jrs_object object;
    _Atomic unsigned references;
    unsigned flags;
    uint64_t recorded;        /* the task that records it; 0: never */
    _Atomic uint64_t time_ns; /* when that was done */
    jrs_moment moment;        /* when it was last recorded in a capture */
} jrs_event;

#endif
