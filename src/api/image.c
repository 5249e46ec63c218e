/* The public image functions (kernel.h): compiling without a device, storing, reading back. */
#include "image/image.h"

#include "base/error.h"
#include "guard.h"
#include "kernel/kernel.h"
#include "size.h"

jr_status jr_image_compile(const jr_options *options, const jr_program *program, const char *architecture,
                           jr_image **image) {
    JR_GUARD_CALL;
    jr_options own = {0};
    jr_program wanted;
    if (program == NULL || architecture == NULL || image == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program, architecture or image is NULL");
    jr_status status = options != NULL ? jr_size_read(&jr_options_sized, options, &own) : JR_OK;
    if (status == JR_OK) status = jr_size_read(&jr_program_sized, program, &wanted);
    return status == JR_OK ? jr_kernel_image(&own, &wanted, architecture, image) : status;
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
