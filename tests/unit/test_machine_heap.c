/* malloc and free in kernels: what they return, and how their misuse is reported. */
#include <string.h>

#include "support/cases/heap_case.h"

TEST(what_is_allocated_holds_values) {
    heap_run(
        HEAP MALLOC("%d1", "64") " st.u32 [%d1], 7; st.u64 [%d1+56], %d1; ld.u32 %r1, [%d1]; ld.u64 %d2, [%d1+56];"
                                 " sub.s64 %d2, %d2, %d1; st.global.v2.u32 [%w], {%r1, 0}; st.global.u64 [%w+8], %d2;"
                                 " and.b64 %d3, %d1, 15; st.global.u64 [%w+16], %d3;" FREE("%d1") END);
    assert_int_equal(heap_test.words[0], 7);
    assert_int_equal(heap_word(1), 0);
    assert_int_equal(heap_word(2), 0);
    assert_int_equal(heap_test.leaks, 0);
}

/* Every lane gets its own; a guard leaves the others' results as they are. */
TEST(each_lane_calls_for_itself) {
    heap_prepare(HEAP " mov.u64 %d1, 5; setp.lt.u32 %p1, %t, 20; @!%p1 bra L;" MALLOC("%d1", "8") "L:" SHOW("%d1") END);
    heap_test.block = 32;
    machine_good(&heap_test);
    for (size_t t = 0; t < 32; t++) {
        assert_true(t < 20 ? heap_word(t) % 16 == 0 && heap_word(t) > 5 : heap_word(t) == 5);
        for (size_t other = 0; other < t && t < 20; other++) assert_int_not_equal(heap_word(t), heap_word(other));
    }
    assert_int_equal(heap_test.leaks, 20);
}

TEST(sizes_that_cannot_be_give_null) {
    static const char *const texts[] = {
        HEAP MALLOC("%d1", "65536") SHOW("%d1") END,
        HEAP MALLOC("%d1", "0x80000000") SHOW("%d1") END,
        HEAP MALLOC("%d1", "0x100000010") SHOW("%d1") END,
        HEAP MALLOC("%d1", "0x8000000000000000") SHOW("%d1") END,
        HEAP MALLOC("%d1", "0xffffffffffffffff") SHOW("%d1") END,
        HEAP MALLOC("%d1", "0xfffffffffffffff0") SHOW("%d1") END,
        HEAP ALIGNED("%d1", "0xffffffffffffffff", "64") SHOW("%d1") END,
        HEAP ALIGNED("%d1", "8", "0x8000000000000000") SHOW("%d1") END,
        HEAP ALIGNED("%d1", "8", "24") SHOW("%d1") END,
        HEAP ALIGNED("%d1", "8", "0") SHOW("%d1") END,
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        heap_prepare(texts[k]);
        heap_test.words[0] = heap_test.words[1] = 9;
        machine_good(&heap_test);
        assert_int_equal(heap_word(0), 0);
    }
    heap_prepare(HEAP MALLOC("%d1", "16") SHOW("%d1") END);
    heap_test.heap_bytes = 0; /* no heap is a full heap */
    machine_good(&heap_test);
    assert_int_equal(heap_word(0), 0);
}

/* malloc(0) gives an address that is nobody else's, and none of its bytes may be touched. */
TEST(nothing_has_an_address) {
    heap_run(HEAP MALLOC("%d1", "0") MALLOC("%d2", "0") " st.global.v2.u64 [%w], {%d1, %d2};" FREE("%d1") FREE("%d2")
                 FREE("0") END);
    assert_true(heap_word(0) != 0 && heap_word(1) != 0 && heap_word(0) != heap_word(1));
    assert_int_equal(heap_test.leaks, 0);
    heap_fails(HEAP MALLOC("%d1", "0") " st.u8 [%d1], 7;" END, 700, "0 bytes past the end of 0 bytes at");
}

TEST(alignments_are_kept) {
    heap_run(
        HEAP MALLOC("%d9", "1") ALIGNED("%d1", "5", "1") ALIGNED("%d2", "256", "64") ALIGNED("%d3", "8", "4096")
            ALIGNED("%d4", "100", "256") " st.global.v2.u64 [%w], {%d1, %d2}; st.global.v2.u64 [%w+16], {%d3, %d4};"
                                         " st.u64 [%d2+248], %d1; st.u64 [%d3], %d1; st.u32 [%d4+96], %r1;" FREE("%d1")
                                             FREE("%d2") FREE("%d3") FREE("%d4") FREE("%d9") END);
    assert_true(heap_word(0) && heap_word(1) && heap_word(2) && heap_word(3));
    assert_int_equal(heap_word(0) % 16 + heap_word(1) % 64 + heap_word(2) % 4096 + heap_word(3) % 256, 0);
}

/* ---- misuse ---- */

TEST(what_lies_outside_is_told) {
    heap_fails(
        HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700,
        "out of bounds: kernel k, PTX line 12 'ld.u32 %r1, [%d1+64]', block (0,0,0), thread (0,0,0), address 0x");
    heap_fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700,
               ", 4 bytes: 0 bytes past the end of 64 bytes at");
    heap_fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700, "that kernel k, PTX line 11 allocated");
    heap_fails(HEAP MALLOC("%d1", "61") " st.u32 [%d1+60], 7;" END, 700, "0 bytes past the end of 61 bytes");
    heap_fails(HEAP MALLOC("%d1", "64") " ld.u8 %r1, [%d1+-1];" END, 700, "1 bytes before the begin of 64 bytes");
    heap_fails(HEAP MALLOC("%d1", "64") " atom.add.u32 %r1, [%d1+68], 7;" END, 700, "4 bytes past the end of 64 bytes");
    heap_fails(HEAP MALLOC("%d1", "64") " st.u8 [%d1+4096], 7;" END, 700, "out of bounds");
    heap_fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+65536];" END, 700, "past the end of heap [");
}

