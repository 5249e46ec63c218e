/* What the simulator logs: notes on what is allowed but suspicious, and the trace of a warp (JRSIM_LOG,
 * JRSIM_TRACE). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cases/sim_case.h"

static const char ptx[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry traced(.param .u64 out)\n{\n .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %d<3>;\n"
    " ld.param.u64 %d1, [out];\n"
    " mov.u32 %r1, %tid.x;\n"
    " and.b32 %r2, %r1, 1;\n"
    " setp.eq.u32 %p1, %r2, 1;\n"
    " @%p1 add.u32 %r2, %r1, 100;\n"
    " mov.u32 %r3, 7;\n"
    " ret;\n}\n"
    ".visible .entry twice(.param .u64 out)\n{\n .shared .align 4 .b8 s[4]; .reg .b32 %r<3>;\n"
    " mov.u32 %r1, 5;\n"
    " st.shared.u32 [s], %r1;\n"
    " ret;\n}\n";

static char path[] = "/tmp/jrsim_log_XXXXXX";

static char *log_text(void) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(truncate(path, 0), 0);
    return text;
}

static unsigned count_of(const char *text, const char *words) {
    unsigned count = 0;
    for (; (text = strstr(text, words)) != NULL; text++) count++;
    return count;
}

/* grid blocks of two warps */
static void launch(const char *name, unsigned grid) {
    jr_cu_module module;
    jr_cu_function function;
    jr_cu_deviceptr nothing = 0;
    void *arguments[] = {&nothing};
    good(cuModuleLoadData(&module, ptx));
    good(cuModuleGetFunction(&function, module, name));
    good(cuLaunchKernel(function, grid, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
    good(cuCtxSynchronize());
    good(cuModuleUnload(module));
}

TEST(a_trace_tells_each_instruction_of_one_warp) {
    launch("traced", 3);
    const char *text = log_text();
    assert_int_equal(count_of(text, "\n"), 7);
    assert_int_equal(count_of(text, "jrsim: traced:2:1 lanes "), 7);
    assert_non_null(strstr(text, "lanes 0xffffffff line 8 mov.u32 %r1, %tid.x; %r1=[0x20 0x21 0x22 "));
    assert_non_null(strstr(text, "line 10 setp.eq.u32 %p1, %r2, 1; "));
    assert_non_null(strstr(text, " %p1=0xaaaaaaaa"));
    assert_non_null(strstr(text, "lanes 0xaaaaaaaa line 11 @%p1 add.u32 %r2, %r1, 100; "));
    assert_non_null(strstr(text, " %r2=[0x85 0x87 "));
    assert_non_null(strstr(text, "line 12 mov.u32 %r3, 7; %r3=0x7\n"));
}

TEST(a_note_on_an_instruction_is_told_once) {
    launch("twice", 3);
    launch("twice", 1);
    const char *text = log_text();
    assert_int_equal(count_of(text, "\n"), 1);
    assert_non_null(strstr(text, "jrsim: one value written twice to shared memory: kernel twice, PTX line 19"));
}

int main(void) {
    int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    setenv("JRSIM_TRACE", "traced:2:1", 1);
    setenv("JRSIM_LOG", path, 1);
    int failed = check_run(sim_open, sim_close);
    unlink(path);
    return failed;
}
