/* Seals: a text that was changed anywhere, or cut, is noticed. */
#include <stdlib.h>
#include <string.h>

#include "base/seal.h"
#include "support/fixtures/check.h"

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

RUN_TESTS(NULL, NULL)
