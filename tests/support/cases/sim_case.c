/* A context of the simulator for each test. */
#include "sim_case.h"

#include <stdlib.h>

static void nothing_lives(void) {
    static const char *const kinds[] = {"memory", "host", "modules", "streams", "events", "graphs", "contexts"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (jrsim_live(kinds[i]) != 0) print_message("alive: %s\n", kinds[i]);
        assert_int_equal(jrsim_live(kinds[i]), 0);
    }
}

int sim_open(void **state) {
    sim_case *sim = calloc(1, sizeof *sim);
    assert_non_null(sim);
    good(jrsim_fail(NULL));
    good(cuInit(0));
    nothing_lives();
    good(cuCtxCreate_v2(&sim->context, 0, 0));
    good(cuModuleLoadData(&sim->module, sim_ptx));
    *state = sim;
    return 0;
}

int sim_close(void **state) {
    sim_case *sim = *state;
    good(jrsim_fail(NULL));
    if (sim->module) good(cuModuleUnload(sim->module));
    if (sim->context) {
        static const char *const kinds[] = {"memory", "host", "modules", "streams", "events", "graphs"};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) assert_int_equal(jrsim_live(kinds[i]), 0);
        good(cuCtxDestroy_v2(sim->context));
    }
    nothing_lives();
    free(sim);
    return 0;
}

jr_cu_function sim_function(const sim_case *sim, const char *name) {
    jr_cu_function function = NULL;
    good(cuModuleGetFunction(&function, sim->module, name));
    return function;
}

