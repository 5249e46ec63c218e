/* Walks the spine; no other file calls these stages in order. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "context.h"
#include "image/architecture.h"
#include "image/compile.h"

/* One walk from a program to a kernel. */
typedef struct kernel_walk {
    jr_context *context;
    const jr_program *program;
    jr_program_text text;
    const jr_compiler_record *record;
    char architecture[JR_ARCHITECTURE_BYTES];
    jr_key key;
    jr_kernel_cost cost;
} kernel_walk;

/* program -> text, surroundings -> key */
static jr_status find_key(kernel_walk *walk) {
    const jr_device_info *info = &walk->context->device.info;
    jr_status status = jr_compiler_describe(walk->context->compiler, &walk->record);
    if (status == JR_OK)
        status =
            jr_architecture_choose(walk->record, info->capability_major, info->capability_minor, walk->architecture);
    if (status == JR_OK) status = jr_program_text_make(walk->program, &walk->text);
    if (status != JR_OK) return status;
    const jr_key_surroundings surroundings = {walk->architecture, walk->record->major, walk->record->minor,
                                              walk->record->build};
    jr_key_of(&walk->text, &surroundings, &walk->key);
    return JR_OK;
}

/* key -> image, by compiling */
static jr_status compile(kernel_walk *walk, jr_image **image) {
    const jr_nvrtc *nvrtc = NULL;
    const jr_compile_target target = {walk->architecture, &walk->key};
    double ms = 0;
    jr_status status = jr_compiler_acquire(walk->context->compiler, &nvrtc);
    if (status != JR_OK) return status;
    status = jr_compile(nvrtc, &walk->text, &target, &ms, image);
    jr_compiler_release(walk->context->compiler);
    walk->cost.nvrtc_ms += ms;
    walk->cost.origin = JR_ORIGIN_COMPILED;
    return status;
}

/* Keeps an image that the driver has taken; a failed write is no failure. */
static void keep(kernel_walk *walk, const jr_image *image) {
    const double begin = jr_clock_ms();
    jr_cache_write(walk->context->cache, walk->key.bytes, image);
    walk->cost.cache_ms += jr_clock_ms() - begin;
}

/* image -> module */
static jr_status load_module(const jr_device *device, const jr_image *image, double *load_ms, jr_module *module) {
    bool pushed;
    jr_status status = jr_device_enter(device, &pushed);
    if (status != JR_OK) return status;
    const double begin = jr_clock_ms(); /* the context has started */
    status = jr_module_load(device, image, module);
    jr_device_leave(device, pushed);
    *load_ms += jr_clock_ms() - begin;
    return status;
}

/* image -> module -> kernel */
static jr_status load(jr_context *context, const jr_image *image, double *load_ms, jr_kernel **kernel) {
    jr_kernel *made = calloc(1, sizeof *made);
    char *name = jr_string_copy(image->entry);
    jr_status status = JR_OK;
    if (made == NULL || name == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the kernel %s", image->entry);
    else
        status = load_module(&context->device, image, load_ms, &made->module);
    if (made == NULL || status != JR_OK) {
        free(made);
        free(name);
        return status;
    }
    made->context = context;
    made->name = name;
    *kernel = made;
    return JR_OK;
}

/* The driver took neither form of a fresh image. When it calls the PTX too new, says which of the two is too old. */
static jr_status explain_refusal(const kernel_walk *walk) {
    const jr_device_info *info = &walk->context->device.info;
    if (strcmp(jr_last_error()->driver_name, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION") != 0) return JR_ERROR_LOAD;
    return jr_fail_prefix("NVRTC %d.%d (%s) and the driver (CUDA %d.%d, %s) do not fit together: update the driver, or "
                          "use an NVRTC no newer than it: ",
                          walk->record->major, walk->record->minor, walk->record->path, info->driver_version / 1000,
                          info->driver_version % 1000 / 10, walk->context->device.driver.path);
}

/* key -> kernel, by compiling; *image is the caller's to free */
static jr_status compile_and_load(kernel_walk *walk, jr_image **image, jr_kernel **kernel) {
    jr_status status = compile(walk, image);
    if (status == JR_OK) status = load(walk->context, *image, &walk->cost.load_ms, kernel);
    if (status == JR_OK) keep(walk, *image);
    return status == JR_ERROR_LOAD ? explain_refusal(walk) : status;
}

/* image from the disk cache -> kernel; one that the driver refuses is dropped and compiled again */
static jr_status load_cached(kernel_walk *walk, jr_image **image, jr_kernel **kernel) {
    jr_error_saved *saved = jr_error_save();
    jr_status status = load(walk->context, *image, &walk->cost.load_ms, kernel);
    if (status == JR_ERROR_LOAD) {
        jr_error_restore(saved); /* no failure of the call */
        saved = NULL;
        jr_log(JR_LOG_WARNING, "the cached image of %s is not taken by the driver: compiling again", (*image)->entry);
        jr_cache_drop(walk->context->cache, walk->key.bytes);
        jr_image_free(*image);
        *image = NULL;
        return compile_and_load(walk, image, kernel);
    }
    jr_error_discard(saved);
    return status;
}

/* key -> kernel */
static jr_status make(kernel_walk *walk, jr_kernel **kernel) {
    jr_image *image = NULL;
    const double begin = jr_clock_ms();
    const bool hit = jr_cache_read(walk->context->cache, walk->key.bytes, &image);
    walk->cost.cache_ms = jr_clock_ms() - begin;
    walk->cost.origin = JR_ORIGIN_DISK;
    const jr_status status = hit ? load_cached(walk, &image, kernel) : compile_and_load(walk, &image, kernel);
    jr_image_free(image);
    return status;
}

jr_status jr_kernel_find_or_make(jr_context *context, const jr_program *program, jr_kernel **kernel,
                                 jr_kernel_cost *cost) {
    kernel_walk walk = {.context = context, .program = program, .cost = {.origin = JR_ORIGIN_MEMORY}};
    jr_kernel *found = NULL;
    jr_status status = find_key(&walk);
    if (status == JR_OK) status = jr_memo_begin(&context->memo, &walk.key, &found);
    if (status == JR_OK && found == NULL) {
        status = make(&walk, &found);
        jr_memo_end(&context->memo, &walk.key, status == JR_OK ? found : NULL);
    }
    jr_program_text_free(&walk.text);
    if (status != JR_OK) return status;
    jr_context_count(context, walk.cost.origin);
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
        status = load(context, image, &spent.load_ms, &found);
        jr_memo_end(&context->memo, &key, status == JR_OK ? found : NULL);
    }
    if (status != JR_OK) return status;
    jr_context_count(context, spent.origin);
    *kernel = found;
    *cost = spent;
    return JR_OK;
}

void jr_kernel_free(jr_kernel *kernel) {
    if (kernel == NULL) return;
    jr_module_unload(&kernel->context->device, &kernel->module);
    free(kernel->name);
    free(kernel);
}
