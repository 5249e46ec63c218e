/* A peer: another library's reductions with a small C interface, built separately as a shared library and opened by
 * path.
 *
 * The shared library exports `const peer *peer_get(void)`. All calls come from one thread; run is called with the
 * device's primary context current. */
#ifndef JR_PEER_H
#define JR_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: a peer that was built with another version is refused. */
enum { PEER_VERSION = 3 };

/* One reduction: all pointers are device memory. */
typedef struct peer_work {
    int device;              /* ordinal */
    const char *op;          /* "sum", "min", "argmin", "sumsq", "dot", ...; of a scan, whose out has a result for each
                              * element: "inclusive sum i64", "exclusive min f32": kind, operator, type of the results;
                              * of segments, each for itself: "inclusive sum f32 offsets", "... rows", "... keys"; to a
                              * result for each run of equal keys: "reduce sum f32 keys" */
    const char *type;        /* of the elements, "f32" */
    const void *in[2];       /* the second: of dot */
    uint64_t count;          /* elements of each */
    void *out;               /* room for 16 bytes, or 16 a segment; the result stands at its beginning */
    uint64_t segment_count;  /* 0: one reduction of all */
    uint64_t segment_length; /* of equal segments; 0: offsets */
    const int64_t *offsets;  /* segment_count + 1 */
    const int *keys;         /* one for each element: what begins a segment differs from the one before; else NULL */
    int *keys_out;           /* of "reduce": room for the key of each run, whose results stand in out */
    int64_t *runs_out;       /* and for how many there are */
} peer_work;

typedef struct peer {
    int version;      /* PEER_VERSION */
    const char *name; /* "CUB 3.0.1" */
    /* Prepares for works like this one (same op, type, counts). Returns a handle, NULL when it cannot do it. */
    void *(*prepare)(const peer_work *work);
    /* Puts one reduction on the stream; returns 0 or an error number. */
    int (*run)(void *handle, const peer_work *work, void *stream);
    void (*release)(void *handle);
    /* The type of the result, "i32"; NULL, or a NULL function: the one that jitreduce's operator has. */
    const char *(*result)(void *handle);
} peer;

/* What the shared library exports, and the type of it. */
const peer *peer_get(void);
typedef const peer *(*peer_get_fn)(void);

#ifdef __cplusplus
}
#endif
#endif
