/* Opens the device, and says so where the library took the simulator for us. */
#include "device.h"

#include <stdio.h>
#include <string.h>

cli_exit cli_device_open(const cli_options *options, jr_context **context, cli_error *error) {
    const jr_options wanted = JR_INIT(jr_options, .device = options->device, .nvrtc = options->nvrtc,
                                      .cache_dir = options->cache_dir, .wisdom = options->wisdom,
                                      .start_in_background = 1); /* one that cannot start is an error, not absent */
    const jr_status status = jr_context_open(&wanted, context);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (strcmp(options->device, "auto") == 0 && jr_context_is_simulated(*context) && !options->quiet)
        fputs("jitreduce: no NVIDIA driver or GPU found: using the PTX simulator; --device sim or --quiet leaves this "
              "line out\n",
              stderr);
    return CLI_OK;
}
