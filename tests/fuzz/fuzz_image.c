/* The stored form of an image: a cache entry, or what a program ships. The checksum is corrected in every second input,
 * so that the code after its check is reached. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "fuzz.h"
#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jr_image *image;
    uint8_t *stored = (uint8_t *)fuzz_text(data, size);
    if (size > JR_DIGEST_BYTES && size % 2 == 0)
        jr_digest_of(stored, size - JR_DIGEST_BYTES, stored + size - JR_DIGEST_BYTES);
    if (jr_image_decode(stored, size, NULL, &image) == JR_OK) {
        fuzz_demand(strlen(image->entry) < size && strlen(image->architecture) < size);
        fuzz_demand(strlen(image->ptx) == image->ptx_bytes && image->cubin_bytes < size);
        fuzz_demand(image->stored_bytes == size && memcmp(image->stored, stored, size) == 0);
        jr_image_free(image);
    }
    free(stored);
    return 0;
}
