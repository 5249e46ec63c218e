/* A setting of the simulator that is wrong: cuInit refuses it, and cuGetErrorString says which one and why. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases/sim_case.h"

static const char *text_of_invalid_value(void) {
    const char *text = NULL;
    good(cuGetErrorString(JR_CUDA_ERROR_INVALID_VALUE, &text));
    return text;
}

/* The first one: a process reads the rule once. */
TEST(a_wrong_rule_is_told_with_its_form) {
    int status = 1;
    pid_t child = fork(); /* the rule is read once in a process */
    assert_true(child >= 0);
    if (child == 0) {
        setenv("JRSIM_FAIL", "nope", 1);
        int error = cuInit(0);
        const char *text = text_of_invalid_value();
        bool told = strstr(text, "invalid argument: JRSIM_FAIL is 'nope', which is not name[:nth[:error number]]") &&
                    strstr(text, "from 1 to 9999");
        _exit(error == JR_CUDA_ERROR_INVALID_VALUE && told ? 0 : 7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(a_wrong_number_is_told_with_its_name_value_and_range) {
    static const struct {
        const char *variable, *value, *range;
    } rows[] = {
        {"JRSIM_DEVICES", "0", "1 to 16"},
        {"JRSIM_DEVICES", "17", "1 to 16"},
        {"JRSIM_DEVICES", "two", "1 to 16"},
        {"JRSIM_DEVICES", "-1", "1 to 16"},
        {"JRSIM_DEVICES", "2 ", "1 to 16"},
        {"JRSIM_THREADS", "0", "1 to 1024"},
        {"JRSIM_THREADS", "100000", "1 to 1024"},
        {"JRSIM_THREADS", "1025", "1 to 1024"},
        {"JRSIM_THREADS", "abc", "1 to 1024"},
        {"JRSIM_THREADS", " -1", "1 to 1024"},
        {"JRSIM_MEMORY_BYTES", "abc", "1 to 18446744073709551615"},
        {"JRSIM_MEMORY_BYTES", "0", "1 to 18446744073709551615"},
        {"JRSIM_SEED", "abc", "0 to 18446744073709551615"},
        {"JRSIM_SEED", "18446744073709551616", "0 to 18446744073709551615"},
        {"JRSIM_STEP_LIMIT", "abc", "0 to 18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "invalid argument: %s is '%s', which is not a whole number from %s",
                 rows[i].variable, rows[i].value, rows[i].range);
        assert_int_equal(setenv(rows[i].variable, rows[i].value, 1), 0);
        fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
        assert_string_equal(text_of_invalid_value(), expected);
        unsetenv(rows[i].variable);
    }
}

TEST(a_wrong_word_or_path_is_told_with_what_it_may_be) {
    setenv("JRSIM_JUDGE", "lenient", 1);
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
    assert_string_equal(text_of_invalid_value(),
                        "invalid argument: JRSIM_JUDGE is 'lenient', which is not one of strict, warn and off");
    unsetenv("JRSIM_JUDGE");
    static const char *const traces[] = {"k", "k:1", "k:1:", "k:x:1", "k:1:1:1", ":0:0", "k:-1:0"};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        char expected[200];
        setenv("JRSIM_TRACE", traces[i], 1);
        fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
        snprintf(
            expected, sizeof expected,
            "invalid argument: JRSIM_TRACE is '%s', which is not kernel:block:warp with numbers for block and warp",
            traces[i]);
        assert_string_equal(text_of_invalid_value(), expected);
    }
    unsetenv("JRSIM_TRACE");
    setenv("JRSIM_ROUNDS", "/nowhere/at/all", 1);
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
    assert_string_equal(text_of_invalid_value(), "invalid argument: JRSIM_ROUNDS is '/nowhere/at/all', which cannot be "
                                                 "written: No such file or directory");
    unsetenv("JRSIM_ROUNDS");
    setenv("JRSIM_LOG", "/nowhere/at/all", 1);
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
    assert_string_equal(text_of_invalid_value(), "invalid argument: JRSIM_LOG is '/nowhere/at/all', which cannot be "
                                                 "written: No such file or directory");
    unsetenv("JRSIM_LOG");
}

TEST(the_text_goes_with_the_failure) {
    setenv("JRSIM_THREADS", "abc", 1);
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
    assert_non_null(strstr(text_of_invalid_value(), "JRSIM_THREADS"));
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(1)); /* for another reason */
    assert_string_equal(text_of_invalid_value(), "invalid argument");
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(0));
    setenv("JRSIM_THREADS", "1024", 1);
    good(cuInit(0));
    assert_string_equal(text_of_invalid_value(), "invalid argument");
}

RUN_TESTS(NULL, NULL)
