/* Exact sums over expressions: some kernels fused a * b + c to one rounding, others rounded twice, so that what should
 * be one value depended on the algorithm. C rounds twice. */
#include "support/fixtures/open_context.h"

enum { COUNT = 3000 };
static const float each = 0.2857143F;

/* The mapped element, by NumPy: float32(0.2857143) * float32(1.1) + float32(0.3). With a fused multiply-add it is
 * 0.61428577. */
static const float mapped = 0.6142857F;

static jr_spec spec_of(void) {
    return JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_F32, .result = JR_F32, .accuracy = JR_ACCURACY_EXACT,
                   .map = "x * 1.1f + 0.3f");
}

TEST(every_algorithm_rounds_twice) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO,      JR_ALGORITHM_SINGLE_PASS,
                                              JR_ALGORITHM_TWO_PASS,  JR_ALGORITHM_ONE_BLOCK,
                                              JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_TOURNAMENT};
    const opened *device = *state;
    static float data[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = each;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        jr_value value;
        jr_spec spec = spec_of();
        spec.algorithm = algorithms[i];
        works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
        assert_memory_equal(value.as.bytes, &mapped, sizeof mapped);
        spec.map = NULL;
        spec.finish = "a * 1.1f + 0.3f";
        works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
        assert_memory_equal(value.as.bytes, &mapped, sizeof mapped);
    }
}

TEST(so_do_segments_columns_and_scans) {
    static const jr_segment_kind kinds[] = {JR_SEGMENTS_EQUAL, JR_SEGMENTS_STRIDED};
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY,
                                              JR_ALGORITHM_WAVE, JR_ALGORITHM_THREE_PASS};
    enum { SEGMENTS = 30, LENGTH = COUNT / SEGMENTS };
    const opened *device = *state;
    static float data[COUNT], results[COUNT];
    const void *arrays = data;
    for (int i = 0; i < COUNT; i++) data[i] = each;
    for (int k = 0; k < 2; k++) {
        const jr_spec spec = spec_of();
        const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = kinds[k], .length = LENGTH,
                                                 .inner = kinds[k] == JR_SEGMENTS_STRIDED ? SEGMENTS : 0);
        const jr_segments segments = JR_INIT(jr_segments, .count = SEGMENTS);
        works(jr_reduce_host_segments(device->context, &spec, &layout, &arrays, &segments, results));
        for (int s = 0; s < SEGMENTS; s++) assert_memory_equal(&results[s], &mapped, sizeof mapped);
    }
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        jr_spec spec = spec_of();
        spec.algorithm = algorithms[i];
        works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results));
        for (int s = 0; s < COUNT; s++) assert_memory_equal(&results[s], &mapped, sizeof mapped);
    }
}

RUN_TESTS(open_context, close_context)
