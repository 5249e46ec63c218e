/* What a compiled kernel and the simulator hand each other. Compiled kernels contain this text. */
#ifndef JRS_NATIVE_ABI_H
#define JRS_NATIVE_ABI_H

#include <stdbool.h>
#include <stdint.h>

enum { JRS_NATIVE_RANGES = 4, JRS_NATIVE_TOUCHED_WORDS = 1024 };

/* As jrs_shadow. */
typedef struct jrs_native_shadow {
    uint64_t writer, reader, other_reader;
} jrs_native_shadow;

/* What a compiled kernel returns: a jrs_next of a handler, which has set the group's place; or, with
 * JRS_NATIVE_AT_PC added, one for the place `pc`. */
enum {
    JRS_NATIVE_STEP, /* as JRS_STEP: of a call, go on; of a kernel, the slice is over */
    JRS_NATIVE_JUMP, /* as JRS_JUMP: choose a group again */
    JRS_NATIVE_AT_PC = 16,
    JRS_NATIVE_AGAIN = 32,  /* enter again: other lanes, or another place */
    JRS_NATIVE_FOREIGN = 33 /* `pc` is no place where it can be entered */
};

typedef struct jrs_native {
    uint8_t *frame; /* registers of the running group's frame */
    const uint8_t *constants;
    const uint8_t *parameters; /* of the kernel */
    uint32_t mask, pc, limit;  /* of the running group; limit: where it may meet another */
    int32_t left;              /* instructions that are left of the slice */
    void *warp;
    /* Executes one instruction by its handler, as the interpreter does. */
    int (*call)(struct jrs_native *native, uint32_t index, uint32_t mask);
    /* Ranges of global memory that plain accesses may touch without further questions. */
    uint64_t begin[JRS_NATIVE_RANGES], end[JRS_NATIVE_RANGES];
    bool read_only[JRS_NATIVE_RANGES];
    bool plain;           /* global memory may be touched */
    const bool *progress; /* the warp's: a store need not find out whether it changes memory */
    /* Shared memory of the block, and what is remembered of its words. */
    uint8_t *shared;
    jrs_native_shadow *shadow;
    const uint32_t *clocks; /* the warp's vector clock */
    const uint32_t *copies; /* bulk copies that may read what stores write */
    uint64_t first_stamp, now;
    uint32_t shared_bytes, number; /* number: of the warp */
    bool alone, judged;            /* alone: the block's cluster has no other */
    uint64_t *page, *touched;
    bool *fresh; /* those of jrs_worker */
    uint32_t page_shift;
    uint32_t used;    /* the range that was found last */
    uint64_t version; /* of the ranges */
} jrs_native;

/* Runs the lanes of native->mask from native->pc on. */
typedef int jrs_native_run(jrs_native *native);

#endif
