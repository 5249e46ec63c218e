/* Links by cuLinkCreate, cuLinkAddData and cuLinkComplete. They are not in the table of the driver's functions, since
 * most programs never link. Source: CUDA Driver API, "Module Management", CUjitInputType. */
#include "link_driver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/architecture.h"
#include "loader/open_library.h"

typedef struct CUlinkState_st *link_state;

#define LINK_FUNCTIONS(XX)                                                                                             \
    XX(cuLinkCreate_v2, (unsigned count, int *options, void **values, link_state *state))                              \
    XX(cuLinkAddData_v2, (link_state state, int kind, void *data, size_t bytes, const char *name, unsigned count,      \
                          int *options, void **values))                                                                \
    XX(cuLinkComplete, (link_state state, void **cubin, size_t *bytes))                                                \
    XX(cuLinkDestroy, (link_state state))

typedef struct functions {
#define LINK_FIELD(name, parameters) jr_cu_result(*name) parameters;
    LINK_FUNCTIONS(LINK_FIELD)
#undef LINK_FIELD
} functions;

static const jr_symbol_row rows[] = {
#define LINK_ROW(name, parameters) JR_SYMBOL_ROW(REQUIRED, functions, name),
    LINK_FUNCTIONS(LINK_ROW)
#undef LINK_ROW
};

static bool fill(const jr_device *device, functions *table) {
    return jr_library_fill(device->driver.library, rows, sizeof rows / sizeof rows[0], table) == NULL;
}

bool jr_link_driver_has(const jr_device *device) {
    functions table;
    return fill(device, &table);
}

/* The context is current. */
static jr_cu_result add_and_complete(const functions *driver, link_state state, const jr_link_part *parts, size_t count,
                                     const jr_link_part **blamed) {
    static const int kinds[] = {[JR_LINK_PTX] = 1,    [JR_LINK_CUBIN] = 0,  [JR_LINK_LTO] = 5,
                                [JR_LINK_FATBIN] = 2, [JR_LINK_OBJECT] = 3, [JR_LINK_LIBRARY] = 4};
    jr_cu_result result = JR_CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == JR_CUDA_SUCCESS; i++) {
        const bool text = parts[i].kind == JR_LINK_PTX;
        char *copy = text ? strndup(parts[i].data, parts[i].bytes) : NULL; /* PTX is given with its NUL */
        if (text && copy == NULL) return JR_CUDA_ERROR_OUT_OF_MEMORY;
        void *data = text ? copy : (void *)(uintptr_t)parts[i].data;
        result = driver->cuLinkAddData_v2(state, kinds[parts[i].kind], data, parts[i].bytes + text, parts[i].name, 0,
                                          NULL, NULL);
        free(copy);
        if (result != JR_CUDA_SUCCESS) *blamed = &parts[i];
    }
    return result;
}

static jr_status check(const jr_device *device, const jr_link_part *parts, size_t count, const char *architecture) {
    const jr_device_info *info = &device->info;
    if (jr_architecture_number(architecture) != info->capability_major * 10 + info->capability_minor)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "the driver links for the device's sm_%d%d alone; nvJitLink links for %s: `pip install "
                       "nvidia-nvjitlink`",
                       info->capability_major, info->capability_minor, architecture);
    for (size_t i = 0; i < count; i++)
        if (parts[i].kind == JR_LINK_LTO)
            return jr_fail(JR_ERROR_NOT_APPLICABLE,
                           "%s is LTO-IR, which nvJitLink links and the driver does not: `pip install "
                           "nvidia-nvjitlink`",
                           parts[i].name);
    return JR_OK;
}

/* The log is empty, or the driver has no memory: then no part is to blame. */
static jr_status explain(const jr_device *device, jr_cu_result result, const jr_link_part *parts, size_t count,
                         const jr_link_part *blamed, const char *log) {
    if (result == JR_CUDA_ERROR_OUT_OF_MEMORY || (log[0] == '\0' && blamed == NULL))
        return jr_driver_check(&device->driver, result, "linking");
    return jr_link_fail(parts, count, blamed, log);
}

jr_status jr_link_by_driver(const jr_device *device, const jr_link_part *parts, size_t count, const char *architecture,
                            jr_linked *linked) {
    enum { LOG_BYTES = 16384 };
    functions driver;
    link_state state = NULL;
    const jr_link_part *blamed = NULL;
    void *cubin = NULL;
    size_t bytes = 0;
    if (!fill(device, &driver)) return jr_fail(JR_ERROR_NOT_APPLICABLE, "the driver has no linker");
    JR_TRY(check(device, parts, count, architecture));
    JR_IN_DEVICE(device);
    char *log = calloc(LOG_BYTES, 1);
    if (log == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the linker's log");
    int options[] = {JR_CU_JIT_ERROR_LOG_BUFFER, JR_CU_JIT_ERROR_LOG_BUFFER_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
    jr_cu_result result = driver.cuLinkCreate_v2(2, options, values, &state);
    if (result == JR_CUDA_SUCCESS) result = add_and_complete(&driver, state, parts, count, &blamed);
    if (result == JR_CUDA_SUCCESS) result = driver.cuLinkComplete(state, &cubin, &bytes);
    jr_status status = JR_OK;
    if (result != JR_CUDA_SUCCESS) {
        status = explain(device, result, parts, count, blamed, log);
    } else {
        *linked = (jr_linked){jr_bytes_copy(cubin, bytes), bytes};
        if (linked->cubin == NULL) status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the linked machine code");
    }
    if (state != NULL) driver.cuLinkDestroy(state);
    free(log);
    return status;
}
