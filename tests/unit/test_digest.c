/* Digests, seals, and copies past the cache. */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/digest.h"
#include "support/fixtures/check.h"

/* SHA-256 over fields; plain digests against the vectors of FIPS 180-4 (NIST's examples). */
static void hex_of(const void *bytes, size_t count, char hex[JR_DIGEST_HEX_BYTES]) {
    uint8_t digest[JR_DIGEST_BYTES];
    jr_digest_of(bytes, count, digest);
    jr_digest_hex(digest, hex);
}

TEST(plain_digest_gives_the_published_values) {
    char hex[JR_DIGEST_HEX_BYTES];
    hex_of(NULL, 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hex_of("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = test_bytes(1000000);
    memset(million, 'a', 1000000);
    hex_of(million, 1000000, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* libmd's, byte by byte. */
static void add(SHA2_CTX *state, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) SHA256Update(state, (const uint8_t *)bytes + i, 1);
}

static void add_length(SHA2_CTX *state, uint64_t length) {
    for (int i = 0; i < 8; i++) add(state, &(uint8_t){(uint8_t)(length >> (8 * i))}, 1);
}

TEST(bytes_of_every_count_after_every_other_give_what_libmd_gives) {
    enum { MOST = 200, BYTES = 700 };
    uint8_t bytes[BYTES], got[JR_DIGEST_BYTES], expected[JR_DIGEST_BYTES];
    static const uint8_t much[1 << 16]; /* after so many bytes the processor's instructions are used, if it has them */
    jr_digest_of(much, sizeof much, got);
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)(i * 31 + i / 7);
    for (size_t first = 0; first < MOST; first++)
        for (size_t second = 0; second < BYTES - MOST; second += 1 + second / 3) {
            jr_digest digest;
            SHA2_CTX plain;
            jr_digest_begin(&digest);
            SHA256Init(&plain);
            for (int i = 0; i < 2; i++) {
                const size_t count = i == 0 ? first : second;
                jr_digest_field(&digest, "x", bytes + first % 5, count);
                add_length(&plain, 1);
                add(&plain, "x", 1);
                add_length(&plain, count);
                add(&plain, bytes + first % 5, count);
            }
            jr_digest_end(&digest, got);
            SHA256Final(expected, &plain);
            assert_memory_equal(got, expected, sizeof got);
        }
}

typedef void (*feed)(jr_digest *digest);

static void feed_a_bc(jr_digest *digest) {
    jr_digest_string(digest, "t", "a");
    jr_digest_string(digest, "t", "bc");
}
static void feed_ab_c(jr_digest *digest) {
    jr_digest_string(digest, "t", "ab");
    jr_digest_string(digest, "t", "c");
}
static void feed_abc(jr_digest *digest) {
    jr_digest_string(digest, "t", "abc");
}
static void feed_abc_and_nothing(jr_digest *digest) {
    jr_digest_string(digest, "t", "abc");
    jr_digest_string(digest, "t", "");
}
static void feed_under_another_tag(jr_digest *digest) {
    jr_digest_string(digest, "u", "abc");
}
static void feed_tag_and_text_shifted(jr_digest *digest) {
    jr_digest_string(digest, "ta", "bc");
}
static void feed_swapped(jr_digest *digest) {
    jr_digest_string(digest, "t", "bc");
    jr_digest_string(digest, "t", "a");
}
static void feed_number(jr_digest *digest) {
    jr_digest_number(digest, "t", 0x636261);
}
static void feed_nothing(jr_digest *digest) {
    (void)digest;
}
static void feed_empty_field(jr_digest *digest) {
    jr_digest_string(digest, "", "");
}
static void feed_what_looks_like_two_fields(jr_digest *digest) {
    /* the encoding of the two fields ("t", "a") ("t", "bc") without the first one's head */
    jr_digest_field(digest, "t", "a\1\0\0\0\0\0\0\0t\2\0\0\0\0\0\0\0bc", 20);
}

TEST(no_two_lists_of_fields_have_the_same_digest) {
    static const feed feeds[] = {feed_a_bc,
                                 feed_ab_c,
                                 feed_abc,
                                 feed_abc_and_nothing,
                                 feed_under_another_tag,
                                 feed_tag_and_text_shifted,
                                 feed_swapped,
                                 feed_number,
                                 feed_nothing,
                                 feed_empty_field,
                                 feed_what_looks_like_two_fields};
    enum { COUNT = sizeof feeds / sizeof *feeds };
    uint8_t digests[COUNT][JR_DIGEST_BYTES];
    for (size_t i = 0; i < COUNT; i++) {
        jr_digest digest;
        jr_digest_begin(&digest);
        feeds[i](&digest);
        jr_digest_end(&digest, digests[i]);
        for (size_t k = 0; k < i; k++) assert_memory_not_equal(digests[i], digests[k], JR_DIGEST_BYTES);
    }
}

TEST(the_encoding_is_lengths_little_endian_then_bytes) {
    static const char encoded[] =
        "\3\0\0\0\0\0\0\0tag\2\0\0\0\0\0\0\0hi\1\0\0\0\0\0\0\0n\10\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0";
    uint8_t wanted[JR_DIGEST_BYTES], got[JR_DIGEST_BYTES];
    jr_digest digest;
    jr_digest_of(encoded, sizeof encoded - 1, wanted);
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "tag", "hi");
    jr_digest_number(&digest, "n", 0x102);
    jr_digest_end(&digest, got);
    assert_memory_equal(got, wanted, sizeof wanted);
}

TEST(a_string_that_is_null_counts_as_empty) {
    uint8_t null[JR_DIGEST_BYTES], empty[JR_DIGEST_BYTES];
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "t", NULL);
    jr_digest_end(&digest, null);
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "t", "");
    jr_digest_end(&digest, empty);
    assert_memory_equal(null, empty, sizeof empty);
}

