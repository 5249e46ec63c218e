/* Drives NVRTC through one compile. */
#include "attempt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "program/entries.h"
#include "program/options.h"
#include "ptx_text.h"

/* The arrays that NVRTC wants. */
typedef struct nvrtc_arguments {
    const char *text;
    const char **header_names, **header_texts;
    int header_count;
    const char **options;
    int option_count;
    char architecture_option[64];
} nvrtc_arguments;

/* Options that NVRTC knows only since a version; older ones do without. Source: NVRTC User Guide, "Supported Compile
 * Options"; --no-cache because the disk cache above makes NVRTC's own a second copy. 12.8 knows --Ofast-compile, but
 * neither min nor mid. */
static const struct {
    const char *option;
    int major, minor;
} dated_options[] = {
    {"--minimal", 12, 4}, {"--Ofast-compile=min", 12, 9}, {"--Ofast-compile=mid", 12, 9}, {"--no-cache", 12, 9}};

static bool is_known(const jr_nvrtc *nvrtc, const char *option) {
    for (size_t i = 0; i < sizeof dated_options / sizeof dated_options[0]; i++)
        if (strcmp(option, dated_options[i].option) == 0)
            return nvrtc->about.major > dated_options[i].major ||
                   (nvrtc->about.major == dated_options[i].major && nvrtc->about.minor >= dated_options[i].minor);
    return true;
}

/* True for an option that only shortens the compile. NVRTC takes one dash or two. */
static bool is_hurry(const char *option) {
    const char *name = option + strspn(option, "-");
    return strcmp(name, "minimal") == 0 || strncmp(name, "Ofast-compile", 13) == 0;
}

static void add_option(jr_attempt *attempt, nvrtc_arguments *arguments, const char *option) {
    const bool hurry = is_hurry(option);
    if (!is_known(attempt->nvrtc, option) || (hurry && attempt->plain)) return;
    arguments->options[arguments->option_count++] = option;
    attempt->hurried = attempt->hurried || hurry;
}

/* The virtual headers: the program's own, with the files of its folders if there are such. */
static bool headers_make(const jr_attempt *attempt, nvrtc_arguments *arguments) {
    const jr_program *program = attempt->text->program;
    const jr_headers *headers = attempt->headers;
    const size_t count = headers != NULL ? headers->count : program->header_count;
    arguments->text = headers != NULL ? headers->source : attempt->text->text;
    if (attempt->pch != NULL) arguments->text = attempt->pch->text.text;
    arguments->header_count = (int)count;
    arguments->header_names = calloc(count + 1, sizeof *arguments->header_names);
    arguments->header_texts = calloc(count + 1, sizeof *arguments->header_texts);
    if (arguments->header_names == NULL || arguments->header_texts == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        arguments->header_names[i] = headers != NULL ? headers->names[i] : program->headers[i].name;
        arguments->header_texts[i] = headers != NULL ? headers->texts[i] : program->headers[i].text;
    }
    return true;
}

static bool arguments_make(jr_attempt *attempt, nvrtc_arguments *arguments) {
    enum { FIXED_OPTIONS = 8 };
    const jr_program *program = attempt->text->program;
    const jr_debug debug = jr_options_decide_lines(program) ? JR_DEBUG_NONE : attempt->text->debug;
    if (debug == JR_DEBUG_FULL) attempt->plain = true;
    if (!headers_make(attempt, arguments)) return false;
    arguments->options = calloc(program->option_count + FIXED_OPTIONS, sizeof *arguments->options);
    if (arguments->options == NULL) return false;
    snprintf(arguments->architecture_option, sizeof arguments->architecture_option, "--gpu-architecture=%s",
             attempt->architecture);
    add_option(attempt, arguments, arguments->architecture_option);
    add_option(attempt, arguments, "--no-source-include");
    add_option(attempt, arguments, "--no-cache");
    if (attempt->text->relocatable) add_option(attempt, arguments, "--relocatable-device-code=true");
    if (jr_options_standard(program) == 0) add_option(attempt, arguments, "--std=c++17");
    if (debug == JR_DEBUG_FULL)
        add_option(attempt, arguments, "--device-debug");
    else if (debug == JR_DEBUG_LINES || attempt->text->lines)
        add_option(attempt, arguments, "--generate-line-info");
    for (size_t i = 0; i < program->option_count; i++) add_option(attempt, arguments, program->options[i]);
    if (attempt->trace != NULL) add_option(attempt, arguments, attempt->trace);
    if (attempt->pch != NULL) {
        add_option(attempt, arguments, JR_PCH_QUIET_OPTION);
        add_option(attempt, arguments, attempt->pch->option);
    }
    return true;
}

