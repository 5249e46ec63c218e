/* Compiles a program with NVRTC, with a second attempt where that may help, and reports the outcome. */
#include "compile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "loader/time_trace.h"
#include "program/entries.h"
#include "program_fault.h"

static const double default_limit_ms = 30000;

static double limit_of(const jr_compile_target *target) {
    return target->limit_ms > 0 ? target->limit_ms : default_limit_ms;
}

/* The bound of the clock on the wall is for compiles that hang. It is so far that no compile meets it because other
 * processes are busy: one that gets a twentieth of a core still has all of its CPU time. */
static double wall_limit_of(const jr_compile_target *target) {
    static const double least_ms = 600000, times = 20;
    const double limit_ms = times * limit_of(target);
    return limit_ms > least_ms ? limit_ms : least_ms;
}

jr_status jr_compile_limit_check(double limit_ms) {
    if (limit_ms >= 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "compile_limit_ms %g is not allowed: give milliseconds, 0 for %g, or INFINITY for no limit",
                   limit_ms, default_limit_ms);
}

/* NVRTC's failures that are no fault of the text. */
static jr_status explain_surroundings(const jr_attempt *attempt) {
    const jr_nvrtc *nvrtc = attempt->nvrtc;
    const char *name = nvrtc->nvrtcGetErrorString(attempt->result);
    char builtins[JR_PATH_BYTES];
    if (attempt->result == JR_NVRTC_ERROR_OUT_OF_MEMORY)
        return jr_fail_with(JR_ERROR_OUT_OF_MEMORY, name, attempt->log, "NVRTC has no memory to compile program %s",
                            attempt->text->program->name);
    if (nvrtc->builtins_missing[0] != '\0')
        return jr_fail_with(JR_ERROR_NVRTC_NOT_FOUND, name, attempt->log,
                            "NVRTC %d.%d (%s) cannot load its builtins library: install what it needs (Debian has "
                            "libstdc++.so.6 in libstdc++6): %s",
                            nvrtc->about.major, nvrtc->about.minor, nvrtc->about.path, nvrtc->builtins_missing);
    if (nvrtc->builtins != NULL ||
        jr_nvrtc_builtins_find(nvrtc->about.path, nvrtc->about.major, nvrtc->about.minor, builtins))
        return jr_fail_with(JR_ERROR_OUT_OF_MEMORY, name, attempt->log,
                            "NVRTC %d.%d (%s) cannot use its builtins library, though it is there: most likely there "
                            "is too little memory to compile program %s",
                            nvrtc->about.major, nvrtc->about.minor, nvrtc->about.path, attempt->text->program->name);
    return jr_fail_with(
        JR_ERROR_NVRTC_NOT_FOUND, name, attempt->log,
        "NVRTC %d.%d (%s) does not find its builtins library: put libnvrtc-builtins.so.%d.%d next to it",
        nvrtc->about.major, nvrtc->about.minor, nvrtc->about.path, nvrtc->about.major, nvrtc->about.minor);
}

/* The option of the program's that a log names; NULL: it names another one. */
static const char *find_named(const jr_program *program, const char *log) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *name = program->options[i] + strspn(program->options[i], "-");
        const size_t length = strcspn(name, "= ");
        for (const char *at = strchr(log, '-'); at != NULL && length > 0; at = strchr(at + 1, '-'))
            if (strncmp(at + 1, name, length) == 0 && !isalnum((unsigned char)at[1 + length]))
                return program->options[i];
    }
    return NULL;
}

static jr_status explain_option(const jr_attempt *attempt) {
    static const char mark[] = "error: ";
    const jr_program *program = attempt->text->program;
    const char *log = attempt->log != NULL ? attempt->log : "", *said = strstr(log, mark);
    const char *option = find_named(program, log);
    said = said != NULL ? said + sizeof mark - 1 : "it does not say why";
    return jr_fail_with(JR_ERROR_COMPILE, attempt->nvrtc->nvrtcGetErrorString(attempt->result), log,
                        "NVRTC %d.%d refuses %s%s%s of program %s: %.*s", attempt->nvrtc->about.major,
                        attempt->nvrtc->about.minor, option != NULL ? "option '" : "an option",
                        option != NULL ? option : "", option != NULL ? "'" : "", program->name,
                        (int)strcspn(said, "\n"), said);
}

