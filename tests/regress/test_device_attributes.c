/* When a driver failed to report a device's compute capability or number of multiprocessors, they were taken to be 0:
 * the context opened, and every plan of it failed with "compute capability 0.0". */
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "loader/driver.h"
#include "support/fakes/sim_faults.h"

TEST(opening_fails_when_the_device_does_not_tell_what_is_needed) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "");
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_driver driver;
    int refused = 0;
    assert_int_equal(jr_driver_open(NULL, NULL, true, NULL, &driver), JR_OK);
    const sim_faults faults = sim_faults_of(driver.library);
    for (int n = 1; n <= 20; n++) {
        char rule[40];
        jr_context *context = NULL;
        jr_value value = {0};
        snprintf(rule, sizeof rule, "cuDeviceGetAttribute:%d", n);
        assert_int_equal(faults.refuse(rule), 0);
        const jr_status status = jr_context_open(&options, &context);
        assert_int_equal(faults.refuse(NULL), 0);
        if (status == JR_OK) { /* then it did without, and everything works */
            assert_int_equal(jr_reduce_host(context, &spec, (int32_t[]){3, 4}, 2, &value), JR_OK);
            assert_int_equal(value.as.i64, 7);
        } else {
            refused++;
            assert_int_equal(status, JR_ERROR_DRIVER);
            assert_non_null(strstr(jr_last_error()->message, "asking for"));
            assert_null(context);
        }
        jr_context_close(context);
    }
    assert_true(refused >= 3);
    jr_driver_close(&driver);
}

RUN_TESTS(NULL, NULL)