static void arguments_free(nvrtc_arguments *arguments) {
    free(arguments->header_names);
    free(arguments->header_texts);
    free(arguments->options);
}

/* What NVRTC hands to check_clocks, which it may call on another thread than the one that compiles. */
typedef struct watch {
    jr_attempt *attempt;
    clockid_t clock; /* of the thread that compiles */
    double begin_ms; /* what that clock showed at the beginning */
} watch;

static double watch_ms(const watch *self) {
    struct timespec now = {0};
    clock_gettime(self->clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static watch watch_begin(jr_attempt *attempt) {
    watch begun = {.attempt = attempt};
    if (pthread_getcpuclockid(pthread_self(), &begun.clock) != 0) begun.clock = CLOCK_THREAD_CPUTIME_ID;
    begun.begin_ms = watch_ms(&begun);
    return begun;
}

/* NVRTC calls it now and then while it compiles; 1 ends the compile, 0 lets it continue. */
static int check_clocks(void *user, void *reserved) {
    (void)reserved;
    const watch *self = user;
    jr_attempt *attempt = self->attempt;
    attempt->cpu_ms = watch_ms(self) - self->begin_ms;
    if (attempt->cpu_ms > attempt->limit_ms || jr_clock_ms() > attempt->deadline_ms) attempt->late = true;
    return attempt->late;
}

/* Records what was tried and its result in the attempt; true if it succeeded. */
static bool record_result(jr_attempt *attempt, const char *action, jr_nvrtc_result result) {
    attempt->action = action;
    attempt->result = result;
    return result == JR_NVRTC_SUCCESS;
}

/* NVRTC's log of the program, malloc'd; NULL when it is empty. */
static char *read_log(const jr_nvrtc *nvrtc, jr_nvrtc_program handle) {
    size_t bytes = 0;
    if (nvrtc->nvrtcGetProgramLogSize(handle, &bytes) != JR_NVRTC_SUCCESS || bytes <= 1) return NULL;
    char *log = calloc(bytes + 1, 1);
    if (log != NULL && nvrtc->nvrtcGetProgramLog(handle, log) != JR_NVRTC_SUCCESS) log[0] = '\0';
    return log;
}

/* Does something with each entry, and a text of the caller's, until it fails. */
static bool each_entry(jr_attempt *attempt, jr_nvrtc_program handle, jr_text *text,
                       bool (*act)(jr_attempt *, jr_nvrtc_program, const char *name, jr_text *)) {
    const char *list = attempt->text->program->entry;
    bool good = true;
    for (jr_entry entry; good && jr_entries_next(&list, &entry);) {
        char *name = jr_bytes_copy(entry.at, entry.length);
        attempt->out_of_memory = name == NULL;
        good = name != NULL && act(attempt, handle, name, text);
        free(name);
    }
    return good;
}

static bool name_entry(jr_attempt *attempt, jr_nvrtc_program handle, const char *name, jr_text *text) {
    (void)text;
    return record_result(attempt, "naming the entry", attempt->nvrtc->nvrtcAddNameExpression(handle, name));
}

/* Was the file of a precompiled header written, or begun with? NVRTC's line that says so leaves the log. */
static bool pch_worked(jr_attempt *attempt, jr_nvrtc_program handle) {
    static const char begun[] = ": using precompiled header file \"", made[] = ": creating precompiled header file \"";
    char *found = attempt->log != NULL ? strstr(attempt->log, begun) : NULL;
    const bool used = found != NULL && attempt->pch->part == JR_PCH_USE;
    if (found == NULL && attempt->log != NULL) found = strstr(attempt->log, made);
    if (found != NULL) {
        while (found > attempt->log && found[-1] != '\n') found--;
        const char *rest = found + strcspn(found, "\n");
        rest += strspn(rest, "\n");
        memmove(found, rest, strlen(rest) + 1);
    }
    return attempt->pch->part == JR_PCH_USE ? used
                                            : attempt->nvrtc->nvrtcGetPCHCreateStatus(handle) == JR_NVRTC_SUCCESS;
}

static bool compile(jr_attempt *attempt, const nvrtc_arguments *arguments, jr_nvrtc_program handle) {
    const jr_nvrtc *nvrtc = attempt->nvrtc;
    const bool all = jr_entries_all(attempt->text->program->entry);
    if (!all && !each_entry(attempt, handle, NULL, name_entry)) return false;
    watch clocks = watch_begin(attempt);
    if (nvrtc->nvrtcSetFlowCallback != NULL) nvrtc->nvrtcSetFlowCallback(handle, check_clocks, &clocks);
    const bool good = record_result(attempt, "compiling",
                                    nvrtc->nvrtcCompileProgram(handle, arguments->option_count, arguments->options));
    attempt->cpu_ms = watch_ms(&clocks) - clocks.begin_ms;
    attempt->late = attempt->late && !good; /* a compile that succeeded counts, even past a limit */
    attempt->log = read_log(nvrtc, handle);
    if (attempt->pch != NULL) attempt->pch_worked = pch_worked(attempt, handle);
    return good;
}

typedef jr_nvrtc_result (*size_function)(jr_nvrtc_program, size_t *);
typedef jr_nvrtc_result (*bytes_function)(jr_nvrtc_program, char *);

static bool read_output(jr_attempt *attempt, jr_nvrtc_program handle, size_function get_size, bytes_function get_bytes,
                        char **out, size_t *bytes) {
    if (!record_result(attempt, "asking for the size of the result", get_size(handle, bytes))) return false;
    if (*bytes == 0) return true;
    *out = malloc(*bytes);
    attempt->out_of_memory = *out == NULL;
    return *out != NULL && record_result(attempt, "reading the result", get_bytes(handle, *out));
}

static bool lower_entry(jr_attempt *attempt, jr_nvrtc_program handle, const char *name, jr_text *text) {
    const char *lowered = NULL;
    if (!record_result(attempt, "finding the entry", attempt->nvrtc->nvrtcGetLoweredName(handle, name, &lowered)))
        return false;
    if (lowered == NULL || lowered[0] == '\0') return false;
    jr_text_append(text, "%s%s", text->length > 0 ? "; " : "", lowered);
    return true;
}

/* Copies PTX, cubin and the lowered entries into the attempt. After a failure, the entry stays NULL. */
static void collect(jr_attempt *attempt, jr_nvrtc_program handle) {
    const jr_nvrtc *nvrtc = attempt->nvrtc;
    const bool has_cubin = strncmp(attempt->architecture, "sm_", 3) == 0;
    jr_text lowered = {0};
    if (!read_output(attempt, handle, nvrtc->nvrtcGetPTXSize, nvrtc->nvrtcGetPTX, &attempt->ptx, &attempt->ptx_bytes))
        return;
    if (has_cubin && !read_output(attempt, handle, nvrtc->nvrtcGetCUBINSize, nvrtc->nvrtcGetCUBIN, &attempt->cubin,
                                  &attempt->cubin_bytes))
        return;
    if (jr_entries_all(attempt->text->program->entry)) {
        jr_ptx_kernels(attempt->ptx, &lowered);
        if (lowered.length == 0) jr_text_append(&lowered, "*"); /* device functions only */
    } else if (!each_entry(attempt, handle, &lowered, lower_entry)) {
        jr_text_free(&lowered);
    }
    if (lowered.length > 0 || jr_text_failed(&lowered)) {
        attempt->entry = jr_text_take(&lowered);
        attempt->out_of_memory = attempt->entry == NULL;
    }
    jr_text_free(&lowered);
}

void jr_attempt_run(jr_attempt *attempt) {
    const jr_nvrtc *nvrtc = attempt->nvrtc;
    const jr_program *program = attempt->text->program;
    nvrtc_arguments arguments = {0};
    jr_nvrtc_program handle = NULL;
    attempt->out_of_memory = !arguments_make(attempt, &arguments);
    if (!attempt->out_of_memory &&
        record_result(attempt, "creating the NVRTC program",
                      nvrtc->nvrtcCreateProgram(&handle, arguments.text, program->name, arguments.header_count,
                                                arguments.header_texts, arguments.header_names)) &&
        compile(attempt, &arguments, handle))
        collect(attempt, handle);
    if (handle != NULL) nvrtc->nvrtcDestroyProgram(&handle);
    arguments_free(&arguments);
}

void jr_attempt_clean(jr_attempt *attempt) {
    free(attempt->log);
    free(attempt->ptx);
    free(attempt->cubin);
    free(attempt->entry);
}
