/* The text buffer and the copies. */
/* link: fail_nth */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

TEST(an_empty_text_is_the_empty_string) {
    jr_text text = {0};
    assert_string_equal(jr_text_string(&text), "");
    assert_false(jr_text_failed(&text));
    char *taken = jr_text_take(&text);
    assert_non_null(taken);
    assert_string_equal(taken, "");
    free(taken);
    jr_text_free(&text);
}

TEST(appends_add_up_across_every_growth) {
    jr_text text = {0};
    char wanted[20001] = "";
    for (int i = 0; i < 10000; i++) {
        jr_text_append(&text, "%d,", i % 10);
        memcpy(wanted + 2 * i, (char[]){(char)('0' + i % 10), ','}, 2);
    }
    wanted[20000] = '\0';
    assert_false(jr_text_failed(&text));
    assert_int_equal(text.length, 20000);
    assert_string_equal(jr_text_string(&text), wanted);
    jr_text_free(&text);
    assert_string_equal(jr_text_string(&text), "");
}

TEST(one_append_may_be_larger_than_any_before) {
    for (size_t size = 250; size < 260; size++) { /* around the first capacity */
        char *large = test_zeros(1, size + 1);
        memset(large, 'x', size);
        jr_text text = {0};
        jr_text_append(&text, "%s", large);
        assert_string_equal(jr_text_string(&text), large);
        jr_text_append_bytes(&text, "yz", 2);
        assert_int_equal(text.length, size + 2);
        assert_string_equal(jr_text_string(&text) + size, "yz");
        jr_text_free(&text);
    }
}

TEST(bytes_may_hold_nuls) {
    jr_text text = {0};
    jr_text_append_bytes(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.data, "a\0b", 4);
    jr_text_free(&text);
}

TEST(a_text_that_was_taken_is_empty_and_usable) {
    jr_text text = {0};
    jr_text_append(&text, "first");
    char *taken = jr_text_take(&text);
    assert_string_equal(taken, "first");
    assert_string_equal(jr_text_string(&text), "");
    jr_text_append(&text, "second");
    assert_string_equal(jr_text_string(&text), "second");
    free(taken);
    jr_text_free(&text);
}

TEST(a_size_beyond_memory_fails_and_sticks) {
    jr_text text = {0};
    jr_text_append(&text, "kept");
    jr_text_append_bytes(&text, "", SIZE_MAX - 1);
    assert_true(jr_text_failed(&text));
    jr_text_append(&text, "more");
    assert_string_equal(jr_text_string(&text), "kept");
    assert_null(jr_text_take(&text));
    assert_false(jr_text_failed(&text));
}

TEST(copies_are_equal_and_end_with_nul) {
    char *copy = jr_string_copy("abc");
    assert_string_equal(copy, "abc");
    free(copy);
    char *bytes = jr_bytes_copy("a\0b", 3);
    assert_memory_equal(bytes, "a\0b", 4);
    free(bytes);
    char *nothing = jr_bytes_copy("x", 0);
    assert_string_equal(nothing, "");
    free(nothing);
    assert_null(jr_string_copy(NULL));
    assert_null(jr_bytes_copy(NULL, 3));
    assert_null(jr_bytes_copy("x", SIZE_MAX));
}

static jr_status build_a_text(void *unused) {
    (void)unused;
    jr_text text = {0};
    for (int i = 0; i < 500; i++) jr_text_append(&text, "%08d", i);
    bool failed = jr_text_failed(&text);
    char *taken = jr_text_take(&text);
    assert_int_equal(failed, taken == NULL);
    if (taken) assert_int_equal(strlen(taken), 4000);
    free(taken);
    return failed ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "as it should") : JR_OK;
}

TEST(a_failed_allocation_sticks_and_leaks_nothing) {
    assert_int_equal(fail_nth_walk(FAIL_MEMORY, build_a_text, NULL), 5); /* 256, 512, 1024, 2048, 4096 */
}

RUN_TESTS(NULL, NULL)
