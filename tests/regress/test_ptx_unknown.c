/* One instruction that the simulator lacks refused the whole module, in words of the parser ("']' expected" for a
 * texture): it refuses its kernel, when that is asked for, and is named with its line and text. */
#include <string.h>

#include "support/cases/sim_case.h"

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

RUN_TESTS(NULL, NULL)
