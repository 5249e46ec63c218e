/* malloc and free in kernels: what they give, what is told of their misuse, and many threads at once. */
#include <string.h>

#include "support/machine_case.h"

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

enum { SMALL = 64 << 10 };

static machine_case test; /* large */

static void prepare(const char *ptx) {
    memset(&test, 0, sizeof test);
    test.ptx = ptx;
    test.heap_bytes = SMALL;
    test.block = 1;
}

static const machine_case *run(const char *ptx) {
    prepare(ptx);
    machine_good(&test);
    return &test;
}

static void fails(const char *ptx, int error, const char *words) {
    prepare(ptx);
    machine_fails(&test, error, words);
}

static uint64_t word(size_t index) {
    uint64_t value;
    memcpy(&value, &test.words[2 * index], sizeof value);
    return value;
}

static void what_is_allocated_holds_values(void **state) {
    (void)state;
    run(HEAP MALLOC("%d1", "64") " st.u32 [%d1], 7; st.u64 [%d1+56], %d1; ld.u32 %r1, [%d1]; ld.u64 %d2, [%d1+56];"
                                 " sub.s64 %d2, %d2, %d1; st.global.v2.u32 [%w], {%r1, 0}; st.global.u64 [%w+8], %d2;"
                                 " and.b64 %d3, %d1, 15; st.global.u64 [%w+16], %d3;" FREE("%d1") END);
    assert_int_equal(test.words[0], 7);
    assert_int_equal(word(1), 0);
    assert_int_equal(word(2), 0);
    assert_int_equal(test.leaks, 0);
}

/* Every lane gets its own; a guard leaves the others' results as they are. */
static void each_lane_calls_for_itself(void **state) {
    (void)state;
    prepare(HEAP " mov.u64 %d1, 5; setp.lt.u32 %p1, %t, 20; @!%p1 bra L;" MALLOC("%d1", "8") "L:" SHOW("%d1") END);
    test.block = 32;
    machine_good(&test);
    for (size_t t = 0; t < 32; t++) {
        assert_true(t < 20 ? word(t) % 16 == 0 && word(t) > 5 : word(t) == 5);
        for (size_t other = 0; other < t && t < 20; other++) assert_int_not_equal(word(t), word(other));
    }
    assert_int_equal(test.leaks, 20);
}

static void sizes_that_cannot_be_give_null(void **state) {
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
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        prepare(texts[k]);
        test.words[0] = test.words[1] = 9;
        machine_good(&test);
        assert_int_equal(word(0), 0);
    }
    prepare(HEAP MALLOC("%d1", "16") SHOW("%d1") END);
    test.heap_bytes = 0; /* no heap is a full heap */
    machine_good(&test);
    assert_int_equal(word(0), 0);
}

/* malloc(0) gives an address that is nobody else's, and none of its bytes may be touched. */
static void nothing_has_an_address(void **state) {
    (void)state;
    run(HEAP MALLOC("%d1", "0") MALLOC("%d2", "0") " st.global.v2.u64 [%w], {%d1, %d2};" FREE("%d1") FREE("%d2")
            FREE("0") END);
    assert_true(word(0) != 0 && word(1) != 0 && word(0) != word(1));
    assert_int_equal(test.leaks, 0);
    fails(HEAP MALLOC("%d1", "0") " st.u8 [%d1], 7;" END, 700, "0 bytes past the end of 0 bytes at");
}

static void alignments_are_kept(void **state) {
    (void)state;
    run(HEAP MALLOC("%d9", "1") ALIGNED("%d1", "5", "1") ALIGNED("%d2", "256", "64") ALIGNED("%d3", "8", "4096")
            ALIGNED("%d4", "100", "256") " st.global.v2.u64 [%w], {%d1, %d2}; st.global.v2.u64 [%w+16], {%d3, %d4};"
                                         " st.u64 [%d2+248], %d1; st.u64 [%d3], %d1; st.u32 [%d4+96], %r1;" FREE("%d1")
                                             FREE("%d2") FREE("%d3") FREE("%d4") FREE("%d9") END);
    assert_true(word(0) && word(1) && word(2) && word(3));
    assert_int_equal(word(0) % 16 + word(1) % 64 + word(2) % 4096 + word(3) % 256, 0);
}

/* ---- misuse ---- */

