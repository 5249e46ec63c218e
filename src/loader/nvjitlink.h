/* nvJitLink's function table. Locating it is separate from opening it, as for NVRTC: what is in the disk cache needs
 * no linker. */
#ifndef JR_LOADER_NVJITLINK_H
#define JR_LOADER_NVJITLINK_H

#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "jitreduce/status.h"

typedef int jr_nvjitlink_result;
typedef struct nvJitLink *jr_nvjitlink_handle;

/* nvJitLinkInputType. Source: nvJitLink.h of CUDA 13.0. */
enum {
    JR_NVJITLINK_CUBIN = 1,
    JR_NVJITLINK_PTX = 2,
    JR_NVJITLINK_LTO = 3,
    JR_NVJITLINK_FATBIN = 4,
    JR_NVJITLINK_OBJECT = 5,
    JR_NVJITLINK_LIBRARY = 6
};

#define JR_NVJITLINK_FUNCTIONS(XX)                                                                                     \
    XX(nvJitLinkCreate, (jr_nvjitlink_handle * link, uint32_t count, const char **options))                            \
    XX(nvJitLinkDestroy, (jr_nvjitlink_handle * link))                                                                 \
    XX(nvJitLinkAddData, (jr_nvjitlink_handle link, int kind, const void *data, size_t bytes, const char *name))       \
    XX(nvJitLinkComplete, (jr_nvjitlink_handle link))                                                                  \
    XX(nvJitLinkGetLinkedCubinSize, (jr_nvjitlink_handle link, size_t * bytes))                                        \
    XX(nvJitLinkGetLinkedCubin, (jr_nvjitlink_handle link, void *cubin))                                               \
    XX(nvJitLinkGetErrorLogSize, (jr_nvjitlink_handle link, size_t * bytes))                                           \
    XX(nvJitLinkGetErrorLog, (jr_nvjitlink_handle link, char *log))

typedef struct jr_nvjitlink {
    void *library;
    char path[JR_PATH_BYTES];
#define JR_NVJITLINK_FIELD(name, parameters) jr_nvjitlink_result(*name) parameters;
    JR_NVJITLINK_FUNCTIONS(JR_NVJITLINK_FIELD)
#undef JR_NVJITLINK_FIELD
} jr_nvjitlink;

/* Finds the file that jr_nvjitlink_open would open: of the setting, else next to NVRTC or where its Python package has
 * it, else in the toolkit's folder, newest first. nvrtc_path: NULL: no NVRTC is known. False: it was not found. */
bool jr_nvjitlink_locate(const char *nvrtc_path, char out[JR_PATH_BYTES]);

/* Opens it. Errors: JR_ERROR_NOT_APPLICABLE. */
jr_status jr_nvjitlink_open(const char *path, jr_nvjitlink *linker);
void jr_nvjitlink_close(jr_nvjitlink *linker);

#endif
