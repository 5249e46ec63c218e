/* How arrays are cut for the device: every element and result comes once, pieces in their order, parts within bounds.
 */
#include <stdlib.h>
#include <string.h>

#include "host/cuts.h"
#include "plan/segment_layout.h"
#include "support/fixtures/check.h"

static uint64_t random_below(uint64_t *seed, uint64_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

/* An array of up to six axes, of which some are reduced, as a settled layout. */
static jr_segment_layout random_layout(uint64_t *seed, uint64_t *count, uint64_t *elements) {
    jr_segment_layout layout = {.kind = JR_SEGMENTS_AXES, .length = 1};
    *count = 1;
    layout.dimensions = 2 + (int)random_below(seed, 5);
    layout.reduced = 1 + (unsigned)random_below(seed, (1u << layout.dimensions) - 1);
    for (int i = 0; i < layout.dimensions; i++) {
        layout.shape[i] = 1 + random_below(seed, 9);
        *(layout.reduced >> i & 1 ? &layout.length : count) *= layout.shape[i];
    }
    *elements = *count * layout.length;
    assert_int_equal(jr_segment_layout_settle(&layout, false), JR_OK);
    return layout;
}

static uint64_t bytes_of(const jr_axes_part *part, const jr_cut_costs *costs, bool pieces) {
    return costs->fixed_bytes + part->elements * costs->element_bytes +
           part->results * (costs->result_bytes + (pieces ? costs->piece_bytes : 0));
}

/* Checks the parts into which a layout is cut: the elements, results and lengths of each. */
static void check_parts(const jr_axes_cuts *parts, uint64_t segment_length, uint64_t count, uint64_t elements) {
    unsigned char *seen = calloc(elements, 1), *done = calloc(count, 1);
    uint64_t before = 0;
    assert_true(seen != NULL && done != NULL);
    for (uint64_t p = 0; p < parts->cuts.count; p++) {
        const jr_chunk_cut *cut = &parts->cuts.list[p];
        const jr_axes_part *part = jr_cuts_axes_kind(parts, cut->elements.count);
        assert_int_equal(part->elements, cut->elements.count);
        assert_int_equal(part->results * part->length, part->elements);
        for (uint64_t e = 0; e < cut->elements.count; e++) assert_int_equal(seen[cut->elements.first + e]++, 0);
        before += part->length;
        if (cut->results.count == 0) continue;
        assert_int_equal(cut->results.count, part->results);
        assert_int_equal(before, segment_length);
        for (uint64_t s = 0; s < cut->results.count; s++) assert_int_equal(done[cut->results.first + s]++, 0);
        before = 0;
    }
    for (uint64_t e = 0; e < elements; e++) assert_int_equal(seen[e], 1);
    for (uint64_t s = 0; s < count; s++) assert_int_equal(done[s], 1);
    free(seen);
    free(done);
}

TEST(every_element_and_result_comes_once) {
    uint64_t seed = 61;
    int in_pieces = 0, whole = 0;
    for (int round = 0; round < 3000; round++) {
        uint64_t count, elements;
        const jr_segment_layout layout = random_layout(&seed, &count, &elements);
        const jr_cut_costs costs = {.limit_bytes = JR_PUMP_BUFFERS * (100 + 24 + random_below(&seed, 4000)),
                                    .fixed_bytes = 100,
                                    .element_bytes = 4,
                                    .result_bytes = 8,
                                    .piece_bytes = 12,
                                    .granule_count = 4};
        jr_axes_cuts parts = {.kinds = 0};
        if (layout.kind != JR_SEGMENTS_STRIDED && layout.kind != JR_SEGMENTS_AXES) continue;
        assert_int_equal(jr_cuts_axes(&layout, count, &costs, &parts), JR_OK);
        for (int k = 0; k < parts.kinds; k++)
            assert_true(bytes_of(&parts.kind[k], &costs, parts.pieces) <= costs.limit_bytes / JR_PUMP_BUFFERS);
        check_parts(&parts, layout.length, count, elements);
        *(parts.pieces ? &in_pieces : &whole) += 1;
        jr_cuts_free(&parts.cuts);
    }
    assert_true(in_pieces > 100 && whole > 100);
}

RUN_TESTS(NULL, NULL)
