/* What a kernel reads of shared and local memory that it never wrote depended on the block that ran there before, or on
 * what malloc gave: with JRSIM_JUDGE=off one kernel printed zeros on one machine and anything on another. */
#include "support/cases/machine_case.h"

/* Adds up the initial content of shared memory (the kernel's and the launch's) and of local memory, writes the sum, and
 * sets all their bits. */
#define LEAVINGS                                                                                                       \
    PTX ".extern .shared .align 16 .b8 more[];\n"                                                                      \
        ".visible .entry k(.param .u64 words)\n{\n .reg .b32 %r<20>; .reg .b64 %d<9>;\n"                               \
        " .local .align 16 .b8 own[16];\n .shared .align 16 .b8 s[256];\n"                                             \
        " ld.param.u64 %d1, [words]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"                                    \
        " shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r3; mov.u32 %r5, more; add.u32 %r5, %r5, %r3;\n"     \
        " ld.shared.u32 %r6, [%r4]; ld.shared.u32 %r7, [%r5]; ld.local.u32 %r8, [own+4];\n"                            \
        " or.b32 %r9, %r6, %r7; or.b32 %r9, %r9, %r8; mov.u32 %r10, -1;\n"                                             \
        " st.shared.u32 [%r4], %r10; st.shared.u32 [%r5], %r10; st.local.u32 [own+4], %r10;\n"                         \
        " mad.lo.u32 %r11, %r2, 64, %r1; mul.wide.u32 %d2, %r11, 4; add.s64 %d2, %d2, %d1;\n"                          \
        " st.global.u32 [%d2], %r9;\n ret;\n}\n"

enum { GRID = 5, BLOCK = 64 };

TEST(memory_that_no_one_wrote_is_zero_in_every_block) {
    machine_case test = {.ptx = LEAVINGS,
                         .grid = GRID,
                         .block = BLOCK,
                         .shared_bytes = BLOCK * sizeof(uint32_t),
                         .judge = JRS_JUDGE_OFF};
    for (unsigned t = 0; t < GRID * BLOCK; t++) test.words[t] = 7;
    machine_good(&test);
    for (unsigned t = 0; t < GRID * BLOCK; t++)
        if (test.words[t] != 0) fail_msg("thread %u of block %u found %#x", t % BLOCK, t / BLOCK, test.words[t]);
}

RUN_TESTS(NULL, NULL)
