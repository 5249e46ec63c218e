/* Hands a captured launch to the tuning of launches. */
#include "replay_tune.h"

#include <stdio.h>
#include <stdlib.h>

cli_exit cli_replay_tune(cli_tuned_launch launch, const cli_run_options *run, const jr_replay *replay,
                         const jr_replay_info *info, cli_error *error) {
    const jr_program *captured = jr_replay_program(replay);
    jr_named_text constants[CLI_DEFINES_MAX];
    char grid[64], block[64], shared[24];
    if (captured == NULL)
        return cli_fail(error, CLI_USAGE, "--tune: the capture has no source: the application had loaded an image");
    if (info->failure[0] != '\0')
        return cli_fail(error, CLI_FAILURE, "--tune: the captured launch had failed: %s", info->failure);
    snprintf(grid, sizeof grid, "%u,%u,%u", info->grid[0], info->grid[1], info->grid[2]);
    snprintf(block, sizeof block, "%u,%u,%u", info->block[0], info->block[1], info->block[2]);
    snprintf(shared, sizeof shared, "%u", info->shared_bytes);
    jr_program program = *captured;
    for (size_t i = 0; i < run->define_count; i++)
        constants[i] = (jr_named_text){run->defines[i].name, run->defines[i].text};
    program.constants = constants;
    program.constant_count = run->define_count;
    launch.program = &program;
    launch.grid = run->grid != NULL ? run->grid : grid;
    launch.block = run->block != NULL ? run->block : cli_tunes(run, "BLOCK") ? "BLOCK" : block;
    launch.shared = run->shared != NULL ? run->shared : shared;
    return cli_tune_launch(&launch, error);
}

cli_exit cli_replay_outputs(const jr_replay *replay, const jr_replay_info *info, void *const *devices,
                            jr_tunable_problem *problem, cli_error *error) {
    jr_tunable_output *outputs = calloc(info->buffer_count + 1, sizeof *outputs);
    if (outputs == NULL) return cli_fail(error, CLI_FAILURE, "replay: out of memory");
    problem->outputs = outputs;
    for (uint64_t i = 0; i < info->buffer_count; i++) {
        jr_replay_buffer buffer;
        const jr_status status = jr_replay_buffer_get(replay, i, &buffer);
        if (status != JR_OK) return cli_fail_library(error, status);
        if (buffer.after == NULL) continue;
        outputs[problem->output_count++] =
            (jr_tunable_output){.address = devices[i], .bytes = buffer.bytes, .expected = buffer.after};
    }
    return CLI_OK;
}
