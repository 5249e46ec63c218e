/* Walks the spine; no other file calls these stages in order. */
#include "kernel.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "image/compile.h"
#include "program/entries.h"
#include "record_kernels.h"
#include "walk.h"

/* text's key -> image, from a pack */
static bool read_pack(jr_kernel_walk *walk, jr_image **image) {
    const char *path;
    const double begin = jr_clock_ms();
    const bool hit = jr_packs_read(walk->packs, &walk->text_key, image, &path);
    walk->cost.cache_ms += jr_clock_ms() - begin;
    walk->cost.origin = JR_ORIGIN_PACK;
    if (hit)
        jr_log(JR_LOG_INFO, "found %s, entry %s, for %s in the pack %s", walk->text.program->name,
               walk->text.program->entry, (*image)->architecture, path);
    return hit;
}

/* The driver took neither form of a fresh image. When it calls the PTX too new, says which of the two is too old. */
static jr_status explain_refusal(const jr_kernel_walk *walk) {
    const jr_device_info *info = &walk->device->info;
    if (strcmp(jr_last_error()->driver_name, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION") != 0) return JR_ERROR_LOAD;
    return jr_fail_prefix("NVRTC %d.%d (%s) and the driver (CUDA %d.%d, %s) do not fit together: update the driver, or "
                          "use an NVRTC no newer than it: ",
                          walk->record->major, walk->record->minor, walk->record->path, info->driver_version / 1000,
                          info->driver_version % 1000 / 10, walk->device->driver.path);
}

/* What an image was made of: the caller's program, by the entry that it has or that was found. */
static jr_program made_of(const jr_kernel_walk *walk) {
    jr_program asked = *walk->asked;
    asked.entry = walk->text.program->entry;
    return asked;
}

/* image -> kernel */
static jr_status load(jr_kernel_walk *walk, const jr_image *image, jr_kernel **kernel) {
    JR_TRY(jr_loaded_create(walk->device, image, &walk->cost.load_ms, kernel));
    const jr_program asked = made_of(walk);
    jr_record_kernels(walk->recorder, image, &asked, *kernel);
    jr_used_programs_note(walk->used, &asked, &walk->text_key, image->architecture);
    return JR_OK;
}

/* key -> image -> kernel, by compiling */
static jr_status compile_and_load(jr_kernel_walk *walk, jr_kernel **kernel) {
    jr_image *image = NULL;
    jr_status status = jr_walk_compile(walk, &image);
    if (status == JR_OK) status = load(walk, image, kernel);
    if (status == JR_OK) jr_walk_keep(walk, image);
    jr_image_free(image);
    return status == JR_ERROR_LOAD ? explain_refusal(walk) : status;
}

/* image that was stored -> kernel; false when the driver refuses it, which is no failure of the call */
static bool load_stored(jr_kernel_walk *walk, const jr_image *image, jr_status *status, jr_kernel **kernel) {
    jr_error_saved *saved = jr_error_save();
    *status = load(walk, image, kernel);
    if (*status != JR_ERROR_LOAD) {
        jr_error_discard(saved);
        return true;
    }
    jr_error_restore(saved);
    *status = JR_OK;
    return false;
}

/* key -> image from the disk cache -> kernel; false when no image is there, or the driver rejects it */
static bool make_of_cache(jr_kernel_walk *walk, jr_status *status, jr_kernel **kernel) {
    jr_image *image = NULL;
    if (!jr_walk_read(walk, &image)) return false;
    const bool taken = load_stored(walk, image, status, kernel);
    if (!taken) {
        jr_log(JR_LOG_WARNING, "the driver refuses the cached image of %s: compiling again", image->entry);
        jr_cache_drop(walk->cache, walk->key.bytes);
        walk->miss = "the driver refused the entry in the cache";
    }
    jr_image_free(image);
    return taken;
}

/* text's key -> image from a pack -> kernel; false in the same cases */
static bool make_of_pack(jr_kernel_walk *walk, jr_status *status, jr_kernel **kernel) {
    jr_image *image = NULL;
    if (!jr_packs_any(walk->packs) || !read_pack(walk, &image)) return false;
    const bool taken = load_stored(walk, image, status, kernel);
    if (!taken) jr_log(JR_LOG_WARNING, "the driver refuses the packed image of %s: compiling it", image->entry);
    jr_image_free(image);
    return taken;
}

/* text -> kernel: of the disk cache, of a pack, by compiling. What a pack has needs no NVRTC: where nothing is on
 * record of it, the disk cache can have nothing of its making, and it is neither opened nor missed. */
static jr_status make(jr_kernel_walk *walk, jr_kernel **kernel) {
    jr_status status = JR_OK;
    const bool packed = jr_packs_any(walk->packs);
    const jr_nvrtc_about *record = packed ? jr_compiler_recall(walk->compiler) : NULL;
    if (record != NULL) status = jr_walk_key(walk, record);
    if (!packed && walk->record == NULL) status = jr_walk_describe(walk);
    if (status != JR_OK) return status;
    const bool asked = walk->record != NULL;
    if (asked && make_of_cache(walk, &status, kernel)) return status;
    if (make_of_pack(walk, &status, kernel)) return status;
    if (!asked) status = jr_walk_describe(walk);
    if (status != JR_OK) return status;
    if (!asked && make_of_cache(walk, &status, kernel)) return status;
    jr_key_lock claim;
    if (jr_walk_claim(walk, &claim) && make_of_cache(walk, &status, kernel)) return status;
    status = compile_and_load(walk, kernel);
    jr_key_lock_close(&claim);
    return status;
}

/* program -> kernel, from memory if it is there. What include folders give is in no pack, and not in the text. */
static jr_status find_or_make(jr_kernel_walk *walk, jr_memo *memo, const jr_program *program, jr_kernel **kernel) {
    const bool folders = jr_program_has_folders(program);
    const jr_key *key = folders ? &walk->key : &walk->text_key;
    if (folders) walk->packs = NULL;
    jr_status status = jr_walk_text(walk, program);
    if (status == JR_OK && folders) status = jr_walk_describe(walk);
    if (status == JR_OK) status = jr_memo_begin(memo, key, kernel);
    if (status == JR_OK && *kernel != NULL)
        jr_log(JR_LOG_DEBUG, "found %s, entry %s, loaded already", program->name, walk->text.program->entry);
    if (status == JR_OK && *kernel == NULL) {
        status = make(walk, kernel);
        jr_memo_end(memo, key, status == JR_OK ? *kernel : NULL);
    }
    return status;
}

static jr_status get(jr_context *context, const jr_program *program, bool of_caller, jr_kernel **kernel,
                     jr_kernel_cost *cost) {
    jr_kernel_walk walk = {.compiler = context->compiler,
                           .cache = context->cache,
                           .packs = context->packs,
                           .device = &context->device,
                           .recorder = context->recorder,
                           .used = context->used,
                           .of_caller = of_caller,
                           .asked = program,
                           .limit_ms = context->compile_limit_ms,
                           .wait_ms = context->wait_ms,
                           .cost = {.origin = JR_ORIGIN_MEMORY}};
    jr_kernel *found = NULL;
    jr_status status;
    do {
        walk.architecture = NULL;
        walk.record = NULL;
        status = find_or_make(&walk, &context->memo, program, &found);
    } while (jr_walk_end(&walk));
    if (status != JR_OK) return status;
    jr_context_count(context, &walk.cost);
    *kernel = found;
    *cost = walk.cost;
    return JR_OK;
}

jr_status jr_kernel_find_or_make(jr_context *context, const jr_program *program, jr_kernel **kernel,
                                 jr_kernel_cost *cost) {
    return get(context, program, false, kernel, cost);
}

jr_status jr_kernel_of_caller(jr_context *context, const jr_program *program, jr_kernel **kernel,
                              jr_kernel_cost *cost) {
    if (jr_entries_several(program->entry))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s names several kernels, '%s': get them by jr_kernels_of",
                       program->name != NULL ? program->name : "without a name", program->entry);
    return get(context, program, true, kernel, cost);
}

jr_status jr_kernels_of_caller(jr_context *context, const jr_program *program, jr_kernel **first,
                               jr_kernel_cost *cost) {
    return get(context, program, true, first, cost);
}

jr_status jr_kernel_of_image(jr_context *context, const jr_image *image, jr_kernel **kernel, jr_kernel_cost *cost) {
    jr_kernel_cost spent = {.origin = JR_ORIGIN_MEMORY};
    jr_kernel *found = NULL;
    jr_key key;
    jr_digest_of(image->stored, image->stored_bytes, key.bytes);
    jr_status status = jr_memo_begin(&context->memo, &key, &found);
    if (status == JR_OK && found == NULL) {
        spent.origin = JR_ORIGIN_IMAGE;
        status = jr_loaded_create(&context->device, image, &spent.load_ms, &found);
        if (status == JR_OK) jr_record_kernels(context->recorder, image, NULL, found);
        jr_memo_end(&context->memo, &key, status == JR_OK ? found : NULL);
    }
    if (status != JR_OK) return status;
    jr_context_count(context, &spent);
    *kernel = found;
    *cost = spent;
    return JR_OK;
}

static jr_status compile_and_keep(jr_kernel_walk *walk, jr_image **image) {
    jr_key_lock claim;
    if (jr_walk_claim(walk, &claim) && jr_walk_read(walk, image)) return JR_OK;
    const jr_status status = jr_walk_compile(walk, image);
    if (status == JR_OK) jr_walk_keep(walk, *image);
    jr_key_lock_close(&claim);
    return status;
}

/* program -> image, compiled unless the disk cache has it; no pack is asked */
static jr_status find_image(jr_kernel_walk *walk, const jr_program *program, jr_image **image) {
    const char *architecture = walk->architecture;
    jr_image *made = NULL;
    jr_status status;
    walk->asked = program;
    do {
        walk->architecture = architecture;
        status = jr_walk_text(walk, program);
        if (status == JR_OK) status = jr_walk_describe(walk);
        if (status == JR_OK && !jr_walk_read(walk, &made)) status = compile_and_keep(walk, &made);
        if (status == JR_OK) {
            const jr_program asked = made_of(walk);
            jr_recorder_note(walk->recorder, made->key, &asked);
        }
    } while (jr_walk_end(walk));
    if (status == JR_OK) *image = made;
    return status;
}

jr_status jr_kernel_image_for(jr_context *context, const jr_program *program, jr_image **image) {
    jr_kernel_walk walk = {.compiler = context->compiler,
                           .cache = context->cache,
                           .device = &context->device,
                           .recorder = context->recorder,
                           .of_caller = true,
                           .limit_ms = context->compile_limit_ms,
                           .wait_ms = context->wait_ms};
    return find_image(&walk, program, image);
}

jr_status jr_kernel_image_relocatable(jr_context *context, const jr_program *program, const char *architecture,
                                      jr_image **image) {
    jr_kernel_walk walk = {.compiler = context->compiler,
                           .cache = context->cache,
                           .relocatable = true,
                           .architecture = architecture,
                           .limit_ms = context->compile_limit_ms,
                           .wait_ms = context->wait_ms};
    return find_image(&walk, program, image);
}

jr_status jr_kernel_image_by(jr_compiler *compiler, jr_cache *cache, double limit_ms, const jr_program *program,
                             const char *architecture, jr_image **image) {
    jr_kernel_walk walk = {.compiler = compiler, .cache = cache, .architecture = architecture, .limit_ms = limit_ms};
    return find_image(&walk, program, image);
}

jr_status jr_kernel_image(const jr_options *options, const jr_program *program, const char *architecture,
                          jr_image **image) {
    jr_cache *cache = NULL;
    jr_compiler *compiler = NULL;
    jr_status status = jr_compile_limit_check(options->compile_limit_ms);
    if (status == JR_OK) status = jr_cache_open(options->cache_dir, options->cache_bytes, &cache);
    if (status == JR_OK) status = jr_compiler_open(options->nvrtc, jr_cache_folder(cache), &compiler);
    if (status == JR_OK)
        status = jr_kernel_image_by(compiler, cache, options->compile_limit_ms, program, architecture, image);
    jr_compiler_close(compiler);
    jr_cache_close(cache);
    return status;
}
