/* The command's list of settings is the library's: same variables, same words, same order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/settings.h"

/* The command is no library: a test of its parts is compiled together with them. */
// NOLINTNEXTLINE(bugprone-suspicious-include)
#include "../../tools/jitreduce/settings.c"

static const cli_setting library_settings[] = {
#define LIBRARY_ROW(id, variable, text) {variable, text},
    JR_SETTINGS(LIBRARY_ROW)
#undef LIBRARY_ROW
};

static void the_command_shows_the_settings_of_the_library(void **state) {
    (void)state;
    assert_int_equal(cli_setting_count, sizeof library_settings / sizeof *library_settings);
    for (int i = 0; i < cli_setting_count; i++) {
        assert_string_equal(cli_settings[i].variable, library_settings[i].variable);
        assert_string_equal(cli_settings[i].text, library_settings[i].text);
    }
}

static void an_empty_device_is_no_device(void **state) {
    (void)state;
    setenv("JITREDUCE_DEVICE", "", 1);
    assert_null(cli_settings_device());
    setenv("JITREDUCE_DEVICE", "sim", 1);
    assert_string_equal(cli_settings_device(), "sim");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_shows_the_settings_of_the_library),
        cmocka_unit_test(an_empty_device_is_no_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
