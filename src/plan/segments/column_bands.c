/* Shares columns out. */
#include "column_bands.h"

#include "base/whole.h"

/* Threads of a lane; how many times the blocks that run at once are enough units. */
enum { WIDTH_USUAL = 32, WIDTH_MIN = 16, WAVES = 4 };

uint32_t jr_column_bands_period(uint64_t inner, uint32_t vector) {
    uint32_t period = vector;
    while (period > 1 && inner * (period / 2) % vector == 0) period /= 2;
    return period;
}

static uint64_t count_units(const jr_band_cut *cut) {
    return jr_divide_up(cut->slabs, cut->slab_lanes) * cut->bands * cut->parts;
}

/* Rows of a line: as many as fill the block, while lines are many. */
static uint32_t choose_fold(const jr_band_job *job, uint32_t period) {
    enum { LINES_MIN = 4 };
    if (job->fold > 0) return job->fold;
    if (job->in_order || period == 1 || job->inner >= (uint64_t)JR_NARROW_VECTORS * job->vector) return 1;
    const uint64_t room = (uint64_t)(job->block - 1) * job->vector / (job->inner * period);
    const uint64_t times = jr_least(room, job->length / ((uint64_t)LINES_MIN * period));
    return times > 0 ? (uint32_t)times * period : 1;
}

/* Cuts lines into bands for so many lanes of a slab. shifted: a vector more is needed. */
static void cut_bands(const jr_band_job *job, uint64_t lanes, bool shifted, jr_band_cut *cut) {
    const uint64_t vector = job->vector, most = job->block / lanes - shifted, whole = jr_divide_up(cut->pitch, vector);
    cut->lanes = (uint32_t)lanes;
    cut->slab_lanes = 1;
    if (whole > most) {
        const uint64_t equal = jr_divide_up(cut->pitch, jr_divide_up(whole, most));
        cut->columns = (uint32_t)jr_least(jr_divide_up(equal, 2 * vector) * 2 * vector, most * vector);
        cut->width = (uint32_t)(cut->columns / vector) + shifted;
    } else {
        cut->columns = (uint32_t)cut->pitch;
        cut->width = (uint32_t)whole + shifted;
        if (cut->fold == 1) cut->slab_lanes = (uint32_t)jr_least(cut->slabs, job->block / (lanes * cut->width));
    }
    cut->bands = jr_divide_up(cut->pitch, cut->columns);
}

/* Two rounds of loads of a thread, of 6 to 8 lines each, so that few of them are in vain: blocks that end soon let
 * others begin, whose loads lie near those of all that are at work. */
uint32_t jr_column_bands_lanes(const jr_device_info *device, uint64_t lines) {
    const uint64_t min = jr_tuned_number_of(device, JR_NUMBER_BANDS_LINES_OF_LANE),
                   max = jr_tuned_number_of(device, JR_NUMBER_BANDS_LANES_MAX);
    if (lines >= jr_tuned_number_of(device, JR_NUMBER_BANDS_SHORT_LINES)) return 0;
    uint32_t lanes = 1;
    while (lanes < max && lines >= 2 * min * lanes) lanes *= 2;
    return lanes;
}

/* Leaves a thread for a vector more. */
uint32_t jr_column_bands_fold(const jr_device_info *device, uint64_t row_bytes) {
    enum { MEMORY_LINE = 128 };
    if (row_bytes % MEMORY_LINE == 0 || row_bytes % JR_VECTOR_BYTES != 0) return 0;
    const uint64_t rows = jr_column_bands_period(row_bytes, MEMORY_LINE), vectors = row_bytes / JR_VECTOR_BYTES;
    const uint64_t fold = jr_tuned_number_of(device, JR_NUMBER_BANDS_THREADS_MAX) / (rows * vectors) * rows;
    return fold * vectors >= jr_tuned_number_of(device, JR_NUMBER_BANDS_THREADS_MIN) ? (uint32_t)fold : 0;
}

uint32_t jr_column_bands_block(const jr_device_info *device, uint64_t row_bytes) {
    const uint64_t threads = jr_column_bands_fold(device, row_bytes) * (row_bytes / JR_VECTOR_BYTES);
    return threads == 0 ? 0 : (uint32_t)((threads / JR_WARP_LANES + 1) * JR_WARP_LANES);
}

/* Where accumulators are heavy, short lines' threads are better left to fewer lanes, each for longer. */
static bool is_short(const jr_band_job *job, const jr_band_cut *cut) {
    return job->short_lanes > 0 && cut->fold == 1;
}

/* Do blocks that follow each other keep the device at work? Two fifths of a wave have enough loads under way. */
static bool fills(const jr_band_job *job, uint64_t units) {
    const uint64_t rest = units % job->wave, least = 2 * job->wave / 5;
    const uint64_t time = units - rest + (rest == 0 || rest > least ? rest : least);
    return 16 * units >= 15 * time;
}