int sim_launch(jr_cu_function function, jr_cu_stream stream, jr_cu_deviceptr pointer) {
    void *parameters[] = {&pointer};
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

int sim_fill(const sim_case *sim, jr_cu_stream stream, jr_cu_deviceptr target, unsigned count, unsigned value) {
    void *parameters[] = {&target, &count, &value};
    unsigned blocks = (count + 255) / 256;
    return cuLaunchKernel(sim_function(sim, "fill"), blocks, 1, 1, 256, 1, 1, 0, stream, parameters, NULL);
}

jr_cu_deviceptr sim_alloc(size_t bytes) {
    jr_cu_deviceptr address = 0;
    good(cuMemAlloc_v2(&address, bytes));
    return address;
}

unsigned sim_read(jr_cu_deviceptr address) {
    unsigned value = 0;
    good(cuMemcpyDtoH_v2(&value, address, sizeof value));
    return value;
}

void sim_hold(const sim_case *sim, sim_busy *busy, jr_cu_stream stream) {
    void *words = NULL;
    good(cuMemHostAlloc(&words, 8, JR_CU_HOST_DEVICE_MAP));
    busy->words = words;
    busy->stream = stream;
    busy->words[0] = busy->words[1] = 0;
    jr_cu_deviceptr flag = (uintptr_t)words, out = flag + 4;
    void *parameters[] = {&flag, &out};
    good(cuLaunchKernel(sim_function(sim, "spin"), 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

void sim_let_go(sim_busy *busy) {
    __atomic_store_n(&busy->words[0], 1, __ATOMIC_RELEASE);
    good(cuStreamSynchronize(busy->stream));
    assert_int_equal(busy->words[1], 1);
    good(cuMemFreeHost((void *)(uintptr_t)busy->words));
}

/* PTX for the tests of the simulator's driver, as nvcc 13.0 compiles it from the kernels described at each entry.
 */

const char sim_ptx[] = ".version 9.0\n"
                       ".target sm_90\n"
                       ".address_size 64\n"
                       ".global .align 4 .u32 counter = 7;\n"
                       ".const .align 4 .b8 limits[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};\n"
                       /* fill(p, n, value): p[0 .. n) = value */
                       ".visible .entry fill(\n"
                       ".param .u64 fill_param_0,\n"
                       ".param .u32 fill_param_1,\n"
                       ".param .u32 fill_param_2\n"
                       ")\n"
                       "{\n"
                       ".reg .pred  %p<2>;\n"
                       ".reg .b32  %r<7>;\n"
                       ".reg .b64  %rd<5>;\n"
                       "ld.param.u64  %rd1, [fill_param_0];\n"
                       "ld.param.u32  %r3, [fill_param_1];\n"
                       "ld.param.u32  %r2, [fill_param_2];\n"
                       "mov.u32  %r4, %ctaid.x;\n"
                       "mov.u32  %r5, %ntid.x;\n"
                       "mov.u32  %r6, %tid.x;\n"
                       "mad.lo.s32  %r1, %r4, %r5, %r6;\n"
                       "setp.ge.u32  %p1, %r1, %r3;\n"
                       "@%p1 bra  $L__BB0_2;\n"
                       "cvta.to.global.u64  %rd2, %rd1;\n"
                       "mul.wide.u32  %rd3, %r1, 4;\n"
                       "add.s64  %rd4, %rd2, %rd3;\n"
                       "st.global.u32  [%rd4], %r2;\n"
                       "$L__BB0_2:\n"
                       "ret;\n"
                       "}\n"
                       /* poke(p): *p = 1, by every thread */
                       ".visible .entry poke(\n"
                       ".param .u64 poke_param_0\n"
                       ")\n"
                       "{\n"
                       ".reg .b32  %r<2>;\n"
                       ".reg .b64  %rd<3>;\n"
                       "ld.param.u64  %rd1, [poke_param_0];\n"
                       "cvta.to.global.u64  %rd2, %rd1;\n"
                       "mov.u32  %r1, 1;\n"
                       "st.global.u32  [%rd2], %r1;\n"
                       "ret;\n"
                       "}\n"
                       /* spin(flag, out): waits until *flag is not zero, then *out = 1 */
                       ".visible .entry spin(\n"
                       ".param .u64 spin_param_0,\n"
                       ".param .u64 spin_param_1\n"
                       ")\n"
                       "{\n"
                       ".reg .pred  %p<2>;\n"
                       ".reg .b32  %r<3>;\n"
                       ".reg .b64  %rd<5>;\n"
                       "ld.param.u64  %rd3, [spin_param_0];\n"
                       "ld.param.u64  %rd4, [spin_param_1];\n"
                       "cvta.to.global.u64  %rd1, %rd4;\n"
                       "cvta.to.global.u64  %rd2, %rd3;\n"
                       "$L__BB2_1:\n"
                       "ld.volatile.global.u32  %r1, [%rd2];\n"
                       "setp.eq.s32  %p1, %r1, 0;\n"
                       "@%p1 bra  $L__BB2_1;\n"
                       "mov.u32  %r2, 1;\n"
                       "st.global.u32  [%rd1], %r2;\n"
                       "ret;\n"
                       "}\n"
                       /* count(out): out = {counter, limits[3]}, then counter + 1 */
                       ".visible .entry count(\n"
                       ".param .u64 count_param_0\n"
                       ")\n"
                       "{\n"
                       ".reg .b32  %r<5>;\n"
                       ".reg .b64  %rd<3>;\n"
                       "ld.param.u64  %rd1, [count_param_0];\n"
                       "cvta.to.global.u64  %rd2, %rd1;\n"
                       "ld.global.u32  %r1, [counter];\n"
                       "st.global.u32  [%rd2], %r1;\n"
                       "ld.const.u32  %r2, [limits+12];\n"
                       "st.global.u32  [%rd2+4], %r2;\n"
                       "ld.global.u32  %r3, [counter];\n"
                       "add.s32  %r4, %r3, 1;\n"
                       "st.global.u32  [counter], %r4;\n"
                       "ret;\n"
                       "}\n"
                       /* nothing() */
                       ".visible .entry nothing()\n"
                       "{\n"
                       "ret;\n"
                       "}\n"
                       /* bounded(out): launch bound of 128 threads, 1024 bytes of shared memory; out[i] = 127 - i */
                       ".visible .entry bounded(\n"
                       ".param .u64 bounded_param_0\n"
                       ")\n"
                       ".maxntid 128, 1, 1\n"
                       "{\n"
                       ".reg .b32  %r<10>;\n"
                       ".reg .b64  %rd<5>;\n"
                       ".shared .align 4 .b8 _ZZ7boundedE4cell[1024];\n"
                       "ld.param.u64  %rd1, [bounded_param_0];\n"
                       "cvta.to.global.u64  %rd2, %rd1;\n"
                       "mov.u32  %r1, %tid.x;\n"
                       "shl.b32  %r2, %r1, 2;\n"
                       "mov.u32  %r3, _ZZ7boundedE4cell;\n"
                       "add.s32  %r4, %r3, %r2;\n"
                       "st.shared.u32  [%r4], %r1;\n"
                       "bar.sync  0;\n"
                       "mov.u32  %r5, 127;\n"
                       "sub.s32  %r6, %r5, %r1;\n"
                       "shl.b32  %r7, %r6, 2;\n"
                       "add.s32  %r8, %r3, %r7;\n"
                       "ld.shared.u32  %r9, [%r8];\n"
                       "mul.wide.u32  %rd3, %r1, 4;\n"
                       "add.s64  %rd4, %rd2, %rd3;\n"
                       "st.global.u32  [%rd4], %r9;\n"
                       "ret;\n"
                       "}\n"
                       /* hand_on(flag, out): spin, and *out = 1 is a volatile store */
                       ".visible .entry hand_on(\n"
                       ".param .u64 hand_on_param_0,\n"
                       ".param .u64 hand_on_param_1\n"
                       ")\n"
                       "{\n"
                       ".reg .pred  %p<2>;\n"
                       ".reg .b32  %r<3>;\n"
                       ".reg .b64  %rd<5>;\n"
                       "ld.param.u64  %rd3, [hand_on_param_0];\n"
                       "ld.param.u64  %rd4, [hand_on_param_1];\n"
                       "cvta.to.global.u64  %rd1, %rd4;\n"
                       "cvta.to.global.u64  %rd2, %rd3;\n"
                       "$L__BB6_1:\n"
                       "ld.volatile.global.u32  %r1, [%rd2];\n"
                       "setp.eq.s32  %p1, %r1, 0;\n"
                       "@%p1 bra  $L__BB6_1;\n"
                       "mov.u32  %r2, 1;\n"
                       "st.volatile.global.u32  [%rd1], %r2;\n"
                       "ret;\n"
                       "}\n";
