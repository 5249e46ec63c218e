/* More than 2^32 elements, exactly, up to 2^35 where the device holds them: two halves that cancel, followed by the
 * elements that decide. */
#include <math.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { POWER = 32, POWER_MAX = 35, BEHIND = 3, SCATTERED = 64 };

/* The largest power of two whose floats fit together with the other memory of a test; POWER at least. */
static uint64_t elements_that_fit(const opened *device) {
    const uint64_t spare = 1ull << 29;
    int power = POWER_MAX;
    while (power > POWER && (sizeof(float) << power) + spare > device_free_bytes(device)) power--;
    return 1ull << power;
}

static void put(const opened *device, float *d_in, uint64_t at, float x) {
    device_write(device, d_in + at, &x, sizeof x);
}

/* A half of 1.99.. * 2^99, a half of as much below 0, with pairs of other sizes in places of chance; and one, half a
 * unit of it in f32, and the least number there is: the next float above one. */
static void fill(const opened *device, float *d_in, uint64_t half) {
    uint64_t seed = 9;
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 0x717fffff, half));
    drives(device->driver.cuMemsetD32_v2(device_address(d_in + half), 0xf17fffff, half));
    for (int i = 0; i < SCATTERED; i++) {
        const float x = ldexpf(1 + (float)i / SCATTERED, 4 * i - 149 < 127 ? 4 * i - 149 : 127);
        const uint64_t at = random_below(&seed, half / SCATTERED) + (uint64_t)i * (half / SCATTERED);
        put(device, d_in, at, x);
        put(device, d_in, half + at, -x);
    }
    put(device, d_in, 2 * half, 1);
    put(device, d_in, 2 * half + 1, 0x1p-24F);
    put(device, d_in, 2 * half + 2, 0x1p-149F);
}

TEST(sums_of_more_than_2_32_elements_are_exact) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_SINGLE_PASS};
    const opened *device = *state;
    const uint64_t cancelling = elements_that_fit(device), all = cancelling + BEHIND;
    skip_without_memory(device, all * sizeof(float));
    print_message("%llu elements\n", (unsigned long long)all);
    float *d_in = device_new(device, all * sizeof *d_in);
    fill(device, d_in, cancelling / 2);
    for (int a = 0; a < 2; a++) {
        jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT,
                               .algorithm = algorithms[a]);
        jr_plan *plan = NULL;
        works(jr_plan_create(device->context, &spec, &plan));
        assert_true(plan_value(device, plan, d_in, all).as.f32 == 1 + 0x1p-23F);
        assert_true(plan_value(device, plan, d_in, all - 1).as.f32 == 1); /* a tie */
        assert_true(plan_value(device, plan, d_in + 1, all - 1).as.f32 == -0x1.fffffep99F);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
