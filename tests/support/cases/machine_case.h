/* PTX text to a finished launch, for tests of the rooms ptx and exec alone: no driver, memory made here. */
#ifndef TESTS_SUPPORT_MACHINE_CASE_H
#define TESTS_SUPPORT_MACHINE_CASE_H

#include "sim/exec/sim_launch.h"
#include "support/fixtures/check.h"

/* The last two words hold the address of 64 bytes that were freed. */
enum { MACHINE_WORDS = 4096, MACHINE_STALE = MACHINE_WORDS - 2, MACHINE_PRINTED = 1 << 16 };

/* The head of every text here. */
#define PTX ".version 9.0\n.target sm_90\n.address_size 64\n"
/* A kernel k(words): one pointer, in %w; thread number in %t; the bodies' registers. */
#define KERNEL                                                                                                         \
    PTX ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 "    \
        "%d<20>;\n"                                                                                                    \
        " .reg .b32 %t; .reg .b64 %w;\n mov.u32 %t, %tid.x; ld.param.u64 %w, [words];\n"

/* The end of such a kernel; and with each thread's result in %r0. */
#define END    "\n ret;\n}\n"
#define OUT_R0 " mul.wide.u32 %d19, %t, 4; add.s64 %d19, %d19, %w; st.global.u32 [%d19], %r0;" END

/* One launch: set what matters, the rest has defaults (1 block of 32 threads, 1 resident block, 1 CPU thread). */
typedef struct machine_case {
    const char *ptx;
    unsigned grid, block, resident, threads, shared_bytes;
    unsigned cluster; /* blocks of a cluster, 0: what the kernel says */
    uint64_t seed, step_limit;
    bool dependent;
    jrs_judge judge;
    jrs_native_mode native;
    jrs_activity *activity; /* NULL: no other launch */
    size_t heap_bytes;      /* of malloc; 0: there is no heap */
    /* afterwards: */
    uint32_t words[MACHINE_WORDS]; /* global memory that the kernel is given; may be set before */
    jrs_report report;
    char printed[MACHINE_PRINTED];
    char *told; /* memory for MACHINE_PRINTED bytes of the trace of rounds, one per line; NULL: not traced */
    char note[JRS_MESSAGE_BYTES]; /* the last one */
    unsigned note_count;
    uint64_t leaks; /* allocations that were not freed; each place that made some is a note */
} machine_case;

/* Parses, links and runs kernel k; true when the launch succeeded. */
bool machine_run(machine_case *test);
/* Runs and demands success, or demands an error with these words in its message. */
void machine_good(machine_case *test);
const machine_case *machine_made(const char *ptx); /* of a usual launch, which succeeds; until the next one */
void machine_fails(machine_case *test, int error, const char *words);
/* Parsing fails with 218 and these words. */
void machine_refuses(const char *ptx, const char *words);
/* Parsing succeeds, and kernel k is refused with these words. */
void machine_lacks(const char *ptx, const char *words);

#endif
