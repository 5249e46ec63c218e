/* What the simulator refuses, each with its place: memory, barriers, masks, shared memory. */
#include <string.h>

#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 16 .b8 s[256];\n"

static void check(const char *ptx, unsigned block, int error, const char *words) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_fails(&test, error, words);
}

static void pass(const char *ptx, unsigned block) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_good(&test);
}

TEST(a_load_past_the_end_says_how_far) {
    check(KERNEL " ld.global.u32 %r1, [%w+16388];" END, 32, 700,
          "out of bounds: kernel k, PTX line 9 'ld.global.u32 %r1, [%w+16388]', block (0,0,0), thread (0,0,0), address "
          "0x");
    check(KERNEL " ld.global.u32 %r1, [%w+16388];" END, 32, 700, "4 bytes past the end of device allocation [0x");
    check(KERNEL " ld.global.u32 %r1, [%w+-4];" END, 32, 700, "4 bytes before the begin of device allocation [0x");
    check(KERNEL " mov.u64 %w, 16; ld.global.u32 %r1, [%w];" END, 32, 700,
          "no memory was allocated there (a null pointer?)");
    check(KERNEL " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1+16340], %t;" END, 32, 700,
          "thread (11,0,0)");
    check(KERNEL " ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%w+16384];" END, 32, 700, "0 bytes past the end");
    check(KERNEL " mov.u64 %d1, 16; ld.u32 %r1, [%d1];" END, 32, 700, "out of bounds");
}

TEST(freed_memory_is_told_as_such) {
    check(KERNEL " ld.global.u64 %d1, [%w+16376]; ld.global.u32 %r1, [%d1+8];" END, 32, 700,
          "use after free: kernel k");
    check(KERNEL " ld.global.u64 %d1, [%w+16376]; ld.global.u32 %r1, [%d1+8];" END, 32, 700,
          "8 bytes into freed device allocation");
}

TEST(constants_cannot_be_written) {
    check(PTX ".const .u32 c = 5;\n.visible .entry k(.param .u64 words)\n{\n .reg .b64 %d<3>; cvta.const.u64 %d2, %d1; "
              "mov.u64 %d1, c; st.u32 [%d1], 1;" END,
          32, 700, "write to read-only memory");
}

TEST(misaligned_addresses_are_refused) {
    check(KERNEL " ld.global.u32 %r1, [%w+2];" END, 32, 716, "misaligned: kernel k");
    check(KERNEL " ld.global.v2.u32 {%r1,%r2}, [%w+4];" END, 32, 716, "8 bytes must be aligned to 8");
    check(SHARED " st.shared.u64 [s+4], %w;" END, 1, 716, "misaligned");
}

TEST(shared_local_and_parameter_bounds_are_kept) {
    check(SHARED " st.shared.u32 [s+256], %t;" END, 32, 719, "0 bytes past the end of shared memory (256 bytes)");
    check(KERNEL " .local .b8 l[16]; mov.u64 %d1, l; st.local.u32 [%d1+16], %t;" END, 32, 719,
          "past the end of local memory");
    check(KERNEL " mov.b64 %d1, words; ld.param.u64 %d2, [%d1+8];" END, 32, 719,
          "past the end of the kernel's parameters");
    check(KERNEL " ld.param.u64 %d2, [words+8];" END, 32, 719, "the kernel's parameters");
}

TEST(uninitialised_shared_memory_is_not_read) {
    check(SHARED " st.shared.u32 [s], 1; ld.shared.u32 %r1, [s+4]; st.global.u32 [%w], %r1;" END, 1, 719,
          "uninitialised shared memory: kernel k");
    pass(SHARED " st.shared.u64 [s], 1; ld.shared.u8 %r1, [s+5]; ld.shared.u32 %r2, [s+4];" END, 1);
}

#define ADDRESS " mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9; "

TEST(shared_memory_races_are_found) {
    /* of two warps: read after write without a barrier, then with one */
    check(SHARED ADDRESS "st.shared.u32 [%r10], %t; xor.b32 %r1, %t, 32; mad.lo.u32 %r2, %r1, 4, %r9; setp.gt.u32 %p1, "
                         "%t, 31; @%p1 ld.shared.u32 %r3, [%r2];" END,
          64, 719, "data race in shared memory: kernel k");
    pass(SHARED ADDRESS "st.shared.u32 [%r10], %t; bar.sync 0; xor.b32 %r1, %t, 32; mad.lo.u32 %r2, %r1, 4, %r9; "
                        "ld.shared.u32 %r3, [%r2];" END,
         64);
    /* write after read */
    check(SHARED ADDRESS "st.shared.u32 [%r10], %t; bar.sync 0; xor.b32 %r1, %t, 32; mad.lo.u32 %r2, %r1, 4, %r9; "
                         "ld.shared.u32 %r3, [%r2]; st.shared.u32 [%r10], 0;" END,
          64, 719, "it at PTX line 10 with no barrier between");
    /* lanes of one warp need bar.warp.sync */
    check(SHARED ADDRESS
          "st.shared.u32 [%r10], %t; xor.b32 %r1, %t, 1; mad.lo.u32 %r2, %r1, 4, %r9; ld.shared.u32 %r3, [%r2];" END,
          32, 719, "wrote it");
    pass(SHARED ADDRESS "st.shared.u32 [%r10], %t; bar.warp.sync -1; xor.b32 %r1, %t, 1; mad.lo.u32 %r2, %r1, 4, %r9; "
                        "ld.shared.u32 %r3, [%r2];" END,
         32);
    /* two warps write one place */
    check(SHARED " st.shared.u32 [s], %t;" END, 64, 719, "data race");
    /* atomics do not race with each other, but with plain accesses */
    pass(SHARED " setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0; atom.shared.add.u32 %r1, [s], 1;" END,
         64);
}

