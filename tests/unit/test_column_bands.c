/* How columns are cut: into bands, and along axes. */
#include <stdlib.h>
#include <string.h>

#include "host/cuts.h"
#include "plan/segment_layout.h"
#include "plan/segments/column_bands.h"
#include "support/fixtures/check.h"

/* Column bands: whatever columns there are, each is shared out once, and what lanes are promised holds; and how arrays
 * that matter are shared out on a large GPU. */
static const jr_device_info device; /* of which nothing is known */

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

/* What kernels rely on. */
static void check(const jr_band_job *job, const jr_band_cut *cut) {
    const uint32_t shifted = cut->width > divide_up(cut->columns, job->vector);
    const uint64_t starts =
        cut->pitch % job->vector + job->head % job->vector + (cut->slabs > 1 ? cut->slab_elements % job->vector : 0);
    assert_true(cut->elements == job->count * job->length && cut->slabs == job->count / job->inner);
    assert_true(cut->pitch == job->inner * cut->fold && cut->lines == divide_up(job->length, cut->fold));
    assert_true((uint64_t)cut->lanes * cut->slab_lanes * cut->width <= job->block && cut->lanes > 0);
    assert_true(cut->bands * cut->columns >= cut->pitch && (cut->bands - 1) * cut->columns < cut->pitch);
    assert_true(cut->bands == 1 || cut->columns % job->vector == 0);
    assert_true(cut->slab_lanes > 0 && cut->slab_groups == divide_up(cut->slabs, cut->slab_lanes));
    assert_true((cut->slab_lanes == 1 && cut->fold == 1) || cut->bands == 1);
    assert_true(cut->units == cut->bands * cut->slab_groups * cut->parts);
    assert_true(cut->parts * cut->part_lines >= cut->lines && cut->part_lines > 0);
    assert_true((cut->parts - 1) * cut->part_lines < cut->lines || cut->parts == 1);
    assert_true(cut->parts == 1 || cut->parts * job->count <= job->room || cut->lines >> 31 != 0);
    assert_true((uint64_t)cut->share * (cut->lanes - 1) < cut->part_lines + cut->lanes || !job->in_order);
    assert_true(job->in_order ? cut->line_step == 1 && (uint64_t)cut->share * cut->lanes >= cut->part_lines
                              : cut->line_step == cut->lanes && cut->share == 1);
    assert_true(!cut->loose || cut->fold == 1);
    if (cut->loose) return;
    /* A vector more where bands do not begin at boundaries; lines of a thread all begin alike. */
    assert_true(shifted == (starts > 0));
    if (cut->line_step < cut->part_lines)
        assert_true(cut->line_step * cut->pitch % job->vector == 0 &&
                    cut->vector_step == cut->line_step * cut->pitch / job->vector);
}