static void what_lies_outside_is_told(void **state) {
    (void)state;
    fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700,
          "out of bounds: kernel k, PTX line 12 'ld.u32 %r1, [%d1+64]', block (0,0,0), thread (0,0,0), address 0x");
    fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700, ", 4 bytes: 0 bytes past the end of 64 bytes at");
    fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+64];" END, 700, "that kernel k, PTX line 11 allocated");
    fails(HEAP MALLOC("%d1", "61") " st.u32 [%d1+60], 7;" END, 700, "0 bytes past the end of 61 bytes");
    fails(HEAP MALLOC("%d1", "64") " ld.u8 %r1, [%d1+-1];" END, 700, "1 bytes before the begin of 64 bytes");
    fails(HEAP MALLOC("%d1", "64") " atom.add.u32 %r1, [%d1+68], 7;" END, 700, "4 bytes past the end of 64 bytes");
    fails(HEAP MALLOC("%d1", "64") " st.u8 [%d1+4096], 7;" END, 700, "out of bounds");
    fails(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+65536];" END, 700, "past the end of heap [");
}

/* All lanes side by side, where the last ones leave what was allocated: it is checked at once, and told of a lane. */
static void lanes_side_by_side_are_checked(void **state) {
    (void)state;
    prepare(HEAP " .shared .u64 s; setp.ne.u32 %p1, %t, 0; @%p1 bra L;" MALLOC(
        "%d1", "124") " st.shared.u64 [s], %d1;\nL: bar.sync 0; ld.shared.u64 %d1, [s]; mul.wide.u32 %d2, %t, 4;"
                      " add.s64 %d2, %d2, %d1; ld.global.u32 %r1, [%d2];" END);
    test.block = 32;
    machine_fails(&test, 700, "thread (31,0,0)");
    prepare(HEAP " .shared .u64 s; setp.ne.u32 %p1, %t, 0; @%p1 bra L;" MALLOC(
        "%d1",
        "128") " st.shared.u64 [s], %d1;\nL: bar.sync 0; ld.shared.u64 %d1, [s]; mul.wide.u32 %d2, %t, 4;"
               " add.s64 %d2, %d2, %d1; st.global.u32 [%d2], %t; ld.global.u32 %r1, [%d2+-0]; st.global.u64 [%v], 0;"
               " st.global.u32 [%v], %r1;" END);
    test.block = 32;
    machine_good(&test);
    for (size_t t = 0; t < 32; t++) assert_int_equal(word(t), t);
}

static void use_after_free_is_told(void **state) {
    (void)state;
    fails(HEAP MALLOC("%d1", "64") FREE("%d1") " ld.u32 %r1, [%d1+8];" END, 700,
          "use after free: kernel k, PTX line 13 'ld.u32 %r1, [%d1+8]'");
    fails(HEAP MALLOC("%d1", "64") FREE("%d1") " st.u32 [%d1+8], 7;" END, 700, "8 bytes into 64 bytes at 0x");
    fails(HEAP MALLOC("%d1", "64") FREE("%d1") MALLOC("%d2", "64") " st.u32 [%d1], 7;" END, 700,
          "that kernel k, PTX line 11 allocated and kernel k, PTX line 12 freed");
}

static void what_cannot_be_freed_is_told(void **state) {
    (void)state;
    fails(HEAP MALLOC("%d1", "64") FREE("%d1") FREE("%d1") END, 719, "freed twice: kernel k, PTX line 13");
    fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 16;" FREE("%d2") END, 719,
          "free of what was not allocated: kernel k, PTX line 12");
    fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 16;" FREE("%d2") END, 719, "16 bytes into 64 bytes at");
    fails(HEAP MALLOC("%d1", "64") " add.s64 %d2, %d1, 8192;" FREE("%d2") END, 719, "past the end of 64 bytes");
    fails(HEAP FREE("%w") END, 700, "is not in the heap of this context");
    fails(HEAP " mov.u64 %d1, 0x1234567890;" FREE("%d1") END, 700, "0x1234567890 is not in the heap");
    fails(HEAP " .local .b32 x; mov.u64 %d1, x; cvta.local.u64 %d1, %d1;" FREE("%d1") END, 719,
          "is no address of global memory");
    fails(HEAP " .shared .b32 x; mov.u64 %d1, x; cvta.shared.u64 %d1, %d1;" FREE("%d1") END, 719,
          "is no address of global memory");
}

