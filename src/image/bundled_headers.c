/* Has NVRTC write out the headers that it carries. */
#include "bundled_headers.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/log.h"

/* The folder of an NVRTC's headers. */
static bool folder_of(const jr_nvrtc_about *record, const char *cache_folder, char path[JR_PATH_BYTES]) {
    char hex[JR_DIGEST_HEX_BYTES], name[64];
    SHA256Data((const uint8_t *)record->build, strlen(record->build), hex);
    snprintf(name, sizeof name, "headers-%d.%d-%.16s", record->major, record->minor, hex);
    return jr_path_join(path, cache_folder, name);
}

/* Is one of its own folders there, whole? NVRTC writes the marker last. */
static bool is_whole(const char *path, jr_toolkit *toolkit) {
    char marker[JR_PATH_BYTES];
    jr_error_saved *saved = jr_error_save();
    const bool whole = jr_path_join(marker, path, ".nvrtc_headers_version") && jr_file_exists(marker) &&
                       !jr_folder_check(path) && jr_toolkit_take(path, toolkit);
    jr_error_restore(saved);
    return whole;
}

static bool install(const jr_nvrtc *nvrtc, const char *path) {
    const char *reason = NULL;
    if (nvrtc->nvrtcInstallBundledHeaders == NULL) return false;
    jr_error_saved *saved = jr_error_save();
    const bool private = !jr_folder_make_private(path);
    jr_error_restore(saved);
    if (private && nvrtc->nvrtcInstallBundledHeaders(path, 0, &reason) == JR_NVRTC_SUCCESS) return true;
    jr_log(JR_LOG_WARNING, "NVRTC's own headers cannot be written to %s: %s", path, reason != NULL ? reason : "");
    return false;
}

bool jr_bundled_headers_take(jr_compiler *compiler, const char *cache_folder, jr_toolkit *toolkit) {
    const jr_nvrtc_about *record = NULL;
    const jr_nvrtc *nvrtc = NULL;
    char path[JR_PATH_BYTES];
    jr_error_saved *saved = jr_error_save();
    bool taken = false;
    if (*cache_folder != '\0' && jr_compiler_describe(compiler, &record) == JR_OK &&
        (record->major > 13 || (record->major == 13 && record->minor >= 3)) && folder_of(record, cache_folder, path)) {
        taken = is_whole(path, toolkit);
        if (!taken && jr_compiler_acquire(compiler, &nvrtc) == JR_OK) {
            taken = install(nvrtc, path) && is_whole(path, toolkit);
            jr_compiler_release(compiler);
        }
    }
    jr_error_restore(saved);
    return taken;
}
