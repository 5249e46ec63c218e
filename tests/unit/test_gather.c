/* Elements that lie apart are read as if they lay one after the other, from any byte to any other. */
#include "device/gather.h"
#include "support/cases/view_case.h"

enum { VIEWS = 200, MOST = 3000, BYTES_MAX = 24 };

TEST(any_bytes_of_a_view_are_those_of_its_copy) {
    static const size_t widths[] = {1, 2, 4, 8, 12, 16, BYTES_MAX};
    uint64_t seed = 1;
    for (int n = 0; n < VIEWS; n++) {
        const view_case view = view_random(MOST, &seed);
        const size_t each = widths[n % 7];
        unsigned char *memory = test_bytes(view.elements[0] * each);
        const uint64_t count = view.segments * view.length;
        unsigned char *wanted = test_bytes(count * each), *got = test_bytes(count * each + 1);
        for (uint64_t i = 0; i < view.elements[0] * each; i++) memory[i] = (unsigned char)random_bits(&seed);
        view_case all = view;
        all.reduced = (1u << view.dimensions) - 1;
        for (uint64_t e = 0; e < count; e++)
            memcpy(wanted + e * each, memory + view_element(&all, 0, 0, e) * each, each);
        jr_gather gather = {.base = memory + view.first[0] * each, .element_bytes = each};
        for (int k = 0; k < view.dimensions; k++)
            jr_gather_add_axis(&gather, view.shape[k], view.strides[0][k] * (int64_t)each);
        for (int i = 0; i < 20; i++) {
            const uint64_t from = i == 0 ? 0 : random_below(&seed, count * each);
            const uint64_t bytes = i == 0 ? count * each : random_below(&seed, count * each - from + 1);
            got[bytes] = 77;
            jr_gather_read(&gather, (const unsigned char *)gather.base + from, bytes, got);
            assert_memory_equal(got, wanted + from, bytes);
            assert_int_equal(got[bytes], 77);
        }
    }
}

TEST(axes_that_follow_each_other_are_one) {
    jr_gather gather = {.element_bytes = 4};
    jr_gather_add_axis(&gather, 5, 48);
    jr_gather_add_axis(&gather, 1, 7);
    jr_gather_add_axis(&gather, 6, 8);
    assert_int_equal(gather.count, 1);
    assert_true(gather.size[0] == 30 && gather.stride[0] == 8);
    jr_gather_add_axis(&gather, 3, 4);
    assert_int_equal(gather.count, 2);
}

RUN_TESTS(NULL, NULL)
