/* Instructions that the simulator lacks, and those of older versions. */
#include <string.h>

#include "support/cases/machine_case.h"
#include "support/cases/sim_case.h"

/* One instruction that the simulator lacks refused the whole module, in words of the parser ("']' expected" for a
 * texture): it refuses its kernel, when that is asked for, and is named with its line and text. */

#define HEAD ".version 9.0\n.target sm_90a\n.address_size 64\n"
/* good(words): words[0] = 42 */
#define GOOD                                                                                                           \
    ".visible .entry good(.param .u64 w)\n{ .reg .b64 %w; ld.param.u64 %w, [w]; cvta.to.global.u64 %w, %w; "           \
    "st.global.u32 [%w], 42; ret; }\n"
#define BAD(body)                                                                                                      \
    ".visible .entry bad(.param .u64 w)\n{ .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>;\n" body "\n}\n"

/* The module loads, the kernel is refused with these words, its neighbour runs. */
static void refuses_bad_alone(const char *ptx, const char *words) {
    jr_cu_module module = NULL;
    jr_cu_function function = NULL;
    const char *text = "";
    good(cuModuleLoadData(&module, ptx));
    fails(CUDA_ERROR_INVALID_PTX, cuModuleGetFunction(&function, module, "bad"));
    assert_null(function);
    good(cuGetErrorString(JR_CUDA_ERROR_INVALID_PTX, &text));
    if (!strstr(text, words)) fail_msg("'%s' is not in: %s", words, text);
    good(cuModuleGetFunction(&function, module, "good"));
    jr_cu_deviceptr memory = sim_alloc(4);
    good(sim_launch(function, NULL, memory));
    assert_int_equal(sim_read(memory), 42);
    good(cuMemFree_v2(memory));
    good(cuModuleUnload(module));
}

TEST_BETWEEN(an_instruction_that_is_not_known_refuses_its_kernel_alone, sim_open, sim_close) {
    refuses_bad_alone(HEAD GOOD BAD(" wgmma.fence.sync.aligned;"),
                      "line 8 'wgmma.fence.sync.aligned': the instruction 'wgmma.fence.sync.aligned' is not supported");
    refuses_bad_alone(HEAD BAD(" frob.u32 %r1, {[%r2], <7>}, @;") GOOD, "the instruction 'frob.u32' is not supported");
}

TEST_BETWEEN(textures_surfaces_and_matrices_are_named, sim_open, sim_close) {
    static const char texture[] = HEAD ".global .texref tex;\n.global .samplerref s1, s2 = {addr_mode_0 = wrap};\n"
                                       ".visible .global .surfref surf;\n" GOOD BAD(
                                           " tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1, %r2}];\n ret;");
    refuses_bad_alone(texture, "line 11 'tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [tex, {%r1, %r2}]': the instruction "
                               "'tex.2d.v4.f32.s32' is not supported");
    refuses_bad_alone(HEAD GOOD BAD(" suld.b.1d.b32.trap {%r1}, [%d1, {%r2}];"), "'suld.b.1d.b32.trap' is not");
    refuses_bad_alone(HEAD GOOD BAD(" wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2}, [%d1], %r3;"),
                      "'wmma.load.a.sync.aligned.row.m16n16k16.shared.f16' is not");
    refuses_bad_alone(HEAD ".global .texref tex;\n" GOOD BAD(" mov.u64 %d1, tex;"), "'tex' is a texture");
    refuses_bad_alone(HEAD GOOD ".visible .entry bad(.param .u64 w, .param .texref t)\n{\n ret;\n}\n",
                      "the parameter 't' is a texture");
}

