/* PTX that allocates and frees, and a launch of it with a small heap. */
#ifndef TESTS_SUPPORT_HEAP_CASE_H
#define TESTS_SUPPORT_HEAP_CASE_H

#include <string.h>

#include "machine_case.h"

#define END "\n ret;\n}\n"
#define SYSTEM                                                                                                         \
    PTX ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"                 \
        ".extern .func (.param .b64 r) __cuda_syscall_aligned_malloc (.param .b64 a, .param .b64 b);\n"
#define HEAP                                                                                                           \
    SYSTEM ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;"           \
           " .reg .b32 %t; .reg .b64 %w, %v;\n mov.u32 %t, %tid.x; ld.param.u64 %w, [words]; mov.u32 %r19, %ctaid.x;"  \
           " mov.u32 %r18, %ntid.x; mad.lo.u32 %r17, %r19, %r18, %t; mul.wide.u32 %v, %r17, 8; add.s64 %v, %v, %w;\n"
/* register = malloc(bytes); free(register): bytes may be a register or a constant */
#define MALLOC(to, bytes)                                                                                              \
    " { .param .b64 a; .param .b64 r; st.param.b64 [a], " bytes "; call.uni (r), malloc, (a); ld.param.b64 " to        \
    ", [r]; }\n"
#define ALIGNED(to, bytes, alignment)                                                                                  \
    " { .param .b64 a; .param .b64 b; .param .b64 r; st.param.b64 [a], " bytes "; st.param.b64 [b], " alignment        \
    "; call.uni (r), __cuda_syscall_aligned_malloc, (a, b); ld.param.b64 " to ", [r]; }\n"
#define FREE(what) " { .param .b64 a; st.param.b64 [a], " what "; call.uni free, (a); }\n"
#define SHOW(what) " st.global.u64 [%v], " what ";\n"

enum { HEAP_BYTES = 64 << 10 };

static machine_case heap_test; /* large */

/* One thread, a heap of HEAP_BYTES, and nothing else. */
static inline void heap_prepare(const char *ptx) {
    memset(&heap_test, 0, sizeof heap_test);
    heap_test.ptx = ptx;
    heap_test.heap_bytes = HEAP_BYTES;
    heap_test.block = 1;
}

/* That launch succeeds, or fails. */
static inline void heap_run(const char *ptx) {
    heap_prepare(ptx);
    machine_good(&heap_test);
}

static inline void heap_fails(const char *ptx, int error, const char *words) {
    heap_prepare(ptx);
    machine_fails(&heap_test, error, words);
}

/* 8 bytes of the memory that the kernel was given. */
static inline uint64_t heap_word(size_t index) {
    uint64_t value;
    memcpy(&value, &heap_test.words[2 * index], sizeof value);
    return value;
}

#endif
