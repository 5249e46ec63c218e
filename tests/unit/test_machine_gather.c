/* Loads and stores of lanes that lie scattered in one range of global memory: every width, lanes that are masked off,
 * and the lane that is wrong. */
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"

/* Lane t is at element 13 t mod 32; d1 has the address of %s bytes each. */
#define SCATTERED                                                                                                      \
    " mul.lo.u32 %%r1, %%t, 13; and.b32 %%r1, %%r1, 31; mul.wide.u32 %%d1, %%r1, %u; add.s64 %%d1, %%d1, %%w;"

typedef struct form {
    const char *type, *to; /* to: the register */
    unsigned bytes, width;
    bool sign;
} form;

static const form forms[] = {
    {"u8", "%h1", 1, 2, false},  {"s8", "%h1", 1, 2, true},   {"u16", "%h1", 2, 2, false}, {"s16", "%h1", 2, 2, true},
    {"u8", "%r0", 1, 4, false},  {"s8", "%r0", 1, 4, true},   {"u16", "%r0", 2, 4, false}, {"s16", "%r0", 2, 4, true},
    {"u32", "%r0", 4, 4, false}, {"u8", "%d2", 1, 8, false},  {"s8", "%d2", 1, 8, true},   {"u16", "%d2", 2, 8, false},
    {"s16", "%d2", 2, 8, true},  {"u32", "%d2", 4, 8, false}, {"s32", "%d2", 4, 8, true},  {"u64", "%d2", 8, 8, false},
};
enum { FORMS = sizeof forms / sizeof *forms, OUT = 1024, MASK_LANE = 5 };

static uint8_t byte_at(unsigned k) {
    return (uint8_t)(k * 37 + 101);
}

static void fill(machine_case *test) {
    for (unsigned k = 0; k < OUT; k++) ((uint8_t *)test->words)[k] = byte_at(k);
}

static uint64_t wanted(const form *of, unsigned at) {
    uint64_t bits = 0;
    for (unsigned k = of->bytes; k-- > 0;) bits = bits << 8 | byte_at(at + k);
    if (of->sign && of->bytes < 8 && bits >> (of->bytes * 8 - 1) & 1) bits |= ~UINT64_C(0) << of->bytes * 8;
    return of->width < 8 ? bits & ((UINT64_C(1) << of->width * 8) - 1) : bits;
}

/* Loads by some lanes, or by all; what they found goes to 8 bytes of each lane at OUT. */
static void loads(const form *of, bool masked) {
    char ptx[2048];
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    fill(&test);
    snprintf(ptx, sizeof ptx,
             "%s"
             " mov.u32 %%r0, 0; mov.b64 %%d2, 0; mov.b16 %%h1, 0; setp.ne.u32 %%p1, %%t, %u;" SCATTERED
             " %s ld.global.%s %s, [%%d1]; mul.wide.u32 %%d3, %%t, 8; add.s64 %%d3, %%d3, %%w; st.global.b%u "
             "[%%d3+%u], %s;" END,
             KERNEL, MASK_LANE, of->bytes, masked ? "@%p1" : "", of->type, of->to, of->width * 8, OUT, of->to);
    machine_good(&test);
    for (unsigned t = 0; t < 32; t++) {
        uint64_t found;
        memcpy(&found, (const uint8_t *)test.words + OUT + (size_t)t * 8, 8);
        assert_int_equal(found, masked && t == MASK_LANE ? 0 : wanted(of, t * 13 % 32 * of->bytes));
    }
}

TEST(scattered_loads_of_every_width_have_their_values) {
    for (unsigned k = 0; k < FORMS; k++)
        for (int masked = 0; masked < 2; masked++) loads(&forms[k], masked);
}

