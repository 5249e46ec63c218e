/* From a program to its image, with what the disk cache and NVRTC know. */
#include "walk.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "headers/debug_sources.h"
#include "image/compile.h"
#include "image/history.h"
#include "loader/nvtx.h"
#include "program/options.h"

static jr_status choose_architecture(jr_kernel_walk *walk) {
    if (walk->architecture != NULL) return jr_architecture_check(walk->record, walk->architecture);
    const jr_device_info *info = &walk->device->info;
    walk->architecture = walk->chosen;
    const jr_architecture_device device = {info->capability_major, info->capability_minor, info->simulated};
    return jr_architecture_choose(walk->record, device, walk->chosen);
}

static jr_status make_text(jr_kernel_walk *walk, const jr_program *program) {
    jr_debug debug;
    JR_TRY(jr_debug_asked(program, &debug));
    JR_TRY(jr_program_text_make(program, &walk->text));
    walk->text.debug = debug;
    walk->text.relocatable = walk->relocatable;
    walk->text.debug_root = jr_cache_folder(walk->cache);
    walk->text.lines = walk->of_caller && walk->device->info.simulated && !jr_options_decide_lines(program);
    jr_key_of_text(&walk->text, &walk->text_key);
    return JR_OK;
}

jr_status jr_walk_text(jr_kernel_walk *walk, const jr_program *program) {
    const double begin = jr_clock_ms();
    const jr_status status = make_text(walk, program);
    walk->cost.sources_ms += jr_clock_ms() - begin;
    return status;
}

static jr_status make_key(jr_kernel_walk *walk, const jr_nvrtc_about *record) {
    walk->record = record;
    JR_TRY(choose_architecture(walk));
    if (jr_program_has_folders(walk->text.program))
        JR_TRY(jr_program_files_find(walk->compiler, jr_cache_folder(walk->cache), &walk->text, walk->reads_headers,
                                     &walk->headers));
    const jr_key_surroundings surroundings = {walk->architecture, record->major, record->minor, record->build,
                                              walk->headers != NULL ? walk->headers->digest : NULL};
    jr_key_of(&walk->text, &walk->text_key, &surroundings, &walk->key);
    return JR_OK;
}

jr_status jr_walk_key(jr_kernel_walk *walk, const jr_nvrtc_about *record) {
    const double begin = jr_clock_ms();
    const jr_status status = make_key(walk, record);
    walk->cost.sources_ms += jr_clock_ms() - begin;
    return status;
}

jr_status jr_walk_describe(jr_kernel_walk *walk) {
    const jr_nvrtc_about *record;
    const double begin = jr_clock_ms();
    jr_status status = jr_compiler_describe(walk->compiler, &record);
    walk->cost.compiler_ms += jr_clock_ms() - begin;
    if (status == JR_OK) status = jr_walk_key(walk, record);
    if (status == JR_ERROR_NVRTC_NOT_FOUND && jr_packs_any(walk->packs))
        return jr_fail_prefix("no pack has %s, entry %s, for this device, so it must be compiled: ",
                              walk->text.program->name, walk->text.program->entry);
    return status;
}

/* Sees to it that headers have their texts. The key is of what they were: should they have changed since, the walk is
 * of no use, and another one is made. */
static jr_status read_headers(jr_kernel_walk *walk) {
    jr_headers *read = NULL;
    if (walk->headers == NULL) return jr_program_files_none(&walk->text, &walk->headers);
    if (walk->headers->source != NULL) return JR_OK;
    const jr_status status =
        jr_program_files_find(walk->compiler, jr_cache_folder(walk->cache), &walk->text, true, &read);
    if (status != JR_OK) return status;
    walk->changed = memcmp(read->digest, walk->headers->digest, JR_DIGEST_BYTES) != 0;
    jr_headers_free(walk->headers);
    walk->headers = read;
    return walk->changed ? JR_ERROR_FILE : JR_OK;
}

bool jr_walk_end(jr_kernel_walk *walk) {
    const bool again = walk->changed && !walk->reads_headers;
    jr_program_text_free(&walk->text);
    jr_headers_free(walk->headers);
    walk->headers = NULL;
    walk->changed = false;
    walk->reads_headers = true;
    return again;
}

