/* A machine that knows the kernels of sim_ptx.c by name and acts them out: for the driver half's tests while the real
 * executing half is not linked. The linker takes it from its archive only then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loader/cuda_abi.h"
#include "sim/machine.h"

static const struct {
    const char *name;
    size_t count, sizes[3];
    int max_threads, shared;
} known[] = {{"fill", 3, {8, 4, 4}, 1024, 0}, {"poke", 1, {8}, 1024, 0},    {"spin", 2, {8, 8}, 1024, 0},
             {"count", 1, {8}, 1024, 0},      {"nothing", 0, {0}, 1024, 0}, {"bounded", 1, {8}, 128, 1024}};
enum { KNOWN = sizeof known / sizeof *known };

struct jrs_function {
    jrs_module *module;
    size_t index;
};
struct jrs_module {
    jrs_function functions[KNOWN];
    jrs_global globals[2];
};

jrs_module *jrs_module_parse(const char *ptx, size_t length, jrs_report *report) {
    static const unsigned counter = 7, limits[4] = {1, 2, 3, 4};
    if (memmem(ptx, length, "nonsense", 8)) {
        report->error = JR_CUDA_ERROR_INVALID_PTX;
        snprintf(report->message, sizeof report->message, "line 5: nonsense");
        return NULL;
    }
    jrs_module *module = calloc(1, sizeof *module);
    for (size_t i = 0; module && i < KNOWN; i++) module->functions[i] = (jrs_function){module, i};
    if (!module) return NULL;
    module->globals[0] = (jrs_global){"counter", 4, 4, false, &counter, 0};
    module->globals[1] = (jrs_global){"limits", 16, 4, true, limits, 0};
    return module;
}

void jrs_module_destroy(jrs_module *module) {
    free(module);
}

size_t jrs_module_global_count(const jrs_module *module) {
    return module ? 2 : 0;
}

const jrs_global *jrs_module_global(const jrs_module *module, size_t index) {
    return &module->globals[index];
}

void jrs_module_place(jrs_module *module, size_t index, uint64_t address) {
    module->globals[index].address = address;
}

bool jrs_module_link(jrs_module *module, jrs_report *report) {
    (void)report;
    for (size_t i = 0; i < 2; i++)
        memcpy((void *)(uintptr_t)module->globals[i].address, module->globals[i].initial, module->globals[i].bytes);
    return true;
}

jrs_function *jrs_module_function(const jrs_module *module, const char *name) {
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return (jrs_function *)(uintptr_t)&module->functions[i];
    return NULL;
}

void jrs_function_describe(const jrs_function *function, jrs_function_info *info) {
    size_t i = function->index;
    *info = (jrs_function_info){.name = known[i].name,
                                .registers = 8,
                                .shared_bytes = known[i].shared,
                                .max_threads = known[i].max_threads,
                                .ptx_version = 90,
                                .target = 90,
                                .parameter_count = known[i].count};
}

static size_t offset_of(size_t kernel, size_t index) {
    size_t offset = 0;
    for (size_t i = 0; i < index; i++) offset += known[kernel].sizes[i];
    return offset;
}

bool jrs_function_parameter(const jrs_function *function, size_t index, size_t *offset, size_t *bytes) {
    if (index >= known[function->index].count) return false;
    *offset = offset_of(function->index, index);
    *bytes = known[function->index].sizes[index];
    return true;
}

size_t jrs_function_parameter_bytes(const jrs_function *function) {
    return offset_of(function->index, known[function->index].count);
}

static bool store(const jrs_launch *launch, uint64_t address, unsigned value, jrs_report *report) {
    jrs_range range = {0};
    if (jrs_memory_find(launch->memory, address, &range) && !range.freed && address + 4 <= range.end) {
        __atomic_store_n((unsigned *)(uintptr_t)address, value, __ATOMIC_RELAXED);
        return true;
    }
    report->error = JR_CUDA_ERROR_ILLEGAL_ADDRESS;
    snprintf(report->message, sizeof report->message, "%s: kernel %s, PTX line 1",
             range.freed ? "use after free" : "out of bounds", known[launch->function->index].name);
    return false;
}

static bool spin(const jrs_launch *launch, uint64_t flag, uint64_t out, jrs_report *report) {
    for (uint64_t step = 0; !__atomic_load_n((unsigned *)(uintptr_t)flag, __ATOMIC_ACQUIRE); step++) {
        if (launch->step_limit && step > launch->step_limit) {
            report->error = JR_CUDA_ERROR_LAUNCH_TIMEOUT;
            snprintf(report->message, sizeof report->message, "no progress: kernel spin, PTX line 1");
            return false;
        }
        nanosleep(&(struct timespec){0, 1000}, NULL);
    }
    return store(launch, out, 1, report);
}

bool jrs_execute(const jrs_launch *launch, jrs_report *report) {
    uint64_t words[3] = {0};
    const unsigned char *bytes = launch->parameters;
    size_t kernel = launch->function->index;
    const jrs_global *globals = launch->function->module->globals;
    for (size_t i = 0; i < known[kernel].count; i++)
        memcpy(&words[i], bytes + offset_of(kernel, i), known[kernel].sizes[i]);
    switch (kernel) {
    case 0:
        for (uint64_t i = 0; i < words[1]; i++)
            if (!store(launch, words[0] + 4 * i, (unsigned)words[2], report)) return false;
        return true;
    case 1: return store(launch, words[0], 1, report);
    case 2: return spin(launch, words[0], words[1], report);
    case 3:
        return store(launch, words[0], *(unsigned *)(uintptr_t)globals[0].address, report) &&
               store(launch, words[0] + 4, ((unsigned *)(uintptr_t)globals[1].address)[3], report) &&
               store(launch, globals[0].address, *(unsigned *)(uintptr_t)globals[0].address + 1, report);
    case 5:
        for (unsigned i = 0; i < 128; i++)
            if (!store(launch, words[0] + 4 * i, 127 - i, report)) return false;
        return true;
    default: return true;
    }
}
