/* Gives each of several kernels an image of its own, as a captured launch is of one kernel. */
#include "record_kernels.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "program/entries.h"

/* The same image with one of its entries, under a key of its own. */
static jr_status image_of_one(const jr_image *image, const char *entry, jr_image **one) {
    jr_digest digest;
    uint8_t key[JR_DIGEST_BYTES];
    jr_digest_begin(&digest);
    jr_digest_field(&digest, "image", image->key, JR_DIGEST_BYTES);
    jr_digest_string(&digest, "entry", entry);
    jr_digest_end(&digest, key);
    const jr_image_parts parts = {.key = key,
                                  .entry = entry,
                                  .architecture = image->architecture,
                                  .ptx = image->ptx,
                                  .ptx_bytes = image->ptx_bytes,
                                  .cubin = image->cubin,
                                  .cubin_bytes = image->cubin_bytes};
    return jr_image_make(&parts, one);
}

/* A kernel that cannot be recorded for want of memory is not. */
static void record_one(jr_recorder *recorder, const jr_image *image, const jr_program *program, jr_kernel *kernel) {
    JR_KEEP_ERROR;
    jr_image *one = NULL;
    if (image_of_one(image, kernel->name, &one) != JR_OK) return;
    if (program != NULL) jr_recorder_note(recorder, one->key, program);
    kernel->recorded = jr_recorder_take(recorder, one);
    jr_image_free(one);
}

void jr_record_kernels(jr_recorder *recorder, const jr_image *image, const jr_program *program, jr_kernel *first) {
    if (recorder == NULL) return;
    if (first->next == NULL) {
        if (program != NULL) jr_recorder_note(recorder, image->key, program);
        first->recorded = jr_recorder_take(recorder, image);
        return;
    }
    const char *list = program != NULL ? program->entry : NULL;
    for (jr_kernel *kernel = first; kernel != NULL; kernel = kernel->next) {
        jr_entry entry;
        char *name = jr_entries_next(&list, &entry) ? jr_bytes_copy(entry.at, entry.length) : NULL;
        jr_program own = program != NULL ? *program : (jr_program){0};
        own.entry = name;
        record_one(recorder, image, name != NULL ? &own : NULL, kernel);
        free(name);
    }
}
