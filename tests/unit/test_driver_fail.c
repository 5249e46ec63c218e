/* The driver's errors in our words. */
#include <string.h>

#include "base/error.h"
#include "loader/driver.h"
#include "support/fixtures/check.h"
#include "support/fixtures/told.h"

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
