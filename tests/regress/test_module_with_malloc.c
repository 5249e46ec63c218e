/* One kernel that allocates made the simulator call its whole module invalid, so that its neighbours could not be run
 * either. */
#include <stdio.h>

#include "support/cases/machine_case.h"

#define MODULE                                                                                                         \
    PTX ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"                 \
        ".extern .func (.param .b64 r) __cuda_syscall_aligned_malloc (.param .b64 a, .param .b64 b);\n"                \
        ".visible .entry %s(.param .u64 words) { .reg .b64 %%d<4>; .param .b64 a; .param .b64 b; .param .b64 r;\n"     \
        " ld.param.u64 %%d1, [words]; st.param.b64 [a], 8; st.param.b64 [b], 64; call (r), malloc, (a);\n"             \
        " ld.param.b64 %%d2, [r]; st.u64 [%%d2], %%d1; call (r), __cuda_syscall_aligned_malloc, (a, b);\n"             \
        " ld.param.b64 %%d3, [r]; st.u64 [%%d3], %%d2; st.param.b64 [a], %%d2; call free, (a);\n"                      \
        " st.param.b64 [a], %%d3; call free, (a); st.global.u32 [%%d1], 7; ret; }\n"                                   \
        ".visible .entry %s(.param .u64 words) { .reg .b64 %%d; ld.param.u64 %%d, [words]; st.global.u32 [%%d], 5;"    \
        " ret; }\n"

/* Runs the kernel that is called k. */
static uint32_t run(const char *allocates, const char *plain) {
    static char ptx[4096];
    static machine_case test;
    snprintf(ptx, sizeof ptx, MODULE, allocates, plain);
    test = (machine_case){.ptx = ptx, .heap_bytes = 4096, .block = 1};
    machine_good(&test);
    assert_int_equal(test.leaks, 0);
    return test.words[0];
}

TEST(both_kernels_run) {
    assert_int_equal(run("other", "k"), 5);
    assert_int_equal(run("k", "other"), 7);
}

/* As a GPU's linker does: what nobody defines, and the system does not have, is a fault of the module. */
TEST(a_function_that_nobody_has_is_a_fault_of_the_module) {
    machine_refuses(PTX ".extern .func nobody;\n.visible .entry k(.param .u64 words) { call nobody; ret; }\n",
                    "line 5 'call nobody': the function 'nobody' is not defined");
}

RUN_TESTS(NULL, NULL)
