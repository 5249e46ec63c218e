/* The environment variables that stand in for options, as --help and doctor show them. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdio.h>

/* Variable, what it does. The command may not include the library's own list (src/base/settings.h), so this repeats it;
 * tests/unit/test_cli_settings.c holds the two together. */
#define CLI_SETTINGS(XX)                                                                                               \
    XX("JITREDUCE_DEVICE", "device when none is asked for: auto, cuda, cuda:N, sim")                                   \
    XX("JITREDUCE_DRIVER", "path of the CUDA driver library (libcuda.so.1)")                                           \
    XX("JITREDUCE_NVRTC", "path of the NVRTC library (libnvrtc.so.*)")                                                 \
    XX("JITREDUCE_SIM", "path of the PTX simulator (libjrsim.so)")                                                     \
    XX("JITREDUCE_CACHE_DIR", "disk cache folder; empty: no disk cache")                                               \
    XX("JITREDUCE_CACHE_BYTES", "cap of the disk cache in bytes")                                                      \
    XX("CUDA_HOME", "CUDA toolkit folder, searched for NVRTC")                                                         \
    XX("CUDA_PATH", "CUDA toolkit folder, searched for NVRTC")                                                         \
    XX("VIRTUAL_ENV", "Python environment, searched for NVRTC wheels")                                                 \
    XX("LD_LIBRARY_PATH", "the linker's folders, searched for NVRTC")                                                  \
    XX("XDG_CACHE_HOME", "parent of the default cache folder")                                                         \
    XX("HOME", "home folder")                                                                                          \
    XX("JRSIM_THREADS", "CPU threads of the simulator, 1 to 1024; default: all cores")                                 \
    XX("JRSIM_MEMORY_BYTES", "device memory of the simulator; default: half of the host's")                            \
    XX("JRSIM_SEED", "shuffles the order of warps in the simulator; default 0: in order")                              \
    XX("JRSIM_STEP_LIMIT", "warp instructions without progress after which a kernel is stopped")                       \
    XX("JRSIM_FAIL", "driver call of the simulator that fails: name[:nth[:error number]]")

typedef struct cli_setting {
    const char *variable;
    const char *text;
} cli_setting;

extern const cli_setting cli_settings[];
extern const int cli_setting_count;

/* The value of JITREDUCE_DEVICE, NULL when it is not set or empty. */
const char *cli_settings_device(void);

/* Prints every setting: what it does (values = 0), or what is in force (values = 1). */
void cli_settings_print(FILE *out, int values);

#endif
