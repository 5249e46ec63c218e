/* The doctor (context.h): looks at every component as jr_context_open would, and tells what it found. */
#include "jitreduce/context.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "device/request.h"
#include "guard.h"
#include "image/cache.h"
#include "loader/driver.h"
#include "loader/nvrtc.h"
#include "size.h"
#include "tune/advice.h"
#include "tune/wisdom_file.h"

/* Who is told. */
typedef struct doctor_visit {
    const jr_options *options;
    jr_finding_callback callback;
    void *user;
    bool out_of_memory;
    jr_device_info device; /* the one that would be used; its name is "": none */
    char nvrtc_build[64];  /* "": none */
} doctor_visit;

static void tell(const doctor_visit *doctor, const jr_finding *finding) {
    doctor->callback(doctor->user, finding);
}

static void tell_list(doctor_visit *doctor, const char *component, const jr_candidates *list) {
    doctor->out_of_memory = doctor->out_of_memory || list->failed;
    for (size_t i = 0; i < list->count; i++) {
        const jr_candidate *item = &list->items[i];
        const jr_finding finding = {
            sizeof finding, component,    item->origin,
            item->path,     item->chosen, item->detail != NULL ? item->detail : "not needed: an earlier one was taken"};
        tell(doctor, &finding);
    }
    if (list->count == 0) {
        const jr_finding finding = {
            sizeof finding, component, "search", "", 0, "no candidate: nothing of this kind is installed"};
        tell(doctor, &finding);
    }
}

/* Keeps the device that a context would be opened on; the simulator's where a GPU is wanted, but there is none. */
static void keep_device(doctor_visit *doctor, const jr_device_info *info) {
    jr_request request;
    if (jr_request_parse(doctor->options->device, &request) != JR_OK || doctor->device.name[0] != '\0') return;
    const int wanted = request.ordinal >= 0 ? request.ordinal : 0;
    if (info->simulated ? request.simulated || request.ordinal < 0 : !request.simulated && info->ordinal == wanted)
        doctor->device = *info;
}

static void look_at_device(doctor_visit *doctor, const jr_driver *driver, int ordinal) {
    char detail[192], path[32];
    jr_cu_device device = 0;
    jr_device_info info = {.ordinal = ordinal, .simulated = driver->simulated};
    driver->cuDeviceGet(&device, ordinal);
    driver->cuDeviceGetName(info.name, (int)sizeof info.name, device);
    driver->cuDeviceGetAttribute(&info.capability_major, JR_CU_DEVICE_CAPABILITY_MAJOR, device);
    driver->cuDeviceGetAttribute(&info.capability_minor, JR_CU_DEVICE_CAPABILITY_MINOR, device);
    driver->cuDeviceGetAttribute(&info.multiprocessor_count, JR_CU_DEVICE_MULTIPROCESSOR_COUNT, device);
    driver->cuDriverGetVersion(&info.driver_version);
    snprintf(detail, sizeof detail, "%s, compute capability %d.%d, %d multiprocessors", info.name,
             info.capability_major, info.capability_minor, info.multiprocessor_count);
    snprintf(path, sizeof path, driver->simulated ? "sim" : "cuda:%d", ordinal);
    const jr_finding finding = {sizeof finding, "device", driver->simulated ? "simulator" : "driver", path, 1, detail};
    tell(doctor, &finding);
    keep_device(doctor, &info);
}

static void look_at_devices(doctor_visit *doctor, const jr_driver *driver) {
    int count = 0, version = 0;
    char detail[192];
    const char *origin = driver->simulated ? "simulator" : "driver", *name = "an unknown error", *text = "";
    jr_cu_result result = driver->cuInit(0);
    if (result == JR_CUDA_SUCCESS) result = driver->cuDeviceGetCount(&count);
    if (result != JR_CUDA_SUCCESS || count == 0) {
        driver->cuGetErrorName(result, &name);
        driver->cuGetErrorString(result, &text);
        snprintf(detail, sizeof detail, "no usable device: %s: %s", name, text);
        const jr_finding finding = {sizeof finding, "device", origin, driver->path, 0, detail};
        tell(doctor, &finding);
        return;
    }
    driver->cuDriverGetVersion(&version);
    snprintf(detail, sizeof detail, "supports CUDA %d.%d", version / 1000, version % 1000 / 10);
    const jr_finding finding = {sizeof finding, driver->simulated ? "simulator" : "driver", "version", driver->path, 1,
                                detail};
    tell(doctor, &finding);
    for (int i = 0; i < count; i++) look_at_device(doctor, driver, i);
}

static void look_at_driver(doctor_visit *doctor, bool simulated) {
    const jr_driver_request request = {simulated ? doctor->options->simulator : doctor->options->driver, simulated};
    jr_candidates findings = {0};
    jr_driver driver;
    const jr_status status = jr_driver_open(&request, &findings, &driver);
    tell_list(doctor, simulated ? "simulator" : "driver", &findings);
    if (status == JR_OK) {
        look_at_devices(doctor, &driver);
        jr_driver_close(&driver);
    }
    jr_candidates_free(&findings);
}

