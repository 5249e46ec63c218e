/* The doctor (context.h) checks every component as jr_context_open would, and reports what it found. */
#include "jitreduce/context.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "device/device.h"
#include "guard.h"
#include "image/cache.h"
#include "image/packs.h"
#include "loader/nvrtc.h"
#include "size.h"
#include "wisdom/advice.h"
#include "wisdom/wisdom_file.h"

/* The caller's callback, and what the doctor has found so far. */
typedef struct doctor_visit {
    const jr_options *options;
    jr_finding_callback callback;
    void *user;
    bool out_of_memory;
    jr_device_info device; /* the one that would be used; its name is "": none */
    char nvrtc_build[64];  /* "": none */
} doctor_visit;

static void tell(const doctor_visit *doctor, const char *component, const char *origin, const char *path, bool chosen,
                 const char *detail) {
    const jr_finding finding = {sizeof finding, component, origin, path, chosen, detail};
    doctor->callback(doctor->user, &finding);
}

static void tell_list(doctor_visit *doctor, const char *component, const jr_candidates *list) {
    doctor->out_of_memory = doctor->out_of_memory || list->failed;
    for (size_t i = 0; i < list->count; i++) {
        const jr_candidate *item = &list->items[i];
        tell(doctor, component, item->origin, item->path, item->chosen,
             item->detail != NULL ? item->detail : "not needed: an earlier candidate is used");
    }
    if (list->count == 0) tell(doctor, component, "search", "", false, "no candidate was found");
}

/* Keeps the device on which a context would be opened; the simulator's also if the caller wants a GPU and no GPU is
 * found. */
static void keep_device(doctor_visit *doctor, const jr_device_info *info) {
    bool simulated;
    int ordinal;
    if (jr_device_parse(doctor->options->device, &simulated, &ordinal) != JR_OK || doctor->device.name[0] != '\0')
        return;
    const int wanted = ordinal >= 0 ? ordinal : 0;
    const bool fallback = info->simulated && !simulated && ordinal < 0;
    if (fallback || (info->simulated == simulated && info->ordinal == wanted)) doctor->device = *info;
}

/* The name by which jr_options.device asks for it. */
static void name_device(const jr_driver *driver, int ordinal, int count, char *name, size_t bytes) {
    if (driver->simulated && count == 1)
        snprintf(name, bytes, "sim");
    else
        snprintf(name, bytes, "%s%d", driver->simulated ? "sim#" : "cuda:", ordinal);
}

static void check_device(doctor_visit *doctor, const jr_driver *driver, int ordinal, int count) {
    char detail[192], path[32];
    jr_cu_device device = 0;
    jr_device_info info;
    driver->cuDeviceGet(&device, ordinal);
    jr_device_describe(driver, device, &info);
    snprintf(detail, sizeof detail, "%s, compute capability %d.%d, %d multiprocessors", info.name,
             info.capability_major, info.capability_minor, info.multiprocessor_count);
    name_device(driver, ordinal, count, path, sizeof path);
    tell(doctor, "device", driver->simulated ? "simulator" : "driver", path, true, detail);
    keep_device(doctor, &info);
}

static void check_devices(doctor_visit *doctor, const jr_driver *driver) {
    int count = 0, version = 0;
    char detail[192];
    const char *origin = driver->simulated ? "simulator" : "driver", *name = "an unknown error", *text = "";
    jr_cu_result result = driver->cuInit(0);
    if (result == JR_CUDA_SUCCESS) result = driver->cuDeviceGetCount(&count);
    if (result != JR_CUDA_SUCCESS || count == 0) {
        driver->cuGetErrorName(result, &name);
        driver->cuGetErrorString(result, &text);
        snprintf(detail, sizeof detail, "no usable device: %s: %s", name, text);
        tell(doctor, "device", origin, driver->path, false, detail);
        return;
    }
    driver->cuDriverGetVersion(&version);
    snprintf(detail, sizeof detail, "supports CUDA %d.%d", version / 1000, version % 1000 / 10);
    tell(doctor, origin, "version", driver->path, true, detail);
    for (int i = 0; i < count; i++) check_device(doctor, driver, i, count);
}

static void check_driver(doctor_visit *doctor, bool simulated) {
    const char *path = simulated ? doctor->options->simulator : doctor->options->driver;
    jr_candidates findings = {0};
    jr_driver driver;
    const jr_status status = jr_driver_open(NULL, path, simulated, &findings, &driver);
    tell_list(doctor, simulated ? "simulator" : "driver", &findings);
    if (status == JR_OK) {
        check_devices(doctor, &driver);
        jr_driver_close(&driver);
    }
    jr_candidates_free(&findings);
}

