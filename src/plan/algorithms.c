/* Lists the algorithms. */
#include "algorithms.h"

#include <string.h>

static const jr_algorithm_row *const rows[] = {
    &jr_exact_single_pass, /* before their namesakes, which take what these do not */
    &jr_exact_bulk_copy,
    &jr_tree_single_pass,
    &jr_tree_two_pass,
    &jr_tree_one_block,
#define ROW(name, number, text) &jr_algorithm_row_##name,
    JR_ALGORITHMS(ROW)
#undef ROW
        & jr_scan_single_pass,
    &jr_scan_one_block,
    &jr_scan_bulk_copy,
    &jr_scan_bulk_copy_keyed,
    &jr_scan_bulk_copy_equal,
    &jr_scan_bulk_copy_marked,
    &jr_scan_segmented,
    &jr_scan_view_segmented,
    &jr_scan_short,
    &jr_scan_columns_row,
    &jr_scan_view_columns,
#define ROW(name, number, text) &jr_algorithm_row_##name,
    JR_SCAN_ALGORITHMS(ROW)
#undef ROW
        & jr_merge,
    &jr_merge_segments,
    &jr_meet_segments,
    &jr_apply_lanes,
    &jr_apply_block,
    &jr_apply_cluster,
    &jr_apply_long,
    &jr_many_reduce,
    &jr_many_apply,
    &jr_segmented_exact, /* before those that take any operator */
    &jr_segmented_slabs,
    &jr_segmented_threads,
    &jr_segmented_columns_rows,
    &jr_segmented_columns,
    &jr_segmented_short,
    &jr_segmented_lanes,
    &jr_segmented_warps,
    &jr_segmented_blocks,
    &jr_segmented_steps,
    &jr_segmented_axes,
    &jr_segmented_view_lines,
    &jr_segmented_view_planes,
    &jr_segmented_view_axes,
    &jr_segmented_flow,
    &jr_segmented_walk,
    &jr_segmented_runs,
    &jr_segmented_runs_ring,
    &jr_segmented_tree,
    &jr_segmented_tree_axes};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const jr_algorithm_row *jr_algorithms_get(size_t index) {
    return index < ROW_COUNT ? rows[index] : NULL;
}

bool jr_algorithms_applies(const jr_algorithm_row *row, const jr_job *job) {
    return row->kind == job->kind && row->tree == job->reduction->tree && row->views == (job->view.arrays > 0) &&
           row->applicable(job);
}

const jr_algorithm_row *jr_algorithms_find(jr_algorithm algorithm, jr_job_kind kind) {
    const jr_algorithm_row *other = NULL;
    for (size_t i = 0; i < ROW_COUNT && algorithm != JR_ALGORITHM_AUTO; i++) {
        if (rows[i]->algorithm != algorithm) continue;
        if (rows[i]->kind == kind) return rows[i];
        if (other == NULL) other = rows[i];
    }
    return other;
}

const jr_algorithm_row *jr_algorithms_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i]->algorithm != JR_ALGORITHM_AUTO && strcmp(rows[i]->name, name) == 0) return rows[i];
    return NULL;
}
