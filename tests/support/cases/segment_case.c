/* What the tests of segments share. */
#include "segment_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_case.h"
#include "support/oracle/affine.h"
#include "support/oracle/reduce_data.h"
#include "support/oracle/reference.h"

segment_case segments_equal(uint64_t count, uint64_t length) {
    return (segment_case){.layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = length},
                          .count = count,
                          .elements = count * length};
}

segment_case segments_strided(uint64_t outer, uint64_t length, uint64_t inner) {
    return (segment_case){
        .layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_STRIDED, .length = length, .inner = inner},
        .count = outer * inner,
        .elements = outer * length * inner};
}

segment_case segments_axes(const uint64_t *shape, int dimensions, unsigned reduced) {
    segment_case made = {.layout = {.size = sizeof(jr_segment_layout),
                                    .kind = JR_SEGMENTS_AXES,
                                    .length = 1,
                                    .dimensions = dimensions,
                                    .reduced = reduced},
                         .count = 1};
    for (int d = 0; d < dimensions; d++) {
        *((reduced >> d & 1) != 0 ? &made.layout.length : &made.count) *= shape[d];
        made.layout.shape[d] = shape[d];
    }
    made.elements = made.layout.length * made.count;
    return made;
}

segment_case segments_random(uint64_t count, uint64_t most, uint64_t *seed) {
    segment_case made = {.layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS}, .count = count};
    made.offsets = test_zeros(count + 1, sizeof *made.offsets);
    made.offsets[0] = 3;
    for (uint64_t s = 0; s < count; s++)
        made.offsets[s + 1] = made.offsets[s] + (random_below(seed, 8) == 0 ? 0 : random_below(seed, most + 1));
    made.elements = made.offsets[count];
    return made;
}

void segments_stretch(segment_case *segments, uint64_t s, uint64_t more) {
    for (uint64_t i = s + 1; i <= segments->count; i++) segments->offsets[i] += more;
    segments->elements += more;
}

uint64_t segments_length(const segment_case *segments, uint64_t s) {
    if (segments->offsets != NULL) return segments->offsets[s + 1] - segments->offsets[s];
    return segments->layout.length;
}

/* Counts down through the dimensions: each takes what its sort of number has left. */
static uint64_t element_along_axes(const jr_segment_layout *layout, uint64_t s, uint64_t k) {
    uint64_t element = 0, stride = 1;
    for (int d = layout->dimensions - 1; d >= 0; d--) {
        uint64_t *number = (layout->reduced >> d & 1) != 0 ? &k : &s;
        element += *number % layout->shape[d] * stride;
        *number /= layout->shape[d];
        stride *= layout->shape[d];
    }
    return element;
}

uint64_t segments_element(const segment_case *segments, uint64_t s, uint64_t k) {
    const uint64_t inner = segments->layout.inner, length = segments->layout.length;
    if (segments->offsets != NULL) return segments->offsets[s] + k;
    if (segments->layout.kind == JR_SEGMENTS_AXES) return element_along_axes(&segments->layout, s, k);
    return inner == 0 ? s * length + k : (s / inner * length + k) * inner + s % inner;
}

unsigned char *segments_run(const opened *device, const jr_spec *spec, const segment_case *segments, const void *data) {
    if (segments->keys != NULL) return runs_run(device, spec, segments, data);
    const size_t bytes = jr_type_size(spec->type), offsets_bytes = (segments->count + 1) * sizeof(uint64_t);
    jr_plan *plan = plan_held(device, WORK(spec, .layout = &segments->layout));
    const size_t result_bytes = jr_plan_result_bytes(plan);
    unsigned char *results = test_zeros(segments->count + 1, result_bytes);
    unsigned char *room = device_new(device, (segments->elements + segments->input_shift + 1) * bytes);
    unsigned char *d_in = room + segments->input_shift * bytes;
    uint64_t *d_offsets = device_new(device, offsets_bytes);
    unsigned char *d_out = device_new(device, (segments->count + 1) * result_bytes);
    device_write(device, d_in, data, segments->elements * bytes);
    device_write(device, d_out, results, (segments->count + 1) * result_bytes);
    if (segments->offsets != NULL) device_write(device, d_offsets, segments->offsets, offsets_bytes);
    const jr_work_data run =
        JR_INIT(jr_work_data, .segments = segments->count, .offsets = segments->offsets != NULL ? d_offsets : NULL);
    works(jr_work_plan_run(plan, DATA_OF(run, FROM(d_in), d_out), NULL, NULL));
    device_read(device, results, d_out, (segments->count + 1) * result_bytes);
    return results;
}

void segments_judge(const opened *device, const jr_spec *spec, const segment_case *segments, uint64_t *seed) {
    const size_t bytes = jr_type_size(spec->type);
    unsigned char *data = test_zeros(segments->elements + 1, bytes), *one = test_zeros(segments->elements + 1, bytes);
    reduce_data_fill(spec->op, spec->type, true, data, segments->elements, seed);
    unsigned char *results = segments_run(device, spec, segments, data);
    const size_t result_bytes = jr_type_size(reference_result_type(spec));
    for (uint64_t s = 0; s < segments->count; s++) {
        const uint64_t length = segments_length(segments, s);
        reference expected;
        char what[64];
        for (uint64_t k = 0; k < length; k++)
            memcpy(one + k * bytes, data + segments_element(segments, s, k) * bytes, bytes);
        reference_reduce(spec, one, length, &expected);
        if (expected.empty) continue; /* an identity: tested by itself */
        jr_value got = {.type = expected.value.type};
        memcpy(got.as.bytes, results + s * result_bytes, result_bytes);
        snprintf(what, sizeof what, "segment %llu of %llu elements", (unsigned long long)s, (unsigned long long)length);
        const bool exact = reference_can_be_exact(spec->op);
        reference_assert(&expected, &got, exact ? 0 : reference_depth(spec, length, 1, 32, 1), what);
    }
}

void segments_judge_accumulators(const opened *device, jr_type type, const segment_case *segments, uint64_t *seed) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_VAR, JR_OP_NORM2, JR_OP_LOGSUMEXP};
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = type);
        if (ops[o] != JR_OP_VAR && !tests_take((int)o + (int)segments->layout.kind, 2)) continue;
        segments_judge(device, &spec, segments, seed);
    }
}

void segments_judge_order(const opened *device, const segment_case *segments, uint64_t *seed) {
    static const jr_spec spec = {.size = sizeof(jr_spec),
                                 .op = JR_OP_CUSTOM,
                                 .type = JR_U64,
                                 .combine = AFFINE_COMBINE,
                                 .identity = AFFINE_IDENTITY};
    uint64_t *data = test_zeros(segments->elements, sizeof *data);
    for (uint64_t i = 0; i < segments->elements; i++) data[i] = random_bits(seed) | (1ull << 32);
    uint64_t *got = (uint64_t *)(void *)segments_run(device, &spec, segments, data);
    for (uint64_t s = 0; s < segments->count; s++) {
        const uint64_t length = segments_length(segments, s);
        uint64_t wanted = 1ull << 32;
        for (uint64_t k = 0; k < length; k++) wanted = affine_combine(wanted, data[segments_element(segments, s, k)]);
        if (got[s] != wanted) fail_msg("segment %d of %d elements is out of order", (int)s, (int)length);
    }
}
