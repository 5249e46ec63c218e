/* Images for tests. */
#include "sample_image.h"

#include <stdlib.h>
#include <string.h>

#include "support/fixtures/check.h"

void sample_key(uint8_t key[JR_DIGEST_BYTES], int number) {
    memset(key, number, JR_DIGEST_BYTES);
}

jr_image *sample_image(int number, size_t cubin_bytes) {
    static const char ptx[] = ".version 9.0\n.target sm_90\n";
    uint8_t key[JR_DIGEST_BYTES];
    uint8_t *cubin = cubin_bytes ? malloc(cubin_bytes) : NULL;
    for (size_t i = 0; i < cubin_bytes; i++) cubin[i] = (uint8_t)(i * 7 + (size_t)number);
    sample_key(key, number);
    jr_image_parts parts = {.key = key,
                            .entry = "reduce_f32",
                            .architecture = "sm_90",
                            .ptx = ptx,
                            .ptx_bytes = sizeof ptx, /* with its NUL, as NVRTC counts */
                            .cubin = cubin,
                            .cubin_bytes = cubin_bytes};
    jr_image *image = NULL;
    assert_int_equal(jr_image_make(&parts, &image), JR_OK);
    free(cubin);
    return image;
}