bool jr_walk_read(jr_kernel_walk *walk, jr_image **image) {
    const double begin = jr_clock_ms();
    const bool there = jr_cache_has(walk->cache, walk->key.bytes);
    const bool hit = jr_cache_read(walk->cache, walk->key.bytes, image);
    walk->miss = there && !hit ? "its entry in the cache was damaged or could not be read" : NULL;
    walk->cost.cache_ms += jr_clock_ms() - begin;
    walk->cost.origin = JR_ORIGIN_DISK;
    if (hit)
        jr_log(JR_LOG_INFO, "found %s, entry %s, for %s in the disk cache", walk->text.program->name,
               walk->text.program->entry, walk->architecture);
    return hit;
}

bool jr_walk_claim(jr_kernel_walk *walk, jr_key_lock *claim) {
    const double begin = jr_clock_ms();
    const double yield_ms = jr_compiler_yield_ms(walk->compiler);
    const bool there = jr_claim_begin(walk->cache, walk->key.bytes, yield_ms, walk->wait_ms, claim);
    if (there) jr_compiler_note_others(walk->compiler);
    walk->cost.wait_ms += jr_clock_ms() - begin;
    return there;
}

/* What a compile is compared with; *surroundings stays with the caller. */
static jr_history_of history_of(const jr_kernel_walk *walk, jr_key_surroundings *surroundings) {
    const jr_nvrtc_about *record = walk->record;
    *surroundings = (jr_key_surroundings){walk->architecture, record->major, record->minor, record->build, NULL};
    return (jr_history_of){.folder = jr_cache_folder(walk->cache),
                           .text = &walk->text,
                           .text_key = &walk->text_key,
                           .surroundings = surroundings,
                           .headers = walk->headers};
}

static void find_reason(jr_kernel_walk *walk) {
    char *reason = walk->cost.because;
    jr_key_surroundings surroundings;
    const jr_history_of history = history_of(walk, &surroundings);
    if (walk->miss != NULL)
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "%s", walk->miss);
    else if (*history.folder == '\0')
        snprintf(reason, JR_COMPILED_BECAUSE_BYTES, "the disk cache is off (%s: %.180s)",
                 jr_cache_place(walk->cache)->origin, jr_cache_place(walk->cache)->reason);
    else
        jr_history_reason(&history, reason);
}

/* Headers with their texts, and NVRTC. */
static jr_status prepare(jr_kernel_walk *walk, const jr_nvrtc **nvrtc) {
    const double begin = jr_clock_ms();
    JR_TRY(read_headers(walk));
    const double read = jr_clock_ms();
    JR_TRY(jr_compiler_acquire(walk->compiler, nvrtc));
    walk->cost.sources_ms += read - begin;
    walk->cost.compiler_ms += jr_clock_ms() - read;
    return JR_OK;
}

jr_status jr_walk_compile(jr_kernel_walk *walk, jr_image **image) {
    const jr_program *program = walk->text.program;
    const jr_nvrtc *nvrtc = NULL;
    jr_headers *sources = NULL;
    jr_compile_cost cost = {0};
    JR_TRY(prepare(walk, &nvrtc));
    find_reason(walk);
    jr_log(JR_LOG_DEBUG, "compiling %s, entry %s, for %s", program->name, program->entry, walk->architecture);
    jr_status status = JR_OK;
    if (walk->text.debug != JR_DEBUG_NONE)
        status = jr_debug_sources_make(walk->text.debug_root, &walk->text, walk->headers, &sources);
    const jr_compile_target target = {walk->architecture, &walk->key, sources != NULL ? sources : walk->headers,
                                      walk->limit_ms, jr_compiler_pch(walk->compiler)};
    const bool begun = jr_nvtx_push("compile", program->entry != NULL ? program->entry : program->name);
    if (status == JR_OK) status = jr_compile(nvrtc, &walk->text, &target, &cost, image);
    if (begun) jr_nvtx_pop();
    jr_compiler_release(walk->compiler);
    jr_headers_free(sources);
    walk->cost.nvrtc_ms += cost.nvrtc_ms;
    walk->cost.compiled_again = cost.again;
    walk->cost.precompiled = cost.precompiled;
    walk->cost.origin = JR_ORIGIN_COMPILED;
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "compiled %s, entry %s, for %s in %.1f ms: %s", program->name, program->entry,
               walk->architecture, cost.nvrtc_ms, walk->cost.because);
    return status;
}

void jr_walk_keep(jr_kernel_walk *walk, const jr_image *image) {
    const double begin = jr_clock_ms();
    if (jr_cache_write(walk->cache, image) == JR_OK) {
        jr_key_surroundings surroundings;
        const jr_history_of history = history_of(walk, &surroundings);
        jr_history_note(&history);
    }
    walk->cost.cache_ms += jr_clock_ms() - begin;
}
