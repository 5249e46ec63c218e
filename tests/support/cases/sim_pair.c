/* Contexts of two simulated devices for each test. */
#include "sim_pair.h"

#include <stdlib.h>
#include <time.h>

int sim_four_devices(void **state) {
    (void)state;
    return setenv("JRSIM_DEVICES", "4", 1);
}

int sim_pair_open(void **state) {
    sim_pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    good(jrsim_fail(NULL));
    good(cuInit(0));
    for (int k = 0; k < 2; k++) {
        good(cuCtxCreate_v2(&pair->on[k].context, 0, k));
        good(cuModuleLoadData(&pair->on[k].module, sim_ptx));
        good(cuStreamCreate(&pair->streams[k], JR_CU_STREAM_NON_BLOCKING));
        good(cuCtxPopCurrent_v2(NULL));
    }
    good(cuCtxPushCurrent_v2(pair->on[0].context));
    *state = pair;
    return 0;
}

void sim_use(const sim_pair *pair, int which) {
    good(cuCtxSetCurrent(pair->on[which].context));
}

jr_cu_deviceptr sim_alloc_on(const sim_pair *pair, int which, size_t bytes) {
    sim_use(pair, which);
    const jr_cu_deviceptr address = sim_alloc(bytes);
    good(cuMemsetD8_v2(address, 0, bytes));
    good(cuCtxSynchronize());
    sim_use(pair, 0);
    return address;
}

void sim_abandon(sim_pair *pair, int which) {
    good(cuCtxDestroy_v2(pair->on[which].context));
    pair->on[which] = (sim_case){0};
}

void sim_permit(const sim_pair *pair, int which, int whose) {
    good(cuCtxPushCurrent_v2(pair->on[which].context));
    good(cuCtxEnablePeerAccess(pair->on[whose].context, 0));
    good(cuCtxPopCurrent_v2(NULL));
}

int sim_pair_close(void **state) {
    static const char *const kinds[] = {"memory", "host", "modules", "streams", "events", "graphs", "contexts"};
    sim_pair *pair = *state;
    good(jrsim_fail(NULL));
    for (int k = 0; k < 2; k++) {
        if (!pair->on[k].context) continue;
        sim_use(pair, k);
        good(cuStreamDestroy_v2(pair->streams[k]));
        good(cuModuleUnload(pair->on[k].module));
    }
    for (size_t i = 0; i + 1 < sizeof kinds / sizeof *kinds; i++) assert_int_equal(jrsim_live(kinds[i]), 0);
    for (int k = 0; k < 2; k++)
        if (pair->on[k].context) good(cuCtxDestroy_v2(pair->on[k].context));
    assert_int_equal(jrsim_live("contexts"), 0);
    good(cuCtxSetCurrent(NULL));
    free(pair);
    return 0;
}

void sim_sleep_ms(long ms) {
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}