/* As the hardware would: bytes of the heap are bytes, and a free of nothing changes nothing. */
static void a_lenient_judge_lets_them_go_on(void **state) {
#define WILD                                                                                                           \
    HEAP MALLOC("%d1", "64") " st.u32 [%d1+64], 7; ld.u32 %r1, [%d1+64]; st.global.u32 [%w], %r1;"                     \
                             " add.s64 %d2, %d1, 16;" FREE("%d2") FREE("%d1") " st.u32 [%d1], 8; ld.u32 %r1, [%d1];"   \
                                                                              " st.global.u32 [%w+4], %r1;" END
    (void)state;
    prepare(WILD);
    test.judge = JRS_JUDGE_WARN;
    machine_good(&test);
    assert_int_equal(test.words[0], 7);
    assert_int_equal(test.words[1], 8);
    assert_int_equal(test.note_count, 5);
    assert_non_null(strstr(test.note, "use after free"));
    prepare(WILD);
    test.judge = JRS_JUDGE_OFF;
    machine_good(&test);
    assert_int_equal(test.words[1], 8);
    assert_int_equal(test.note_count, 0);
    prepare(HEAP MALLOC("%d1", "64") FREE("%d1") FREE("%d1") END); /* a GPU stops there, too */
    test.judge = JRS_JUDGE_OFF;
    machine_fails(&test, 719, "freed twice");
    prepare(HEAP MALLOC("%d1", "64") " ld.u32 %r1, [%d1+65536];" END);
    test.judge = JRS_JUDGE_OFF;
    machine_fails(&test, 700, "past the end of heap");
}

static void leaks_are_told_by_place(void **state) {
    (void)state;
    prepare(HEAP MALLOC("%d1", "40") MALLOC("%d2", "8") FREE("%d2") END);
    test.block = 32;
    machine_good(&test);
    assert_int_equal(test.leaks, 32);
    assert_int_equal(test.note_count, 1);
    assert_string_equal(test.note,
                        "memory leak: 32 allocations, 1280 bytes, that kernel k, PTX line 11 made and nobody "
                        "freed");
}

/* ---- a full heap, and many threads ---- */

#define COUNTED                                                                                                        \
    " setp.ne.u64 %p1, %d1, 0; @!%p1 bra M; atom.global.add.u32 %r1, [%w], 1; st.u64 [%d1], %v; st.u64 [%d1+88], %v;"  \
    " ld.u64 %d2, [%d1]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;\nM:"

/* 1000 threads want 96 bytes each of a heap of 64 KiB: 112 with the bytes between, so that 585 of them get theirs. */
static void a_full_heap_gives_null(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        prepare(HEAP MALLOC("%d1", "96") COUNTED END);
        test.block = 250;
        test.grid = 4;
        test.resident = 4;
        test.threads = threads;
        machine_good(&test);
        assert_int_equal(test.words[0], 65536 / 112);
        assert_int_equal(test.leaks, 65536 / 112);
    }
}

/* Freed memory is given again when there is no other, be it in pieces of another size. */
static void freed_memory_is_used_again(void **state) {
    (void)state;
    run(HEAP " mov.u32 %r2, 0; mov.u64 %d5, 16;\nN:" MALLOC(
        "%d1",
        "%d5") " setp.eq.u64 %p1, %d1, 0; @%p1 trap; st.u64 [%d1], %d5;" FREE("%d1") " add.u64 %d5, %d5, 1000; rem.u64 "
                                                                                     "%d5, %d5, 60001; max.u64 %d5, "
                                                                                     "%d5, 8; add.u32 %r2, %r2, 1;"
                                                                                     " setp.lt.u32 %p2, %r2, 5000; "
                                                                                     "@%p2 bra N;" END);
    assert_int_equal(test.leaks, 0);
}

/* All threads of many blocks, on many CPU threads, allocate and free all the time; each checks that nobody writes into
 * what it has. A thread that gets nothing tries again: others free. */
