/* NVRTC's binary interface as far as we use it. Written from the NVRTC reference manual (13.0; of bundled
 * headers 13.3). */
#ifndef JR_LOADER_NVRTC_ABI_H
#define JR_LOADER_NVRTC_ABI_H

#include <stddef.h>

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
    XX(OPTIONAL, jr_nvrtc_result, nvrtcInstallBundledHeaders,                                                          \
       (const char *folder, unsigned int flags, const char **reason))

#endif
