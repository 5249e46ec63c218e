/* The interpreter judges compiled code: random programs have the same memory, the same reports and the same notes by
 * both; and what becomes of a launch when there is no code. JR_TESTS=whole: more programs. */
#include <stdlib.h>
#include <string.h>

#include "sim/native/native.h"
#include "sim/native/native_compile.h"
#include "support/cases/machine_case.h"

/* ---- random programs ---- */

static uint64_t seed;

static unsigned draw(unsigned below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % below;
}

/* A line of PTX: %r, %f, %d, %h and %p stand for one register of that kind each, # for a small number. */
static const char *const computed[] = {
    "add.u32 %r, %r, %r",
    "sub.s32 %r, %r, #",
    "mul.lo.u32 %r, %r, %r",
    "mad.lo.s32 %r, %r, #, %r",
    "mul.hi.s32 %r, %r, %r",
    "mul.wide.u32 %d, %r, %r",
    "div.s32 %r, %r, %r",
    "rem.u32 %r, %r, #",
    "shl.b32 %r, %r, #",
    "shr.s32 %r, %r, %r",
    "shf.l.wrap.b32 %r, %r, %r, #",
    "lop3.b32 %r, %r, %r, %r, 0xe8",
    "prmt.b32 %r, %r, %r, 0x3715",
    "popc.b32 %r, %r",
    "clz.b32 %r, %r",
    "bfe.u32 %r, %r, #, #",
    "min.s32 %r, %r, %r",
    "max.u32 %r, %r, %r",
    "abs.s32 %r, %r",
    "xor.b64 %d, %d, %d",
    "add.s64 %d, %d, %d",
    "shr.u64 %d, %d, #",
    "mov.b64 {%r, %r}, %d",
    "mov.b64 %d, {%r, %r}",
    "mov.b32 {%h, %h}, %r",
    "add.u16 %h, %h, %h",
    "cvt.u32.u16 %r, %h",
    "cvt.s64.s32 %d, %r",
    "cvt.u16.u32 %h, %r",
    "cvt.rn.f32.s32 %f, %r",
    "cvt.rzi.s32.f32 %r, %f",
    "cvt.f64.f32 %e, %f",
    "cvt.rn.f32.f64 %f, %e",
    "mov.b32 %f, %r",
    "mov.b64 %e, %d",
    "mov.b64 %d, %e",
    "add.f32 %f, %f, %f",
    "mul.rn.f32 %f, %f, 0f3F8CCCCD",
    "fma.rn.f32 %f, %f, %f, %f",
    "div.rn.f32 %f, %f, %f",
    "sqrt.rn.f32 %f, %f",
    "min.f32 %f, %f, %f",
    "add.ftz.f32 %f, %f, %f",
    "add.f64 %e, %e, %e",
    "sub.f64 %e, 0d7FF0000000000000, %e",
    "mul.f64 %e, %e, %e",
    "fma.rn.f64 %e, %e, %e, %e",
    "setp.lt.s32 %p, %r, %r",
    "setp.ne.and.u32 %p, %r, #, %p",
    "setp.gt.or.f32 %p|%p, %f, %f, !%p",
    "setp.eq.u64 %p, %d, %d",
    "and.pred %p, %p, %p",
    "not.pred %p, %p",
    "selp.b32 %r, %r, #, %p",
    "selp.f64 %e, %e, %e, %p",
    "mov.u32 %r, %laneid",
    "add.cc.u32 %r, %r, %r",
    "shfl.sync.bfly.b32 %r, %r, #, 31, -1",
    "vote.sync.ballot.b32 %r, %p, -1",
};

static void put_line(jr_text *text, const char *line) {
    static const char small[] = "abcdefghijklmnopqrstuvwxyz";
    for (; *line; line++) {
        const char kind = line[0] == '%' ? line[1] : ' ';
        if (kind != ' ' && strchr("rfdehp", kind) && !(line[2] && strchr(small, line[2]))) {
            jr_text_append(text, "%%%c%u", kind == 'p' ? 'q' : kind, draw(kind == 'p' ? 6 : 8));
            line++;
        } else if (*line == '#') {
            jr_text_append(text, "%u", draw(40));
        } else {
            jr_text_append(text, "%c", *line);
        }
    }
    jr_text_append(text, ";\n");
}

/* All lanes take part in a shuffle and a vote: they stand where no lanes diverge. */
static void put_computed(jr_text *text, bool diverged) {
    const unsigned collective = 2, count = sizeof computed / sizeof *computed - (diverged ? collective : 0);
    const unsigned chosen = draw(count);
    if (chosen < count - (diverged ? 0 : collective) && draw(4) == 0)
        jr_text_append(text, "@%s%%q%u ", draw(2) ? "!" : "", draw(6));
    put_line(text, computed[chosen]);
}

/* A load or a store of one of the first words, at a place of the lane's own, at a random one, or of shared memory. */
static void put_access(jr_text *text, unsigned wild) {
    static const char *const kinds[] = {"u32 %r", "f32 %f", "u8 %r", "s16 %r", "b64 %d", "f64 %e"};
    const unsigned kind = draw(6), shared = draw(3) == 0, load = draw(2);
    char type[4], value[3];
    memcpy(type, kinds[kind], 3), type[3] = 0;
    if (type[2] == ' ') type[2] = 0;
    memcpy(value, strchr(kinds[kind], '%'), 3);
    if (draw(2) || shared)
        jr_text_append(text, "mov.u32 %%x, %%t;\n");
    else
        put_line(text, "mov.u32 %x, %r");
    if (!wild || draw(200)) jr_text_append(text, "and.b32 %%x, %%x, %u;\n", shared ? 63u : 255u);
    if (shared) {
        jr_text_append(text, "mov.u32 %%y, s; mad.lo.u32 %%y, %%x, 8, %%y;\n");
    } else {
        jr_text_append(text, "mul.wide.u32 %%z, %%x, 8; add.s64 %%z, %%z, %%w;\n");
    }
    const char *space = shared ? "shared" : "global", *at = shared ? "[%y]" : "[%z]";
    jr_text line = {0};
    if (load)
        jr_text_append(&line, "ld.%s.%s %s, %s", space, type, value, at);
    else
        jr_text_append(&line, "st.%s.%s %s, %s", space, type, at, value);
    put_line(text, jr_text_string(&line));
    jr_text_free(&line);
}

