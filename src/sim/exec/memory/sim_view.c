/* Views: short lists of peers, read without a lock. */
#include "sim_view.h"

#include <stdatomic.h>

#include "loader/cuda_abi.h"

void jrs_view_begin(jrs_view *view, unsigned device) {
    view->device = device;
    for (unsigned k = 0; k < JRS_PEERS; k++) atomic_store(&view->peers[k], 0);
}

/* The place of a context among the peers, of 0 a free one; JRS_PEERS: none. */
static unsigned find(const jrs_view *view, uint64_t context) {
    unsigned k = 0;
    while (k < JRS_PEERS && atomic_load(&view->peers[k]) != context) k++;
    return k;
}

int jrs_view_add(jrs_view *view, uint64_t context) {
    if (find(view, context) < JRS_PEERS) return JR_CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    const unsigned k = find(view, 0);
    if (k == JRS_PEERS) return JR_CUDA_ERROR_TOO_MANY_PEERS;
    atomic_store(&view->peers[k], context);
    return JR_CUDA_SUCCESS;
}

int jrs_view_remove(jrs_view *view, uint64_t context) {
    const unsigned k = find(view, context);
    if (k == JRS_PEERS) return JR_CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    atomic_store(&view->peers[k], 0);
    return JR_CUDA_SUCCESS;
}

bool jrs_view_has_peers(const jrs_view *view) {
    for (unsigned k = 0; k < JRS_PEERS; k++)
        if (atomic_load(&view->peers[k])) return true;
    return false;
}

bool jrs_view_has(const jrs_view *view, const jrs_range *range) {
    return !view || range->host || range->owner.device == view->device || find(view, range->owner.context) < JRS_PEERS;
}
