/* The list of algorithms. */
#ifndef JR_PLAN_ALGORITHMS_H
#define JR_PLAN_ALGORITHMS_H

#include "algorithm.h"

/* Rows of public algorithms are named after the public list. */
#define JR_ALGORITHM_DECLARE(name, number, text) extern const jr_algorithm_row jr_algorithm_row_##name;
JR_ALGORITHMS(JR_ALGORITHM_DECLARE)
JR_SCAN_ALGORITHMS(JR_ALGORITHM_DECLARE)
#undef JR_ALGORITHM_DECLARE
extern const jr_algorithm_row jr_scan_single_pass, jr_scan_one_block, jr_scan_bulk_copy, jr_scan_bulk_copy_keyed,
    jr_scan_bulk_copy_marked, jr_scan_bulk_copy_equal, jr_scan_segmented, jr_scan_short, jr_scan_columns_row,
    jr_scan_view_segmented, jr_scan_view_columns;
extern const jr_algorithm_row jr_exact_single_pass, jr_exact_bulk_copy, jr_tree_single_pass, jr_tree_two_pass,
    jr_tree_one_block;
extern const jr_algorithm_row jr_merge, jr_merge_segments, jr_meet_segments, jr_segmented_columns,
    jr_segmented_columns_rows, jr_segmented_short, jr_segmented_lanes, jr_segmented_warps, jr_segmented_blocks,
    jr_segmented_flow, jr_segmented_walk, jr_segmented_steps, jr_segmented_axes, jr_segmented_slabs,
    jr_segmented_threads, jr_segmented_runs, jr_segmented_runs_ring, jr_segmented_exact, jr_segmented_tree,
    jr_segmented_tree_axes, jr_segmented_view_lines, jr_segmented_view_planes, jr_segmented_view_axes;
extern const jr_algorithm_row jr_apply_lanes, jr_apply_block, jr_apply_cluster, jr_apply_long, jr_many_reduce,
    jr_many_apply;

/* The rows, those of one kind in the order of preference; NULL after the last one. */
const jr_algorithm_row *jr_algorithms_get(size_t index);

/* Whether a row, which must be of the job's kind, carries out such a job. */
bool jr_algorithms_applies(const jr_algorithm_row *row, const jr_job *job);

/* Finds a row of an algorithm: one of this kind if possible, else of another kind; NULL when the algorithm has no
 * row. */
const jr_algorithm_row *jr_algorithms_find(jr_algorithm algorithm, jr_job_kind kind);
const jr_algorithm_row *jr_algorithms_find_name(const char *name);

#endif
