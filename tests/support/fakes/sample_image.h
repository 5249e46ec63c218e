/* Images for tests, made without a compiler. */
#ifndef TESTS_SUPPORT_SAMPLE_IMAGE_H
#define TESTS_SUPPORT_SAMPLE_IMAGE_H

#include "image/image.h"

/* A key that is `number` all over. */
void sample_key(uint8_t key[JR_DIGEST_BYTES], int number);

/* An image with a cubin of so many bytes (0: none) and a short PTX, under sample_key(number). Asserts (CMocka). */
jr_image *sample_image(int number, size_t cubin_bytes);

#endif
