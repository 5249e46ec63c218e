/* --tune of jitreduce run and replay: the launch of the command line, or a captured one, tuned. */
#ifndef CLI_RUN_TUNE_H
#define CLI_RUN_TUNE_H

#include "options/cli_options.h"
#include "run_argument.h"
#include "tune_launch.h"

/* The options of a run with the first value of each constant that is tuned, where --define says none. */
cli_exit cli_run_first(const cli_run_options *run, cli_run_options *first, cli_error *error);

/* Tunes; the arguments were read. */
cli_exit cli_run_tune(const cli_options *options, cli_argument *arguments, size_t count, cli_error *error);

/* Tunes the captured program, grid and block, but for what the command line says. launch: its options, open and user
 * are set. run: its defines are the captured constants and those of --define; such a value comes first where its
 * constant is tuned. */
cli_exit cli_replay_tune(cli_tuned_launch launch, const cli_run_options *run, const jr_replay *replay,
                         const jr_replay_info *info, cli_error *error);

/* The buffers of a capture that lie on the device, as outputs: what they held after the launch is expected. They live
 * as long as the process, which is a child that tunes. */
cli_exit cli_replay_outputs(const jr_replay *replay, const jr_replay_info *info, void *const *devices,
                            jr_tunable_problem *problem, cli_error *error);

#endif
