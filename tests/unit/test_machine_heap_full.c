/* malloc and free in kernels: a full heap, many threads at once, and what may be called. */
#include <string.h>

#include "support/cases/heap_case.h"

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