TEST_BETWEEN(modifiers_directives_and_registers_that_are_not_known_do_the_same, sim_open, sim_close) {
    refuses_bad_alone(HEAD GOOD BAD(" add.rn.strange.f32 %f1, %f2, %f3;"), "'add.rn.strange.f32' is not supported");
    refuses_bad_alone(HEAD GOOD BAD(" ld.global.strange.u32 %r1, [%d1];"), "the modifier .strange of");
    refuses_bad_alone(HEAD GOOD BAD(" mov.u32 %r1, %pm3;"), "line 8 'mov.u32 %r1, %pm3': ");
    refuses_bad_alone(HEAD GOOD BAD(" .strange 7;"), "line 8: the directive .strange is not supported");
    refuses_bad_alone(HEAD ".strange .u32 { a, { b } }\n.alias f, g;\n" GOOD BAD(" .strange 7;"), "line 10: ");
    refuses_bad_alone(HEAD GOOD ".visible .entry bad(.param .u64 w)\n.abi_preserve 8\n{\n ret;\n}\n",
                      "the directive .abi_preserve of a function");
}

TEST_BETWEEN(who_calls_such_a_function_is_refused_with_it, sim_open, sim_close) {
    refuses_bad_alone(HEAD ".func f\n;\n.func h\n{\n call.uni f;\n ret;\n}\n" GOOD BAD(
                          " call.uni h; ret;") ".func f\n{\n frob;\n ret;\n}\n",
                      "'frob': the instruction 'frob' is not supported");
}

static int close_faulted(void **state) {
    sim_case *sim = *state;
    good(cuCtxDestroy_v2(sim->context));
    sim->context = NULL;
    sim->module = NULL;
    return sim_close(state);
}

/* A pointer to it can be had and passed on; calling through it is the fault. */
TEST_BETWEEN(a_call_through_a_pointer_is_a_fault_with_the_same_words, sim_open, close_faulted) {
    static const char ptx[] =
        HEAD ".func f\n{\n frob;\n ret;\n}\n.visible .entry k(.param .u64 w)\n{ .reg .b64 %d<3>; mov.u64 %d1, f;\n"
             " P: .callprototype _ ();\n call %d1, P; ret;\n}\n";
    jr_cu_module module = NULL;
    jr_cu_function function = NULL;
    const char *text = "";
    good(cuModuleLoadData(&module, ptx));
    good(cuModuleGetFunction(&function, module, "k"));
    good(sim_launch(function, NULL, 0));
    int error = cuCtxSynchronize();
    assert_int_not_equal(error, 0);
    good(cuGetErrorString(error, &text));
    if (!strstr(text, "the instruction 'frob' is not supported")) fail_msg("%s", text);
}

/* What no device would take is still refused when the module is loaded. */
TEST_BETWEEN(wrong_text_refuses_the_module, sim_open, sim_close) {
    jr_cu_module module = NULL;
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, HEAD GOOD BAD(" add.u32 %r1, %r2;")));
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, HEAD GOOD BAD(" add.u32 %r1, %r2, %nothing;")));
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, HEAD GOOD BAD(" frob.u32 %r1;") "}"));
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, HEAD GOOD BAD(" frob.u32 %r1; {")));
}

/* PTX of older targets: shfl and vote without .sync, and parameters of functions that are registers. The simulator
 * refused the kernel, or the module. */

#define OLD(version, target)                                                                                           \
    ".version " version "\n.target " target "\n.address_size 64\n"                                                     \
    ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b32 %t;\n"  \
    " .reg .b64 %w; mov.u32 %t, %tid.x; ld.param.u64 %w, [words];\n"

