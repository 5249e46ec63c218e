/* Drives NVRTC through one compile. */
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

/* One compile under way: the arrays NVRTC wants, and what it gave. */
typedef struct compile_state {
    const jr_nvrtc *nvrtc;
    const jr_program *program;
    jr_nvrtc_program handle;
    const char **header_names, **header_texts;
    const char **options;
    int option_count;
    char architecture_option[64];
    char *log, *ptx, *cubin;
    size_t ptx_bytes, cubin_bytes;
} compile_state;

/* Options that NVRTC knows only since a version; older ones do without. Source: NVRTC User Guide, "Supported Compile
 * Options"; --no-cache because the disk cache above makes NVRTC's own a second copy. */
static const struct {
    const char *option;
    int major, minor;
} dated_options[] = {{"--minimal", 12, 4}, {"--Ofast-compile=min", 12, 8}, {"--no-cache", 12, 9}};

static bool is_known(const jr_nvrtc *nvrtc, const char *option) {
    for (size_t i = 0; i < sizeof dated_options / sizeof dated_options[0]; i++)
        if (strcmp(option, dated_options[i].option) == 0)
            return nvrtc->major > dated_options[i].major ||
                   (nvrtc->major == dated_options[i].major && nvrtc->minor >= dated_options[i].minor);
    return true;
}

static bool chooses_standard(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++)
        if (strncmp(program->options[i], "-std", 4) == 0 || strncmp(program->options[i], "--std", 5) == 0) return true;
    return false;
}

static void add_option(compile_state *state, const char *option) {
    if (is_known(state->nvrtc, option)) state->options[state->option_count++] = option;
}

