/* Walks the spine; no other file calls these stages in order. */
#include "kernel.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "image/architecture.h"
#include "image/compile.h"
#include "image/program_files.h"

/* One walk from a program to an image, or on to a kernel. */
typedef struct kernel_walk {
    jr_compiler *compiler;
    jr_cache *cache;
    const jr_device *device;  /* NULL: the walk ends at the image */
    const char *architecture; /* the one asked for; NULL: the device's */
    double limit_ms;          /* of a compile, as in jr_options */
    jr_program_text text;
    jr_headers *headers; /* of include folders; NULL: there are none. Without texts when they were in a manifest */
    bool reads_headers;  /* whatever a manifest says */
    bool changed;        /* they were not the same when they were read */
    const jr_nvrtc_about *record;
    char chosen[JR_ARCHITECTURE_BYTES];
    jr_key key;
    jr_kernel_cost cost;
} kernel_walk;

static jr_status choose_architecture(kernel_walk *walk) {
    if (walk->architecture != NULL) return jr_architecture_check(walk->record, walk->architecture);
    const jr_device_info *info = &walk->device->info;
    walk->architecture = walk->chosen;
    return jr_architecture_choose(walk->record, info->capability_major, info->capability_minor, walk->chosen);
}

/* program -> text, surroundings -> key */
static jr_status find_key(kernel_walk *walk, const jr_program *program) {
    jr_status status = jr_program_text_make(program, &walk->text);
    if (status == JR_OK) status = jr_compiler_describe(walk->compiler, &walk->record);
    if (status == JR_OK) status = choose_architecture(walk);
    if (status == JR_OK && jr_program_has_folders(program))
        status = jr_program_files_find(walk->compiler, jr_cache_folder(walk->cache), &walk->text, walk->reads_headers,
                                       &walk->headers);
    if (status != JR_OK) return status;
    const jr_key_surroundings surroundings = {walk->architecture, walk->record->major, walk->record->minor,
                                              walk->record->build,
                                              walk->headers != NULL ? walk->headers->digest : NULL};
    jr_key_of(&walk->text, &surroundings, &walk->key);
    return JR_OK;
}

/* Sees to it that headers have their texts. The key is of what they were: should they have changed since, the walk is
 * of no use, and another one is made. */
static jr_status read_headers(kernel_walk *walk) {
    jr_headers *read = NULL;
    if (walk->headers == NULL || walk->headers->source != NULL) return JR_OK;
    const jr_status status =
        jr_program_files_find(walk->compiler, jr_cache_folder(walk->cache), &walk->text, true, &read);
    if (status != JR_OK) return status;
    walk->changed = memcmp(read->digest, walk->headers->digest, JR_DIGEST_BYTES) != 0;
    jr_headers_free(walk->headers);
    walk->headers = read;
    return walk->changed ? JR_ERROR_FILE : JR_OK;
}

/* Ends a walk; true when it must be made once more, with headers that are read. */
static bool end_walk(kernel_walk *walk) {
    const bool again = walk->changed && !walk->reads_headers;
    jr_program_text_free(&walk->text);
    jr_headers_free(walk->headers);
    walk->headers = NULL;
    walk->changed = false;
    walk->reads_headers = true;
    return again;
}

/* key -> image, from the disk cache */
static bool read_image(kernel_walk *walk, jr_image **image) {
    const double begin = jr_clock_ms();
    const bool hit = jr_cache_read(walk->cache, walk->key.bytes, image);
    walk->cost.cache_ms += jr_clock_ms() - begin;
    walk->cost.origin = JR_ORIGIN_DISK;
    if (hit)
        jr_log(JR_LOG_INFO, "found %s, entry %s, for %s in the disk cache", walk->text.program->name,
               walk->text.program->entry, walk->architecture);
    return hit;
}

/* key -> image, by compiling */
static jr_status compile(kernel_walk *walk, jr_image **image) {
    const jr_program *program = walk->text.program;
    const jr_nvrtc *nvrtc = NULL;
    jr_compile_cost cost;
    jr_status status = read_headers(walk);
    if (status != JR_OK) return status;
    const jr_compile_target target = {walk->architecture, &walk->key, walk->headers, walk->limit_ms};
    status = jr_compiler_acquire(walk->compiler, &nvrtc);
    if (status != JR_OK) return status;
    jr_log(JR_LOG_DEBUG, "compiling %s, entry %s, for %s", program->name, program->entry, walk->architecture);
    status = jr_compile(nvrtc, &walk->text, &target, &cost, image);
    jr_compiler_release(walk->compiler);
    walk->cost.nvrtc_ms += cost.nvrtc_ms;
    walk->cost.compiled_again = cost.again;
    walk->cost.origin = JR_ORIGIN_COMPILED;
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "compiled %s, entry %s, for %s in %.1f ms: it was not stored", program->name,
               program->entry, walk->architecture, cost.nvrtc_ms);
    return status;
}

/* Keeps an image that was compiled and, where there is a device, taken; a failed write is no failure. */
static void keep(kernel_walk *walk, const jr_image *image) {
    const double begin = jr_clock_ms();
    jr_cache_write(walk->cache, image);
    walk->cost.cache_ms += jr_clock_ms() - begin;
}