/* Would twice as many lanes be better? Threads keep lines for two rounds, or, where blocks are few, for one, and lanes
 * are as wide as a warp, or half of one. */
static bool wants_lanes(const jr_band_job *job, const jr_band_cut *cut) {
    const uint64_t width = job->block / (2 * cut->lanes);
    const bool few = is_short(job, cut) ? !fills(job, count_units(cut)) : count_units(cut) < WAVES * job->wave;
    if (cut->fold > 1 || width < WIDTH_MIN) return false;
    if (is_short(job, cut) && job->light && cut->lanes < job->short_lanes) return true;
    if (is_short(job, cut) && !few) return false;
    if (width < WIDTH_USUAL && (!few || cut->bands == 1)) return false;
    return cut->lines >= (few ? 2ull : 4ull) * cut->lanes * job->unroll;
}

/* Lanes of a slab, in multiples of the period, unless each has a line only. */
static void choose_lanes(const jr_band_job *job, uint32_t period, bool shifted, jr_band_cut *cut) {
    cut_bands(job, jr_least(period, cut->lines > 0 ? cut->lines : 1), shifted, cut);
    while (wants_lanes(job, cut)) cut_bands(job, 2ull * cut->lanes, shifted, cut);
    /* Narrow lines leave threads over. */
    const uint64_t more = job->block / (cut->width * cut->slab_lanes) / period * period;
    if (cut->bands == 1 && more > cut->lanes && cut->lines >= 2 * more) cut_bands(job, more, shifted, cut);
}

/* The parts of a slab of short rows that are joined into lines: the blocks that run at once, minus about as many as
 * join the parts, which would else keep as many blocks of the next launch from beginning (measured: tuned.c,
 * JR_NUMBER_BANDS_THREADS_MAX). */
static uint64_t parts_of_rows(const jr_band_job *job) {
    const uint64_t joining = jr_divide_up(job->inner, JR_JOIN_WIDTH);
    return job->count > job->inner ? WAVES / 2 * job->wave : job->wave - jr_least(job->wave / 4, joining);
}

/* Parts where units alone would leave multiprocessors without work, or at work in an odd round; of no more lines than
 * 32 bits count, which only a slab of few columns has. */
static uint64_t choose_parts(const jr_band_job *job, const jr_band_cut *cut) {
    const uint64_t units = count_units(cut), rounds = jr_divide_up(units, job->wave);
    const bool even =
        rounds >= 2 * WAVES || (is_short(job, cut) && fills(job, units)) || 16 * units >= 15 * rounds * job->wave;
    const uint64_t most = jr_least(cut->lines / ((uint64_t)cut->lanes * job->unroll), job->room / job->count);
    const uint64_t all = job->fold > 0 ? parts_of_rows(job) : WAVES * job->wave, wanted = even ? 1 : all / units;
    const uint64_t parts = jr_least(wanted, most), needed = cut->lines >> 31;
    return parts > needed ? parts : needed + 1;
}

static void cut_parts(const jr_band_job *job, jr_band_cut *cut) {
    const uint64_t lines = cut->lines > 0 ? cut->lines : 1;
    cut->part_lines = (uint32_t)jr_divide_up(lines, choose_parts(job, cut));
    cut->parts = jr_divide_up(lines, cut->part_lines);
    cut->slab_groups = jr_divide_up(cut->slabs, cut->slab_lanes);
    cut->units = count_units(cut);
    cut->share = job->in_order ? (uint32_t)jr_divide_up(cut->part_lines, cut->lanes) : 1;
    cut->line_step = job->in_order ? 1 : cut->lanes;
    cut->vector_step = cut->line_step * cut->pitch / job->vector;
}

jr_band_cut jr_column_bands_of(const jr_band_job *job) {
    const uint64_t slabs = job->count / job->inner;
    const uint32_t vector = job->vector, period = jr_column_bands_period(job->inner, vector);
    const uint32_t fold = choose_fold(job, period);
    jr_band_cut cut = {.elements = job->count * job->length,
                       .slabs = slabs,
                       .slab_elements = job->length * job->inner,
                       .pitch = fold * job->inner,
                       .lines = jr_divide_up(job->length, fold),
                       .parts = 1,
                       .inner = job->inner,
                       .count = job->count,
                       .fold = fold,
                       .loose = vector == 1 || (job->in_order && period > 1)};
    const bool shifted = !cut.loose && (cut.pitch % vector != 0 || job->head % vector != 0 ||
                                        (slabs > 1 && cut.slab_elements % vector != 0));
    choose_lanes(job, cut.loose || fold > 1 ? 1 : period, shifted, &cut);
    cut_parts(job, &cut);
    return cut;
}
