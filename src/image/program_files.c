/* Finds a program's folders and headers. */
#include "program_files.h"

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "bundled_headers.h"
#include "loader/toolkit.h"
#include "manifest.h"
#include "program/sources.h"

/* Where the setting says, or where toolkits are. */
static bool take_toolkit(jr_compiler *compiler, const char *cache_folder, const char *nvrtc_path, jr_toolkit *toolkit) {
    const char *folder = jr_setting_get(JR_SETTING_TOOLKIT);
    jr_places places;
    if (folder != NULL) return folder[0] != '\0' && jr_toolkit_take(folder, toolkit);
    jr_places_of_process(&places);
    return jr_toolkit_named(&places, nvrtc_path, toolkit) || jr_bundled_headers_take(compiler, cache_folder, toolkit) ||
           jr_toolkit_known(&places, toolkit);
}

/* Finds the toolkit's headers. */
static jr_status find_toolkit(jr_compiler *compiler, const char *cache_folder, const jr_program *program,
                              jr_toolkit *toolkit) {
    const jr_nvrtc_about *record = NULL;
    const jr_status status = jr_compiler_describe(compiler, &record);
    if (status != JR_OK) return status;
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
    if (read_all || !jr_manifest_read(cache_folder, text, &folders, headers)) {
        status = jr_headers_find(text, &folders, headers);
        if (status == JR_OK) {
            jr_log(JR_LOG_DEBUG, "read %zu headers of %s", (*headers)->count, text->program->name);
            jr_manifest_write(cache_folder, text, &folders, *headers);
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
