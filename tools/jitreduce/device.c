/* Opens the device, and falls back to the simulator where the user left the choice to us. */
#include "device.h"

#include <stdio.h>
#include <string.h>

static bool is_absent(jr_status status) {
    return status == JR_ERROR_DRIVER_NOT_FOUND || status == JR_ERROR_NO_DEVICE;
}

static cli_exit fall_back(const cli_options *options, jr_options *wanted, jr_status absent, jr_context **context,
                          cli_error *error) {
    const char *what = absent == JR_ERROR_NO_DEVICE ? "no NVIDIA GPU found" : "no NVIDIA driver found";
    char reason[512];
    snprintf(reason, sizeof reason, "%s", jr_last_error()->message);
    wanted->device = "sim";
    jr_status status = jr_context_open(wanted, context);
    if (status == JR_ERROR_SIMULATOR_NOT_FOUND) {
        cli_error simulator;
        (void)cli_fail_library(&simulator, status);
        return cli_fail(error, CLI_NO_DEVICE, "no GPU and no simulator: %s; %s", reason, simulator.message);
    }
    if (status != JR_OK) return cli_fail_library(error, status);
    if (!options->quiet)
        fprintf(stderr, "jitreduce: %s: using the PTX simulator; --device sim or --quiet leaves this line out\n", what);
    return CLI_OK;
}

cli_exit cli_device_open(const cli_options *options, jr_context **context, cli_error *error) {
    bool chosen_for_us = strcmp(options->device, "auto") == 0;
    jr_options wanted = JR_INIT(jr_options, .device = chosen_for_us ? "cuda" : options->device, .nvrtc = options->nvrtc,
                                .cache_dir = options->cache_dir, .wisdom = options->wisdom,
                                .start_in_background = 1); /* one that cannot start is an error, not absent */
    jr_status status = jr_context_open(&wanted, context);
    if (status == JR_OK) return CLI_OK;
    if (chosen_for_us && is_absent(status)) return fall_back(options, &wanted, status, context, error);
    return cli_fail_library(error, status);
}
