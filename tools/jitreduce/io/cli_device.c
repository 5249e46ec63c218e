/* Opens the device, or the group of devices, and says so where the library took the simulator for us. */
#include "cli_device.h"

#include <stdio.h>
#include <string.h>

#include "base/cli_settings.h"
#include "cli_log.h"
#include "output.h"
#include "ranks.h"

bool cli_device_is_group(const cli_options *options) {
    const char *numbers = strchr(options->device, ':');
    if (numbers == NULL) return false;
    if (strcmp(numbers, ":all") == 0 || strchr(numbers, ',') != NULL) return true;
    return strncmp(options->device, "sim:", 4) == 0; /* sim:4: four of them; sim#4: number 4 */
}

cli_exit cli_device_check(const cli_options *options, int scope, const char *subcommand, cli_error *error) {
    const int groups = CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN | CLI_SCOPE_BENCH | CLI_SCOPE_DOCTOR;
    const bool keyed = options->keys != NULL || options->group_by != NULL;
    const bool divided = cli_options_divide(options);
    const bool scans = (scope & CLI_SCOPE_SCAN) && scope != CLI_SCOPE_ALL;
    if (options->mpi && (keyed || (divided && scans)))
        return cli_fail(error, CLI_USAGE, "--mpi: %s go through one device of one process",
                        keyed ? "keys" : "scans of axes and segments");
    if (options->mpi && scans && !cli_output_is_array(options))
        return cli_fail(error, CLI_USAGE, "--mpi: each rank writes its share of a scan: give --output FILE.npy");
    if (!cli_device_is_group(options) || (scope & groups)) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: '%s' is a group of devices, and '%s' works on one: cuda:N or sim",
                    options->device == cli_settings_device() ? "JITREDUCE_DEVICE" : "--device", options->device,
                    subcommand);
}

static jr_options options_of(const cli_options *options) {
    return JR_INIT(jr_options, .device = options->device,
                   .start_in_background = 1); /* one that cannot start is an error, not absent */
}

/* What is wrong with a device's name is wrong with the command line. */
static cli_exit fail_open(jr_status status, cli_error *error) {
    const cli_exit code = cli_fail_library(error, status);
    return status == JR_ERROR_INVALID_ARGUMENT ? CLI_USAGE : code;
}

cli_exit cli_device_open(const cli_options *options, jr_context **context, cli_error *error) {
    const jr_options wanted = options_of(options);
    const jr_status status = jr_context_open(&wanted, context);
    if (status != JR_OK) return fail_open(status, error);
    if (strcmp(options->device, "auto") == 0 && jr_context_is_simulated(*context) && !options->quiet &&
        !cli_log_prints_warnings(options)) /* which say so, and why */
        fputs("jitreduce: no NVIDIA driver or GPU found: using the PTX simulator; --device sim or --quiet leaves this "
              "line out\n",
              stderr);
    return CLI_OK;
}

/* The ranks of a host take its GPUs in turn: the number of the last one is found by opening it. */
static cli_exit open_in_turn(const cli_options *options, jr_context **context, cli_error *error) {
    const int local = options->ranks->local;
    cli_options one = *options;
    char name[32];
    for (int last = local; last > 0; last--) {
        const int number = local % (last + 1);
        jr_context *found = NULL;
        jr_options wanted = options_of(options);
        snprintf(name, sizeof name, "cuda:%d", last);
        wanted.device = name;
        if (jr_context_open(&wanted, &found) != JR_OK) continue;
        *context = found;
        if (number == last) return CLI_OK;
        jr_context_close(found);
        snprintf(name, sizeof name, "cuda:%d", number);
        one.device = name;
        break;
    }
    return cli_device_open(&one, context, error);
}

static bool takes_turns(const cli_options *options) {
    return options->ranks != NULL && (strcmp(options->device, "auto") == 0 || strcmp(options->device, "cuda") == 0);
}

/* Opens a group of ranks, with the transport to the others; turn: this rank's device. */
static cli_exit open_group(const cli_options *options, cli_devices *devices, cli_error *error) {
    const jr_options wanted = options_of(options);
    jr_group_options asked = options->ranks != NULL ? options->ranks->way : JR_INIT(jr_group_options);
    if (devices->turn == NULL) {
        asked.devices = options->device;
        asked.context_options = &wanted;
    } else {
        asked.contexts = &devices->turn;
        asked.context_count = 1;
    }
    const jr_status status = jr_group_open(&asked, &devices->group);
    if (status != JR_OK) return fail_open(status, error);
    devices->context = jr_group_context(devices->group, 0);
    devices->ranks = options->ranks != NULL ? asked.ranks : 0;
    return CLI_OK;
}

cli_exit cli_devices_open(const cli_options *options, cli_devices *devices, cli_error *error) {
    cli_devices opened = {.group = NULL};
    cli_exit code = takes_turns(options) ? open_in_turn(options, &opened.turn, error) : CLI_OK;
    code = cli_ranks_agree(options->ranks, code, error);
    if (code == CLI_OK && (options->ranks != NULL || cli_device_is_group(options)))
        code = open_group(options, &opened, error);
    else if (code == CLI_OK)
        code = cli_device_open(options, &opened.context, error);
    if (code == CLI_OK)
        *devices = opened;
    else
        jr_context_close(opened.turn);
    return code;
}

jr_status cli_devices_run(const cli_devices *devices, const jr_work *work, const jr_work_data *data) {
    return devices->group != NULL ? jr_work_group_host(devices->group, work, data)
                                  : jr_work_run_host(devices->context, work, data);
}

jr_work_kind cli_device_scan_kind(const cli_options *options) {
    return options->exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE;
}

void cli_devices_close(cli_devices *devices) {
    if (devices->group != NULL)
        jr_group_close(devices->group);
    else
        jr_context_close(devices->context);
    jr_context_close(devices->turn);
    *devices = (cli_devices){.group = NULL};
}
