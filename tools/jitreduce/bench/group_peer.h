/* A peer over several GPUs: another library's sum of f32 with a small C interface, built separately as a shared
 * library.
 *
 * `jitreduce bench --device cuda:all` and tools/bench/group_bench open it. The shared library exports `const group_peer
 * *group_peer_get(void)`. All calls come from one thread. Every function that returns int returns 0, or an error
 * number. */
#ifndef JR_GROUP_PEER_H
#define JR_GROUP_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: a peer that was built with another version is refused. */
enum { GROUP_PEER_VERSION = 1 };

typedef struct group_peer {
    int version;      /* GROUP_PEER_VERSION */
    const char *name; /* "CUB 3.0.1 and NCCL 2.28.9" */
    /* Prepares for devices of these ordinals, and sums of up to count elements on each; NULL: it cannot. */
    void *(*open)(int devices, const int *ordinals, uint64_t count);
    /* The sum of count elements at d_in[i] of each device i, in the host's hands when the call returns. */
    int (*value)(void *handle, const float *const *d_in, uint64_t count, float *value);
    /* The same, left on every device; asynchronous. wait: until all was done that was put there. */
    int (*run)(void *handle, const float *const *d_in, uint64_t count);
    int (*wait)(void *handle);
    /* Sums elementwise: d_out[i] on every device gets count sums over all d_in; asynchronous. */
    int (*fold)(void *handle, const float *const *d_in, float *const *d_out, uint64_t count);
    void (*close)(void *handle);
} group_peer;

/* What the shared library exports, and the type of it. */
const group_peer *group_peer_get(void);
typedef const group_peer *(*group_peer_get_fn)(void);

#ifdef __cplusplus
}
#endif
#endif
