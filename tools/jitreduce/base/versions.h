/* The versions of what is measured with: they stand at the head of every benchmark's report. */
#ifndef JR_CLI_VERSIONS_H
#define JR_CLI_VERSIONS_H

#include <jitreduce.h>

enum { CLI_VERSION_BYTES = 64 };

/* Writes the version of the kernel module of NVIDIA's driver; "" where the system does not say. */
void cli_driver_version(char version[CLI_VERSION_BYTES]);

/* Writes the version of the NVRTC that would be used; "" if none is found. */
jr_status cli_nvrtc_version(char version[CLI_VERSION_BYTES]);

#endif
