/* Refuses spellings of options that earlier versions had, and names the new ones. */
#include "option_removed.h"

#include <string.h>

const cli_removed cli_removed_options[] = {
    {"by-key", "--keys"},
    {"cache-dir", "JITREDUCE_CACHE_DIR=DIR jitreduce ..."},
    {"exact", "--accuracy exact"},
    {"graph", "--mode graph"},
    {"hostile", "--data hostile"},
    {"info", "--show resources"},
    {"kept", "--op ...,count"},
    {"latency", "--mode latency"},
    {"no-cache", "JITREDUCE_CACHE_DIR= jitreduce ..."},
    {"no-progress", "--quiet"},
    {"nvrtc", "JITREDUCE_NVRTC=PATH jitreduce ..."},
    {"offsets", "--segments FILE"},
    {"packs", "JITREDUCE_PACKS=LIST jitreduce ..."},
    {"ptx", "--show ptx"},
    {"raw", "--format raw"},
    {"restrict", "--where FORMULA"},
    {"sass", "--show sass"},
    {"seed", "--random N:SEED"},
    {"segment-length", "--segments N"},
    {"struct-alignment", "--struct TEXT alone: the compiler says its alignment"},
    {"struct-bytes", "--struct TEXT alone: the compiler says its size"},
    {"time", "--show time"},
    {"unpack-bytes", "zcat FILE | jitreduce ... -"},
    {"unroll", "--uf"},
    {"warm", "--data warm"},
    {"wisdom", "JITREDUCE_WISDOM=FILE jitreduce ..."},
};
const int cli_removed_option_count = sizeof cli_removed_options / sizeof *cli_removed_options;

cli_exit cli_check_removed(const char *name, cli_error *error) {
    for (int i = 0; i < cli_removed_option_count; i++)
        if (strcmp(cli_removed_options[i].old, name) == 0)
            return cli_fail(error, CLI_USAGE, "--%s: was removed in version 0.3: write %s", name,
                            cli_removed_options[i].now);
    return CLI_OK;
}