static jr_status prepare(compile_state *state, const char *architecture) {
    const jr_program *program = state->program;
    enum { FIXED_OPTIONS = 4 };
    state->header_names = calloc(program->header_count + 1, sizeof *state->header_names);
    state->header_texts = calloc(program->header_count + 1, sizeof *state->header_texts);
    state->options = calloc(program->option_count + FIXED_OPTIONS, sizeof *state->options);
    if (state->header_names == NULL || state->header_texts == NULL || state->options == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to compile program %s", program->name);
    for (size_t i = 0; i < program->header_count; i++) {
        state->header_names[i] = program->headers[i].name;
        state->header_texts[i] = program->headers[i].text;
    }
    snprintf(state->architecture_option, sizeof state->architecture_option, "--gpu-architecture=%s", architecture);
    add_option(state, state->architecture_option);
    add_option(state, "--no-source-include");
    add_option(state, "--no-cache");
    if (!chooses_standard(program)) add_option(state, "--std=c++17");
    for (size_t i = 0; i < program->option_count; i++) add_option(state, program->options[i]);
    return JR_OK;
}

static jr_status fail_nvrtc(const compile_state *state, jr_nvrtc_result result, const char *action) {
    const char *name = state->nvrtc->nvrtcGetErrorString(result);
    const bool builtins = result == JR_NVRTC_ERROR_BUILTIN_OPERATION;
    const jr_status status = builtins ? JR_ERROR_NVRTC_NOT_FOUND : JR_ERROR_COMPILE;
    if (builtins)
        return jr_fail_with(
            status, name, state->log,
            "NVRTC %d.%d (%s) does not find its builtins library: put libnvrtc-builtins.so.%d.%d beside it",
            state->nvrtc->major, state->nvrtc->minor, state->nvrtc->path, state->nvrtc->major, state->nvrtc->minor);
    return jr_fail_with(status, name, state->log, "program %s, entry %s: %s failed: %s", state->program->name,
                        state->program->entry, action, name);
}

/* NVRTC's log of this program, malloc'd; NULL when there is none. */
static char *read_log(const compile_state *state) {
    size_t bytes = 0;
    if (state->nvrtc->nvrtcGetProgramLogSize(state->handle, &bytes) != JR_NVRTC_SUCCESS || bytes <= 1) return NULL;
    char *log = calloc(bytes + 1, 1);
    if (log != NULL && state->nvrtc->nvrtcGetProgramLog(state->handle, log) != JR_NVRTC_SUCCESS) log[0] = '\0';
    return log;
}

static jr_status run(compile_state *state, const char *text) {
    const jr_nvrtc *nvrtc = state->nvrtc;
    const jr_program *program = state->program;
    jr_nvrtc_result result = nvrtc->nvrtcCreateProgram(&state->handle, text, program->name, (int)program->header_count,
                                                       state->header_texts, state->header_names);
    if (result != JR_NVRTC_SUCCESS) return fail_nvrtc(state, result, "creating the NVRTC program");
    result = nvrtc->nvrtcAddNameExpression(state->handle, program->entry);
    if (result != JR_NVRTC_SUCCESS) return fail_nvrtc(state, result, "naming the entry");
    result = nvrtc->nvrtcCompileProgram(state->handle, state->option_count, state->options);
    state->log = read_log(state);
    if (result == JR_NVRTC_ERROR_COMPILATION)
        return jr_fail_with(JR_ERROR_COMPILE, nvrtc->nvrtcGetErrorString(result), state->log,
                            "program %s, entry %s, does not compile: see the log", program->name, program->entry);
    return result == JR_NVRTC_SUCCESS ? JR_OK : fail_nvrtc(state, result, "compiling");
}

typedef jr_nvrtc_result (*size_function)(jr_nvrtc_program, size_t *);
typedef jr_nvrtc_result (*bytes_function)(jr_nvrtc_program, char *);

static jr_status read_output(compile_state *state, size_function get_size, bytes_function get_bytes, char **out,
                             size_t *bytes) {
    jr_nvrtc_result result = get_size(state->handle, bytes);
    if (result != JR_NVRTC_SUCCESS) return fail_nvrtc(state, result, "asking for the size of the result");
    if (*bytes == 0) return JR_OK;
    *out = malloc(*bytes);
    if (*out == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of compiled code", *bytes);
    result = get_bytes(state->handle, *out);
    return result == JR_NVRTC_SUCCESS ? JR_OK : fail_nvrtc(state, result, "reading the result");
}

static jr_status collect(compile_state *state, const jr_compile_target *target, jr_image **image) {
    const jr_nvrtc *nvrtc = state->nvrtc;
    const bool has_cubin = strncmp(target->architecture, "sm_", 3) == 0;
    const char *lowered = NULL;
    jr_status status = read_output(state, nvrtc->nvrtcGetPTXSize, nvrtc->nvrtcGetPTX, &state->ptx, &state->ptx_bytes);
    if (status == JR_OK && has_cubin)
        status = read_output(state, nvrtc->nvrtcGetCUBINSize, nvrtc->nvrtcGetCUBIN, &state->cubin, &state->cubin_bytes);
    if (status != JR_OK) return status;
    const jr_nvrtc_result result = nvrtc->nvrtcGetLoweredName(state->handle, state->program->entry, &lowered);
    if (result != JR_NVRTC_SUCCESS) return fail_nvrtc(state, result, "finding the entry");
    if (lowered == NULL || lowered[0] == '\0')
        return jr_fail_with(JR_ERROR_COMPILE, "", state->log, "program %s has no entry %s: is a comment left open?",
                            state->program->name, state->program->entry);
    const jr_image_parts parts = {.key = target->key->bytes,
                                  .entry = lowered,
                                  .architecture = target->architecture,
                                  .ptx = state->ptx,
                                  .ptx_bytes = state->ptx_bytes,
                                  .cubin = state->cubin,
                                  .cubin_bytes = state->cubin_bytes};
    return jr_image_make(&parts, image);
}

static void clean(compile_state *state) {
    if (state->handle != NULL) state->nvrtc->nvrtcDestroyProgram(&state->handle);
    free(state->header_names);
    free(state->header_texts);
    free(state->options);
    free(state->log);
    free(state->ptx);
    free(state->cubin);
}

jr_status jr_compile(const jr_nvrtc *nvrtc, const jr_program_text *text, const jr_compile_target *target,
                     double *nvrtc_ms, jr_image **image) {
    compile_state state = {.nvrtc = nvrtc, .program = text->program};
    const double begin = jr_clock_ms();
    jr_status status = prepare(&state, target->architecture);
    if (status == JR_OK) status = run(&state, text->text);
    *nvrtc_ms = jr_clock_ms() - begin;
    if (status == JR_OK) status = collect(&state, target, image);
    clean(&state);
    return status;
}