TEST(barriers_need_every_thread) {
    check(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 exit; bar.sync 0, 64;" END, 64, 719, "divergent barrier: kernel k");
    check(KERNEL " setp.lt.u32 %p1, %t, 7; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:" END, 32, 719,
          "waits at PTX line 9 'bar.sync 0'");
    check(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 1; bra B; A: bar.sync 2; B:" END, 64, 719,
          "divergent barrier");
    pass(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 1, 32; bra B; A: bar.sync 2, 32; B: bar.sync 0;" END,
         64);
    pass(KERNEL " setp.lt.u32 %p1, %t, 7; @%p1 bra A; add.u32 %r1, %t, 1; A: bar.sync 0;" END, 64);
    check(KERNEL " bar.sync 0, 33;" END, 64, 719, "33 threads are not a multiple of 32");
    check(KERNEL " bar.sync 16;" END, 64, 719, "there is no barrier 16");
}

TEST(masks_name_lanes_that_are_there) {
    check(KERNEL " shfl.sync.idx.b32 %r1, %t, 0, 31, 0xffff;" END, 32, 719,
          "lane 16 runs the instruction but is not in its mask 0xffff");
    check(KERNEL " setp.lt.u32 %p1, %t, 7; @!%p1 shfl.sync.idx.b32 %r1, %t, 0, 31, -1; bar.sync 0;" END, 32, 719,
          "missing lane in a .sync mask");
    pass(KERNEL " setp.lt.u32 %p1, %t, 7; @%p1 bra A; bar.warp.sync -1; bra B; A: bar.warp.sync -1; B:" END, 32);
    check(KERNEL " setp.lt.u32 %p1, %t, 7; mov.u32 %r2, 0xffffff80; @!%p1 shfl.sync.idx.b32 %r1, %t, 3, 31, %r2; @!%p1 "
                 "st.global.u32 [%w], %r1;" END,
          32, 719, "from a lane that does not take part");
}

TEST(traps_and_assertions_end_the_launch) {
    check(KERNEL " setp.eq.u32 %p1, %t, 5; @%p1 trap;" END, 32, 719,
          "trap: kernel k, PTX line 9 '@%p1 trap', block (0,0,0), thread (5,0,0)");
    check(PTX ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
              ".global .align 1 .b8 m[4] = {110, 111, 33};\n"
              ".visible .entry k(.param .u64 words)\n{ .reg .b64 %d<3>;\n mov.u64 %d1, m; cvta.global.u64 %d2, %d1;\n"
              "{ .param .b64 p0; st.param.b64 [p0], %d2; .param .b64 p1; st.param.b64 [p1], %d2; .param .b32 p2; "
              "st.param.b32 [p2], 42;\n"
              ".param .b64 p3; st.param.b64 [p3], %d2; .param .b64 p4; st.param.b64 [p4], 1; call.uni __assertfail, "
              "(p0, p1, p2, p3, p4); }\n ret; }\n",
          1, 710, "no!:42: no!: 'no!'");
}

TEST(a_kernel_that_waits_for_ever_is_stopped) {
    machine_case test = {.ptx = KERNEL "L: ld.volatile.global.u32 %r1, [%w]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;" END,
                         .step_limit = 10000};
    machine_fails(&test, 702, "no progress: kernel k, PTX line 9");
}

TEST(a_dependent_launch_waits_before_it_touches_memory) {
    machine_case early = {.ptx = KERNEL " ld.global.u32 %r1, [%w]; griddepcontrol.wait;" END, .dependent = true};
    machine_fails(&early, 719,
                  "access before griddepcontrol.wait in a dependent launch: kernel k, PTX line 9 'ld.global");
    machine_case stores = {.ptx = KERNEL " griddepcontrol.launch_dependents; st.global.u32 [%w], %t;" END,
                           .dependent = true};
    machine_fails(&stores, 719, "access before griddepcontrol.wait");
    machine_case some = {.ptx =
                             KERNEL " setp.lt.u32 %p1, %t, 16; @%p1 griddepcontrol.wait; st.global.u32 [%w], %t;" END,
                         .dependent = true};
    machine_fails(&some, 719, "thread (16,0,0)");
    machine_case waits = {.ptx = KERNEL " griddepcontrol.wait; st.global.u32 [%w], 7;" END, .dependent = true};
    machine_good(&waits);
    assert_int_equal(waits.words[0], 7);
    pass(KERNEL " st.global.u32 [%w], %t;" END, 32);
    machine_lacks(KERNEL " griddepcontrol.sleep;" END, "griddepcontrol");
}

RUN_TESTS(NULL, NULL)
