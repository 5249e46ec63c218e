/* A kernel that goes through memory without changing it was stopped as one that makes no progress (max over 2^31
 * columns of zeros), and one that writes one word for ever, or meets at a barrier for ever, was never stopped. */
#include "support/cases/machine_case.h"

enum { LIMIT = 20000 };

/* 64 MiB, a place in each 64 KiB of it; 5000 instructions between one and the next. */
#define BIG                                                                                                            \
    ".version 9.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 big[67108864];\n"                             \
    ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %w;\n"  \
    " ld.param.u64 %w, [words]; mov.u64 %d1, big; mov.u32 %r1, 1024;\n"
#define WANDER(access)                                                                                                 \
    BIG " A: " access " mov.u32 %r2, 1700; B: sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra B;\n"             \
        " add.s64 %d1, %d1, 65536; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra A;"                          \
        " st.global.u32 [%w], 7;" END

static void run(const char *ptx) {
    static machine_case test;
    test = (machine_case){.ptx = ptx, .block = 1, .step_limit = LIMIT};
    machine_good(&test);
    assert_int_equal(test.words[0], 7);
}

static void stop(const char *ptx, unsigned block, const char *words) {
    static machine_case test;
    test = (machine_case){.ptx = ptx, .block = block, .step_limit = LIMIT};
    machine_fails(&test, 702, words);
}

TEST(who_goes_through_memory_gets_on) {
    run(WANDER("st.global.u64 [%d1], 0;"));
    run(WANDER("ld.global.u64 %d2, [%d1];"));
}

TEST(who_writes_for_ever_is_stopped) {
    stop(KERNEL " L: add.u32 %r1, %r1, 1; st.global.u32 [%w], %r1; bra L;" END, 32, "JRSIM_STEP_LIMIT");
    stop(KERNEL " L: add.u32 %r1, %r1, 1; and.b32 %r2, %r1, 1023; mul.wide.u32 %d1, %r2, 4; add.s64 %d1, %d1, %w;"
                " st.global.u32 [%d1], %r1; bra L;" END,
         1, "no progress: kernel k, PTX line 9");
    stop(KERNEL " L: atom.global.add.u32 %r1, [%w], 1; bra L;" END, 32, "no progress: kernel k");
}

TEST(who_meets_for_ever_is_stopped) {
    stop(KERNEL " L: bar.sync 0; bra L;" END, 64, "no progress: kernel k");
}

/* As long as it takes within the limit for those who change memory, which is wider. */
TEST(who_writes_long_is_not_stopped) {
    run(KERNEL
        " mov.u32 %r1, 20000; L: sub.u32 %r1, %r1, 1; st.global.u32 [%w], %r1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;"
        " st.global.u32 [%w], 7;" END);
}

RUN_TESTS(NULL, NULL)
