/* Views: whose memory a kernel may touch: its own device's, the host's, and that of contexts which were made peers. */
#ifndef JRS_MEMORY_VIEW_H
#define JRS_MEMORY_VIEW_H

#include "sim_memory.h"

enum { JRS_PEERS = 64 }; /* most of one context */

/* A context's. Kernels read it while the driver, which holds its lock, changes it. */
typedef struct jrs_view {
    unsigned device;
    _Atomic uint64_t peers[JRS_PEERS]; /* serials of contexts of other devices; 0: free */
} jrs_view;

/* One that sees its own device only. No kernel uses it. */
void jrs_view_begin(jrs_view *view, unsigned device);

/* Both return a CUresult number: 0, 704 (a peer already), 711 (too many); 0, 705 (no peer). */
int jrs_view_add(jrs_view *view, uint64_t context);
int jrs_view_remove(jrs_view *view, uint64_t context);
bool jrs_view_has_peers(const jrs_view *view);

/* Whether memory may be touched. view: NULL: all may. Any thread. */
bool jrs_view_has(const jrs_view *view, const jrs_range *range);

#endif
