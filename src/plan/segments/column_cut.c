/* Cuts columns. */
#include "column_cut.h"

#include "base/whole.h"
/* Fewer rows a thread than it asks for at once, or parts of few rows, do not pay. Lines of memory are 32 elements of 4
 * bytes: narrower blocks of columns would read them in pieces. */
enum { PART_ROWS = 16, LINE_COLUMNS = 32 };

/* As many threads a column as it takes to fill the grid, but no narrower than a line. */
static uint32_t wide_lanes(const jr_columns *columns) {
    uint32_t lanes = 1;
    while (columns->count * lanes < columns->grid * columns->block &&
           columns->length >= 2ull * lanes * JR_COLUMN_ROWS && columns->block / (2 * lanes) >= LINE_COLUMNS)
        lanes *= 2;
    return lanes;
}

/* Few columns side by side: whole rows, so that the threads of a block read what lies together. */
static uint64_t narrow_width(const jr_columns *columns) {
    const uint64_t row_threads = jr_least(columns->length / JR_COLUMN_ROWS + 1, columns->block / columns->inner);
    return columns->inner *
           jr_least(jr_divide_up(columns->block, columns->inner * row_threads), columns->block / columns->inner);
}

jr_column_cut jr_column_cut_of(const jr_columns *columns) {
    uint64_t width = columns->inner < LINE_COLUMNS ? narrow_width(columns) : columns->block / wide_lanes(columns);
    width = jr_least(width, columns->count);
    const uint64_t lanes = columns->block / width, groups = jr_divide_up(columns->count, width);
    uint64_t parts = groups < columns->grid ? columns->grid / groups : 1;
    parts = jr_least(parts, columns->length / (lanes * PART_ROWS) + 1);
    const uint64_t part_length = columns->length > 0 ? jr_divide_up(columns->length, parts) : 1;
    return (jr_column_cut){.count = columns->count,
                           .length = columns->length,
                           .inner = columns->inner,
                           .part_length = part_length,
                           .parts = columns->length > 0 ? jr_divide_up(columns->length, part_length) : 1,
                           .width = (uint32_t)width,
                           .lanes = (uint32_t)lanes};
}

uint64_t jr_column_cut_units(const jr_column_cut *cut) {
    return jr_divide_up(cut->count, cut->width) * cut->parts;
}