static void allocators_race(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < 3; seed++) {
        prepare(HEAP " mov.u32 %r2, 0; cvt.u64.u32 %d5, %r17; mul.lo.u64 %d5, %d5, 24; rem.u64 %d5, %d5, 500;"
                     " add.u64 %d5, %d5, 24;\nN:" MALLOC(
                         "%d1",
                         "%d5") " setp.eq.u64 %p1, %d1, 0; @%p1 bra N;"
                                " st.u64 [%d1], %v; st.u64 [%d1+16], %v;" MALLOC(
                                    "%d3",
                                    "8") " setp.eq.u64 %p1, %d3, 0; @%p1 bra O;"
                                         " st.u64 [%d3], %d1;" FREE(
                                             "%d3") "O: ld.u64 %d2, [%d1]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;"
                                                    " ld.u64 %d2, [%d1+16]; setp.ne.u64 %p2, %d2, %v; @%p2 trap;" FREE(
                                                        "%d1") " add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 20; @%p2 "
                                                               "bra N; atom.global.add.u32 %r1, [%w], 1;" END);
        test.block = 64;
        test.grid = 16;
        test.resident = 16;
        test.threads = 4;
        test.seed = seed;
        machine_good(&test);
        assert_int_equal(test.words[0], 1024);
        assert_int_equal(test.leaks, 0);
    }
}

/* A thread that waits for memory that nobody frees is stopped, as one that polls for ever. */
static void waiting_for_memory_for_ever_is_told(void **state) {
    (void)state;
    prepare(HEAP "N:" MALLOC("%d1", "100000") " setp.eq.u64 %p1, %d1, 0; @%p1 bra N;" END);
    test.step_limit = 100000;
    machine_fails(&test, 702, "no progress");
}

/* ---- what is called ---- */

static void calls_must_fit(void **state) {
    (void)state;
    machine_refuses(HEAP " { .param .b32 a; .param .b64 r; st.param.b32 [a], 8; call (r), malloc, (a); }" END,
                    "does not match the parameters of 'malloc'");
    machine_refuses(HEAP " { .param .b64 a; st.param.b64 [a], 8; call malloc, (a); }" END,
                    "does not match the parameters of 'malloc'");
    machine_refuses(HEAP " call free;" END, "does not match the parameters of 'free'");
    run(SYSTEM ".visible .entry k(.param .u64 words) { .reg .b64 %d<3>; ld.param.u64 %d1, [words];"
               " call (%d2), malloc, (5*8); st.u64 [%d2+32], %d1; call free, (%d2); ret; }\n");
    assert_int_equal(test.leaks, 0);
    /* a module's own function of that name */
    run(PTX ".func (.reg .u64 r) malloc (.reg .u64 a) { add.u64 r, a, 3; ret; }\n"
            ".visible .entry k(.param .u64 words) { .reg .b64 %d<3>; ld.param.u64 %d1, [words];"
            " call (%d2), malloc, (4); st.global.u64 [%d1], %d2; ret; }\n");
    assert_int_equal(word(0), 7);
}

/* What else the system has refuses the kernel that calls it, and not its neighbours. */
static void other_functions_of_the_system_refuse_their_kernel(void **state) {
    static const char text[] = PTX ".extern .func (.param .b64 r) __cuda_syscall_other (.param .b64 a);\n"
                                   ".visible .entry other() { .param .b64 a; .param .b64 r; st.param.b64 [a], 8; call "
                                   "(r), __cuda_syscall_other, (a); ret; }\n"
                                   ".visible .entry k(.param .u64 words) { ret; }\n";
    jrs_report report = {0};
    (void)state;
    run(text);
    jrs_module *module = jrs_module_parse(text, strlen(text), &report);
    assert_non_null(module);
    const char *refusal = jrs_module_function(module, "other")->refusal;
    assert_true(refusal && strstr(refusal, "line 5 'call (r), __cuda_syscall_other, (a)'"));
    jrs_module_destroy(module);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_allocated_holds_values),
        cmocka_unit_test(each_lane_calls_for_itself),
        cmocka_unit_test(sizes_that_cannot_be_give_null),
        cmocka_unit_test(nothing_has_an_address),
        cmocka_unit_test(alignments_are_kept),
        cmocka_unit_test(what_lies_outside_is_told),
        cmocka_unit_test(lanes_side_by_side_are_checked),
        cmocka_unit_test(use_after_free_is_told),
        cmocka_unit_test(what_cannot_be_freed_is_told),
        cmocka_unit_test(a_lenient_judge_lets_them_go_on),
        cmocka_unit_test(leaks_are_told_by_place),
        cmocka_unit_test(a_full_heap_gives_null),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(allocators_race),
        cmocka_unit_test(waiting_for_memory_for_ever_is_told),
        cmocka_unit_test(calls_must_fit),
        cmocka_unit_test(other_functions_of_the_system_refuse_their_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
