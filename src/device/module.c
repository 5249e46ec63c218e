/* Loads images: the ladder from cubin to PTX. */
#include "module.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { JIT_LOG_BYTES = 8192 };

/* Results that say "this form is not for this driver or device", so that the next form is worth a try. */
static bool is_refusal(jr_cu_result result) {
    return result == JR_CUDA_ERROR_INVALID_IMAGE || result == JR_CUDA_ERROR_NO_BINARY_FOR_GPU ||
           result == JR_CUDA_ERROR_UNSUPPORTED_PTX_VERSION || result == JR_CUDA_ERROR_INVALID_PTX;
}

static const char *name_of(const jr_driver *driver, jr_cu_result result) {
    const char *name = NULL;
    return driver->cuGetErrorName(result, &name) == JR_CUDA_SUCCESS && name != NULL ? name : "an unknown error";
}

/* Loads PTX with the JIT's error log in *log (malloc'd, may be NULL). */
static jr_cu_result load_ptx(const jr_driver *driver, const char *ptx, jr_cu_module *handle, char **log) {
    *log = calloc(JIT_LOG_BYTES, 1);
    if (*log == NULL) return driver->cuModuleLoadData(handle, ptx);
    int options[] = {JR_CU_JIT_ERROR_LOG_BUFFER, JR_CU_JIT_ERROR_LOG_BUFFER_BYTES};
    void *values[] = {*log, (void *)(uintptr_t)(JIT_LOG_BYTES - 1)};
    return driver->cuModuleLoadDataEx(handle, ptx, 2, options, values);
}

static jr_status fail_load(const jr_driver *driver, const jr_image *image, jr_cu_result cubin, jr_cu_result ptx,
                           const char *log) {
    const char *cubin_name = image->cubin_bytes > 0 ? name_of(driver, cubin) : "not there";
    const char *ptx_name = image->ptx_bytes > 0 ? name_of(driver, ptx) : "not there";
    const int line_bytes = log != NULL ? (int)strcspn(log, "\n") : 0;
    return jr_fail_with(JR_ERROR_LOAD, name_of(driver, ptx), log,
                        "the driver does not load the image of %s for %s: cubin: %s; PTX: %s%s%.*s", image->entry,
                        image->architecture, cubin_name, ptx_name, line_bytes > 0 ? ": " : "", line_bytes,
                        line_bytes > 0 ? log : "");
}

jr_status jr_module_load(const jr_device *device, const jr_image *image, jr_module *module) {
    const jr_driver *driver = &device->driver;
    jr_module made = {0};
    jr_cu_result cubin = JR_CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (image->cubin_bytes > 0) cubin = driver->cuModuleLoadData(&made.handle, image->cubin);
    jr_cu_result result = cubin;
    if (is_refusal(cubin)) {
        char *log = NULL;
        if (image->ptx_bytes > 0) result = load_ptx(driver, image->ptx, &made.handle, &log);
        if (is_refusal(result)) {
            const jr_status status = fail_load(driver, image, cubin, result, log);
            free(log);
            return status;
        }
        free(log);
    }
    if (result != JR_CUDA_SUCCESS) return jr_driver_check(driver, result, "loading the module of %s", image->entry);
    *module = made;
    return JR_OK;
}

jr_status jr_module_find(const jr_device *device, const char *entry, jr_module *module) {
    const jr_cu_result result = device->driver.cuModuleGetFunction(&module->function, module->handle, entry);
    return jr_driver_check(&device->driver, result, "finding the kernel %s in its module", entry);
}

void jr_module_unload(const jr_device *device, jr_module *module) {
    if (module->handle != NULL) device->driver.cuModuleUnload(module->handle);
    *module = (jr_module){0};
}
