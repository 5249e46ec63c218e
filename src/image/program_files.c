/* Finds a program's folders and headers. */
#include "program_files.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "loader/toolkit.h"
#include "manifest.h"
#include "pch/pch_headers.h"
#include "program/sources.h"

/* ---- the headers that NVRTC carries itself, from 13.3 on ---- */

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

/* Has NVRTC write its headers into a folder of the disk cache, once for each build of it, and takes that folder. False:
 * it has none, there is no disk cache, or it fails (which is logged). */
static bool take_bundled(jr_compiler *compiler, const char *cache_folder, jr_toolkit *toolkit) {
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

/* ---- the toolkit's headers ---- */

/* Where the setting says, or where toolkits are. */
static bool take_toolkit(jr_compiler *compiler, const char *cache_folder, const char *nvrtc_path, jr_toolkit *toolkit) {
    const char *folder = jr_setting_get(JR_SETTING_TOOLKIT);
    jr_places places;
    if (folder != NULL) return folder[0] != '\0' && jr_toolkit_take(folder, toolkit);
    jr_places_of_process(&places);
    return jr_toolkit_named(&places, nvrtc_path, toolkit) || take_bundled(compiler, cache_folder, toolkit) ||
           jr_toolkit_known(&places, toolkit);
}

/* Finds the toolkit's headers. */
static jr_status find_toolkit(jr_compiler *compiler, const char *cache_folder, const jr_program *program,
                              jr_toolkit *toolkit) {
    const jr_nvrtc_about *record = NULL;
    JR_TRY(jr_compiler_describe(compiler, &record));
    if (take_toolkit(compiler, cache_folder, record->path, toolkit)) {
        jr_log(JR_LOG_DEBUG, "CUDA's headers: %s", toolkit->paths[0]);
        return JR_OK;
    }
    jr_log(JR_LOG_WARNING,
           "program %s asks for the CUDA toolkit's headers, but cuda_fp16.h was not found next to NVRTC %s",
           program->name, record->path);
    toolkit->count = 0;
    return JR_OK;
}

static jr_status list_folders(jr_compiler *compiler, const char *cache_folder, const jr_program *program,
                              jr_folders *folders) {
    jr_toolkit toolkit = {.count = 0};
    char *further[JR_TOOLKIT_FOLDERS_MAX];
    if (program->toolkit_headers) {
        const jr_status status = find_toolkit(compiler, cache_folder, program, &toolkit);
        if (status != JR_OK) return status;
    }
    for (size_t i = 0; i < toolkit.count; i++) further[i] = toolkit.paths[i];
    return jr_folders_list(program, further, toolkit.count, folders);
}

jr_status jr_program_files_find(jr_compiler *compiler, const char *cache_folder, const jr_program_text *text,
                                bool read_all, jr_headers **headers) {
    jr_folders folders;
    jr_status status = list_folders(compiler, cache_folder, text->program, &folders);
    if (status != JR_OK) return status;
    const bool lacks_toolkit = text->program->toolkit_headers != 0 && folders.count == folders.own_count;
    const bool listed = !read_all && jr_manifest_read(cache_folder, text, &folders, headers);
    if (!listed && jr_pch_headers_read(cache_folder, text, &folders, headers)) {
        jr_manifest_write(cache_folder, text, &folders, *headers);
    } else if (!listed) {
        status = jr_headers_find(text, &folders, headers);
        if (status == JR_OK) {
            jr_log(JR_LOG_DEBUG, "read %zu headers of %s", (*headers)->count, text->program->name);
            jr_manifest_write(cache_folder, text, &folders, *headers);
            jr_pch_headers_write(cache_folder, text, &folders, *headers);
        }
    }
    jr_folders_free(&folders);
    if (status == JR_OK) (*headers)->lacks_toolkit = lacks_toolkit;
    return status;
}

jr_status jr_program_files_none(const jr_program_text *text, jr_headers **headers) {
    const jr_folders none = {.count = 0};
    if (jr_sources_digest(text->program->source) != NULL) return JR_OK;
    return jr_headers_find(text, &none, headers);
}
