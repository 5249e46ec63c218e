/* Random views of arrays: shapes, strides that leave gaps, go backwards or repeat elements, and where each element is.
 */
#ifndef TESTS_SUPPORT_VIEW_CASE_H
#define TESTS_SUPPORT_VIEW_CASE_H

#include "support/fixtures/open_context.h"

enum { VIEW_ARRAYS = 2, VIEW_DIMENSIONS = 4 };

/* One or two arrays of a shape, in memory of their own. */
typedef struct view_case {
    int dimensions;
    uint64_t shape[JR_DIMENSIONS_MAX];
    unsigned reduced;
    int64_t strides[VIEW_ARRAYS][JR_DIMENSIONS_MAX];
    uint64_t first[VIEW_ARRAYS], elements[VIEW_ARRAYS]; /* where the view's first element is in the memory of so many */
    int axes[JR_DIMENSIONS_MAX];
    size_t axis_count;
    const int64_t *given[VIEW_ARRAYS];
    uint64_t segments, length;
} view_case;

/* A view of one to VIEW_DIMENSIONS dimensions of `most` elements at most, with one axis reduced at least. */
view_case view_random(uint64_t most, uint64_t *seed);

/* Numbers from -1000 to 1000 for the memory of an array. */
int32_t *view_numbers(const view_case *view, int array, uint64_t *seed);

/* The axis that jr_work.axis is set to; points into the view. */
jr_axis view_axis(view_case *view);

/* Which element of an array's memory is element k of a segment: both in C order. */
uint64_t view_element(const view_case *view, int array, uint64_t segment, uint64_t k);

/* "(3, 4) strides (8, -2) ...", for a message. */
const char *view_text(const view_case *view);

#endif
