/* All segments together end before the first 16-byte boundary: the number of packs between them fell below 0, and short
 * segments read memory after the input. */
#include <string.h>

#include "support/fixtures/kernel_case.h"

/* Sums of `count` equal or ragged segments at the very end of an allocation, `shift` bytes after a boundary.
 */
static void judge(const opened *device, const jr_segment_layout *layout, jr_type type, size_t shift, uint64_t count) {
    const size_t element_bytes = jr_type_size(type), bytes = count * layout->length * element_bytes;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .result = JR_I64);
    const bool ragged = layout->kind == JR_SEGMENTS_OFFSETS;
    uint64_t offsets[17], *d_offsets = device_new(device, sizeof offsets);
    unsigned char data[16] = {0}, *room = device_new(device, shift + bytes);
    int64_t got[16], *d_out = device_new(device, sizeof got);
    jr_plan *plan = NULL;
    for (uint64_t i = 0; i < count * layout->length; i++) data[i * element_bytes] = (unsigned char)(i + 1);
    device_write(device, room + shift, data, bytes);
    for (uint64_t s = 0; s <= count; s++) offsets[s] = s * layout->length;
    device_write(device, d_offsets, offsets, sizeof offsets);
    works(jr_segment_plan_create(device->context, &spec, layout, &plan));
    works(jr_segment_plan_run(plan, room + shift, &JR_INIT(jr_segments, count, ragged ? d_offsets : NULL), d_out, NULL,
                              NULL));
    device_read(device, got, d_out, count * sizeof *got);
    for (uint64_t s = 0; s < count; s++) {
        int64_t wanted = 0;
        for (uint64_t k = 0; k < layout->length; k++) wanted += (int64_t)(s * layout->length + k + 1);
        assert_int_equal(got[s], wanted);
    }
    jr_plan_destroy(plan);
    device_free(device, room);
    device_free(device, d_offsets);
    device_free(device, d_out);
}

TEST(few_elements_before_a_boundary_are_read_and_no_others) {
    static const jr_type types[] = {JR_U8, JR_U16, JR_U32, JR_U64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t bytes = jr_type_size(types[t]);
        for (size_t elements = 1; elements * bytes < 16; elements++)
            for (size_t shift = bytes; shift + elements * bytes < 16; shift += bytes)
                for (uint64_t length = 1; length <= elements; length++) {
                    jr_segment_layout layout = JR_INIT(jr_segment_layout, JR_SEGMENTS_EQUAL, .length = length);
                    if (elements % length != 0) continue;
                    judge(*state, &layout, types[t], shift, elements / length);
                    layout.kind = JR_SEGMENTS_OFFSETS;
                    judge(*state, &layout, types[t], shift, elements / length);
                }
    }
}

RUN_TESTS(open_context, close_context)
