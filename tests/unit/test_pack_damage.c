/* Packs that are damaged, truncated or foreign are reported, and never taken for a good one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/little_endian.h"
#include "support/fixtures/check.h"
#include "support/fixtures/pack_file_case.h"

/* ---- what is damaged ---- */

/* What a context makes of a pack with such bytes: it is refused, or none of its images is another than it was. */
static void survives(const char *path, const char *bytes, size_t count, bool *refused_whole, bool *lost) {
    jr_packs *packs = NULL;
    scratch_write(path, bytes, count);
    *refused_whole = jr_packs_open(path, 90, &packs) != JR_OK;
    *lost = *refused_whole;
    if (*refused_whole) return;
    for (int number = 1; number <= PACK_FILE_IMAGES; number++) *lost |= pack_file_found(packs, number)[0] == '\0';
    assert_int_equal(jr_packs_failures(packs) > 0, *lost);
    jr_packs_close(packs);
}

TEST_BETWEEN(every_flipped_byte_is_told_and_gives_no_other_image, pack_file_begin, pack_file_end) {
    for (int plain = 0; plain <= 1; plain++) {
        size_t count = 0, missed = 0;
        bool whole, lost;
        const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, plain);
        char *good = scratch_read(path, &count);
        const size_t head = jr_pack_head_bytes(1, PACK_FILE_IMAGES);
        for (size_t at = 0; at < count; at++) {
            good[at] ^= 0x10;
            survives(path, good, count, &whole, &lost);
            /* In compressed data a few bits change how it is read, but not the result, which is what is compared. */
            if (!lost && (plain || at < head)) fail_msg("byte %zu of %zu is not missed", at, count);
            missed += lost;
            if (at < head) assert_true(whole);
            good[at] ^= 0x10;
        }
        assert_true(missed > count - 20 * PACK_FILE_IMAGES);
        survives(path, good, count, &whole, &lost);
        assert_false(lost);
    }
}

TEST_BETWEEN(every_truncation_and_every_byte_too_many_is_refused, pack_file_begin, pack_file_end) {
    size_t count = 0;
    bool whole, lost;
    const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, false);
    char *good = scratch_read(path, &count), *longer = calloc(count + 1, 1);
    assert_non_null(longer);
    memcpy(longer, good, count);
    for (size_t size = 0; size <= count + 1; size++) {
        if (size == count) continue;
        survives(path, longer, size, &whole, &lost);
        assert_true(whole);
    }
    free(longer);
}

/* A wrong index with a right digest: its values are checked all the same. */
TEST_BETWEEN(an_index_that_points_anywhere_is_refused_however_well_sealed, pack_file_begin, pack_file_end) {
    const size_t row = JR_PACK_HEADER_BYTES + JR_PACK_SECTION_BYTES, head = jr_pack_head_bytes(1, PACK_FILE_IMAGES);
    const struct {
        size_t at;
        int bytes;
        uint64_t number;
    } cases[] = {{row + JR_PACK_ROW_AT, 8, UINT64_MAX},
                 {row + JR_PACK_ROW_AT, 8, 0},
                 {row + JR_PACK_ROW_AT, 8, head - 1},
                 {row + JR_PACK_ROW_PACKED_AT, 4, UINT32_MAX},
                 {row + JR_PACK_ROW_IMAGE_AT, 4, UINT32_MAX},
                 {row, 1, 0xff}, /* its key: no longer in order */
                 {JR_PACK_HEADER_BYTES, 1, 'x'},
                 {JR_PACK_HEADER_BYTES + JR_PACK_SECTION_FIRST_AT, 4, 1},
                 {JR_PACK_HEADER_BYTES + JR_PACK_SECTION_ROWS_AT, 4, UINT32_MAX},
                 {JR_PACK_HEADER_BYTES + JR_PACK_SECTION_ROWS_AT, 4, PACK_FILE_IMAGES - 1},
                 {JR_PACK_HEADER_BYTES + JR_PACK_SECTION_DICTIONARY_AT, 8, UINT64_MAX},
                 {JR_PACK_HEADER_BYTES + JR_PACK_SECTION_DICTIONARY_BYTES_AT, 8, UINT64_MAX},
                 {JR_PACK_CODING_AT, 4, 2},
                 {JR_PACK_HEAD_BYTES_AT, 8, UINT64_MAX},
                 {JR_PACK_SECTION_COUNT_AT, 4, 0},
                 {JR_PACK_SECTION_COUNT_AT, 4, UINT32_MAX},
                 {JR_PACK_ROW_COUNT_AT, 4, UINT32_MAX}};
    size_t count = 0;
    const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, false);
    char *good = scratch_read(path, &count);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *bad = malloc(count);
        assert_non_null(bad);
        memcpy(bad, good, count);
        jr_little_put(bad + cases[i].at, cases[i].number, cases[i].bytes);
        jr_digest_of(bad, head - JR_DIGEST_BYTES, bad + head - JR_DIGEST_BYTES);
        scratch_write(path, bad, count);
        pack_file_refused(path, JR_ERROR_PACK, "a.jrpack cannot be used");
        free(bad);
    }
}

TEST_BETWEEN(a_pack_of_another_format_or_version_says_so, pack_file_begin, pack_file_end) {
    size_t count = 0;
    const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, false);
    char *bytes = scratch_read(path, &count);
    memcpy(bytes + JR_PACK_LIBRARY_AT, "0.1.9", 6);
    scratch_write(path, bytes, count);
    pack_file_refused(path, JR_ERROR_PACK, "jitreduce 0.1.9 has made it, and this is ");
    bytes[JR_PACK_FORMAT_AT] = 7;
    scratch_write(path, bytes, count);
    pack_file_refused(path, JR_ERROR_PACK, "it has format 7");
    scratch_write(path,
                  "JRIMAGE\n and what follows, long enough to have a header, if it were one: "
                  "................................................................................................"
                  "....................................................",
                  200);
    pack_file_refused(path, JR_ERROR_PACK, "it does not begin as a pack does");
    assert_int_equal(truncate(path, 0), 0);
    pack_file_refused(path, JR_ERROR_PACK, "too short");
}

RUN_TESTS(NULL, NULL)
