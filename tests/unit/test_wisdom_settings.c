/* Stored settings of tunables as text: of the third format, and read back as they are printed alone. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "jitreduce/status.h"
#include "support/cases/wisdom_case.h"
#include "support/fixtures/check.h"
#include "wisdom/wisdom_text.h"

/* Reading changes what is read. */
static jr_status parse(const char *text, jr_wisdom *wisdom) {
    char *copy = jr_string_copy(text);
    assert_non_null(copy);
    const jr_status status = jr_wisdom_parse(copy, strlen(copy), wisdom);
    free(copy);
    return status;
}

static void refuses_changed(const char *text, const char *from, const char *to, const char *why) {
    jr_wisdom wisdom = {0};
    char *changed = wisdom_changed(text, from, to);
    assert_int_equal(parse(changed, &wisdom), JR_ERROR_WISDOM);
    if (strstr(jr_last_error()->message, why) == NULL) fail_msg("'%s' is not in '%s'", why, jr_last_error()->message);
    free(changed);
}

TEST(a_text_with_settings_is_of_the_third_format) {
    jr_wisdom wisdom = {0};
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    const jr_wisdom_entry entry = {.work = "kernel my-kernel.v2 0123456789abcdef N=1024,M=7",
                                   .count = 1,
                                   .time_ns = 3012,
                                   .estimate_ns = 4101,
                                   .setting = "BLOCK=256,UF=-4"};
    wisdom_put(&wisdom, "NVIDIA H200", "sum f32", 1024);
    assert_int_equal(jr_wisdom_add(&wisdom, &machine, &entry), JR_OK);
    char *text = wisdom_text(&wisdom);
    jr_wisdom_free(&wisdom);
    assert_memory_equal(text, "jitreduce wisdom 3\ndevice ", 26);
    assert_non_null(strstr(text,
                           "\nkernel my-kernel.v2 0123456789abcdef N=1024,M=7: BLOCK=256,UF=-4; 3.012 us, preferred "
                           "4.101 us\nsum f32, 1024 elements: two_pass"));
    assert_int_equal(parse(text, &wisdom), JR_OK);
    char *again = wisdom_text(&wisdom);
    assert_string_equal(again, text);
    assert_string_equal(wisdom.parts[0].entries[0].setting, "BLOCK=256,UF=-4");
    jr_wisdom_free(&wisdom);
    refuses_changed(text, "wisdom 3", "wisdom 2", "line 1 says format 2, and its entries are of format 3");
    refuses_changed(text, "BLOCK=256,UF=-4; ", "; ", "line 8 is not a valid entry");
    refuses_changed(text, "preferred", "estimate", "line 8 is not a valid entry");
    refuses_changed(text, "M=7", "M=7:", "line 8 is not a valid entry");
    free(text);
    free(again);
}

RUN_TESTS(NULL, NULL)
