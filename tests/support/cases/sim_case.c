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
