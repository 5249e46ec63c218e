/* Settings: the list and the environment. */
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "support/fixtures/check.h"

TEST(a_setting_that_is_not_set_is_null_and_an_empty_one_is_empty) {
    unsetenv("JITREDUCE_CACHE_DIR");
    assert_null(jr_setting_get(JR_SETTING_CACHE_DIR));
    setenv("JITREDUCE_CACHE_DIR", "", 1);
    assert_string_equal(jr_setting_get(JR_SETTING_CACHE_DIR), "");
    setenv("JITREDUCE_CACHE_DIR", "/x", 1);
    assert_string_equal(jr_setting_get(JR_SETTING_CACHE_DIR), "/x");
    unsetenv("JITREDUCE_CACHE_DIR");
}

TEST(every_setting_has_a_name_and_a_text_of_its_own) {
    for (int i = 0; i < JR_SETTING_COUNT; i++) {
        assert_true(strlen(jr_setting_text((jr_setting)i)) > 5);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(jr_setting_variable((jr_setting)i), jr_setting_variable((jr_setting)k));
    }
}

/* The last one: it spoils the environment. */
TEST(every_setting_reads_its_own_variable) {
    for (int i = 0; i < JR_SETTING_COUNT; i++) {
        const char *variable = jr_setting_variable((jr_setting)i);
        setenv(variable, variable, 1);
    }
    for (int i = 0; i < JR_SETTING_COUNT; i++)
        assert_string_equal(jr_setting_get((jr_setting)i), jr_setting_variable((jr_setting)i));
}

RUN_TESTS(NULL, NULL)
