/* Finds out where and how a benchmark is made. */
#include "bench_run.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The version of the NVRTC that is used, of all findings. */
static void take_nvrtc(void *user, const jr_finding *finding) {
    cli_bench *bench = user;
    if (!finding->chosen || strcmp(finding->component, "nvrtc") != 0 || strcmp(finding->origin, "version") != 0) return;
    const char *version = strncmp(finding->detail, "version ", 8) == 0 ? finding->detail + 8 : finding->detail;
    snprintf(bench->nvrtc, sizeof bench->nvrtc, "%.*s", (int)strcspn(version, ","), version);
}

/* The kernel module's version: the first word of the first line that is digits and dots. */
static void read_driver(cli_bench *bench) {
    char line[256];
    FILE *file = bench->device.simulated ? NULL : fopen("/proc/driver/nvidia/version", "r");
    if (file == NULL) return;
    if (fgets(line, sizeof line, file) != NULL)
        for (char *rest = NULL, *word = strtok_r(line, " \t\n", &rest); word != NULL;
             word = strtok_r(NULL, " \t\n", &rest)) {
            if (!isdigit((unsigned char)word[0]) || word[strspn(word, "0123456789.")] != '\0') continue;
            snprintf(bench->driver, sizeof bench->driver, "%s", word);
            break;
        }
    fclose(file);
}

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
    if (status == JR_OK) status = jr_doctor(&wanted, take_nvrtc, bench);
    if (status != JR_OK) return cli_fail_library(error, status);
    read_driver(bench);
    write_command(bench->options, bench);
    return CLI_OK;
}