TEST(scattered_stores_of_every_width_write_their_bytes_alone) {
    for (unsigned f = 0; f < FORMS; f++) {
        const form *of = &forms[f];
        char ptx[2048];
        static machine_case test;
        test = (machine_case){.ptx = ptx};
        fill(&test);
        snprintf(ptx, sizeof ptx,
                 "%s"
                 " mov.u32 %%r0, %%t; cvt.u64.u32 %%d2, %%t; cvt.u16.u32 %%h1, %%t; setp.ne.u32 %%p1, %%t, "
                 "%u;" SCATTERED " @%%p1 st.global.%s [%%d1], %s;" END,
                 KERNEL, MASK_LANE, of->bytes, of->type, of->to);
        machine_good(&test);
        for (unsigned t = 0; t < 32; t++) {
            for (unsigned k = 0; k < of->bytes; k++) {
                const unsigned at = t * 13 % 32 * of->bytes + k;
                const uint8_t stored = k == 0 ? (uint8_t)t : 0;
                assert_int_equal(((const uint8_t *)test.words)[at], t == MASK_LANE ? byte_at(at) : stored);
            }
        }
        assert_int_equal(((const uint8_t *)test.words)[32 * of->bytes], byte_at(32 * of->bytes));
    }
}

TEST(the_last_of_several_lanes_that_store_to_one_place_wins) {
    const machine_case *test =
        machine_made(KERNEL " shr.u32 %r1, %t, 2; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], "
                            "%t;" END);
    for (unsigned k = 0; k < 8; k++) assert_int_equal(test->words[k], 4 * k + 3);
}

TEST(a_load_into_its_address_register_reads_all_addresses_first) {
    static machine_case test;
    test =
        (machine_case){.ptx = KERNEL " xor.b32 %r1, %t, 1; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d1, %w; "
                                     "ld.global.v2.u32 {%r0, %r1}, [%d1]; ld.global.u64 %d1, [%d1]; cvt.u32.u64 %r2, "
                                     "%d1; add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2;" OUT_R0};
    for (uint32_t k = 0; k < 64; k++) test.words[k] = k * k;
    machine_good(&test);
    for (uint32_t t = 0; t < 32; t++) {
        const uint32_t at = (t ^ 1) * 2;
        assert_int_equal(test.words[t], 2 * at * at + (at + 1) * (at + 1));
    }
}

/* Thread 7 alone is somewhere else than the others, which are scattered. */
static void wrong(const char *seven, const char *access, int error, const char *words) {
    char ptx[2048];
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    snprintf(ptx, sizeof ptx, "%s" SCATTERED " setp.eq.u32 %%p1, %%t, 7; %s %s" END, KERNEL, 4u, seven, access);
    machine_fails(&test, error, words);
}

TEST(the_lane_that_is_wrong_is_told) {
    static const char *const accesses[] = {"ld.global.u32 %r2, [%d1];", "st.global.u32 [%d1], %t;",
                                           "ld.u32 %r2, [%d1];"};
    for (unsigned k = 0; k < 3; k++) {
        wrong("@%p1 add.s64 %d1, %w, 16384;", accesses[k], 700, "thread (7,0,0)");
        wrong("@%p1 add.s64 %d1, %w, 16384;", accesses[k], 700, "0 bytes past the end of device allocation");
        wrong("@%p1 add.s64 %d1, %w, -4;", accesses[k], 700, "4 bytes before the begin of device allocation");
        wrong("@%p1 add.s64 %d1, %w, 16380; @%p1 add.s64 %d1, %d1, 2;", accesses[k], 716, "thread (7,0,0)");
        wrong("@%p1 ld.global.u64 %d1, [%w+16376];", accesses[k], 700, "0 bytes into freed device allocation");
        wrong("@%p1 mov.u64 %d1, 16;", accesses[k], 700, "(a null pointer?)");
    }
    wrong("@%p1 add.s64 %d1, %w, 16380;", "ld.global.v2.u32 {%r1, %r2}, [%d1];", 716, "must be aligned to 8");
}

TEST(stores_that_change_nothing_are_no_progress) {
    machine_case test = {.ptx = KERNEL " shr.u32 %r1, %t, 1; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d1, %w;\nl: "
                                       "st.global.u32 [%d1], 0;\n bra l;" END,
                         .step_limit = 100000};
    machine_fails(&test, 702, "warp instructions changed no memory");
}

RUN_TESTS(NULL, NULL)
