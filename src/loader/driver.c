/* Opens the driver or the simulator, and turns driver errors into ours. */
#include "driver.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "open_library.h"

static const jr_symbol_row rows[] = {
#define DRIVER_ROW(need, name, parameters) JR_SYMBOL_ROW(need, jr_driver, name),
    JR_DRIVER_FUNCTIONS(DRIVER_ROW)
#undef DRIVER_ROW
};

/* What the two kinds of library are called in messages. */
typedef struct driver_kind {
    const char *noun, *advice;
    jr_status not_found;
    jr_setting setting;
} driver_kind;

static const driver_kind kinds[] = {
    {"CUDA driver", "install the NVIDIA driver, or " JR_USE_SIMULATOR, JR_ERROR_DRIVER_NOT_FOUND, JR_SETTING_DRIVER},
    {"PTX simulator", "install libjrsim.so next to libjitreduce or the jitreduce command", JR_ERROR_SIMULATOR_NOT_FOUND,
     JR_SETTING_SIMULATOR},
};

/* The toolkit's stub exports every function and fails each with error 34. It lies in a folder called stubs. */
static bool is_stub(const char *path) {
    char resolved[PATH_MAX];
    return strstr(realpath(path, resolved) ? resolved : path, "/stubs/") != NULL;
}

static const char stub_reason[] = "not a driver, but the CUDA toolkit's stub library";

/* Flags for dlopen. A real driver stays mapped until the process ends: its threads and thread-exit handlers may
 * outlive our last use of it. */
static int open_flags(bool simulated) {
    return RTLD_NOW | RTLD_LOCAL | (simulated ? 0 : RTLD_NODELETE);
}

/* Tries one candidate. On failure *driver is as before and the reason is written. */
static jr_status try_open(const char *wanted, bool simulated, jr_driver *driver, char *reason, size_t reason_bytes) {
    const driver_kind *kind = &kinds[simulated];
    if (!simulated && strchr(wanted, '/') && is_stub(wanted)) {
        snprintf(reason, reason_bytes, "%s", stub_reason);
        return kind->not_found;
    }
    jr_driver opened = {.simulated = simulated};
    opened.library = jr_library_open(wanted, open_flags(simulated), opened.path, reason, reason_bytes);
    if (!opened.library) return kind->not_found;
    jr_status status = JR_OK;
    const char *missing = jr_library_fill(opened.library, rows, sizeof rows / sizeof *rows, &opened);
    if (!simulated && is_stub(opened.path)) {
        snprintf(reason, reason_bytes, "%s (%.400s)", stub_reason, opened.path);
        status = kind->not_found;
    } else if (missing) {
        snprintf(reason, reason_bytes, "it lacks the function %s", missing);
        status = JR_ERROR_MISSING_FUNCTION;
    }
    if (status)
        dlclose(opened.library);
    else
        *driver = opened;
    return status;
}

/* Records why no candidate could be used. `reported`: the candidate whose error is reported (the requested one, or one
 * that loaded but lacks a function); NULL: the error lists all candidates. */
static void fail_open(jr_status status, const jr_candidates *list, const jr_candidate *reported,
                      const driver_kind *kind) {
    char *log = jr_candidates_text(list);
    const char *detail = reported && reported->detail ? reported->detail : "no reason is known";
    if (list->failed)
        jr_fail(status, "no memory to search for the %s", kind->noun);
    else if (reported)
        jr_fail_with(status, NULL, log, "the %s %s (%s) cannot be used: %s; correct its path, or %s", kind->noun,
                     reported->path, reported->origin, detail, kind->advice);
    else
        jr_fail_with(status, NULL, log, "no %s was found in %zu places: %s, or name its path in %s", kind->noun,
                     list->count, kind->advice, jr_setting_variable(kind->setting));
    free(log);
}

/* Tries the candidates from `start` on; `wished`: there is one only, which somebody asked for. */
static jr_status open_first(jr_candidates *list, size_t start, bool simulated, bool wished, jr_driver *driver) {
    jr_status status = kinds[simulated].not_found;
    const jr_candidate *reported = wished && list->count > start ? &list->items[start] : NULL;
    for (size_t i = start; i < list->count; i++) {
        char reason[512] = "";
        jr_driver opened;
        jr_status one = try_open(list->items[i].path, simulated, &opened, reason, sizeof reason);
        jr_candidates_explain(list, i, !one, "%s", one ? reason : opened.path);
        if (!one) {
            *driver = opened;
            return JR_OK;
        }
        if (one == JR_ERROR_MISSING_FUNCTION && status != one) {
            status = one; /* its error says more than those of files that do not exist */
            reported = &list->items[i];
        }
    }
    jr_candidates ours = {list->count > start ? list->items + start : NULL, list->count - start, 0, list->failed};
    if (list->failed) status = JR_ERROR_OUT_OF_MEMORY;
    fail_open(status, &ours, reported, &kinds[simulated]);
    return status;
}

jr_status jr_driver_open(const jr_places *places, const char *path, bool simulated, jr_candidates *findings,
                         jr_driver *driver) {
    jr_candidates own = {0};
    jr_candidates *list = findings ? findings : &own;
    const size_t start = list->count;
    jr_places of_process;
    if (!places) jr_places_of_process(&of_process);
    const bool wished = (simulated ? jr_places_simulator : jr_places_driver)(places ? places : &of_process, path, list);
    const jr_status status = open_first(list, start, simulated, wished, driver);
    jr_candidates_free(&own);
    return status;
}