static void put_some(jr_text *text, unsigned lines, bool diverged, unsigned wild) {
    while (lines--) {
        if (draw(5) == 0 && !diverged)
            put_access(text, wild);
        else
            put_computed(text, diverged);
    }
}

/* Lines, a loop of a count that differs by lane, and a branch that some lanes take; twice. */
static void put_program(jr_text *text, unsigned wild) {
    jr_text_append(text, "%s", KERNEL);
    jr_text_append(text,
                   " .shared .align 8 .b8 s[512]; .reg .pred %%q<8>, %%g; .reg .b32 %%x, %%y, %%n; .reg .b64 %%z;\n"
                   " .reg .f32 %%f<8>; .reg .f64 %%e<8>;\n mov.u32 %%y, s; mad.lo.u32 %%y, %%t, 8, %%y;\n"
                   " cvt.u64.u32 %%z, %%t; st.shared.u64 [%%y], %%z; bar.sync 0;\n");
    for (unsigned k = 0; k < 8; k++)
        jr_text_append(text, " mad.lo.u32 %%r%u, %%t, %u, %u; cvt.rn.f32.u32 %%f%u, %%r%u; cvt.u64.u32 %%d%u, %%r%u;\n",
                       k, draw(100000), draw(100), k, k, k, k);
    for (unsigned k = 0; k < 2; k++) {
        put_some(text, 12, false, wild);
        jr_text_append(text, " and.b32 %%n, %%r%u, 15;\nLOOP%u:\n", draw(8), k);
        put_some(text, 10, true, wild);
        jr_text_append(text, " sub.s32 %%n, %%n, 1; setp.gt.s32 %%g, %%n, 0; @%%g bra LOOP%u;\n @%%q%u bra OTHER%u;\n",
                       k, draw(6), k);
        put_some(text, 5, true, wild);
        jr_text_append(text, " bra.uni JOIN%u;\nOTHER%u:\n", k, k);
        put_some(text, 5, true, wild);
        jr_text_append(text, "JOIN%u: bar.warp.sync -1;\n", k);
    }
    jr_text_append(text, " mul.wide.u32 %%z, %%t, 64; add.s64 %%z, %%z, %%w;\n");
    for (unsigned k = 0; k < 4; k++)
        jr_text_append(text, " st.global.u32 [%%z+%u], %%r%u; st.global.f64 [%%z+%u], %%e%u;\n", 4096 + 4 * k, k,
                       4112 + 8 * k, k);
    jr_text_append(text, "%s", END);
}

static void compare(unsigned number) {
    static machine_case by[2];
    jr_text text = {0};
    seed = number;
    const unsigned wild = draw(3) == 0, block = draw(2) ? 64 : 40 + draw(24);
    const jrs_judge judge = draw(3) == 0 ? JRS_JUDGE_WARN : JRS_JUDGE_STRICT;
    put_program(&text, wild);
    for (unsigned k = 0; k < 2; k++) {
        by[k] =
            (machine_case){.ptx = jr_text_string(&text), .block = block, .grid = 2, .judge = judge, .seed = number % 2};
        for (unsigned w = 0; w < MACHINE_STALE; w++) by[k].words[w] = w * 2654435761u;
        by[k].native = k ? JRS_NATIVE_ONLY : JRS_NATIVE_OFF;
        machine_run(&by[k]);
    }
    if (strcmp(by[0].report.message, by[1].report.message) != 0)
        fail_msg("program %u: '%s' and '%s'\n%s", number, by[0].report.message, by[1].report.message, by[0].ptx);
    if (memcmp(by[0].words, by[1].words, MACHINE_STALE * 4) != 0)
        fail_msg("program %u: memory differs\n%s", number, by[0].ptx);
    assert_int_equal(by[0].note_count, by[1].note_count);
    assert_string_equal(by[0].note, by[1].note);
    jr_text_free(&text);
}

TEST(random_programs_do_the_same_by_both) {
    const unsigned programs = tests_are_whole() ? 300 : 2;
    if (!jrs_native_compiler()) skip_because("no C compiler is installed\n");
    for (unsigned number = 1; number <= programs; number++) compare(number);
}

/* ---- no code ---- */

static const char *const plain = KERNEL " mov.u32 %r0, %t;" OUT_R0;

TEST(a_kernel_that_cannot_be_compiled_is_interpreted) {
    setenv("JRSIM_CC", "/nowhere/cc", 1);
    machine_case test = {.ptx = plain, .native = JRS_NATIVE_ON};
    machine_good(&test);
    assert_int_equal(test.words[7], 7);
    test = (machine_case){.ptx = plain, .native = JRS_NATIVE_ONLY};
    machine_fails(&test, 1, "it is not compiled: there is no C compiler");
    unsetenv("JRSIM_CC");
}

TEST(a_compiler_that_fails_is_told) {
    setenv("JRSIM_CC", "/bin/false", 1);
    machine_case test = {.ptx = plain, .native = JRS_NATIVE_ONLY};
    machine_fails(&test, 1, "/bin/false ended with status 1");
    unsetenv("JRSIM_CC");
}

RUN_TESTS(NULL, NULL)
