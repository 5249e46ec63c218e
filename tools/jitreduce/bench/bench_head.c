/* Finds out where and how a benchmark is made. */
#include "base/versions.h"
#include "bench_run.h"

#include <stdio.h>
#include <string.h>

/* Writes the command line as a shell would take it, truncated if it is too long. The subcommand, which parsing has
 * moved after all options, comes first. */
static void write_command(const cli_options *options, cli_bench *bench) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:^%@";
    size_t used = (size_t)snprintf(bench->command, sizeof bench->command, "jitreduce bench");
    for (int i = 1; i < options->word_count - 1 && used < sizeof bench->command; i++) {
        const char *word = options->words[i];
        const bool bare = word[0] != '\0' && word[strspn(word, plain)] == '\0';
        used += (size_t)snprintf(bench->command + used, sizeof bench->command - used, bare ? " %s" : " '%s'", word);
    }
}

/* Finds the devices' numbers, and how much memory there is for each: one that was named twice has half. */
static jr_status find_devices(cli_bench *bench) {
    jr_group *group = bench->devices.group;
    uint64_t free_bytes[JR_GROUP_DEVICES_MAX];
    bench->device_count = group != NULL ? (int)jr_group_size(group) : 1;
    for (int d = 0; d < bench->device_count; d++) {
        jr_device_info info = JR_INIT(jr_device_info);
        const jr_status status =
            jr_context_device_info(group != NULL ? jr_group_context(group, (size_t)d) : bench->context, &info);
        if (status != JR_OK) return status;
        if (d == 0) bench->device = info;
        bench->ordinals[d] = info.ordinal;
        free_bytes[d] = info.free_memory_bytes;
    }
    for (int d = 0; d < bench->device_count; d++) {
        uint64_t sharers = 0;
        for (int e = 0; e < bench->device_count; e++) sharers += bench->ordinals[e] == bench->ordinals[d];
        if (d == 0 || free_bytes[d] / sharers < bench->free_bytes) bench->free_bytes = free_bytes[d] / sharers;
    }
    return JR_OK;
}

cli_exit cli_bench_head(cli_bench *bench, cli_error *error) {
    const jr_options wanted =
        JR_INIT(jr_options, .nvrtc = bench->options->nvrtc, .cache_dir = bench->options->cache_dir);
    jr_status status = find_devices(bench);
    if (status == JR_OK) status = cli_nvrtc_version(&wanted, bench->nvrtc);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (!bench->device.simulated) cli_driver_version(bench->driver);
    write_command(bench->options, bench);
    return CLI_OK;
}
