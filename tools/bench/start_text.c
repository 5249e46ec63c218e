/* Compiles texts by NVRTC without the library, for start_bench. */
#include "start_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "loader/nvrtc.h"

enum { OPTION_BYTES = 4096 };

/* Ends the program with NVRTC's log unless the program compiled. */
static void check_nvrtc(const jr_nvrtc *nvrtc, jr_nvrtc_program program, jr_nvrtc_result result) {
    size_t bytes = 0;
    if (result == JR_NVRTC_SUCCESS) return;
    nvrtc->nvrtcGetProgramLogSize(program, &bytes);
    char *log = calloc(bytes + 1, 1);
    if (log != NULL) nvrtc->nvrtcGetProgramLog(program, log);
    fprintf(stderr, "NVRTC returned %d (%s):\n%.4000s\n", result, nvrtc->nvrtcGetErrorString(result), log ? log : "");
    exit(1);
}

/* Times what the library times of its own programs. */
static double nvrtc_ms(const char *source, const char *const *options, int count) {
    char path[JR_PATH_BYTES];
    jr_nvrtc nvrtc;
    jr_nvrtc_program program = NULL;
    bench_check(jr_nvrtc_locate(NULL, NULL, NULL, path), "locating NVRTC");
    bench_check(jr_nvrtc_open(path, &nvrtc), "opening NVRTC");
    const double begin = jr_clock_ms();
    jr_nvrtc_result result = nvrtc.nvrtcCreateProgram(&program, source, "cub", 0, NULL, NULL);
    if (result == JR_NVRTC_SUCCESS) result = nvrtc.nvrtcCompileProgram(program, count, options);
    const double ms = jr_clock_ms() - begin;
    check_nvrtc(&nvrtc, program, result);
    nvrtc.nvrtcDestroyProgram(&program);
    jr_nvrtc_close(&nvrtc);
    return ms;
}

double start_text_ms(jr_context *context, const char *source, bool minimal, char *const *folders, int folder_count) {
    static char includes[FOLDERS_MAX][OPTION_BYTES];
    char architecture[64];
    const char *list[5 + FOLDERS_MAX] = {architecture, "--no-source-include", "--no-cache", "--std=c++17"};
    int count = 4;
    jr_device_info info = JR_INIT(jr_device_info);
    bench_check(jr_context_device_info(context, &info), "describing the device");
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", info.capability_major,
             info.capability_minor);
    if (minimal) list[count++] = "--minimal";
    for (int i = 0; i < folder_count; i++) {
        snprintf(includes[i], OPTION_BYTES, "-I%s", folders[i]);
        list[count++] = includes[i];
    }
    return nvrtc_ms(source, list, count);
}
