/* Finds out where and how a benchmark is made. */
#include "bench_run.h"
#include "versions.h"

#include <stdio.h>
#include <string.h>

/* The command line as a shell would take it, with the subcommand, which parsing put behind all options, in front; cut
 * where it is too long. */
static void write_command(const cli_options *options, cli_bench *bench) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:^%@";
    size_t used = (size_t)snprintf(bench->command, sizeof bench->command, "jitreduce bench");
    for (int i = 1; i < options->word_count - 1 && used < sizeof bench->command; i++) {
        const char *word = options->words[i];
        const bool bare = word[0] != '\0' && word[strspn(word, plain)] == '\0';
        used += (size_t)snprintf(bench->command + used, sizeof bench->command - used, bare ? " %s" : " '%s'", word);
    }
}

cli_exit cli_bench_head(cli_bench *bench, cli_error *error) {
    const jr_options wanted =
        JR_INIT(jr_options, .nvrtc = bench->options->nvrtc, .cache_dir = bench->options->cache_dir);
    bench->device = JR_INIT(jr_device_info);
    jr_status status = jr_context_device_info(bench->context, &bench->device);
    if (status == JR_OK) status = cli_nvrtc_version(&wanted, bench->nvrtc);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (!bench->device.simulated) cli_driver_version(bench->driver);
    write_command(bench->options, bench);
    return CLI_OK;
}
