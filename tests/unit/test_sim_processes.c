/* Two programs at once, each with simulated devices of its own: they do not know of each other, but for memory that
 * they share and register. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases/sim_case.h"

enum { PROGRAMS = 2, WORDS = 20000 };

/* In memory that both programs have. */
typedef struct meeting {
    unsigned come[PROGRAMS]; /* flags: a kernel of the other program sets them */
    unsigned gone[PROGRAMS];
} meeting;

/* spin(flag, out): waits until *flag is not zero, then *out = 1. */
static int spin(jr_cu_module module, const unsigned *flag, const unsigned *out) {
    jr_cu_function function;
    jr_cu_deviceptr addresses[] = {(uintptr_t)flag, (uintptr_t)out};
    void *parameters[] = {&addresses[0], &addresses[1]};
    int error = cuModuleGetFunction(&function, module, "spin");
    return error ? error : cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
}

/* Makes the context of a device current and loads what is needed. */
static int open_device(int device, jr_cu_context *context, jr_cu_module *module) {
    int error = cuCtxCreate_v2(context, 0, device);
    return error ? error : cuModuleLoadData(module, sim_ptx);
}

/* A value of its own through the memory of both devices, and back. */
static int go_round(const jr_cu_context contexts[2], const jr_cu_module modules[2], unsigned value) {
    static unsigned seen[WORDS];
    jr_cu_deviceptr blocks[2];
    for (int k = 0; k < 2; k++)
        if (cuCtxSetCurrent(contexts[k]) || cuMemAlloc_v2(&blocks[k], sizeof seen)) return 1;
    const sim_case last = {contexts[1], modules[1]};
    if (sim_fill(&last, NULL, blocks[1], WORDS, value)) return 2;
    if (cuMemcpyPeer(blocks[0], contexts[0], blocks[1], contexts[1], sizeof seen)) return 3;
    if (cuMemcpyDtoH_v2(seen, blocks[0], sizeof seen)) return 4;
    for (unsigned i = 0; i < WORDS; i++)
        if (seen[i] != value) return 5;
    return cuMemFree_v2(blocks[0]) || cuMemFree_v2(blocks[1]) ? 6 : 0;
}

/* One of the programs. Its kernels wait for those of the other one: so both really run at once. */
static int program(int which, meeting *shared) {
    jr_cu_context contexts[2];
    jr_cu_module modules[2];
    unsigned own = 1;
    if (cuInit(0)) return 10;
    for (int k = 0; k < 2; k++)
        if (open_device(k, &contexts[k], &modules[k])) return 11;
    if (cuMemHostRegister_v2(shared, sizeof *shared, 0) || cuMemHostRegister_v2(&own, sizeof own, 0)) return 12;
    if (spin(modules[1], &own, &shared->come[!which])) return 13;                /* it says that it has come */
    if (spin(modules[1], &shared->come[which], &shared->gone[which])) return 14; /* waits for the other one */
    if (cuCtxSynchronize() || !shared->gone[which]) return 15;
    for (unsigned round = 0; round < 20; round++) {
        const int error = go_round(contexts, modules, 1000 * (unsigned)which + round);
        if (error) return error;
    }
    return 0;
}

TEST(two_programs_run_at_once) {
    meeting *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[PROGRAMS];
    assert_true(shared != MAP_FAILED);
    setenv("JRSIM_DEVICES", "2", 1);
    for (int k = 0; k < PROGRAMS; k++) {
        children[k] = fork(); /* before any cuInit: nothing is shared but the meeting */
        assert_true(children[k] >= 0);
        if (children[k] == 0) _exit(program(k, shared));
    }
    for (int k = 0; k < PROGRAMS; k++) {
        int status = -1;
        assert_int_equal(waitpid(children[k], &status, 0), children[k]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    munmap(shared, sizeof *shared);
}

RUN_TESTS(NULL, NULL)