/* All lanes of one access, whose last ones are outside the allocation: they are checked at once, and the fault names a
 * lane. */
TEST(lanes_side_by_side_are_checked) {
    heap_prepare(HEAP " .shared .u64 s; setp.ne.u32 %p1, %t, 0; @%p1 bra L;" MALLOC(
        "%d1", "124") " st.shared.u64 [s], %d1;\nL: bar.sync 0; ld.shared.u64 %d1, [s]; mul.wide.u32 %d2, %t, 4;"
                      " add.s64 %d2, %d2, %d1; ld.global.u32 %r1, [%d2];" END);
    heap_test.block = 32;
    machine_fails(&heap_test, 700, "thread (31,0,0)");
    heap_prepare(HEAP " .shared .u64 s; setp.ne.u32 %p1, %t, 0; @%p1 bra L;" MALLOC(
        "%d1",
        "128") " st.shared.u64 [s], %d1;\nL: bar.sync 0; ld.shared.u64 %d1, [s]; mul.wide.u32 %d2, %t, 4;"
               " add.s64 %d2, %d2, %d1; st.global.u32 [%d2], %t; ld.global.u32 %r1, [%d2+-0]; st.global.u64 [%v], 0;"
               " st.global.u32 [%v], %r1;" END);
    heap_test.block = 32;
    machine_good(&heap_test);
    for (size_t t = 0; t < 32; t++) assert_int_equal(heap_word(t), t);
}

TEST(use_after_free_is_told) {
    heap_fails(HEAP MALLOC("%d1", "64") FREE("%d1") " ld.u32 %r1, [%d1+8];" END, 700,
               "use after free: kernel k, PTX line 13 'ld.u32 %r1, [%d1+8]'");
    heap_fails(HEAP MALLOC("%d1", "64") FREE("%d1") " st.u32 [%d1+8], 7;" END, 700, "8 bytes into 64 bytes at 0x");
    heap_fails(HEAP MALLOC("%d1", "64") FREE("%d1") MALLOC("%d2", "64") " st.u32 [%d1], 7;" END, 700,
               "that kernel k, PTX line 11 allocated and kernel k, PTX line 12 freed");
}

TEST(what_cannot_be_freed_is_told) {
    heap_fails(HEAP MALLOC("%d1", "64") FREE("%d1") FREE("%d1") END, 719, "freed twice: kernel k, PTX line 13");
    heap_fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 16;" FREE("%d2") END, 719,
               "free of what was not allocated: kernel k, PTX line 12");
    heap_fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 16;" FREE("%d2") END, 719, "16 bytes into 64 bytes at");
    heap_fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 8192;" FREE("%d2") END, 719, "past the end of 64 bytes");
    heap_fails(HEAP FREE("%w") END, 700, "is not in the heap of this context");
    heap_fails(HEAP " mov.u64 %d1, 0x1234567890;" FREE("%d1") END, 700, "0x1234567890 is not in the heap");
    heap_fails(HEAP " .local .b32 x; mov.u64 %d1, x; cvta.local.u64 %d1, %d1;" FREE("%d1") END, 719,
               "is not an address of global memory");
    heap_fails(HEAP " .shared .b32 x; mov.u64 %d1, x; cvta.shared.u64 %d1, %d1;" FREE("%d1") END, 719,
               "is not an address of global memory");
}

/* As the hardware would: bytes of the heap are bytes, and a free of nothing changes nothing. */
TEST(a_lenient_judge_lets_them_go_on) {
#define WILD                                                                                                           \
    HEAP MALLOC("%d1", "64") " st.u32 [%d1+64], 7; ld.u32 %r1, [%d1+64]; st.global.u32 [%w], %r1;"                     \
                             " add.s64 %d2, %d1, 16;" FREE("%d2") FREE("%d1") " st.u32 [%d1], 8; ld.u32 %r1, [%d1];"   \
                                                                              " st.global.u32 [%w+4], %r1;" END
    heap_prepare(WILD);
    heap_test.judge = JRS_JUDGE_WARN;
    machine_good(&heap_test);
    assert_int_equal(heap_test.words[0], 7);
    assert_int_equal(heap_test.words[1], 8);
    assert_int_equal(heap_test.note_count, 5);
    assert_non_null(strstr(heap_test.note, "use after free"));
    heap_prepare(WILD);
    heap_test.judge = JRS_JUDGE_OFF;
    machine_good(&heap_test);
    assert_int_equal(heap_test.words[1], 8);
    assert_int_equal(heap_test.note_count, 0);
    heap_prepare(HEAP MALLOC("%d1", "64") FREE("%d1") FREE("%d1") END); /* a GPU stops there, too */
    heap_test.judge = JRS_JUDGE_OFF;
    machine_fails(&heap_test, 719, "freed twice");
    heap_prepare(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+65536];" END);
    heap_test.judge = JRS_JUDGE_OFF;
    machine_fails(&heap_test, 700, "past the end of heap");
}

TEST(leaks_are_told_by_place) {
    heap_prepare(HEAP MALLOC("%d1", "40") MALLOC("%d2", "8") FREE("%d2") END);
    heap_test.block = 32;
    machine_good(&heap_test);
    assert_int_equal(heap_test.leaks, 32);
    assert_int_equal(heap_test.note_count, 1);
    assert_string_equal(heap_test.note,
                        "memory leak: 32 allocations, 1280 bytes, that kernel k, PTX line 11 allocated and did "
                        "not free");
}

RUN_TESTS(NULL, NULL)
