/* What reduce and scan have in common: input, request and device before the work, and the report after it. */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include "cli_results.h"
#include "fold/request.h"
#include "input/inputs.h"
#include "io/cli_device.h"
#include "io/report.h"
#include "segmentation.h"
#include "wide_work.h"

/* Reads the input, makes the request, opens the device, does the work, and frees them all. Everything that can be wrong
 * with the request is found before the device is opened. */
cli_exit cli_work_run(const cli_options *options, cli_work *work, cli_error *error);

/* Does so; and where whole numbers may wrap for which no type was asked, does the work in f64 before. */
cli_exit cli_work_run_wide(const cli_options *options, cli_work *work, cli_error *error);

/* Does the work on inputs that were read, with devices that are open, as cli_work_run_wide does. */
cli_exit cli_work_on(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices, cli_work *work,
                     cli_error *error);

/* jitreduce reduce, of one work. */
cli_exit cli_reduce_alone(const cli_options *options, cli_error *error);

/* Reduces all elements to one result. */
cli_work cli_whole_reduce;

/* Tells what a reduction came to. */
typedef cli_exit cli_print_report(const cli_options *options, const cli_report *report, cli_error *error);

/* The same, but large texts are reduced while they are read, and not kept; `print` then gets the report. print NULL:
 * never. */
cli_exit cli_work_run_folded(const cli_options *options, cli_work *work, cli_print_report *print, cli_error *error);

/* Reductions of the runs of --keys, and of the groups of --group-by. */
cli_work cli_runs_reduce, cli_groups_reduce;

/* Scans inside the groups of --group-by. */
cli_work cli_groups_scan;

/* Reduces segments of host memory by the device or by the group: see jr_work_run_host. segments: all but the results.
 * If a result is of no elements and its operator has no value for that, reduces once more with the count of each, and
 * keeps the counts in the results. */
cli_exit cli_work_host_segments(const cli_devices *devices, const jr_segment_layout *layout, const void *const *arrays,
                                const jr_work_data *segments, cli_results *results, cli_error *error);

/* Reduces segments, axes among them, by the device, by the group or by the ranks. results: of all of them, made. */
cli_exit cli_work_segments(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                           const cli_segmentation *all, cli_results *results, cli_error *error);

/* Writes what is known of a run that is over, all but the values. Writes *report on success only. */
cli_exit cli_work_report(const cli_request *request, const cli_inputs *inputs, const cli_devices *devices,
                         cli_report *report, cli_error *error);

/* Tells many results, in the form and place that the options say. kind: of a scan; NULL: none. */
cli_exit cli_work_tell(const cli_options *options, const cli_results *results, const cli_inputs *inputs,
                       const cli_devices *devices, const char *kind, cli_error *error);

#endif
