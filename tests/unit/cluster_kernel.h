/* What the tests of clusters begin their kernels with, and how they run them. */
#ifndef CLUSTER_KERNEL_H
#define CLUSTER_KERNEL_H

#include <string.h>

#include "support/cases/machine_case.h"

#define END "\n ret;\n}\n"
/* A kernel of clusters of `size` blocks of 32 threads, which share s; %r0: rank, %r1: the next block's rank; %d0: the
 * place of words that the thread writes. */
#define HEAD(size)                                                                                                     \
    PTX ".visible .entry k(.param .u64 words)\n.explicitcluster\n.reqnctapercluster " size                             \
        ", 1, 1\n{\n .reg .pred %p<9>; .reg .b16 %h<3>; .reg .b32 %r<30>; .reg .b64 %d<20>; .reg .b32 %t; .reg .b64 "  \
        "%w;\n"                                                                                                        \
        " .shared .align 16 .b32 s[32]; .shared .align 8 .b64 bar;\n mov.u32 %t, %tid.x; ld.param.u64 %w, [words];\n"  \
        " mov.u32 %r0, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; add.u32 %r1, %r0, 1; rem.u32 %r1, %r1, "      \
        "%r2; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, 32, %t; mul.wide.u32 %d0, %r3, 4; add.u64 %d0, %w, %d0;\n"   \
        " mov.u32 %r4, s; mad.lo.u32 %r4, %t, 4, %r4; mapa.shared::cluster.u32 %r5, %r4, %r1;\n"
#define OWN    " mad.lo.u32 %r6, %r0, 100, %t; st.shared.u32 [%r4], %r6;\n"
#define ARRIVE " barrier.cluster.arrive.release.aligned;\n"
#define WAIT   " barrier.cluster.wait.acquire.aligned;\n"
#define SYNC   ARRIVE WAIT
#define STORE  " st.global.u32 [%d0], %r7;\n"

static inline void good(machine_case *test, const char *ptx, unsigned grid) {
    memset(test, 0, sizeof *test);
    test->ptx = ptx;
    test->grid = grid;
    machine_good(test);
}

static inline void fails(const char *ptx, unsigned grid, int error, const char *words) {
    for (uint64_t seed = 0; seed < 3; seed++) {
        machine_case test = {.ptx = ptx, .grid = grid, .seed = seed, .step_limit = 1000000};
        machine_fails(&test, error, words);
    }
}

#endif
