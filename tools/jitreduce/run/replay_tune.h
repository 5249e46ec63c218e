/* jitreduce replay --tune: a captured launch, tuned. */
#ifndef CLI_REPLAY_TUNE_H
#define CLI_REPLAY_TUNE_H

#include "tune_launch.h"

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
