/* Makes the stand-in of NCCL. */
#include "stand_in.h"

#include <stdlib.h>
#include <string.h>

#include "fake_library.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

static char folder[SCRATCH_BYTES], path[SCRATCH_BYTES];

void stand_in_make(const char *driver) {
    size_t count;
    scratch_make(folder);
    strncpy(path, scratch_path(folder, "libnccl.so.2"), sizeof path - 1);
    char *source = scratch_read("tests/nccl/stand_in.c", &count);
    assert_true(fake_library(path, source));
    assert_int_equal(setenv("JITREDUCE_NCCL", path, 1), 0);
    assert_int_equal(setenv("NCCL_STAND_IN_DRIVER", driver, 1), 0);
    stand_in_fails(NULL);
}

void stand_in_remove(void) {
    if (folder[0] != '\0') scratch_remove(folder);
    folder[0] = '\0';
}

const char *stand_in_path(void) {
    return path;
}

void stand_in_fails(const char *what) {
    assert_int_equal(setenv("NCCL_STAND_IN", what != NULL ? what : "", 1), 0);
}

int stand_in_open_devices(void **state) {
    if (open_four_devices(state) != 0) return -1;
    const opened *device = *state;
    if (device->info.simulated) stand_in_make(device->driver.path);
    return 0;
}

int stand_in_close_devices(void **state) {
    stand_in_remove();
    return close_context(state);
}
