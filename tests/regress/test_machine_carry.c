/* There is one carry flag: a subtraction sets it when nothing is borrowed, and whatever reads it next may be of another
 * kind. The simulator kept a borrow in it, so that only chains of one kind were right. Expected values are an H100's.
 */
#include "support/cases/machine_case.h"

#define OUT " st.global.u32 [%w], %r0;" END

static void gives(const char *ptx, uint32_t expected) {
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    assert_int_equal(test.words[0], expected);
}

/* Operands come from memory, which holds zeros, so that a compiler could not fold them. */
#define CHAIN KERNEL " ld.global.u32 %r1, [%w]; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; add.u32 %r5, %r1, 5;"

TEST(a_subtraction_without_borrow_sets_the_flag) {
    gives(CHAIN " sub.cc.u32 %r7, %r2, %r3; addc.u32 %r0, %r1, %r1;" OUT, 0);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r3; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; madc.lo.u32 %r0, %r3, %r3, %r1;" OUT, 5);
}

TEST(a_subtraction_adds_the_complement_and_the_flag) {
    gives(CHAIN " add.cc.u32 %r7, %r1, %r1; subc.u32 %r0, %r5, %r3;" OUT, 2);
    gives(CHAIN " add.cc.u32 %r7, %r2, -1; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " mad.hi.cc.u32 %r7, -1, -1, 2; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " add.cc.u32 %r7, %r1, %r1; subc.cc.u32 %r7, %r3, %r3; addc.u32 %r0, %r1, %r1;" OUT, 0);
}

TEST(chains_of_one_kind_are_wide_numbers) {
    gives(CHAIN " sub.cc.u32 %r7, %r2, %r3; subc.u32 %r0, %r5, %r3;" OUT, 2);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " add.cc.u32 %r7, %r2, -1; addc.u32 %r0, %r5, %r3;" OUT, 8);
}

/* The flag of 64 bits is the flag of 32 bits. */
TEST(widths_share_the_flag) {
    gives(CHAIN " cvt.u64.u32 %d1, %r1; sub.cc.u64 %d2, %d1, %d1; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " cvt.u64.u32 %d1, %r5; add.cc.u32 %r7, %r1, %r1; subc.u64 %d2, %d1, 2; cvt.u32.u64 %r0, %d2;" OUT, 2);
}

RUN_TESTS(NULL, NULL)
