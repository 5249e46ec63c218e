/* Host memory whose elements lie apart arrives without gaps on the device, through one piece or through the ring. */
#include "device/gather_upload.h"
#include "kernel/context.h"
#include "support/fixtures/open_context.h"

/* Every third element of 4 bytes, from the last one on. */
static void arrives(const opened *device, uint64_t count) {
    uint32_t *memory = test_bytes(3 * count * sizeof *memory), *got = test_bytes(count * sizeof *got);
    for (uint64_t i = 0; i < 3 * count; i++) memory[i] = (uint32_t)(i * 2654435761u);
    jr_gather gather = {.base = memory + 3 * (count - 1), .element_bytes = sizeof *memory};
    jr_gather_add_axis(&gather, count, -12);
    uint32_t *d_got = device_new(device, count * sizeof *got);
    const jr_bytes from = {gather.base, count * sizeof *got};
    works(jr_gather_upload(&device->context->device, device_address(d_got), &gather, &from, NULL));
    device_read(device, got, d_got, count * sizeof *got);
    for (uint64_t i = 0; i < count; i++)
        if (got[i] != memory[3 * (count - 1 - i)]) fail_msg("element %d of %d", (int)i, (int)count);
}

TEST(little_goes_through_one_piece) {
    arrives(*state, 1);
    arrives(*state, 1000);
    arrives(*state, (3 << 18) + 5);
}

TEST(much_goes_through_the_ring) {
    arrives(*state, (5 << 20) + 3);
}

RUN_TESTS(open_context, close_context)
