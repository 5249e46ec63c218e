/* Device memory through the public functions: it carries bytes there and back, and refuses what cannot be. */
#include <string.h>

#include "support/fixtures/open_context.h"

TEST(bytes_come_back_as_they_went) {
    const opened *device = *state;
    const char text[] = "there and back";
    char back[sizeof text] = "";
    void *address;
    works(jr_memory_new(device->context, sizeof text, &address));
    assert_int_equal((uintptr_t)address % 256, 0);
    works(jr_memory_write(device->context, address, text, sizeof text));
    works(jr_memory_read(device->context, back, address, sizeof text));
    assert_string_equal(back, text);
    jr_memory_free(device->context, address);
    jr_memory_free(device->context, NULL);
}

TEST(memory_that_is_not_there_is_refused_with_what_is_free) {
    const opened *device = *state;
    void *address = NULL;
    fails(jr_memory_new(device->context, UINT64_C(1) << 50, &address), JR_ERROR_DEVICE_OUT_OF_MEMORY, "bytes are free");
    assert_null(address);
    works(jr_memory_new(device->context, 1, &address));
    jr_memory_free(device->context, address);
}

TEST(nowhere_is_refused) {
    const opened *device = *state;
    void *address = NULL;
    char byte = 0;
    fails(jr_memory_new(device->context, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_new(NULL, 1, &address), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_write(device->context, NULL, &byte, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_read(device->context, &byte, NULL, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
}

RUN_TESTS(open_context, close_context)
