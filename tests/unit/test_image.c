/* The image and its stored form. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/image.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"

enum { HEADER_BYTES = 80, CHECKSUM_BYTES = 32 };

static void assert_refused(const void *bytes, size_t count, const uint8_t *key, const char *why) {
    jr_image *image = (jr_image *)&image;
    void *untouched = image;
    assert_int_equal(jr_image_decode(bytes, count, key, &image), JR_ERROR_INVALID_ARGUMENT);
    assert_ptr_equal(image, untouched);
    assert_told(why);
}

/* A copy of the stored form with a new checksum after `change`. */
static void refused_after(void (*change)(uint8_t *bytes, size_t count), const char *why) {
    jr_image *image = sample_image(1, 40);
    uint8_t *bytes = jr_bytes_copy(image->stored, image->stored_bytes);
    size_t count = image->stored_bytes;
    change(bytes, count);
    jr_digest_of(bytes, count - CHECKSUM_BYTES, bytes + count - CHECKSUM_BYTES);
    assert_refused(bytes, count, NULL, why);
    free(bytes);
    jr_image_free(image);
}

TEST(every_flipped_byte_is_noticed) {
    jr_image *image = sample_image(1, 100);
    uint8_t *bytes = jr_bytes_copy(image->stored, image->stored_bytes);
    for (size_t at = 0; at < image->stored_bytes; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (uint8_t)(1 << bit);
            assert_refused(bytes, image->stored_bytes, NULL, "cannot be used");
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    free(bytes);
    jr_image_free(image);
}

TEST(every_truncation_and_every_appended_byte_is_noticed) {
    jr_image *image = sample_image(1, 100);
    for (size_t count = 0; count < image->stored_bytes; count++) {
        /* A copy of just that size, so that the address sanitizer sees any read beyond it. */
        uint8_t *cut = malloc(count ? count : 1);
        assert_non_null(cut);
        memcpy(cut, image->stored, count);
        assert_refused(cut, count, NULL, "cannot be used");
        free(cut);
    }
    uint8_t *longer = calloc(1, image->stored_bytes + 1);
    assert_non_null(longer);
    memcpy(longer, image->stored, image->stored_bytes);
    assert_refused(longer, image->stored_bytes + 1, NULL, "cannot be used");
    free(longer);
    jr_image_free(image);
    assert_refused(NULL, 0, NULL, "its address is NULL");
}

static void cubin_length_wraps(uint8_t *bytes, size_t count) {
    (void)count;
    memset(bytes + 48, 0xFF, 8);
}
static void lengths_sum_to_zero_modulo_2_64(uint8_t *bytes, size_t count) {
    (void)count;
    memset(bytes + 48, 0, 32);
    bytes[48 + 7] = bytes[56 + 7] = 0x80; /* 2^63 + 2^63 */
}
static void ptx_is_one_too_long(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[56]++;
}
static void cubin_is_one_too_short(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[48]--;
}
static void ptx_has_no_bytes(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[48] = (uint8_t)(bytes[48] + bytes[56]);
    bytes[56] = 0;
}
static void ptx_lacks_its_nul(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[HEADER_BYTES + 40 + bytes[56] - 1] = 'x';
}
static void entry_has_a_nul_inside(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[HEADER_BYTES + 40 + bytes[56] + 2] = '\0';
}
static void entry_is_empty(uint8_t *bytes, size_t count) {
    (void)count;
    size_t entry = HEADER_BYTES + 40 + (size_t)bytes[56];
    bytes[64 + 8] = (uint8_t)(bytes[64 + 8] + bytes[64] - 1); /* the architecture takes its bytes */
    bytes[64] = 1;
    bytes[entry] = '\0';
    bytes[entry + sizeof "reduce_f32" - 1] = 'x';
}
static void reserved_bytes_are_set(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[12] = 1;
}
static void format_is_newer(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[8] = 2;
}
static void magic_differs(uint8_t *bytes, size_t count) {
    (void)count;
    bytes[0] = 'X';
}

TEST(lies_under_a_right_checksum_are_noticed) {
    refused_after(cubin_length_wraps, "its cubin has 18446744073709551615 bytes where");
    refused_after(lengths_sum_to_zero_modulo_2_64, "its cubin has 9223372036854775808 bytes where");
    refused_after(ptx_is_one_too_long, "cannot be used");
    refused_after(cubin_is_one_too_short, "cannot be used");
    refused_after(ptx_has_no_bytes, "does not end where it should");
    refused_after(ptx_lacks_its_nul, "does not end where it should");
    refused_after(entry_has_a_nul_inside, "does not end where it should");
    refused_after(entry_is_empty, "names no kernel");
    refused_after(reserved_bytes_are_set, "reserved");
    refused_after(format_is_newer, "it has format 2, not 1");
    refused_after(magic_differs, "does not begin as an image");
}

TEST(bytes_that_no_length_accounts_for_are_noticed) {
    jr_image *image = sample_image(1, 40);
    size_t count = image->stored_bytes + 4;
    uint8_t *longer = test_zeros(1, count);
    memcpy(longer, image->stored, image->stored_bytes - CHECKSUM_BYTES);
    jr_digest_of(longer, count - CHECKSUM_BYTES, longer + count - CHECKSUM_BYTES);
    assert_refused(longer, count, NULL, "more bytes than its lengths say");
    jr_image_free(image);
}

TEST(an_image_of_another_key_is_refused) {
    uint8_t other[JR_DIGEST_BYTES];
    jr_image *image = sample_image(1, 10), *read = NULL;
    sample_key(other, 2);
    assert_refused(image->stored, image->stored_bytes, other, "under another key");
    assert_int_equal(jr_image_decode(image->stored, image->stored_bytes, image->key, &read), JR_OK);
    jr_image_free(read);
    jr_image_free(image);
}

TEST(what_is_no_image_is_not_made) {
    const jr_image_parts bad[] = {
        {.architecture = "sm_90", .ptx = "x", .ptx_bytes = 1},
        {.entry = "", .architecture = "sm_90", .ptx = "x", .ptx_bytes = 1},
        {.entry = "k", .ptx = "x", .ptx_bytes = 1},
        {.entry = "k", .architecture = "", .ptx = "x", .ptx_bytes = 1},
        {.entry = "k", .architecture = "sm_90"},
        {.entry = "k", .architecture = "sm_90", .ptx = "", .ptx_bytes = 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jr_image *image = NULL;
        assert_int_equal(jr_image_make(&bad[i], &image), JR_ERROR_INVALID_ARGUMENT);
        assert_null(image);
    }
    const jr_image_parts huge = {.entry = "k", .architecture = "sm_90", .cubin = "", .cubin_bytes = SIZE_MAX - 100};
    jr_image *image = NULL;
    assert_int_equal(jr_image_make(&huge, &image), JR_ERROR_OUT_OF_MEMORY);
    assert_null(image);
}

static void assert_same(const jr_image *a, const jr_image *b) {
    assert_string_equal(a->entry, b->entry);
    assert_string_equal(a->architecture, b->architecture);
    assert_string_equal(a->ptx, b->ptx);
    assert_int_equal(a->ptx_bytes, b->ptx_bytes);
    assert_int_equal(a->cubin_bytes, b->cubin_bytes);
    if (a->cubin_bytes) assert_memory_equal(a->cubin, b->cubin, a->cubin_bytes);
}

TEST(a_stored_image_reads_back_the_same) {
    for (size_t cubin_bytes = 0; cubin_bytes < 70; cubin_bytes += 23) {
        jr_image *image = sample_image(3, cubin_bytes), *read = NULL;
        assert_int_equal(image->ptx_bytes, strlen(image->ptx));
        assert_int_equal(image->cubin == NULL, cubin_bytes == 0);
        assert_int_equal(jr_image_decode(image->stored, image->stored_bytes, NULL, &read), JR_OK);
        assert_same(image, read);
        assert_ptr_not_equal(read->stored, image->stored);
        assert_int_equal((uintptr_t)read->cubin % 16, 0);
        jr_image_free(image);
        jr_image_free(read);
    }
    jr_image_free(NULL);
}

TEST(an_image_may_have_a_cubin_alone) {
    const jr_image_parts parts = {.entry = "k", .architecture = "sm_90", .cubin = "ELF", .cubin_bytes = 3};
    jr_image *image = NULL;
    assert_int_equal(jr_image_make(&parts, &image), JR_OK);
    assert_string_equal(image->ptx, "");
    assert_int_equal(image->ptx_bytes, 0);
    assert_memory_equal(image->cubin, "ELF", 3);
    jr_image_free(image);
}

static jr_status make_and_decode(void *unused) {
    (void)unused;
    const jr_image_parts parts = {.entry = "k", .architecture = "sm_90", .cubin = "ELF", .cubin_bytes = 3};
    jr_image *image = NULL, *read = NULL;
    jr_status status = jr_image_make(&parts, &image);
    if (!status) status = jr_image_decode(image->stored, image->stored_bytes, NULL, &read);
    jr_image_free(read);
    jr_image_free(image);
    return status;
}

TEST(images_fail_cleanly_at_every_allocation) {
    assert_int_equal(fail_nth_walk(FAIL_ALL, make_and_decode, NULL), 4);
}

RUN_TESTS(NULL, NULL)
