/* Cuts columns. */
#include "column_cut.h"

/* Fewer rows a thread than it asks for at once, or parts of few rows, do not pay. Lines of memory are 32 elements of 4
 * bytes: narrower blocks of columns would read them in pieces. */
enum { PART_ROWS = 16, LINE_COLUMNS = 32 };

static uint64_t at_most(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* As many threads a column as it takes to fill the grid, but no narrower than a line. */
static uint32_t wide_lanes(const jr_column_work *work) {
    uint32_t lanes = 1;
    while (work->count * lanes < work->grid * work->block && work->length >= 2ull * lanes * JR_COLUMN_ROWS &&
           work->block / (2 * lanes) >= LINE_COLUMNS)
        lanes *= 2;
    return lanes;
}

/* Few columns side by side: whole rows, so that the threads of a block read what lies together. */
static uint64_t narrow_width(const jr_column_work *work) {
    const uint64_t row_threads = at_most(work->length / JR_COLUMN_ROWS + 1, work->block / work->inner);
    return work->inner * at_most(divide_up(work->block, work->inner * row_threads), work->block / work->inner);
}

jr_column_cut jr_column_cut_of(const jr_column_work *work) {
    uint64_t width = work->inner < LINE_COLUMNS ? narrow_width(work) : work->block / wide_lanes(work);
    width = at_most(width, work->count);
    const uint64_t lanes = work->block / width, groups = divide_up(work->count, width);
    uint64_t parts = groups < work->grid ? work->grid / groups : 1;
    parts = at_most(parts, work->length / (lanes * PART_ROWS) + 1);
    const uint64_t part_length = work->length > 0 ? divide_up(work->length, parts) : 1;
    return (jr_column_cut){.count = work->count,
                           .length = work->length,
                           .inner = work->inner,
                           .part_length = part_length,
                           .parts = work->length > 0 ? divide_up(work->length, part_length) : 1,
                           .width = (uint32_t)width,
                           .lanes = (uint32_t)lanes};
}

uint64_t jr_column_cut_units(const jr_column_cut *cut) {
    return divide_up(cut->count, cut->width) * cut->parts;
}
