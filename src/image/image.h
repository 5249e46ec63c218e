/* The image: what a program compiled to, in the one form in which it is kept, stored and shipped.
 *
 * Stored form, numbers little-endian, nothing after its end:
 *   0 magic "JRIMAGE\n" | 8 format, 4 bytes | 12 zero, 4 | 16 key, 32 | 48 cubin bytes, 8 | 56 PTX bytes, 8
 *   64 entry bytes, 8 | 72 architecture bytes, 8 | 80 cubin, PTX, entry, architecture | SHA-256 of all before, 32
 * Texts are counted and stored with their NUL. The header's size keeps the cubin 16-byte aligned, as the driver may
 * read it in place.
 *
 * Invariant: the members point into `stored`, which is valid as a whole: to have an image is to have its stored form.
 */
#ifndef JR_IMAGE_IMAGE_H
#define JR_IMAGE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "jitreduce/kernel.h"

struct jr_image {
    const char *entry;        /* the kernel's lowered name, or a list of them (entries.h) */
    const char *architecture; /* "sm_90": has a cubin; "compute_80": PTX only */
    const char *ptx;          /* "" when the image has no PTX */
    size_t ptx_bytes;         /* without the NUL */
    const void *cubin;        /* NULL when the image has no cubin */
    size_t cubin_bytes;
    const uint8_t *key; /* JR_DIGEST_BYTES; of the program it came from */
    uint8_t *stored;
    size_t stored_bytes;
};

/* What an image is made of; all of it is copied. */
typedef struct jr_image_parts {
    const uint8_t *key; /* JR_DIGEST_BYTES, or NULL: zeros */
    const char *entry, *architecture;
    const char *ptx;   /* NULL: none */
    size_t ptx_bytes;  /* with or without NVRTC's NUL at the end */
    const void *cubin; /* NULL: none */
    size_t cubin_bytes;
} jr_image_parts;

/* Makes an image. Errors: JR_ERROR_INVALID_ARGUMENT (no entry or architecture, neither PTX nor cubin),
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_image_make(const jr_image_parts *parts, jr_image **image);

/* Frees an image; NULL is fine. (jr_image_destroy is the public name, in api/.) */
void jr_image_free(jr_image *image);

/* Reads an image from a copy of its stored form, every byte verified. key: what it must have been stored under, NULL:
 * anything. Errors: JR_ERROR_INVALID_ARGUMENT (and what is wrong), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_image_decode(const void *bytes, size_t count, const uint8_t *key, jr_image **image);

/* Writes images of one kernel for several architectures as a fat binary, as cuModuleLoadData takes it; room 0: only its
 * size. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_image_fatbin(const jr_image *const *images, size_t count, uint8_t *bytes, size_t room, size_t *size);

/* As jr_image_decode, but keeps bytes (malloc'd) instead of copying them. On failure they stay the caller's. */
jr_status jr_image_adopt(void *bytes, size_t count, const uint8_t *key, jr_image **image);

#endif
