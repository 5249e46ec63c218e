/* The table of algorithms, in the order of preference. */
#include "algorithm.h"

#include <string.h>

#include "base/error.h"

static const jr_algorithm_row *const rows[] = {
    &jr_algorithm_bulk_copy, &jr_algorithm_single_pass,  &jr_algorithm_two_pass,          &jr_algorithm_one_block,
    &jr_algorithm_rows,      &jr_algorithm_tournament,   &jr_algorithm_tournament_serial, &jr_algorithm_strided,
    &jr_algorithm_atomic,    &jr_algorithm_three_pass[0]};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

#define JR_ALGORITHM_ONE(name, number, text) +1
_Static_assert(ROW_COUNT == 0 JR_ALGORITHMS(JR_ALGORITHM_ONE) JR_SCAN_ALGORITHMS(JR_ALGORITHM_ONE),
               "an algorithm without a row");
#undef JR_ALGORITHM_ONE

const jr_algorithm_row *jr_algorithm_row_find(jr_algorithm algorithm) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i]->algorithm == algorithm) return rows[i];
    return NULL;
}

const jr_algorithm_row *jr_algorithm_row_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    return NULL;
}

static jr_status choose_named(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device,
                              bool in_parts, const jr_algorithm_row **row) {
    const jr_algorithm_row *named = jr_algorithm_row_find(spec->algorithm);
    if (named == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "unknown algorithm %d: set spec.algorithm to a JR_ALGORITHM_ value, or to 0",
                       (int)spec->algorithm);
    if (!named->applicable(spec, reduction, device))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s needs %s; the spec has a grid of %d, an unroll factor of %d and %s operator",
                       named->name, named->needs, spec->grid, spec->unroll,
                       reduction->commutative ? "a commutative" : "a non-commutative");
    if (in_parts && named->fold == NULL)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s cannot work in parts, which max_launch_ms or data beyond device_bytes asks for: "
                       "leave the algorithm to the library",
                       named->name);
    *row = named;
    return JR_OK;
}

jr_status jr_algorithm_choose(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device,
                              bool in_parts, const jr_algorithm_row **row) {
    if (spec->algorithm != JR_ALGORITHM_AUTO) return choose_named(spec, reduction, device, in_parts, row);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i]->applicable(spec, reduction, device) && (!in_parts || rows[i]->fold != NULL) &&
            (rows[i]->preferred == NULL || rows[i]->preferred(spec, reduction))) {
            *row = rows[i];
            return JR_OK;
        }
    return jr_fail(JR_ERROR_NOT_APPLICABLE, "no algorithm takes this spec");
}
