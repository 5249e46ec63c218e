/* The public image functions (kernel.h): compiling without a device, storing, reading back. */
#include "image/image.h"

#include <stdlib.h>

#include "base/error.h"
#include "image/architecture.h"
#include "image/compile.h"
#include "image/compiler.h"

/* program + architecture -> key -> image, from the cache or by compiling */
static jr_status find_or_compile(jr_compiler *compiler, jr_cache *cache, const jr_program_text *text,
                                 const char *architecture, jr_image **image) {
    const jr_compiler_record *record = NULL;
    const jr_nvrtc *nvrtc = NULL;
    jr_key key;
    double ms;
    jr_status status = jr_compiler_describe(compiler, &record);
    if (status == JR_OK) status = jr_architecture_check(record, architecture);
    if (status != JR_OK) return status;
    const jr_key_surroundings surroundings = {architecture, record->major, record->minor, record->build};
    jr_key_of(text, &surroundings, &key);
    if (jr_cache_read(cache, key.bytes, image)) return JR_OK;
    status = jr_compiler_acquire(compiler, &nvrtc);
    if (status != JR_OK) return status;
    const jr_compile_target target = {architecture, &key};
    status = jr_compile(nvrtc, text, &target, &ms, image);
    jr_compiler_release(compiler);
    if (status == JR_OK) jr_cache_write(cache, key.bytes, *image);
    return status;
}

jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                           jr_image **image) {
    const jr_options none = {0};
    jr_cache *cache = NULL;
    jr_compiler *compiler = NULL;
    jr_program_text text = {0};
    if (program == NULL || architecture == NULL || image == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program, architecture or image is NULL");
    if (options == NULL) options = &none;
    jr_status status = jr_program_text_make(program, &text);
    if (status == JR_OK) status = jr_cache_open(options->cache_dir, options->cache_bytes, &cache);
    if (status == JR_OK) status = jr_compiler_open(options->nvrtc, jr_cache_folder(cache), &compiler);
    jr_image *made = NULL;
    if (status == JR_OK) status = find_or_compile(compiler, cache, &text, architecture, &made);
    jr_compiler_close(compiler);
    jr_cache_close(cache);
    jr_program_text_free(&text);
    if (status == JR_OK) *image = made;
    return status;
}

const void *jr_image_data(const jr_image *image, size_t *bytes) {
    *bytes = image != NULL ? image->stored_bytes : 0;
    return image != NULL ? image->stored : NULL;
}

const char *jr_image_ptx(const jr_image *image) {
    return image != NULL ? image->ptx : "";
}

jr_status jr_image_read(const void *data, size_t bytes, jr_image **image) {
    if (data == NULL || image == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data or image is NULL");
    return jr_image_decode(data, bytes, NULL, image);
}

void jr_image_destroy(jr_image *image) {
    jr_image_free(image);
}