/* ---- exchanges without .sync: among the lanes that run them together ---- */
TEST(lanes_that_run_together_exchange) {
    const machine_case *test =
        machine_made(OLD("3.2", "sm_30") " shfl.down.b32 %r0|%p1, %t, 3, 31; @!%p1 mov.u32 %r0, 99;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 29 ? t + 3 : 99);
    test = machine_made(OLD("5.0", "sm_60") " shfl.bfly.b32 %r0, %t, 5, 31;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], t ^ 5);
    test = machine_made(OLD("6.3", "sm_70") " shfl.idx.b32 %r0, %t, 2, 0x181f;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], (t & 24) + 2);
    test = machine_made(OLD("9.0", "sm_61") " shfl.up.b32 %r0, %t, 1, 0;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], t ? t - 1 : 0);
}

#define ODD OLD("3.2", "sm_30") " and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1; setp.gt.u32 %p2, %t, 9;"

TEST(lanes_that_run_together_vote) {
    assert_int_equal(machine_made(ODD " vote.ballot.b32 %r0, %p1;" OUT_R0)->words[3], 0xaaaaaaaa);
    assert_int_equal(machine_made(ODD " vote.ballot.b32 %r0, !%p1;" OUT_R0)->words[3], 0x55555555);
    assert_int_equal(machine_made(ODD " vote.all.pred %p3, %p1; selp.u32 %r0, 7, 9, %p3;" OUT_R0)->words[3], 9);
    assert_int_equal(machine_made(ODD " vote.any.pred %p3, %p1; selp.u32 %r0, 7, 9, %p3;" OUT_R0)->words[3], 7);
    assert_int_equal(machine_made(ODD " vote.uni.pred %p3, %p1; selp.u32 %r0, 7, 9, %p3;" OUT_R0)->words[3], 9);
}

/* On both sides of a branch, under a guard, and after the sides have converged. */
TEST(lanes_apart_exchange_apart) {
    const machine_case *test =
        machine_made(ODD " mov.u32 %r0, 0; @%p1 bra L; vote.ballot.b32 %r0, %p2; bra M;\nL: vote.ballot.b32 %r0, %p2;\n"
                         "M: vote.ballot.b32 %r2, %p2; @%p2 add.u32 %r0, %r0, %r2;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) {
        const uint32_t all = 0xfffffc00, own = all & (t & 1 ? 0xaaaaaaaa : 0x55555555);
        assert_int_equal(test->words[t], t > 9 ? own + all : own);
    }
    test = machine_made(
        ODD " mov.u32 %r0, 1; @%p2 vote.ballot.b32 %r0, %p1; @%p2 shfl.idx.b32 %r2, %t, 10, 31; @%p2 add.u32 "
            "%r0, %r0, %r2;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], t > 9 ? 0xaaaaa800 + 10 : 1);
}

/* A value from a lane that does not run the shuffle is undefined: its use is reported. */
TEST(a_lane_that_does_not_run_it_gives_nothing) {
    machine_case test = {.ptx = ODD " mov.u32 %r0, 1; @%p1 shfl.idx.b32 %r0, %t, 0, 31;" OUT_R0};
    machine_fails(&test, 719, "a lane that does not take part");
}

TEST(newer_targets_need_sync) {
    machine_refuses(OLD("6.4", "sm_70") " shfl.idx.b32 %r0, %t, 0, 31;" OUT_R0, "shfl without .sync");
    machine_refuses(OLD("9.0", "sm_90") " vote.ballot.b32 %r0, %p1;" OUT_R0, "vote without .sync");
}

/* ---- parameters that are registers ---- */

#define CALLS(functions)                                                                                               \
    PTX functions ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b16 %h<9>; "                      \
                  ".reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b32 %t; .reg .b64 %w; mov.u32 %t, %tid.x; ld.param.u64 "  \
                  "%w, [words];\n"

TEST(registers_are_handed_over) {
    const machine_case *test =
        machine_made(CALLS(".func (.reg .u32 r) f (.reg .u32 a, .reg .u32 b)\n{ sub.u32 r, a, b; ret; "
                           "}\n") " mov.u32 %r1, 40; call (%r0), f, (%r1, %t); call (%r0), f, (%r0, "
                                  "1+2); call (_), f, (%r1, 1);" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], 37 - t);
    test = machine_made(
        CALLS(".func (.reg .f32 r) f (.reg .f32 a) { add.f32 r, a, a; }\n") " call.uni (%r0), f, (1.5);" OUT_R0);
    assert_int_equal(test->words[7], 0x40400000);
    test = machine_made(CALLS(
        ".func (.reg .u64 r) f (.reg .u16 a) { cvt.u64.u16 r, a; ret; }\n") " cvt.u16.u32 %h1, %t; call (%d1), f, "
                                                                            "(%h1); cvt.u32.u64 %r0, %d1;" OUT_R0);
    assert_int_equal(test->words[7], 7);
    test = machine_made(CALLS(
        ".func (.reg .u32 r, .reg .u32 q) f (.reg .u32 a) { mov.u32 r, a; add.u32 q, a, 1; ret; }\n") " call (%r1, "
                                                                                                      "%r2), f, (%t); "
                                                                                                      "mad.lo.u32 %r0, "
                                                                                                      "%r1, 100, "
                                                                                                      "%r2;" OUT_R0);
    assert_int_equal(test->words[7], 708);
    test = machine_made(CALLS(
        ".func f (.reg .u64 a, .reg .u32 b) { st.global.u32 [a], b; ret; }\n") " mul.wide.u32 %d1, %t, 4; add.s64 %d1, "
                                                                               "%d1, %w; call f, (%d1, %t);" END);
    assert_int_equal(test->words[7], 7);
}

/* Either side may be in memory and the other one in a register. */
TEST(registers_and_memory_mix) {
    const machine_case *test = machine_made(CALLS(
        ".func (.reg .u32 r) f (.param .b32 a) { ld.param.b32 r, [a]; ret; }\n"
        ".func (.param .b32 r) g (.reg .b32 a) { st.param.b32 [r], a; ret; }\n") " { .param .b32 x; .param .b32 y; "
                                                                                 "st.param.b32 [x], %t; call (%r1), f, "
                                                                                 "(x); call (y), g, (x); "
                                                                                 "ld.param.b32 %r2, [y]; }\n call "
                                                                                 "(%r3), f, (%t); call (%r4), g, (3); "
                                                                                 "add.u32 %r1, %r1, %r2; "
                                                                                 "add.u32 %r3, %r3, %r4; mad.lo.u32 "
                                                                                 "%r0, %r1, 100, %r3;" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], 200 * t + t + 3);
}

/* Guarded calls and returns, recursion, calls by address. */
TEST(each_activation_has_its_registers) {
#define FACTORIAL                                                                                                      \
    ".func (.reg .u32 r) f (.reg .u32 a)\n{ .reg .pred p; .reg .u32 t; setp.eq.u32 p, a, 0; mov.u32 r, 1; @p ret;\n"   \
    " sub.u32 t, a, 1; call (t), f, (t); mul.lo.u32 r, t, a; ret; }\n"
    const machine_case *test = machine_made(CALLS(FACTORIAL) " and.b32 %r1, %t, 7; call (%r0), f, (%r1);" OUT_R0);
    static const uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], factorials[t & 7]);
    test = machine_made(CALLS(FACTORIAL) " mov.u32 %r0, 5; setp.lt.u32 %p1, %t, 4; @%p1 call (%r0), f, (%t);" OUT_R0);
    for (uint32_t t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 4 ? factorials[t] : 5);
    test = machine_made(CALLS(FACTORIAL) " mov.u64 %d1, f;\nP: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
                                         " mov.u32 %r1, 6; call (%r0), %d1, (%r1), P;" OUT_R0);
    assert_int_equal(test->words[7], 720);
}

TEST(what_does_not_fit_is_told) {
#define ONE CALLS(".func (.reg .u32 r) f (.reg .u32 a) { mov.u32 r, a; ret; }\n")
    machine_refuses(ONE " call (%r0), f, (%d1);" OUT_R0, "does not match the parameters of 'f'");
    machine_refuses(ONE " call (%r0), f, (%t, %t);" OUT_R0, "does not match the parameters of 'f'");
    machine_refuses(ONE " call f, (%t);" OUT_R0, "does not match the parameters of 'f'");
    machine_refuses(ONE " call (3), f, (%t);" OUT_R0, "is not a register to write to");
    machine_lacks(
        ONE " mov.u64 %d1, f;\nP: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n call (%r0), %d1, (3), P;" OUT_R0,
        "a constant as an argument of a call by address");
    machine_refuses(PTX ".visible .entry k(.reg .u64 words) { ret; }\n", ".param expected");
    machine_lacks(CALLS(".func f (.reg .pred a) { ret; }\n") " call f, (%p1);" OUT_R0, "a predicate as a parameter");
}

RUN_TESTS(NULL, NULL)
