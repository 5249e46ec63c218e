/* The devices that the command line asks for: one, or a group of several. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "options/cli_options.h"

typedef struct cli_devices {
    jr_context *context; /* of one device; of the first one of a group */
    jr_group *group;     /* NULL: one device alone */
    int ranks;           /* of --mpi; 0: none */
    jr_context *turn;    /* that a rank has taken of those of its host; NULL: none */
} cli_devices;

/* Whether --device names several, or how many of them: "cuda:all", "cuda:0,2", "sim:4". */
bool cli_device_is_group(const cli_options *options);

/* Fails when it does, or ranks are asked for, and the subcommand, or what is asked of it, works on one device. */
cli_exit cli_device_check(const cli_options *options, int scope, const char *subcommand, cli_error *error);

/* Opens a context on options->device. "auto" takes the GPU, or the simulator when there is no NVIDIA driver or no GPU:
 * then one line on standard error says so, unless --quiet. Writes *context on success only; the caller closes it. */
cli_exit cli_device_open(const cli_options *options, jr_context **context, cli_error *error);

/* Does so, or opens the group: of ranks, when all of them have come so far. Writes *devices on success only; the caller
 * closes them. */
cli_exit cli_devices_open(const cli_options *options, cli_devices *devices, cli_error *error);

/* Carries out a work on host memory, by the group if there is one. */
jr_status cli_devices_run(const cli_devices *devices, const jr_work *work, const jr_work_data *data);

/* The kind of scan that is asked for. */
jr_work_kind cli_device_scan_kind(const cli_options *options);

/* Closes them; a zeroed struct is fine. */
void cli_devices_close(cli_devices *devices);

#endif
