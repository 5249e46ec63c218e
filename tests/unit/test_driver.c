/* The loader of the driver, and its failures. */
/* link: fail_nth */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "loader/driver.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

/* Opening a driver: stubs, missing functions, absent files. */

/* Builds a driver without a function below the test's folder; its path. */
static const char *build(const char *name, const char *without, bool optional_too) {
    const char *path = scratch_path(scratch_own, name);
    char parent[2 * SCRATCH_BYTES];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    scratch_folder(parent);
    fake_library_make(path, fake_driver_source(without, optional_too));
    return path;
}

static jr_status open_in(const jr_places *places, const char *path, bool simulated) {
    jr_driver driver;
    memset(&driver, 0x5A, sizeof driver);
    jr_status status = jr_driver_open(places, path, simulated, NULL, &driver);
    if (!status)
        jr_driver_close(&driver);
    else
        assert_int_equal(((unsigned char *)&driver)[0], 0x5A); /* untouched on failure */
    return status;
}

TEST_BETWEEN(an_absent_driver_is_an_error_that_lists_every_place_and_what_to_do, scratch_begin, NULL) {
    jr_places places = {.root = scratch_own, .bare_names = false};
    assert_int_equal(open_in(&places, NULL, false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_string_equal(jr_last_error()->stage, "loader");
    assert_told(
        "no CUDA driver was found in 5 places: install the NVIDIA driver, or use the simulator (device \"sim\")");
    assert_told("JITREDUCE_DRIVER");
    assert_told("/usr/lib/wsl/lib/libcuda.so.1 (system folder): cannot open shared object file");
}

TEST_BETWEEN(an_absent_simulator_is_an_error_of_its_own, scratch_begin, NULL) {
    jr_places places = {.root = scratch_own};
    snprintf(places.own_folder, sizeof places.own_folder, "%s", scratch_own);
    assert_int_equal(open_in(&places, NULL, true), JR_ERROR_SIMULATOR_NOT_FOUND);
    assert_told("no PTX simulator was found in 4 places");
    assert_told("JITREDUCE_SIM");
}

TEST_BETWEEN(no_place_at_all_is_an_error_too, scratch_begin, NULL) {
    assert_int_equal(open_in(&(jr_places){0}, NULL, false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("in 0 places");
}

TEST_BETWEEN(a_wish_that_fails_is_never_replaced, scratch_begin, NULL) {
    build("usr/lib64/libcuda.so.1", NULL, true);
    jr_places places = {.root = scratch_own};
    assert_int_equal(open_in(&places, "/none/libcuda.so.1", false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("the CUDA driver /none/libcuda.so.1 (option) cannot be used: cannot open shared object file");
    places.driver = scratch_path(scratch_own, "text");
    scratch_text(places.driver, "no library");
    assert_int_equal(open_in(&places, NULL, false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("(setting JITREDUCE_DRIVER) cannot be used");
    places.driver = NULL;
    assert_int_equal(open_in(&places, NULL, false), JR_OK);
}

TEST_BETWEEN(a_stub_is_refused_by_where_it_lies_also_behind_a_link, scratch_begin, NULL) {
    const char *stub = build("cuda/lib64/stubs/libcuda.so", NULL, true);
    jr_places places = {.root = scratch_own};
    assert_int_equal(open_in(&places, stub, false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("not a driver, but the CUDA toolkit's stub library");
    scratch_folder(scratch_path(scratch_own, "usr/lib64"));
    assert_int_equal(symlink("../../cuda/lib64/stubs/libcuda.so", scratch_path(scratch_own, "usr/lib64/libcuda.so.1")),
                     0);
    assert_int_equal(open_in(&places, NULL, false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("not a driver, but the CUDA toolkit's stub library");
    assert_int_equal(open_in(&places, stub, true), JR_OK); /* a simulator may lie where it likes */
    scratch_text(scratch_path(scratch_own, "other/stubs/libcuda.so.1"), "never loaded");
    assert_int_equal(open_in(&places, scratch_path(scratch_own, "other/stubs/libcuda.so.1"), false),
                     JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("not a driver, but the CUDA toolkit's stub library");
}

TEST_BETWEEN(a_stub_that_a_bare_name_leads_to_is_refused, scratch_begin, NULL) {
    void *library = dlopen(build("x/stubs/libjrteststub.so.1", NULL, true), RTLD_NOW);
    assert_non_null(library);
    assert_int_equal(open_in(&(jr_places){0}, "libjrteststub.so.1", false), JR_ERROR_DRIVER_NOT_FOUND);
    assert_told("not a driver, but the CUDA toolkit's stub library (");
    dlclose(library);
}

TEST_BETWEEN(every_required_function_that_is_missing_is_named, scratch_begin, NULL) {
    static const char *const some[] = {"cuInit", "cuMemAlloc_v2", "cuEventElapsedTime"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char name[64];
        snprintf(name, sizeof name, "lacking-%s.so", some[i]);
        const char *path = build(name, some[i], true);
        for (int simulated = 0; simulated < 2; simulated++) {
            assert_int_equal(open_in(&(jr_places){0}, path, simulated), JR_ERROR_MISSING_FUNCTION);
            assert_told(some[i]);
            assert_told(name);
        }
    }
}

TEST_BETWEEN(a_search_that_met_an_incomplete_driver_tells_of_it, scratch_begin, NULL) {
    build("usr/lib64/libcuda.so.1", "cuLaunchKernel", true);
    assert_int_equal(open_in(&(jr_places){.root = scratch_own}, NULL, false), JR_ERROR_MISSING_FUNCTION);
    assert_told("usr/lib64/libcuda.so.1 (system folder) cannot be used: it lacks the function cuLaunchKernel");
}

TEST_BETWEEN(a_complete_driver_behind_an_incomplete_one_is_found, scratch_begin, NULL) {
    jr_candidates findings = {0};
    jr_driver driver;
    char good[2 * SCRATCH_BYTES];
    build("usr/lib/x86_64-linux-gnu/libcuda.so.1", "cuInit", true);
    snprintf(good, sizeof good, "%s", build("usr/lib64/libcuda.so.1", NULL, true));
    jr_places places = {.root = scratch_own};
    assert_int_equal(jr_driver_open(&places, NULL, false, &findings, &driver), JR_OK);
    assert_string_equal(driver.path, good);
    assert_false(driver.simulated);
    assert_int_equal(findings.count, 5);
    assert_false(findings.items[0].chosen);
    assert_string_equal(findings.items[0].detail, "it lacks the function cuInit");
    assert_true(findings.items[1].chosen);
    assert_string_equal(findings.items[1].detail, good);
    assert_null(findings.items[2].detail); /* not looked at */
    jr_candidates_free(&findings);
    jr_driver_close(&driver);
    assert_null(driver.library);
    jr_driver_close(&driver);
}

TEST_BETWEEN(optional_functions_may_be_missing, scratch_begin, NULL) {
    jr_driver driver;
    assert_int_equal(jr_driver_open(NULL, build("sim.so", NULL, false), true, NULL, &driver), JR_OK);
    assert_true(driver.simulated);
    assert_non_null(driver.cuInit);
    assert_int_equal(driver.cuInit(0), 0);
    assert_null(driver.cuGraphLaunch);
    jr_driver_close(&driver);
}

TEST_BETWEEN(a_relative_path_is_loaded_from_the_working_directory, scratch_begin, NULL) {
    char before[JR_PATH_BYTES];
    jr_driver driver;
    build("sim.so", NULL, true);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(scratch_own), 0);
    jr_status status = jr_driver_open(NULL, "./sim.so", true, NULL, &driver);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, JR_OK);
    assert_string_equal(driver.path, scratch_path(scratch_own, "sim.so"));
    jr_driver_close(&driver);
}

static jr_status open_the_good_one(void *places) {
    return open_in(places, NULL, false);
}

TEST_BETWEEN(opening_fails_cleanly_at_every_call, scratch_begin, NULL) {
    build("usr/lib64/libcuda.so.1", NULL, true);
    jr_places places = {.root = scratch_own};
    assert_true(fail_nth_walk(FAIL_ALL, open_the_good_one, &places) > 60); /* each of the functions, for one */
}

/* The driver's errors in our words. */
static jr_cu_result name_newer_error(jr_cu_result error, const char **text) {
    *text = "CUDA_ERROR_FROM_THE_FUTURE";
    return error == 12345 ? 0 : JR_CUDA_ERROR_INVALID_VALUE;
}

TEST(errors_become_statuses) {
    static const struct {
        int result;
        jr_status status;
    } rows[] = {
        {2, JR_ERROR_DEVICE_OUT_OF_MEMORY},
        {34, JR_ERROR_DRIVER_NOT_FOUND},
        {100, JR_ERROR_NO_DEVICE},
        {101, JR_ERROR_NO_DEVICE},
        {700, JR_ERROR_DEVICE_FAULT},
        {701, JR_ERROR_LAUNCH_RESOURCES},
        {702, JR_ERROR_DEVICE_FAULT},
        {708, JR_ERROR_DRIVER},
        {709, JR_ERROR_DRIVER},
        {710, JR_ERROR_DEVICE_FAULT},
        {712, JR_ERROR_DRIVER},
        {713, JR_ERROR_DRIVER},
        {714, JR_ERROR_DEVICE_FAULT},
        {719, JR_ERROR_DEVICE_FAULT},
        {720, JR_ERROR_DRIVER},
        {1, JR_ERROR_DRIVER},
        {200, JR_ERROR_DRIVER},
        {999, JR_ERROR_DRIVER},
        {12345, JR_ERROR_DRIVER},
    };
    jr_driver table = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(jr_driver_check(&table, rows[i].result, "x"), rows[i].status);
}

TEST(an_error_has_action_name_number_and_text) {
    jr_driver table = {0};
    jr_driver_check(&table, 2, "allocating %d bytes of device memory", 4096);
    assert_string_equal(jr_last_error()->message,
                        "allocating 4096 bytes of device memory: CUDA_ERROR_OUT_OF_MEMORY (2: out of memory)");
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_OUT_OF_MEMORY");
    jr_driver_check(&table, 700, "running k");
    assert_told("an illegal memory access was encountered); the CUDA context is lost");
    jr_driver_check(&table, 34, "initialising");
    assert_told("stub, not a driver: install the NVIDIA driver, or use the simulator (device \"sim\")");
    jr_driver_check(&table, 100, "initialising");
    assert_told("; use the simulator (device \"sim\") to run without a GPU");
    jr_driver_check(&table, 12345, "x");
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_UNKNOWN");
}

TEST(the_drivers_own_words_come_before_our_list) {
    jr_driver table = {.cuGetErrorName = name_newer_error};
    jr_driver_check(&table, 12345, "x");
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_FROM_THE_FUTURE");
    jr_driver_check(&table, 1, "x"); /* it does not know this one: our list does */
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_INVALID_VALUE");
}

RUN_TESTS(NULL, NULL)