/* Where two headers have one name, NVRTC says no more than that its input is invalid. */
static jr_status explain_failure(const jr_attempt *attempt) {
    const jr_program *program = attempt->text->program;
    const char *name = attempt->nvrtc->nvrtcGetErrorString(attempt->result);
    for (size_t i = 0; i < program->header_count; i++)
        for (size_t k = i + 1; k < program->header_count; k++)
            if (strcmp(program->headers[i].name, program->headers[k].name) == 0)
                return jr_fail_with(JR_ERROR_INVALID_ARGUMENT, name, NULL,
                                    "headers[%zu] and headers[%zu] of program %s are both named %s: give it once", i, k,
                                    program->name, program->headers[i].name);
    return jr_fail_with(JR_ERROR_COMPILE, name, attempt->log, "program %s%s%s%s: %s failed: %s", program->name,
                        JR_ENTRY_WORDS(program->entry, ""), attempt->action, name);
}

static jr_status explain(const jr_attempt *attempt, const jr_compile_target *target) {
    const jr_program *program = attempt->text->program;
    const char *name = attempt->nvrtc->nvrtcGetErrorString(attempt->result);
    if (attempt->out_of_memory)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to compile program %s", program->name);
    if (attempt->late) {
        const bool by_wall = attempt->cpu_ms <= attempt->limit_ms;
        return jr_fail_with(JR_ERROR_COMPILE, name, attempt->log,
                            "program %s%s%s%s was not compiled within %g ms%s: make it simpler, or raise "
                            "compile_limit_ms",
                            program->name, JR_ENTRY_WORDS(program->entry, ","),
                            by_wall ? wall_limit_of(target) : limit_of(target),
                            by_wall ? ", waiting included" : " of CPU time");
    }
    if (attempt->result == JR_NVRTC_ERROR_OUT_OF_MEMORY || attempt->result == JR_NVRTC_ERROR_BUILTIN_OPERATION)
        return explain_surroundings(attempt);
    if (attempt->result == JR_NVRTC_ERROR_COMPILATION) return jr_program_fault(attempt);
    if (attempt->result == JR_NVRTC_ERROR_INVALID_OPTION) return explain_option(attempt);
    if (attempt->result != JR_NVRTC_SUCCESS) return explain_failure(attempt);
    return jr_program_fault_entry(attempt);
}

/* Is it the program's text that NVRTC finds fault with? Then its log has a line "name(3): error: ..."; of an option
 * that it does not know it has "nvrtc: error: ...". */
static bool blames_text(const jr_attempt *attempt) {
    return attempt->result != JR_NVRTC_ERROR_INVALID_OPTION && attempt->log != NULL &&
           strstr(attempt->log, "error: ") != NULL;
}

/* Could NVRTC fail because of the options that only shorten the compile? */
static bool may_be_hurry(const jr_attempt *attempt) {
    return attempt->hurried && !attempt->late && !attempt->out_of_memory && !blames_text(attempt) &&
           (attempt->result == JR_NVRTC_ERROR_COMPILATION || attempt->result == JR_NVRTC_ERROR_INVALID_OPTION ||
            attempt->result == JR_NVRTC_ERROR_INTERNAL);
}

static jr_status run_attempt(void *attempt) {
    jr_attempt_run(attempt);
    return JR_OK;
}

/* Did NVRTC fail because of a precompiled header or a trace? What it says of the program would be the same without. */
static bool may_be_extra(const jr_attempt *attempt) {
    if ((attempt->pch == NULL && attempt->trace == NULL) || attempt->entry != NULL || attempt->late ||
        attempt->out_of_memory)
        return false;
    return attempt->result != JR_NVRTC_ERROR_COMPILATION || !blames_text(attempt) ||
           strstr(attempt->log, "precompiled header") != NULL || strstr(attempt->log, " PCH file") != NULL;
}

/* What one try has besides the program: too large for the stacks that some callers have. */
typedef struct extras {
    jr_time_trace trace;
    jr_pch_turn turn;
} extras;

