/* The heap of kernels, and what happens when it is full. */
#include <string.h>

#include "support/cases/heap_case.h"

/* malloc and free in kernels: what they return, and how their misuse is reported. */
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

/* malloc and free in kernels: a full heap, many threads at once, and what may be called. */

/* ---- a full heap, and many threads ---- */

#define COUNTED                                                                                                        \
    " setp.ne.u64 %p1, %d1, 0; @!%p1 bra M; atom.global.add.u32 %r1, [%w], 1; st.u64 [%d1], %v; st.u64 [%d1+88], %v;"  \
    " ld.u64 %d2, [%d1]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;\nM:"

/* 1000 threads want 96 bytes each of a heap of 64 KiB: 112 with the bytes between, so that 585 of them get theirs. */
TEST(a_full_heap_gives_null) {
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        heap_prepare(HEAP MALLOC("%d1", "96") COUNTED END);
        heap_test.block = 250;
        heap_test.grid = 4;
        heap_test.resident = 4;
        heap_test.threads = threads;
        machine_good(&heap_test);
        assert_int_equal(heap_test.words[0], 65536 / 112);
        assert_int_equal(heap_test.leaks, 65536 / 112);
    }
}

/* Freed memory is given again when there is no other, be it in pieces of another size. */
TEST(freed_memory_is_used_again) {
    heap_run(HEAP " mov.u32 %r2, 0; mov.u64 %d5, 16;\nN:" MALLOC(
        "%d1",
        "%d5") " setp.eq.u64 %p1, %d1, 0; @%p1 trap; st.u64 [%d1], %d5;" FREE("%d1") " add.u64 %d5, %d5, 1000; rem.u64 "
                                                                                     "%d5, %d5, 60001; max.u64 %d5, "
                                                                                     "%d5, 8; add.u32 %r2, %r2, 1;"
                                                                                     " setp.lt.u32 %p2, %r2, 5000; "
                                                                                     "@%p2 bra N;" END);
    assert_int_equal(heap_test.leaks, 0);
}

/* All threads of many blocks, on many CPU threads, allocate and free all the time; each checks that nobody writes into
 * what it has. A thread that gets nothing tries again: others free. */
TEST(allocators_race) {
    for (unsigned seed = 0; seed < 3; seed++) {
        heap_prepare(
            HEAP
            " mov.u32 %r2, 0; cvt.u64.u32 %d5, %r17; mul.lo.u64 %d5, %d5, 24; rem.u64 %d5, %d5, 500;"
            " add.u64 %d5, %d5, 24;\nN:" MALLOC(
                "%d1", "%d5") " setp.eq.u64 %p1, %d1, 0; @%p1 bra N;"
                              " st.u64 [%d1], %v; st.u64 [%d1+16], %v;" MALLOC(
                                  "%d3",
                                  "8") " setp.eq.u64 %p1, %d3, 0; @%p1 bra O;"
                                       " st.u64 [%d3], %d1;" FREE(
                                           "%d3") "O: ld.u64 %d2, [%d1]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;"
                                                  " ld.u64 %d2, [%d1+16]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;" FREE(
                                                      "%d1") " add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 20; @%p2 "
                                                             "bra N; atom.global.add.u32 %r1, [%w], 1;" END);
        heap_test.block = 64;
        heap_test.grid = 16;
        heap_test.resident = 16;
        heap_test.threads = 4;
        heap_test.seed = seed;
        machine_good(&heap_test);
        assert_int_equal(heap_test.words[0], 1024);
        assert_int_equal(heap_test.leaks, 0);
    }
}

/* A thread that waits for memory that nobody frees is stopped, as one that polls for ever. */
TEST(waiting_for_memory_for_ever_is_told) {
    heap_prepare(HEAP "N:" MALLOC("%d1", "100000") " setp.eq.u64 %p1, %d1, 0; @%p1 bra N;" END);
    heap_test.step_limit = 100000;
    machine_fails(&heap_test, 702, "no progress");
}

/* ---- what is called ---- */

TEST(calls_must_fit) {
    machine_refuses(HEAP " { .param .b32 a; .param .b64 r; st.param.b32 [a], 8; call (r), malloc, (a); }" END,
                    "does not match the parameters of 'malloc'");
    machine_refuses(HEAP " { .param .b64 a; st.param.b64 [a], 8; call malloc, (a); }" END,
                    "does not match the parameters of 'malloc'");
    machine_refuses(HEAP " call free;" END, "does not match the parameters of 'free'");
    heap_run(SYSTEM ".visible .entry k(.param .u64 words) { .reg .b64 %d<3>; ld.param.u64 %d1, [words];"
                    " call (%d2), malloc, (5*8); st.u64 [%d2+32], %d1; call free, (%d2); ret; }\n");
    assert_int_equal(heap_test.leaks, 0);
    /* a module's own function of that name */
    heap_run(PTX ".func (.reg .u64 r) malloc (.reg .u64 a) { add.u64 r, a, 3; ret; }\n"
                 ".visible .entry k(.param .u64 words) { .reg .b64 %d<3>; ld.param.u64 %d1, [words];"
                 " call (%d2), malloc, (4); st.global.u64 [%d1], %d2; ret; }\n");
    assert_int_equal(heap_word(0), 7);
}

/* What else the system has refuses the kernel that calls it, and not its neighbours. */
TEST(other_functions_of_the_system_refuse_their_kernel) {
    static const char text[] = PTX ".extern .func (.param .b64 r) __cuda_syscall_other (.param .b64 a);\n"
                                   ".visible .entry other() { .param .b64 a; .param .b64 r; st.param.b64 [a], 8; call "
                                   "(r), __cuda_syscall_other, (a); ret; }\n"
                                   ".visible .entry k(.param .u64 words) { ret; }\n";
    jrs_report report = {0};
    heap_run(text);
    jrs_module *module = jrs_module_parse(text, strlen(text), &report);
    assert_non_null(module);
    const char *refusal = jrs_module_function(module, "other")->refusal;
    assert_true(refusal && strstr(refusal, "line 5 'call (r), __cuda_syscall_other, (a)'"));
    jrs_module_destroy(module);
}

RUN_TESTS(NULL, NULL)