void jr_driver_close(jr_driver *driver) {
    if (driver->library) dlclose(driver->library);
    *driver = (jr_driver){0};
}

/* ---- errors ---- */

typedef struct result_row {
    jr_cu_result number;
    const char *name, *text;
} result_row;

static const result_row *result_find(jr_cu_result result) {
    static const result_row rows_of_results[] = {
#define RESULT_ROW(name, number, text) {number, #name, text},
        JR_CU_RESULTS(RESULT_ROW)
#undef RESULT_ROW
    };
    static const result_row unknown = {0, "CUDA_ERROR_UNKNOWN", "an error without a description"};
    for (size_t i = 0; i < sizeof rows_of_results / sizeof *rows_of_results; i++)
        if (rows_of_results[i].number == result) return &rows_of_results[i];
    return &unknown;
}

/* Asks the driver first: it knows errors that are newer than our list. */
static const char *described(jr_cu_result (*ask)(jr_cu_result error, const char **text), jr_cu_result result,
                             const char *otherwise) {
    const char *text = NULL;
    return ask && ask(result, &text) == JR_CUDA_SUCCESS && text ? text : otherwise;
}

static jr_status status_of(jr_cu_result result) {
    switch (result) {
    case JR_CUDA_ERROR_OUT_OF_MEMORY: return JR_ERROR_DEVICE_OUT_OF_MEMORY;
    case JR_CUDA_ERROR_STUB_LIBRARY: return JR_ERROR_DRIVER_NOT_FOUND;
    case JR_CUDA_ERROR_NO_DEVICE:
    case JR_CUDA_ERROR_INVALID_DEVICE: return JR_ERROR_NO_DEVICE;
    case JR_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: return JR_ERROR_LAUNCH_RESOURCES;
    case JR_CUDA_ERROR_INVALID_PTX: return JR_ERROR_LOAD;
    case JR_CUDA_ERROR_ILLEGAL_ADDRESS:
    case JR_CUDA_ERROR_LAUNCH_TIMEOUT:
    case JR_CUDA_ERROR_ASSERT:
    case JR_CUDA_ERROR_HARDWARE_STACK_ERROR:
    case JR_CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case JR_CUDA_ERROR_MISALIGNED_ADDRESS:
    case JR_CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case JR_CUDA_ERROR_INVALID_PC:
    case JR_CUDA_ERROR_LAUNCH_FAILED: return JR_ERROR_DEVICE_FAULT;
    default: return JR_ERROR_DRIVER;
    }
}

bool jr_driver_lost(jr_cu_result result) {
    return status_of(result) == JR_ERROR_DEVICE_FAULT;
}

/* A GPU's driver refuses all further work of a process, even where the context was given back (measured on an H100,
 * driver 580); the simulator makes a new one. */
#define LOST    "; the CUDA context is lost"
#define FIND    "; the simulator (device \"sim\") or compute-sanitizer names the kernel and the access"
#define RESTART ". This process cannot use the device any more: start a new one"
#define REOPEN  ": close all contexts of this device in the process, then open a new one"

/* What a person can do about it, "" where the driver's own text says all. */
static const char *advice_for(jr_cu_result result, bool simulated) {
    switch (result) {
    case JR_CUDA_ERROR_STUB_LIBRARY:
        return "; this is the CUDA toolkit's stub, not a driver: install the NVIDIA driver, or " JR_USE_SIMULATOR;
    case JR_CUDA_ERROR_NOT_INITIALIZED:
        return "; a forked process cannot use its parent's device: fork before the device is used, or "
               "start a new process (in Python by multiprocessing's \"spawn\")";
    case JR_CUDA_ERROR_NO_DEVICE: return "; " JR_USE_SIMULATOR " to run without a GPU";
    default: break;
    }
    if (!jr_driver_lost(result)) return "";
    return simulated ? LOST REOPEN : LOST FIND RESTART;
}

jr_status jr_driver_check(const jr_driver *driver, jr_cu_result result, const char *action, ...) {
    char doing[512];
    va_list arguments;
    if (result == JR_CUDA_SUCCESS) return JR_OK;
    va_start(arguments, action);
    vsnprintf(doing, sizeof doing, action, arguments);
    va_end(arguments);
    const char *name = described(driver->cuGetErrorName, result, result_find(result)->name);
    const char *text = described(driver->cuGetErrorString, result, result_find(result)->text);
    return jr_fail_with(status_of(result), name, NULL, "%s: %s (%d: %s)%s", doing, name, result, text,
                        advice_for(result, driver->simulated));
}

void jr_driver_leave(const jr_driver *driver, jr_cu_context context) {
    jr_cu_context popped, current = NULL;
    if (driver->cuCtxPopCurrent_v2(&popped) == JR_CUDA_SUCCESS) return;
    if (driver->cuCtxGetCurrent(&current) == JR_CUDA_SUCCESS && current != context) return;
    if (driver->cuCtxSetCurrent(NULL) != JR_CUDA_SUCCESS)
        jr_log(JR_LOG_WARNING, "the calling thread stays in CUDA context %p: the driver does not let it leave",
               (void *)context);
}