/* Seals: a text that was changed anywhere, or cut, is noticed. */
TEST(a_text_without_its_whole_seal_is_refused) {
    jr_text text = {0};
    jr_text_append(&text, "one\ntwo\n");
    jr_seal_append(&text);
    for (size_t length = text.length; length-- > 0;) {
        char *copy = jr_bytes_copy(text.data, length);
        assert_non_null(copy);
        assert_false(jr_seal_cut(copy, length));
        free(copy);
    }
    jr_text_free(&text);
}

TEST(a_byte_of_zero_is_refused) {
    jr_text text = {0};
    jr_text_append_bytes(&text, "one\0two\n", 8);
    jr_seal_append(&text);
    assert_false(jr_seal_cut(text.data, text.length));
    jr_text_free(&text);
}

TEST(the_seal_is_the_sha256_of_what_stands_before_it) {
    jr_text text = {0};
    jr_text_append(&text, "abc"); /* FIPS 180-2, appendix B.1 */
    jr_seal_append(&text);
    assert_string_equal(jr_text_string(&text),
                        "abcsha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
    assert_true(jr_seal_cut(text.data, text.length));
    assert_string_equal(text.data, "abc");
    jr_text_free(&text);
}

/* Copies past the cache are copies, at every alignment and length, and write nothing else. */
enum { MOST = 300, GUARD = 0xa5 };

static unsigned char from[MOST + 64], to[MOST + 192];

static void assert_copied(size_t skip, size_t offset, size_t bytes) {
    memset(to, GUARD, sizeof to);
    jr_copy_past_cache(to + offset, from + skip, bytes);
    assert_memory_equal(to + offset, from + skip, bytes);
    for (size_t i = 0; i < sizeof to; i++)
        if ((i < offset || i >= offset + bytes) && to[i] != GUARD)
            fail_msg("byte %zu was written, beside %zu from %zu on", i, bytes, offset);
}

TEST(bytes_are_copied_at_every_alignment_and_length) {
    for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t bytes = 0; bytes <= MOST; bytes++)
        for (size_t offset = 64; offset < 128; offset += 1 + bytes / 64) assert_copied(bytes % 5, offset, bytes);
}

RUN_TESTS(NULL, NULL)
