/* A pack of compiled kernels, opened and verified as a context does. The digest of its head, and its length, are
 * corrected in every second input, so that the code after their checks is reached. */
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "fuzz.h"
#include "image/pack_file.h"

static void put_right(uint8_t *stored, size_t size) {
    const uint64_t head = jr_little_get(stored + JR_PACK_HEAD_BYTES_AT, 8);
    jr_little_put(stored + JR_PACK_FILE_BYTES_AT, size, 8);
    if (head < jr_pack_head_bytes(0, 0) || head > size) return;
    jr_digest_of(stored, (size_t)head - JR_DIGEST_BYTES, stored + head - JR_DIGEST_BYTES);
}

/* Every image that is found is whole, and lies where the file is. */
static void read_all(jr_pack_file *pack) {
    for (uint32_t s = 0; s < pack->section_count; s++)
        for (uint32_t i = 0; i < pack->sections[s].count; i++) {
            const uint32_t row = pack->sections[s].first + i;
            jr_key key;
            jr_image *image = NULL;
            memcpy(&key, pack->rows + (size_t)row * JR_PACK_ROW_BYTES, sizeof key);
            fuzz_demand(jr_pack_file_find(pack, &pack->sections[s], &key) == row);
            if (jr_pack_file_image_bytes(pack, row) > 1 << 20) continue; /* allowed, and slow */
            if (jr_pack_file_read(pack, &pack->sections[s], row, &image) != JR_OK) continue;
            fuzz_demand(image->stored_bytes == jr_pack_file_image_bytes(pack, row));
            jr_image_free(image);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jr_pack_file *pack = NULL;
    uint8_t *stored = (uint8_t *)fuzz_text(data, size);
    if (size >= JR_PACK_HEADER_BYTES && size % 2 == 0) put_right(stored, size);
    if (jr_pack_file_open(fuzz_file(stored, size), &pack) == JR_OK) read_all(pack);
    jr_pack_file_close(pack);
    free(stored);
    return 0;
}
