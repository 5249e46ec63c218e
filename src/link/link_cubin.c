/* Drives nvJitLink, or chooses the driver's linker. */
#include "link_cubin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "link_driver.h"
#include "loader/nvjitlink.h"

jr_status jr_linker_find(const char *nvrtc_path, const jr_device *device, jr_linker *linker) {
    jr_file_identity file = {0};
    *linker = (jr_linker){.device = device != NULL && !device->info.simulated ? device : NULL};
    if (jr_nvjitlink_locate(nvrtc_path, linker->path)) {
        if (!jr_file_identify(linker->path, &file))
            return jr_fail(JR_ERROR_NOT_APPLICABLE, "nvJitLink %s cannot be opened: %s; name another one in %s",
                           linker->path, strerror(errno), jr_setting_variable(JR_SETTING_NVJITLINK));
        snprintf(linker->identity, sizeof linker->identity, "nvJitLink %s %llu %lld", linker->path,
                 (unsigned long long)file.bytes, (long long)file.modified_ns);
        return JR_OK;
    }
    if (linker->device != NULL && jr_link_driver_has(linker->device)) {
        snprintf(linker->identity, sizeof linker->identity, "driver %d", linker->device->info.driver_version);
        return JR_OK;
    }
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "no linker was found for machine code: `pip install nvidia-nvjitlink` next to NVRTC's package, or a "
                   "CUDA toolkit has nvJitLink; or name its path in %s",
                   jr_setting_variable(JR_SETTING_NVJITLINK));
}

/* The linker's log, malloc'd; NULL: it is empty. */
static char *read_log(const jr_nvjitlink *linker, jr_nvjitlink_handle link) {
    size_t bytes = 0;
    if (linker->nvJitLinkGetErrorLogSize(link, &bytes) != 0 || bytes == 0) return NULL;
    char *log = calloc(bytes + 1, 1);
    if (log != NULL && linker->nvJitLinkGetErrorLog(link, log) != 0) log[0] = '\0';
    return log;
}

static jr_status add_parts(const jr_nvjitlink *linker, jr_nvjitlink_handle link, const jr_link_part *parts,
                           size_t count, const jr_link_part **blamed) {
    static const int kinds[] = {[JR_LINK_PTX] = JR_NVJITLINK_PTX,       [JR_LINK_CUBIN] = JR_NVJITLINK_CUBIN,
                                [JR_LINK_LTO] = JR_NVJITLINK_LTO,       [JR_LINK_FATBIN] = JR_NVJITLINK_FATBIN,
                                [JR_LINK_OBJECT] = JR_NVJITLINK_OBJECT, [JR_LINK_LIBRARY] = JR_NVJITLINK_LIBRARY};
    for (size_t i = 0; i < count; i++) {
        if (linker->nvJitLinkAddData(link, kinds[parts[i].kind], parts[i].data, parts[i].bytes, parts[i].name) == 0)
            continue;
        *blamed = &parts[i];
        return JR_ERROR_COMPILE;
    }
    return linker->nvJitLinkComplete(link) == 0 ? JR_OK : JR_ERROR_COMPILE;
}

static jr_status read_cubin(const jr_nvjitlink *linker, jr_nvjitlink_handle link, jr_linked *linked) {
    size_t bytes = 0;
    if (linker->nvJitLinkGetLinkedCubinSize(link, &bytes) != 0 || bytes == 0) return JR_ERROR_COMPILE;
    void *cubin = malloc(bytes);
    if (cubin == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of machine code", bytes);
    if (linker->nvJitLinkGetLinkedCubin(link, cubin) != 0) {
        free(cubin);
        return JR_ERROR_COMPILE;
    }
    *linked = (jr_linked){cubin, bytes};
    return JR_OK;
}

static jr_status link_by(const jr_nvjitlink *linker, const jr_link_part *parts, size_t count, const char *architecture,
                         jr_linked *linked) {
    char option[64];
    const char *options[] = {option, "-lto"};
    const jr_link_part *blamed = NULL;
    jr_nvjitlink_handle link = NULL;
    uint32_t option_count = 1;
    snprintf(option, sizeof option, "-arch=%s", architecture);
    for (size_t i = 0; i < count; i++)
        if (parts[i].kind == JR_LINK_LTO) option_count = 2;
    if (linker->nvJitLinkCreate(&link, option_count, options) != 0)
        return jr_fail(JR_ERROR_ARCHITECTURE, "nvJitLink %s does not link for %s: update it, or name another one",
                       linker->path, architecture);
    jr_status status = add_parts(linker, link, parts, count, &blamed);
    if (status == JR_OK) status = read_cubin(linker, link, linked);
    if (status == JR_ERROR_COMPILE) {
        char *log = read_log(linker, link);
        (void)jr_link_fail(parts, count, blamed, log);
        free(log);
    }
    linker->nvJitLinkDestroy(&link);
    return status;
}

jr_status jr_link_cubin(const jr_linker *linker, const jr_link_part *parts, size_t count, const char *architecture,
                        jr_linked *linked) {
    jr_nvjitlink opened;
    if (linker->path[0] == '\0') return jr_link_by_driver(linker->device, parts, count, architecture, linked);
    JR_TRY(jr_nvjitlink_open(linker->path, &opened));
    const jr_status status = link_by(&opened, parts, count, architecture, linked);
    jr_nvjitlink_close(&opened);
    return status;
}
