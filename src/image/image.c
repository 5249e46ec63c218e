/* Makes images, and reads and writes their stored form. Nothing in stored bytes is believed before it was checked. */
#include "image.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/little_endian.h"
#include "base/text.h"

enum {
    FORMAT = 1,
    FORMAT_AT = 8,
    ZERO_AT = 12,
    KEY_AT = 16,
    LENGTHS_AT = 48,
    HEADER_BYTES = 80,
    CHECKSUM_BYTES = JR_DIGEST_BYTES
};

static const char magic[8] = {'J', 'R', 'I', 'M', 'A', 'G', 'E', '\n'};

/* The pieces that follow the header, in their order. */
enum { CUBIN, PTX, ENTRY, ARCHITECTURE, PIECES };
static const char *const piece_names[PIECES] = {"cubin", "PTX", "entry", "architecture"};

static jr_status damaged(const char *what) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the stored image cannot be used: %s", what);
}

/* Checks the lengths against the bytes there are, one at a time, so that no sum can overflow. */
static jr_status pieces_find(const uint8_t *stored, size_t count, const uint8_t *pieces[PIECES], size_t sizes[PIECES]) {
    const uint8_t *at = stored + HEADER_BYTES;
    size_t left = count - HEADER_BYTES - CHECKSUM_BYTES;
    for (int i = 0; i < PIECES; i++) {
        uint64_t size = jr_little_get(stored + LENGTHS_AT + 8 * i, 8);
        if (size > left)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "the stored image cannot be used: its %s has %llu bytes where %zu are left", piece_names[i],
                           (unsigned long long)size, left);
        pieces[i] = at;
        sizes[i] = (size_t)size;
        at += sizes[i];
        left -= sizes[i];
    }
    if (left) return damaged("it has more bytes than its lengths say");
    for (int i = PTX; i < PIECES; i++)
        if (sizes[i] == 0 || memchr(pieces[i], '\0', sizes[i]) != pieces[i] + sizes[i] - 1)
            return damaged("a text in it does not end where it should");
    if (sizes[ENTRY] == 1 || sizes[ARCHITECTURE] == 1) return damaged("it names no kernel or no architecture");
    if (sizes[CUBIN] == 0 && sizes[PTX] == 1) return damaged("it holds neither a cubin nor PTX");
    return JR_OK;
}

static jr_status header_check(const uint8_t *stored, size_t count, const uint8_t *key) {
    uint8_t checksum[CHECKSUM_BYTES];
    if (count < HEADER_BYTES + CHECKSUM_BYTES) return damaged("it is too short");
    if (memcmp(stored, magic, sizeof magic) != 0) return damaged("it does not begin as an image does");
    uint64_t format = jr_little_get(stored + FORMAT_AT, 4);
    if (format != FORMAT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the stored image cannot be used: it has format %llu, not %d",
                       (unsigned long long)format, FORMAT);
    jr_digest_of(stored, count - CHECKSUM_BYTES, checksum);
    if (memcmp(checksum, stored + count - CHECKSUM_BYTES, CHECKSUM_BYTES) != 0)
        return damaged("its checksum does not match: it was truncated or changed");
    if (jr_little_get(stored + ZERO_AT, 4) != 0) return damaged("its reserved bytes are not zero");
    if (key && memcmp(stored + KEY_AT, key, JR_DIGEST_BYTES) != 0) return damaged("it was stored under another key");
    return JR_OK;
}

jr_status jr_image_adopt(void *bytes, size_t count, const uint8_t *key, jr_image **image) {
    const uint8_t *pieces[PIECES] = {0};
    size_t sizes[PIECES] = {0};
    jr_status status = header_check(bytes, count, key);
    if (!status) status = pieces_find(bytes, count, pieces, sizes);
    if (status) return status;
    jr_image *made = malloc(sizeof *made);
    if (!made) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an image");
    *made = (jr_image){
        .entry = (const char *)pieces[ENTRY],
        .architecture = (const char *)pieces[ARCHITECTURE],
        .ptx = (const char *)pieces[PTX],
        .ptx_bytes = sizes[PTX] - 1,
        .cubin = sizes[CUBIN] ? pieces[CUBIN] : NULL,
        .cubin_bytes = sizes[CUBIN],
        .key = (const uint8_t *)bytes + KEY_AT,
        .stored = bytes,
        .stored_bytes = count,
    };
    *image = made;
    return JR_OK;
}

jr_status jr_image_decode(const void *bytes, size_t count, const uint8_t *key, jr_image **image) {
    void *copy = jr_bytes_copy(bytes, count);
    if (bytes && !copy) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an image of %zu bytes", count);
    if (!copy) return damaged("its address is NULL");
    jr_status status = jr_image_adopt(copy, count, key, image);
    if (status) free(copy);
    return status;
}

typedef struct piece {
    const void *bytes;
    size_t size; /* for a text: without the NUL that follows it in the file */
} piece;

static void store(const piece pieces[PIECES], const uint8_t *key, uint8_t *stored, size_t count) {
    memset(stored, 0, HEADER_BYTES);
    memcpy(stored, magic, sizeof magic);
    jr_little_put(stored + FORMAT_AT, FORMAT, 4);
    if (key) memcpy(stored + KEY_AT, key, JR_DIGEST_BYTES);
    uint8_t *at = stored + HEADER_BYTES;
    for (int i = 0; i < PIECES; i++) {
        const size_t size = pieces[i].size;
        jr_little_put(stored + LENGTHS_AT + 8 * i, size + (i != CUBIN), 8);
        if (size) memcpy(at, pieces[i].bytes, size);
        at += size;
        if (i != CUBIN) *at++ = '\0';
    }
    jr_digest_of(stored, count - CHECKSUM_BYTES, at);
}

jr_status jr_image_make(const jr_image_parts *parts, jr_image **image) {
    if (!parts->entry || !*parts->entry || !parts->architecture || !*parts->architecture)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "an image needs the names of its kernel and of its architecture");
    const piece pieces[PIECES] = {{parts->cubin, parts->cubin_bytes},
                                  {parts->ptx, parts->ptx ? strnlen(parts->ptx, parts->ptx_bytes) : 0},
                                  {parts->entry, strlen(parts->entry)},
                                  {parts->architecture, strlen(parts->architecture)}};
    size_t count = HEADER_BYTES + CHECKSUM_BYTES + PIECES - 1; /* the NULs of all but the cubin */
    bool fits = true;
    for (int i = 0; i < PIECES; i++) fits = fits && !__builtin_add_overflow(count, pieces[i].size, &count);
    uint8_t *stored = fits ? malloc(count) : NULL;
    if (!stored) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an image of %zu bytes", count);
    store(pieces, parts->key, stored, count);
    jr_status status = jr_image_adopt(stored, count, NULL, image);
    if (status) free(stored);
    return status;
}

void jr_image_free(jr_image *image) {
    if (!image) return;
    free(image->stored);
    free(image);
}