/* The driver took neither form of a fresh image. When it calls the PTX too new, says which of the two is too old. */
static jr_status explain_refusal(const kernel_walk *walk) {
    const jr_device_info *info = &walk->device->info;
    if (strcmp(jr_last_error()->driver_name, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION") != 0) return JR_ERROR_LOAD;
    return jr_fail_prefix("NVRTC %d.%d (%s) and the driver (CUDA %d.%d, %s) do not fit together: update the driver, or "
                          "use an NVRTC no newer than it: ",
                          walk->record->major, walk->record->minor, walk->record->path, info->driver_version / 1000,
                          info->driver_version % 1000 / 10, walk->device->driver.path);
}

/* key -> image -> kernel, by compiling */
static jr_status compile_and_load(kernel_walk *walk, jr_kernel **kernel) {
    jr_image *image = NULL;
    jr_status status = compile(walk, &image);
    if (status == JR_OK) status = jr_loaded_create(walk->device, image, &walk->cost.load_ms, kernel);
    if (status == JR_OK) keep(walk, image);
    jr_image_free(image);
    return status == JR_ERROR_LOAD ? explain_refusal(walk) : status;
}

/* image from the disk cache -> kernel; one that the driver refuses is dropped and compiled again */
static jr_status load_cached(kernel_walk *walk, const jr_image *image, jr_kernel **kernel) {
    jr_error_saved *saved = jr_error_save();
    const jr_status status = jr_loaded_create(walk->device, image, &walk->cost.load_ms, kernel);
    if (status != JR_ERROR_LOAD) {
        jr_error_discard(saved);
        return status;
    }
    jr_error_restore(saved); /* no failure of the call */
    jr_log(JR_LOG_WARNING, "the driver refuses the cached image of %s: compiling again", image->entry);
    jr_cache_drop(walk->cache, walk->key.bytes);
    return compile_and_load(walk, kernel);
}

/* key -> kernel */
static jr_status make(kernel_walk *walk, jr_kernel **kernel) {
    jr_image *image = NULL;
    if (!read_image(walk, &image)) return compile_and_load(walk, kernel);
    const jr_status status = load_cached(walk, image, kernel);
    jr_image_free(image);
    return status;
}

/* program -> kernel, from memory if it is there */
static jr_status find_or_make(kernel_walk *walk, jr_memo *memo, const jr_program *program, jr_kernel **kernel) {
    jr_status status = find_key(walk, program);
    if (status == JR_OK) status = jr_memo_begin(memo, &walk->key, kernel);
    if (status == JR_OK && *kernel != NULL)
        jr_log(JR_LOG_DEBUG, "found %s, entry %s, loaded already", program->name, program->entry);
    if (status == JR_OK && *kernel == NULL) {
        status = make(walk, kernel);
        jr_memo_end(memo, &walk->key, status == JR_OK ? *kernel : NULL);
    }
    return status;
}

jr_status jr_kernel_find_or_make(jr_context *context, const jr_program *program, jr_kernel **kernel,
                                 jr_kernel_cost *cost) {
    kernel_walk walk = {.compiler = context->compiler,
                        .cache = context->cache,
                        .device = &context->device,
                        .limit_ms = context->compile_limit_ms,
                        .cost = {.origin = JR_ORIGIN_MEMORY}};
    jr_kernel *found = NULL;
    jr_status status;
    do {
        walk.architecture = NULL;
        status = find_or_make(&walk, &context->memo, program, &found);
    } while (end_walk(&walk));
    if (status != JR_OK) return status;
    jr_context_count(context, &walk.cost);
    *kernel = found;
    *cost = walk.cost;
    return JR_OK;
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
        jr_memo_end(&context->memo, &key, status == JR_OK ? found : NULL);
    }
    if (status != JR_OK) return status;
    jr_context_count(context, &spent);
    *kernel = found;
    *cost = spent;
    return JR_OK;
}

jr_status jr_kernel_image_for(jr_context *context, const jr_program *program, jr_image **image) {
    kernel_walk walk = {.compiler = context->compiler,
                        .cache = context->cache,
                        .device = &context->device,
                        .limit_ms = context->compile_limit_ms};
    jr_image *made = NULL;
    jr_status status = find_key(&walk, program);
    if (status == JR_OK && !read_image(&walk, &made)) {
        status = compile(&walk, &made);
        if (status == JR_OK) keep(&walk, made);
    }
    jr_program_text_free(&walk.text);
    if (status == JR_OK) *image = made;
    return status;
}

jr_status jr_kernel_image(const jr_options *options, const jr_program *program, const char *architecture,
                          jr_image **image) {
    kernel_walk walk = {.architecture = architecture, .limit_ms = options->compile_limit_ms};
    jr_image *made = NULL;
    jr_status status = jr_compile_limit_check(options->compile_limit_ms);
    if (status == JR_OK) status = jr_cache_open(options->cache_dir, options->cache_bytes, &walk.cache);
    if (status == JR_OK) status = jr_compiler_open(options->nvrtc, jr_cache_folder(walk.cache), &walk.compiler);
    if (status == JR_OK) do {
            status = find_key(&walk, program);
            if (status == JR_OK && !read_image(&walk, &made)) {
                status = compile(&walk, &made);
                if (status == JR_OK) keep(&walk, made);
            }
        } while (end_walk(&walk));
    jr_compiler_close(walk.compiler);
    jr_cache_close(walk.cache);
    if (status == JR_OK) *image = made;
    return status;
}