static void look_at_builtins(const doctor_visit *doctor, const char *nvrtc_path) {
    char path[JR_PATH_BYTES];
    const bool found = jr_nvrtc_builtins_find(nvrtc_path, path);
    const jr_finding finding = {sizeof finding,
                                "builtins",
                                "beside NVRTC",
                                found ? path : nvrtc_path,
                                found,
                                found ? "preloaded with NVRTC"
                                      : "libnvrtc-builtins is not beside this NVRTC: unless the linker finds "
                                        "one elsewhere, the first compile fails"};
    tell(doctor, &finding);
}

static void look_at_nvrtc(doctor_visit *doctor) {
    jr_candidates findings = {0};
    char path[JR_PATH_BYTES];
    jr_nvrtc nvrtc;
    jr_status status = jr_nvrtc_locate(doctor->options->nvrtc, &findings, path);
    tell_list(doctor, "nvrtc", &findings);
    jr_candidates_free(&findings);
    if (status != JR_OK) return;
    status = jr_nvrtc_open(path, &nvrtc);
    char detail[512];
    if (status == JR_OK) {
        snprintf(detail, sizeof detail, "version %d.%d, build %s, %d architectures from sm_%d to sm_%d", nvrtc.major,
                 nvrtc.minor, nvrtc.build, nvrtc.architecture_count, nvrtc.architectures[0],
                 nvrtc.architectures[nvrtc.architecture_count > 0 ? nvrtc.architecture_count - 1 : 0]);
        snprintf(doctor->nvrtc_build, sizeof doctor->nvrtc_build, "%s", nvrtc.build);
        jr_nvrtc_close(&nvrtc);
    } else {
        snprintf(detail, sizeof detail, "it does not open: %s", jr_last_error()->message);
    }
    const jr_finding finding = {sizeof finding, "nvrtc", "version", path, status == JR_OK, detail};
    tell(doctor, &finding);
    if (status == JR_OK) look_at_builtins(doctor, path);
}

static void look_at_cache(const doctor_visit *doctor) {
    jr_place place;
    jr_cache_place_of(doctor->options->cache_dir, &place);
    bool on = place.path[0] != '\0' && place.reason[0] == '\0';
    const char *detail = on ? "disk cache folder" : place.reason;
    struct stat there;
    if (on && lstat(place.path, &there) == 0 && jr_folder_check(place.path) != JR_OK) {
        on = false;
        detail = jr_last_error()->message;
    }
    const jr_finding finding = {sizeof finding, "cache", place.origin, place.path, on, detail};
    tell(doctor, &finding);
}

static void look_at_wisdom(const doctor_visit *doctor) {
    char detail[1200];
    jr_place place;
    jr_machine machine;
    jr_advice_state state;
    const bool known = doctor->device.name[0] != '\0' && doctor->nvrtc_build[0] != '\0';
    if (known) jr_machine_make(&doctor->device, doctor->nvrtc_build, &machine);
    jr_wisdom_place_of(doctor->options->wisdom, &place);
    jr_advice_look_at(&place, known ? &machine : NULL, &state);
    if (state.refused[0] != '\0' || place.path[0] == '\0')
        snprintf(detail, sizeof detail, "%s", place.path[0] == '\0' ? place.reason : state.refused);
    else if (!state.found)
        snprintf(detail, sizeof detail, "nothing is stored there yet; jitreduce tune does that");
    else
        snprintf(detail, sizeof detail, "stored tunings: %llu of this machine, %llu of the like, %llu of others",
                 (unsigned long long)state.here, (unsigned long long)state.elsewhere, (unsigned long long)state.other);
    const jr_finding finding = {sizeof finding, "wisdom", place.origin, place.path, state.here + state.elsewhere > 0,
                                detail};
    tell(doctor, &finding);
}

jr_status jr_doctor(const jr_options *options, jr_finding_callback callback, void *user) {
    JR_GUARD_CALL;
    jr_options own = {0};
    if (callback == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "callback is NULL");
    const jr_status status = options != NULL ? jr_size_read(&jr_options_sized, options, &own) : JR_OK;
    if (status != JR_OK) return status;
    doctor_visit doctor = {.options = &own, .callback = callback, .user = user};
    jr_error_saved *saved = jr_error_save(); /* what is missing is a finding, not a failure */
    look_at_driver(&doctor, false);
    look_at_driver(&doctor, true);
    look_at_nvrtc(&doctor);
    look_at_cache(&doctor);
    look_at_wisdom(&doctor);
    jr_error_restore(saved);
    return doctor.out_of_memory ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the list of candidates") : JR_OK;
}
