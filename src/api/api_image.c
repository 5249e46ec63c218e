/* The public image functions (kernel.h): compiling without a device, storing, reading back. */
#include "image/image.h"

#include "base/error.h"
#include "guard.h"
#include "image/ptx_text.h"
#include "kernel/kernel.h"
#include "program/lexemes.h"
#include "size.h"

jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                           jr_image **image) {
    JR_GUARD_CALL;
    jr_options own = {0};
    jr_program wanted;
    JR_TRY(JR_GIVEN(program, architecture, image));
    if (options != NULL) JR_TRY(jr_size_read(&jr_options_sized, options, &own));
    JR_TRY(jr_size_read(&jr_program_sized, program, &wanted));
    return jr_kernel_image(&own, &wanted, architecture, image);
}

jr_status jr_image_compile_for(jr_context *context, const jr_program *program, jr_image **image) {
    JR_GUARD_CALL;
    jr_program wanted;
    JR_TRY(JR_GIVEN(context, program, image));
    JR_TRY(jr_size_read(&jr_program_sized, program, &wanted));
    return jr_kernel_image_for(context, &wanted, image);
}

jr_status jr_image_read_ptx(const char *ptx, const char *entry, jr_image **image) {
    JR_TRY(JR_GIVEN(ptx, image));
    return jr_ptx_image(jr_lexeme_past_mark(ptx), entry, image);
}

jr_status jr_image_parameters(const jr_image *image, jr_kernel_parameter *parameters, size_t room, size_t *count) {
    JR_TRY(JR_GIVEN(image, count));
    if (room > 0) JR_TRY(JR_GIVEN(parameters));
    if (image->ptx_bytes == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the image of %s has no PTX, which lists its parameters",
                       image->entry);
    return jr_ptx_parameters(image->ptx, image->entry, parameters, room, count);
}

const void *jr_image_data(const jr_image *image, size_t *bytes) {
    *bytes = image != NULL ? image->stored_bytes : 0;
    return image != NULL ? image->stored : NULL;
}

const char *jr_image_ptx(const jr_image *image) {
    return image != NULL ? image->ptx : "";
}

const void *jr_image_cubin(const jr_image *image, size_t *bytes) {
    *bytes = image != NULL ? image->cubin_bytes : 0;
    return image != NULL ? image->cubin : NULL;
}

jr_status jr_image_read(const void *data, size_t bytes, jr_image **image) {
    JR_TRY(JR_GIVEN(data, image));
    return jr_image_decode(data, bytes, NULL, image);
}

jr_status jr_image_write(const jr_image *const *images, size_t count, void *bytes, size_t room, size_t *size) {
    JR_TRY(JR_GIVEN(images, size));
    if (room > 0) JR_TRY(JR_GIVEN(bytes));
    return jr_image_fatbin(images, count, bytes, room, size);
}

void jr_image_destroy(jr_image *image) {
    jr_image_free(image);
}