/* Tries once with a trace, or what precompiled headers can do; *again: these may be at fault. */
static jr_status try_with(extras *extra, jr_attempt *attempt, const jr_compile_target *target, bool *again) {
    const jr_pch_request request = {attempt->nvrtc, attempt->text, attempt->headers, attempt->architecture};
    char key[JR_DIGEST_HEX_BYTES];
    jr_digest_hex(target->key->bytes, key);
    if (jr_time_trace_begin(attempt->nvrtc, attempt->text->program->name, key, &extra->trace))
        attempt->trace = extra->trace.option;
    jr_pch_begin(attempt->trace == NULL ? target->pch : NULL, &request, &extra->turn);
    if (extra->turn.part != JR_PCH_NONE) attempt->pch = &extra->turn;
    const jr_status status = jr_own_thread_run(run_attempt, attempt);
    *again = status == JR_OK && may_be_extra(attempt);
    jr_pch_end(&extra->turn, attempt->pch_worked && !*again, status == JR_OK && (attempt->entry != NULL || *again));
    jr_time_trace_end(&extra->trace);
    return status;
}

/* The same, and again without where that may help. */
static jr_status try_with_extras(jr_attempt *attempt, const jr_compile_target *target, jr_compile_cost *cost) {
    const jr_attempt asked = *attempt;
    bool again = false;
    extras *extra = malloc(sizeof *extra);
    if (extra == NULL) return jr_own_thread_run(run_attempt, attempt);
    const jr_status status = try_with(extra, attempt, target, &again);
    cost->precompiled = extra->turn.part == JR_PCH_USE && attempt->pch_worked && !again;
    attempt->pch = NULL;
    attempt->trace = NULL;
    free(extra);
    if (!again) return status;
    jr_attempt_clean(attempt);
    *attempt = asked;
    return jr_own_thread_run(run_attempt, attempt);
}

/* Tries once or twice; how the last attempt went is in *attempt. */
static jr_status compile_once_or_twice(jr_attempt *attempt, const jr_compile_target *target, jr_compile_cost *cost) {
    const jr_attempt asked = *attempt;
    jr_status status = try_with_extras(attempt, target, cost);
    if (status != JR_OK || !may_be_hurry(attempt)) return status;
    jr_log(JR_LOG_WARNING, "NVRTC %d.%d fails at program %s with --minimal or --Ofast-compile: compiling without: %s",
           asked.nvrtc->about.major, asked.nvrtc->about.minor, asked.text->program->name,
           attempt->log != NULL ? attempt->log : "");
    const double spent_ms = attempt->cpu_ms;
    jr_attempt_clean(attempt);
    *attempt = asked;
    attempt->plain = true;
    attempt->limit_ms -= spent_ms;
    cost->again = true;
    return jr_own_thread_run(run_attempt, attempt);
}

/* Logs the lines of NVRTC's log that begin a warning, "saxpy.cu(3): warning #177-D: ...", without the source lines
 * after them.
 */
static void log_warnings(const char *log) {
    for (const char *line = log; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *found = strstr(line, "): warning ");
        if (found != NULL && found < line + length) jr_log(JR_LOG_WARNING, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

jr_status jr_compile(const jr_nvrtc *nvrtc, const jr_program_text *text, const jr_compile_target *target,
                     jr_compile_cost *cost, jr_image **image) {
    const double begin = jr_clock_ms();
    jr_attempt attempt = {.nvrtc = nvrtc,
                          .text = text,
                          .headers = target->headers,
                          .architecture = target->architecture,
                          .limit_ms = limit_of(target),
                          .deadline_ms = begin + wall_limit_of(target)};
    *cost = (jr_compile_cost){0};
    jr_status status = compile_once_or_twice(&attempt, target, cost);
    cost->nvrtc_ms = jr_clock_ms() - begin;
    if (status == JR_OK && attempt.entry == NULL) status = explain(&attempt, target);
    if (status == JR_OK) status = jr_program_fault_constant(&attempt);
    if (status == JR_OK) log_warnings(attempt.log);
    if (status == JR_OK) {
        const jr_image_parts parts = {.key = target->key->bytes,
                                      .entry = attempt.entry,
                                      .architecture = target->architecture,
                                      .ptx = attempt.ptx,
                                      .ptx_bytes = attempt.ptx_bytes,
                                      .cubin = attempt.cubin,
                                      .cubin_bytes = attempt.cubin_bytes};
        status = jr_image_make(&parts, image);
    }
    jr_attempt_clean(&attempt);
    return status;
}