TEST(whatever_columns_there_are_each_is_shared_out_once) {
    static const uint64_t inners[] = {1,  2,  3,  4,   5,   7,   8,   12,  15,   16,   17,    23,      31,      32,
                                      33, 56, 63, 100, 128, 255, 256, 437, 1000, 4096, 16384, 1000003, 50000000};
    static const uint64_t lengths[] = {0, 1, 2, 3, 4, 7, 16, 17, 100, 1000, 65536, 10000000, UINT64_C(1) << 36};
    static const uint64_t slabs[] = {1, 2, 7, 64, 10000, 1000000};
    static const uint32_t blocks[] = {32, 96, 256, 1024}, vectors[] = {1, 2, 4, 8, 16}, unrolls[] = {1, 3, 8};
    static const uint64_t waves[] = {1, 40, 528};
    for (size_t i = 0; i < sizeof inners / sizeof *inners; i++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (size_t n = 0; n < 6 * 4 * 5 * 3 * 3 * 2; n++) {
                const uint32_t block = blocks[n % 4], vector = vectors[n / 4 % 5];
                const uint64_t wave = waves[n / 20 % 3];
                const jr_band_job job = {.count = inners[i] * slabs[n / 60 % 6],
                                         .length = lengths[l],
                                         .inner = inners[i],
                                         .wave = wave,
                                         .room = 4 * wave * block,
                                         .block = block,
                                         .unroll = unrolls[n / 360 % 3],
                                         .vector = vector,
                                         .head = (uint32_t)(n / 1080 + i + l) % vector,
                                         .in_order = n / 1080 == 1,
                                         .short_lanes = jr_column_bands_lanes(&device, lengths[l]),
                                         .light = (n + i + l) % 2 == 0};
                const jr_band_cut cut = jr_column_bands_of(&job);
                check(&job, &cut);
            }
}

/* f32 on 132 multiprocessors with 4 blocks each: units that fill them, and few vectors that bring nothing. */
TEST(arrays_that_matter_fill_a_large_gpu) {
    static const uint64_t shapes[][3] = {{1, 16384, 16384}, {1, 1000000, 100}, {1, 100, 1000000}, {64, 3, 262144},
                                         {16384, 56, 56},   {32, 1024, 4096},  {1, 3, 50000000},  {1, 50000000, 3},
                                         {1, 4096, 65536},  {128, 128, 16384}, {1001, 17, 437},   {1, 1000000, 23}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const uint64_t length = shapes[s][1], inner = shapes[s][2];
        const jr_band_job job = {.count = shapes[s][0] * inner,
                                 .length = length,
                                 .inner = inner,
                                 .wave = 528,
                                 .room = 4 * 528 * 256,
                                 .block = 256,
                                 .unroll = length < 8 ? (uint32_t)length : 8,
                                 .vector = 4,
                                 .short_lanes = jr_column_bands_lanes(&device, length),
                                 .light = true};
        const jr_band_cut cut = jr_column_bands_of(&job);
        const uint64_t rounds = divide_up(cut.units, job.wave), threads = cut.lanes * cut.slab_lanes * cut.width;
        const uint64_t vectors = cut.bands * cut.width;
        check(&job, &cut);
        assert_true(10 * cut.units >= 8 * rounds * job.wave); /* few blocks stand idle in the last round */
        assert_true(2 * threads >= job.block);
        assert_true(10 * cut.pitch >= 9 * vectors * job.vector); /* of what vectors bring nine tenths are new */
        assert_true(cut.parts == 1 || 32 * cut.parts <= length);
    }
}

/* A thread has two rounds of 6 to 8 lines, as far as there are so many. */
TEST(light_lanes_of_short_lines_have_two_rounds) {
    for (uint64_t lines = 1; lines < 256; lines++) {
        const uint64_t each = divide_up(lines, jr_column_bands_lanes(&device, lines));
        assert_true(each <= 24 && (each >= 12 || lines < 24));
    }
    assert_int_equal(jr_column_bands_lanes(&device, 256), 0);
}

/* Rows that are put together end at 128-byte boundaries, and few threads are left over, one at least. */
TEST(rows_that_are_put_together_are_whole_lines_of_memory) {
    for (uint64_t bytes = 4; bytes < 10000; bytes += 4) {
        const uint64_t block = jr_column_bands_block(&device, bytes), fold = jr_column_bands_fold(&device, bytes);
        assert_true((block > 0) == (fold > 0));
        if (block == 0) continue;
        assert_true(bytes % 16 == 0 && bytes % 128 != 0 && fold * bytes % 128 == 0);
        assert_true(block % 32 == 0 && block <= 448);
        assert_true(fold * bytes / 16 < block && fold * bytes / 16 >= block - 32 && block >= 256);
        const jr_band_job job = {.count = bytes / 4,
                                 .length = 1000003,
                                 .inner = bytes / 4,
                                 .wave = 264,
                                 .room = 4 * 264 * block,
                                 .block = (uint32_t)block,
                                 .unroll = 8,
                                 .vector = 4,
                                 .head = (uint32_t)(bytes / 16 % 4),
                                 .fold = (uint32_t)fold,
                                 .light = true};
        const jr_band_cut cut = jr_column_bands_of(&job);
        check(&job, &cut);
        assert_true(cut.bands == 1 && cut.fold == fold && cut.parts <= 2 * 264);
    }
    assert_int_equal(jr_column_bands_block(&device, 400), 416);
    assert_int_equal(jr_column_bands_fold(&device, 400), 16);
    assert_int_equal(jr_column_bands_fold(&device, 512), 0);
    assert_int_equal(jr_column_bands_fold(&device, 12), 0);
}

/* How arrays are cut for the device: every element and result comes once, pieces in their order, parts within bounds.
 */
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
    unsigned char *seen = test_zeros(elements, 1), *done = test_zeros(count, 1);
    uint64_t before = 0;
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
