/* Calls of every public function that makes, reads or loads an image. */
#include "every_call.h"

#include <stdlib.h>
#include <string.h>

CALLS(every_image_call)

CALL(jr_image_compile, 0) {
    const jr_program program = every_call_program(w);
    jr_image *made = o->pointer;
    RETURN_MADE(made, jr_image_compile(NULL, &program, "compute_75", &made), jr_image_destroy(made));
}

CALL(jr_image_compile_for, 0) {
    const jr_program program = every_call_program(w);
    jr_image *made = o->pointer;
    RETURN_MADE(made, jr_image_compile_for(w->context, &program, &made), jr_image_destroy(made));
}

CALL(jr_image_read_ptx, 0) {
    jr_image *made = o->pointer;
    RETURN_MADE(made, jr_image_read_ptx(jr_image_ptx(w->image), w->wrong ? "none" : NULL, &made),
                jr_image_destroy(made));
}

CALL(jr_image_parameters, 0) {
    return jr_image_parameters(w->wrong ? NULL : w->image, NULL, 0, &o->bytes);
}

/* One byte in the middle is another. */
CALL(jr_image_read, 0) {
    size_t bytes;
    const void *stored = jr_image_data(w->image, &bytes);
    char *copy = malloc(bytes);
    jr_image *made = o->pointer;
    assert_non_null(copy);
    memcpy(copy, stored, bytes);
    if (w->wrong) copy[bytes / 2] ^= 1;
    const jr_status read = jr_image_read(copy, bytes, &made);
    free(copy);
    RETURN_MADE(made, read, jr_image_destroy(made));
}

CALL(jr_kernel_load, EVERY_DRIVES) {
    jr_image *image = NULL;
    if (w->wrong) return jr_kernel_load(w->context, NULL, (jr_kernel **)&o->pointer);
    const jr_program program = every_call_program(w);
    works(jr_image_compile(NULL, &program, "compute_75", &image));
    const jr_status status = jr_kernel_load(w->context, image, (jr_kernel **)&o->pointer);
    jr_image_destroy(image);
    return status;
}

CALL(jr_kernels_load, EVERY_DRIVES) {
    jr_image *image = NULL;
    jr_kernel *made = NULL;
    size_t count;
    if (w->wrong) return jr_kernels_load(w->context, NULL, &made, 1, &count);
    const jr_program program = every_call_program(w);
    works(jr_image_compile(NULL, &program, "compute_75", &image));
    const jr_status status = jr_kernels_load(w->context, image, &made, 1, &count);
    if (status == JR_OK) o->pointer = made;
    jr_image_destroy(image);
    return status;
}

CALL(jr_image_link, 0) {
    const jr_link_input input = {
        .name = "image.ptx", .data = jr_image_ptx(w->image), .bytes = strlen(jr_image_ptx(w->image))};
    jr_image *made = o->pointer;
    RETURN_MADE(made, jr_image_link(w->context, &input, w->wrong ? 0 : 1, NULL, "compute_90", &made),
                jr_image_destroy(made));
}

CALL(jr_image_kernels, 0) {
    return jr_image_kernels(w->wrong ? NULL : w->image, NULL, 0, &o->bytes);
}
