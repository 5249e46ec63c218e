/* NVRTC's function table. Locating it is separate from opening it: opening maps 100 MB and costs milliseconds, which a
 * process that finds everything in the disk cache never needs to pay. */
#ifndef JR_LOADER_NVRTC_H
#define JR_LOADER_NVRTC_H

#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "jitreduce/status.h"
#include "places.h"

/* NVRTC. All return nvrtcResult except nvrtcGetErrorString. */
typedef int jr_nvrtc_result;
typedef struct _nvrtcProgram *jr_nvrtc_program;

enum {
    JR_NVRTC_SUCCESS = 0,
    JR_NVRTC_ERROR_OUT_OF_MEMORY = 1,
    JR_NVRTC_ERROR_INVALID_OPTION = 5,
    JR_NVRTC_ERROR_COMPILATION = 6,
    JR_NVRTC_ERROR_BUILTIN_OPERATION = 7,
    JR_NVRTC_ERROR_INTERNAL = 11
};

#define JR_NVRTC_FUNCTIONS(XX)                                                                                         \
    XX(REQUIRED, jr_nvrtc_result, nvrtcVersion, (int *major, int *minor))                                              \
    XX(REQUIRED, const char *, nvrtcGetErrorString, (jr_nvrtc_result result))                                          \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetNumSupportedArchs, (int *count))                                             \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetSupportedArchs, (int *architectures))                                        \
    XX(REQUIRED, jr_nvrtc_result, nvrtcCreateProgram,                                                                  \
       (jr_nvrtc_program * program, const char *source, const char *name, int header_count,                            \
        const char *const *headers, const char *const *header_names))                                                  \
    XX(REQUIRED, jr_nvrtc_result, nvrtcDestroyProgram, (jr_nvrtc_program * program))                                   \
    XX(REQUIRED, jr_nvrtc_result, nvrtcCompileProgram,                                                                 \
       (jr_nvrtc_program program, int count, const char *const *options))                                              \
    XX(OPTIONAL, jr_nvrtc_result, nvrtcSetFlowCallback,                                                                \
       (jr_nvrtc_program program, int (*callback)(void *user, void *reserved), void *user))                            \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetProgramLogSize, (jr_nvrtc_program program, size_t * bytes))                  \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetProgramLog, (jr_nvrtc_program program, char *log))                           \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetPTXSize, (jr_nvrtc_program program, size_t * bytes))                         \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetPTX, (jr_nvrtc_program program, char *ptx))                                  \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetCUBINSize, (jr_nvrtc_program program, size_t * bytes))                       \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetCUBIN, (jr_nvrtc_program program, char *cubin))                              \
    XX(REQUIRED, jr_nvrtc_result, nvrtcAddNameExpression, (jr_nvrtc_program program, const char *expression))          \
    XX(REQUIRED, jr_nvrtc_result, nvrtcGetLoweredName,                                                                 \
       (jr_nvrtc_program program, const char *expression, const char **lowered))                                       \
    XX(OPTIONAL, jr_nvrtc_result, nvrtcSetPCHHeapSize, (size_t bytes))                                                 \
    XX(OPTIONAL, jr_nvrtc_result, nvrtcGetPCHCreateStatus, (jr_nvrtc_program program))                                 \
    XX(OPTIONAL, jr_nvrtc_result, nvrtcInstallBundledHeaders,                                                          \
       (const char *folder, unsigned int flags, const char **reason))

enum { JR_NVRTC_ARCHITECTURES_MAX = 64 };

/* What is known of an NVRTC file once it was opened. */
typedef struct jr_nvrtc_about {
    char path[JR_PATH_BYTES];
    int major, minor;
    char build[64]; /* build identity: "13.0.88" from the file name, else the ELF build id in hex */
    int architectures[JR_NVRTC_ARCHITECTURES_MAX]; /* ascending: 75, 80, ... */
    int architecture_count;
    uintptr_t place; /* where it is opened to use precompiled headers (map_place.h); 0: they are not used */
} jr_nvrtc_about;

typedef struct jr_nvrtc {
    void *library;
    void *builtins; /* preloaded libnvrtc-builtins; NULL: none was found next to it, or it could not be loaded */
    char builtins_missing[256]; /* the linker's words, where a library that the builtins need is not there; else "" */
    jr_nvrtc_about about;
    uintptr_t base; /* where the library is mapped */
#define JR_NVRTC_FIELD(need, type, name, parameters) type(*name) parameters;
    JR_NVRTC_FUNCTIONS(JR_NVRTC_FIELD)
#undef JR_NVRTC_FIELD
} jr_nvrtc;

/* Finds the file that jr_nvrtc_open would open, without opening it: the first candidate that is a file with NVRTC's
 * ELF identity. places: where to look; NULL: those of this process. path: from options, may be NULL. Writes the
 * absolute, link-free path.
 * Errors: JR_ERROR_NVRTC_NOT_FOUND with every candidate and its reason. */
jr_status jr_nvrtc_locate(const jr_places *places, const char *path, jr_candidates *findings, char out[JR_PATH_BYTES]);

/* Opens NVRTC from the path that locate gave; preloads its builtins by absolute path; reads version and architectures.
 * Errors: JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_MISSING_FUNCTION, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_nvrtc_open(const char *path, jr_nvrtc *nvrtc);

/* The same, with the library mapped in the JR_NVRTC_ROOM_BYTES from `place` on where that can be done; 0: anywhere. */
jr_status jr_nvrtc_open_at(const char *path, uintptr_t place, jr_nvrtc *nvrtc);
enum { JR_NVRTC_ROOM_BYTES = 256 << 20 };
void jr_nvrtc_close(jr_nvrtc *nvrtc);

/* The builtins library that belongs to an NVRTC file of a version: same folder, same version. False: no such file
 * exists. */
bool jr_nvrtc_builtins_find(const char *nvrtc_path, int major, int minor, char out[JR_PATH_BYTES]);

#endif
