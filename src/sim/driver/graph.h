/* Graphs and executable graphs: both are a recording and the context's life it was made in. */
#ifndef JRS_DRIVER_GRAPH_H
#define JRS_DRIVER_GRAPH_H

#include "capture.h"

typedef struct jrs_graph {
    uintptr_t handle;
    uint64_t serial; /* of the context */
    jrs_recording *recording;
} jrs_graph;

/* Takes the recording over; 0 when out of memory. Lock held. */
uintptr_t jrs_graph_add(jrs_driver *driver, jrs_handle_kind kind, jrs_recording *recording, uint64_t serial);

#endif
