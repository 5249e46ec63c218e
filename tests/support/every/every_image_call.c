/* Calls of every public function that makes, reads or loads an image. */
#include "every_call.h"

#include <stdlib.h>
#include <string.h>

static jr_status made_image(jr_status status, jr_image *made, every_outs *o) {
    if (status == JR_OK)
        jr_image_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status compile(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    jr_image *made = o->pointer;
    const jr_status status = jr_image_compile(NULL, &program, "compute_75", &made);
    return made_image(status, made, o);
}

static jr_status compile_for(every_world *w, every_outs *o) {
    const jr_program program = every_call_program(w);
    jr_image *made = o->pointer;
    const jr_status status = jr_image_compile_for(w->context, &program, &made);
    return made_image(status, made, o);
}

static jr_status read_ptx(every_world *w, every_outs *o) {
    jr_image *made = o->pointer;
    const jr_status status = jr_image_read_ptx(jr_image_ptx(w->image), w->wrong ? "none" : NULL, &made);
    return made_image(status, made, o);
}

static jr_status get_parameters(every_world *w, every_outs *o) {
    return jr_image_parameters(w->wrong ? NULL : w->image, NULL, 0, &o->bytes);
}

/* One byte in the middle is another. */
static jr_status read_image(every_world *w, every_outs *o) {
    size_t bytes;
    const void *stored = jr_image_data(w->image, &bytes);
    char *copy = malloc(bytes);
    jr_image *made = o->pointer;
    assert_non_null(copy);
    memcpy(copy, stored, bytes);
    if (w->wrong) copy[bytes / 2] ^= 1;
    const jr_status status = jr_image_read(copy, bytes, &made);
    free(copy);
    return made_image(status, made, o);
}

static jr_status load(every_world *w, every_outs *o) {
    jr_image *image = NULL;
    if (w->wrong) return jr_kernel_load(w->context, NULL, (jr_kernel **)&o->pointer);
    const jr_program program = every_call_program(w);
    works(jr_image_compile(NULL, &program, "compute_75", &image));
    const jr_status status = jr_kernel_load(w->context, image, (jr_kernel **)&o->pointer);
    jr_image_destroy(image);
    return status;
}

static jr_status load_several(every_world *w, every_outs *o) {
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

static jr_status link_images(every_world *w, every_outs *o) {
    const jr_link_input input = {
        .name = "image.ptx", .data = jr_image_ptx(w->image), .bytes = strlen(jr_image_ptx(w->image))};
    jr_image *made = o->pointer;
    const jr_status status = jr_image_link(w->context, &input, w->wrong ? 0 : 1, NULL, "compute_90", &made);
    return made_image(status, made, o);
}

static jr_status list_kernels(every_world *w, every_outs *o) {
    return jr_image_kernels(w->wrong ? NULL : w->image, NULL, 0, &o->bytes);
}

const every_call every_image_call[] = {{.name = "jr_image_compile", .make = compile},
                                       {.name = "jr_image_compile_for", .make = compile_for},
                                       {.name = "jr_image_read", .make = read_image},
                                       {.name = "jr_image_read_ptx", .make = read_ptx},
                                       {.name = "jr_image_link", .make = link_images},
                                       {.name = "jr_image_kernels", .make = list_kernels},
                                       {.name = "jr_image_parameters", .make = get_parameters},
                                       {.name = "jr_kernel_load", .make = load, .drives = true},
                                       {.name = "jr_kernels_load", .make = load_several, .drives = true},
                                       {.name = NULL}};
