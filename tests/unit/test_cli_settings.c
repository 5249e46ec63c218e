/* The command shows the settings of the library, and asks it for the device. */
#include <jitreduce.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_settings.h"
#include "support/fixtures/check.h"

static char text[8192];

static const char *print(int values) {
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    cli_settings_print(out, values);
    assert_int_equal(fclose(out), 0);
    return text;
}

TEST(every_variable_of_the_library_is_shown) {
    print(0);
    assert_true(jr_variable_count() > 10);
    for (int i = 0; i < jr_variable_count(); i++) {
        assert_non_null(strstr(text, jr_variable_get(i).name));
        assert_non_null(strstr(text, jr_variable_get(i).text));
    }
}

TEST(values_are_shown_where_there_are_any) {
    setenv("JRSIM_SEED", "17", 1);
    assert_non_null(strstr(print(1), "  * JRSIM_SEED             \"17\"\n"));
    unsetenv("JRSIM_SEED");
    assert_non_null(strstr(print(1), "    JRSIM_SEED             (not set)\n"));
}

TEST(a_variable_that_is_none_is_empty) {
    assert_null(jr_variable_get(-1).name);
    assert_null(jr_variable_get(jr_variable_count()).text);
}

TEST(an_empty_device_is_no_device) {
    setenv("JITREDUCE_DEVICE", "", 1);
    assert_null(cli_settings_device());
    setenv("JITREDUCE_DEVICE", "sim", 1);
    assert_string_equal(cli_settings_device(), "sim");
}

RUN_TESTS(NULL, NULL)
