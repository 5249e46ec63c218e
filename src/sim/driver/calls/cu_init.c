/* Initialisation and the devices: cuInit, cuDriverGetVersion, cuDevice*. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/driver/error_text.h"
#include "sim/driver/fail.h"
#include "sim/driver/sim_call.h"

/* A library with a running thread must not be unmapped: keeps it until the process ends, whatever dlclose says. Where
 * the simulator is linked into a program there is no library to keep, and the call just fails. */
static void keep_loaded(void) {
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)&jrsim_version, &info) || !info.dli_fname) return;
    void *self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    if (self) dlclose(self);
}

/* False when a setting is wrong; cuGetErrorString names it to the calling thread. */
static bool configure(jrs_driver *driver) {
    char why[JRS_WHY_BYTES];
    if (jrs_fail_configure(why) && jrs_device_configure(&driver->options, why) && jrs_log_open(&driver->log, why) &&
        jrs_rounds_open(&driver->rounds, why))
        return true;
    jrs_thread_self()->setting_text = jrs_error_text_keep(JR_CUDA_ERROR_INVALID_VALUE, why);
    return false;
}

/* Those that have begun stay for the next try. */
static bool start_devices(jrs_driver *driver) {
    for (unsigned k = 0; k < driver->options.devices; k++) {
        jrs_queue **queue = &driver->devices[k].queue;
        if (!*queue) *queue = jrs_queue_create(&driver->activity.progress);
        if (!*queue) return false;
    }
    return true;
}

static int initialise(jrs_driver *driver) {
    if (driver->state == JRS_DRIVER_READY)
        return driver->process == getpid() ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_NOT_INITIALIZED;
    if (!configure(driver)) return JR_CUDA_ERROR_INVALID_VALUE;
    keep_loaded();
    driver->memory = jrs_memory_create(driver->options.memory_bytes);
    const bool watches = driver->options.devices > 1 && driver->options.judge != JRS_JUDGE_OFF;
    if (watches && !driver->watch) driver->watch = jrs_watch_create(driver->options.devices);
    if (!driver->memory || !start_devices(driver) || (watches && !driver->watch)) {
        jrs_memory_destroy(driver->memory);
        driver->memory = NULL;
        return JR_CUDA_ERROR_OUT_OF_MEMORY;
    }
    driver->process = getpid();
    atomic_store(&driver->state, JRS_DRIVER_READY);
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuInit(unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_NOTHING)) return call.error;
    jrs_thread_self()->setting_text = NULL;
    return jrs_leave(&call, flags ? JR_CUDA_ERROR_INVALID_VALUE : initialise(call.driver));
}

jr_cu_result cuDriverGetVersion(int *version) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_NOTHING)) return call.error;
    if (version) *version = JRS_DRIVER_VERSION;
    return jrs_leave(&call, version ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuDeviceGetCount(int *count) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (count) *count = (int)call.driver->options.devices;
    return jrs_leave(&call, count ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuDeviceGet(jr_cu_device *device, int ordinal) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!device) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!jrs_has_device(call.driver, ordinal)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_DEVICE);
    *device = ordinal;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* The frame of every question about a device. */
static bool enter_device(jrs_call *call, const char *name, const void *out, jr_cu_device device) {
    if (!jrs_enter(call, name, JRS_NEED_INIT)) return false;
    if (out && jrs_has_device(call->driver, device)) return true;
    call->error = jrs_leave(call, out ? JR_CUDA_ERROR_INVALID_DEVICE : JR_CUDA_ERROR_INVALID_VALUE);
    return false;
}

jr_cu_result cuDeviceGetName(char *name, int bytes, jr_cu_device device) {
    jrs_call call;
    if (!enter_device(&call, __func__, name, device)) return call.error;
    if (bytes <= 0) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    snprintf(name, (size_t)bytes, "%s", JRS_DEVICE_NAME);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuDeviceGetAttribute(int *value, int attribute, jr_cu_device device) {
    jrs_call call;
    if (!enter_device(&call, __func__, value, device)) return call.error;
    bool known = jrs_device_attribute(attribute, value);
    return jrs_leave(&call, known ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuDeviceTotalMem_v2(size_t *bytes, jr_cu_device device) {
    jrs_call call;
    if (!enter_device(&call, __func__, bytes, device)) return call.error;
    *bytes = call.driver->options.memory_bytes;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuDeviceGetUuid_v2(jr_cu_uuid *uuid, jr_cu_device device) {
    char bytes[sizeof uuid->bytes + 16];
    jrs_call call;
    if (!enter_device(&call, __func__, uuid, device)) return call.error;
    snprintf(bytes, sizeof bytes, "jitreduce-sim-%02d", device);
    memcpy(uuid->bytes, bytes, sizeof uuid->bytes);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}