static void check_open_nvrtc(doctor_visit *doctor, const jr_nvrtc *nvrtc) {
    char detail[512], builtins[JR_PATH_BYTES];
    const bool found = jr_nvrtc_builtins_find(nvrtc->about.path, nvrtc->about.major, nvrtc->about.minor, builtins);
    snprintf(detail, sizeof detail, "version %d.%d, build %s, %d architectures from sm_%d to sm_%d", nvrtc->about.major,
             nvrtc->about.minor, nvrtc->about.build, nvrtc->about.architecture_count, nvrtc->about.architectures[0],
             nvrtc->about.architectures[nvrtc->about.architecture_count - 1]);
    tell(doctor, "nvrtc", "version", nvrtc->about.path, true, detail);
    const bool missing = nvrtc->builtins_missing[0] != '\0';
    tell(doctor, "builtins", "next to NVRTC", found ? builtins : nvrtc->about.path, found && !missing,
         missing ? nvrtc->builtins_missing
         : found
             ? "preloaded with NVRTC"
             : "libnvrtc-builtins is not next to this NVRTC: unless the linker finds one elsewhere, the first compile "
               "fails");
    snprintf(doctor->nvrtc_build, sizeof doctor->nvrtc_build, "%s", nvrtc->about.build);
}

static void check_nvrtc(doctor_visit *doctor) {
    jr_candidates findings = {0};
    char path[JR_PATH_BYTES], detail[512];
    jr_nvrtc nvrtc;
    const jr_status status = jr_nvrtc_locate(NULL, doctor->options->nvrtc, &findings, path);
    tell_list(doctor, "nvrtc", &findings);
    jr_candidates_free(&findings);
    if (status != JR_OK) return;
    if (jr_nvrtc_open(path, &nvrtc) == JR_OK) {
        check_open_nvrtc(doctor, &nvrtc);
        jr_nvrtc_close(&nvrtc);
    } else {
        snprintf(detail, sizeof detail, "it cannot be opened: %s", jr_last_error()->message);
        tell(doctor, "nvrtc", "version", path, false, detail);
    }
}

static void check_cache(const doctor_visit *doctor) {
    jr_place place;
    jr_cache_place_of(doctor->options->cache_dir, &place);
    bool on = place.path[0] != '\0' && place.reason[0] == '\0';
    const char *detail = on ? "disk cache folder" : place.reason;
    struct stat there;
    if (on && lstat(place.path, &there) == 0 && jr_folder_check(place.path) != JR_OK) {
        on = false;
        detail = jr_last_error()->message;
    }
    tell(doctor, "cache", place.origin, place.path, on, detail);
}

static void check_packs(doctor_visit *doctor) {
    jr_candidates findings = {0};
    jr_packs_inspect(doctor->options->packs, doctor->device.capability_major * 10 + doctor->device.capability_minor,
                     &findings);
    if (findings.count > 0 || findings.failed) tell_list(doctor, "pack", &findings);
    jr_candidates_free(&findings);
}

static void check_wisdom(const doctor_visit *doctor) {
    char detail[1200];
    jr_place place;
    jr_machine machine;
    jr_advice_state state;
    const bool known = doctor->device.name[0] != '\0' && doctor->nvrtc_build[0] != '\0';
    if (known) jr_machine_make(&doctor->device, doctor->nvrtc_build, &machine);
    jr_wisdom_place_of(doctor->options->wisdom, &place);
    jr_advice_inspect_at(&place, known ? &machine : NULL, &state);
    if (state.refused[0] != '\0' || place.path[0] == '\0')
        snprintf(detail, sizeof detail, "%s", place.path[0] == '\0' ? place.reason : state.refused);
    else if (!state.found)
        snprintf(detail, sizeof detail, "nothing is stored there yet; run jitreduce tune");
    else
        snprintf(detail, sizeof detail, "stored tunings: %llu of this machine, %llu of similar ones, %llu of others",
                 (unsigned long long)state.here, (unsigned long long)state.elsewhere, (unsigned long long)state.other);
    tell(doctor, "wisdom", place.origin, place.path, state.here + state.elsewhere > 0, detail);
}

/* What is missing is a finding, not a failure. */
static void check_all(doctor_visit *doctor) {
    JR_KEEP_ERROR;
    check_driver(doctor, false);
    check_driver(doctor, true);
    check_nvrtc(doctor);
    check_cache(doctor);
    check_packs(doctor);
    check_wisdom(doctor);
}

jr_status jr_doctor(const jr_options *options, jr_finding_callback callback, void *user) {
    JR_GUARD_CALL;
    jr_options own = {0};
    if (callback == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "callback is NULL");
    if (options != NULL) JR_TRY(jr_size_read(&jr_options_sized, options, &own));
    doctor_visit doctor = {.options = &own, .callback = callback, .user = user};
    check_all(&doctor);
    return doctor.out_of_memory ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the list of candidates") : JR_OK;
}
