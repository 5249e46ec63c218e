/* The stored form of a pack: many images of some architectures, found by the key of their program's text.
 *
 * Numbers little-endian, nothing after the end:
 *   0 magic "JRPACK\n" and 0 | 8 format, 4 bytes | 12 coding, 4 | 16 head bytes, 8 | 24 file bytes, 8
 *   32 library version, text of 16 | 48 sections, 4 | 52 rows, 4 | 56 zero, 8 | 64 compiler, text of 64
 *   128 sections, 96 each: architecture, text of 24 | 24 first row, 4 | 28 rows, 4 | 32 dictionary at, 8
 *       40 dictionary bytes, 8 | 48 its SHA-256, 32 | 80 zero, 16
 *   then the rows, 48 each: key of a program's text, 32 | 32 image at, 8 | 40 bytes there, 4 | 44 image bytes, 4
 *   then the SHA-256 of all before it, 32: these are the head | dictionaries and images
 * Sections are in the order of their architectures' names and have all rows between them, each section's in the order
 * of their keys. An image is its stored form (image.h), which has a checksum of its own and, as its key, that of
 * jr_pack_key; with coding 1 it is a zstd frame, made with the section's dictionary if that has bytes. */
#ifndef JR_IMAGE_PACK_FORM_H
#define JR_IMAGE_PACK_FORM_H

#include "program/key.h"

enum {
    JR_PACK_FORMAT = 1,
    JR_PACK_SECTIONS_MAX = 64,
    JR_PACK_ROWS_MAX = 1 << 20,
    JR_PACK_IMAGE_BYTES_MAX = 1 << 28,
    JR_PACK_DICTIONARY_BYTES_MAX = 1 << 20,
    JR_PACK_LIBRARY_BYTES = 16, /* of texts: with the NUL */
    JR_PACK_COMPILER_BYTES = 64,
    JR_PACK_NAME_BYTES = 24,

    JR_PACK_FORMAT_AT = 8,
    JR_PACK_CODING_AT = 12,
    JR_PACK_HEAD_BYTES_AT = 16,
    JR_PACK_FILE_BYTES_AT = 24,
    JR_PACK_LIBRARY_AT = 32,
    JR_PACK_SECTION_COUNT_AT = 48,
    JR_PACK_ROW_COUNT_AT = 52,
    JR_PACK_ZERO_AT = 56,
    JR_PACK_COMPILER_AT = 64,
    JR_PACK_HEADER_BYTES = 128,

    JR_PACK_SECTION_FIRST_AT = 24,
    JR_PACK_SECTION_ROWS_AT = 28,
    JR_PACK_SECTION_DICTIONARY_AT = 32,
    JR_PACK_SECTION_DICTIONARY_BYTES_AT = 40,
    JR_PACK_SECTION_DIGEST_AT = 48,
    JR_PACK_SECTION_BYTES = 96,

    JR_PACK_ROW_AT = 32,
    JR_PACK_ROW_PACKED_AT = 40,
    JR_PACK_ROW_IMAGE_AT = 44,
    JR_PACK_ROW_BYTES = 48
};

/* How images lie in the file. */
enum { JR_PACK_PLAIN = 0, JR_PACK_ZSTD = 1 };

#define JR_PACK_MAGIC "JRPACK\n"

/* Bytes of the head of so many sections and rows. */
static inline uint64_t jr_pack_head_bytes(uint32_t sections, uint32_t rows) {
    return JR_PACK_HEADER_BYTES + (uint64_t)sections * JR_PACK_SECTION_BYTES + (uint64_t)rows * JR_PACK_ROW_BYTES +
           JR_DIGEST_BYTES;
}

/* The key under which the image of a program's text for an architecture is stored. */
static inline void jr_pack_key(const uint8_t text_key[JR_DIGEST_BYTES], const char *architecture,
                               uint8_t key[JR_DIGEST_BYTES]) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_number(&digest, "pack", JR_PACK_FORMAT);
    jr_digest_field(&digest, "text", text_key, JR_DIGEST_BYTES);
    jr_digest_string(&digest, "architecture", architecture);
    jr_digest_end(&digest, key);
}

#endif
