/* Architectures: which target is chosen for a device, and which names are taken. */
#include <string.h>

#include "image/architecture.h"
#include "support/fixtures/check.h"

/* What NVRTC 13.0 supports: not contiguous. */
static const jr_nvrtc_about nvrtc = {.path = "/opt/libnvrtc.so.13",
                                     .major = 13,
                                     .minor = 0,
                                     .architectures = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121},
                                     .architecture_count = 12};

static void chooses(int major, int minor, const char *wanted) {
    char name[JR_ARCHITECTURE_BYTES];
    assert_int_equal(jr_architecture_choose(&nvrtc, (jr_architecture_device){major, minor, false}, name), JR_OK);
    assert_string_equal(name, wanted);
}

TEST(a_known_device_gets_its_own_code) {
    chooses(7, 5, "sm_75");
    chooses(9, 0, "sm_90");
    chooses(12, 1, "sm_121");
}

TEST(an_unknown_device_gets_the_largest_ptx_below) {
    chooses(8, 5, "compute_80");
    chooses(9, 9, "compute_90");
    chooses(10, 1, "compute_100");
    chooses(13, 0, "compute_121");
}

TEST(a_device_that_runs_ptx_itself_gets_no_code) {
    char name[JR_ARCHITECTURE_BYTES];
    assert_int_equal(jr_architecture_choose(&nvrtc, (jr_architecture_device){9, 0, true}, name), JR_OK);
    assert_string_equal(name, "compute_90");
    assert_int_equal(jr_architecture_choose(&nvrtc, (jr_architecture_device){9, 9, true}, name), JR_OK);
    assert_string_equal(name, "compute_90");
    assert_int_equal(jr_architecture_choose(&nvrtc, (jr_architecture_device){7, 0, true}, name), JR_ERROR_ARCHITECTURE);
}

TEST(a_device_older_than_all_is_refused_with_both_names) {
    char name[JR_ARCHITECTURE_BYTES] = "untouched";
    const jr_nvrtc_about none = {.path = "x"};
    assert_int_equal(jr_architecture_choose(&nvrtc, (jr_architecture_device){7, 0, false}, name),
                     JR_ERROR_ARCHITECTURE);
    const char *message = jr_last_error()->message;
    assert_non_null(strstr(message, "NVRTC 13.0 (/opt/libnvrtc.so.13)"));
    assert_non_null(strstr(message, "compute capability 7.0"));
    assert_non_null(strstr(message, "sm_75"));
    assert_string_equal(name, "untouched");
    assert_int_equal(jr_architecture_choose(&none, (jr_architecture_device){9, 0, false}, name), JR_ERROR_ARCHITECTURE);
}

TEST(names_of_the_right_form_are_taken) {
    static const char *const right[] = {"sm_90", "sm_90a", "compute_80", "compute_100f", "sm_121"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(jr_architecture_check(&nvrtc, right[i]), JR_OK);
}

TEST(names_of_another_form_are_refused) {
    static const char *const wrong[] = {NULL,
                                        "",
                                        "90",
                                        "sm_",
                                        "sm_x",
                                        "sm_90b",
                                        "sm_90aa",
                                        "sm-90",
                                        "SM_90",
                                        "sm_ 90",
                                        "sm_+90",
                                        "sm_-90",
                                        "sm_0",
                                        "lto_90",
                                        "sm_90 -I",
                                        "compute_",
                                        "sm_90\n",
                                        "sm_00000000000000000000090",
                                        "sm_99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(jr_architecture_check(&nvrtc, wrong[i]), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, wrong[i] ? wrong[i] : "(NULL)"));
    }
}

TEST(architectures_that_this_nvrtc_lacks_are_refused) {
    static const char *const unknown[] = {"sm_70", "sm_91", "compute_130", "sm_9999"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(jr_architecture_check(&nvrtc, unknown[i]), JR_ERROR_ARCHITECTURE);
        assert_non_null(strstr(jr_last_error()->message, unknown[i]));
    }
}

RUN_TESTS(NULL, NULL)
