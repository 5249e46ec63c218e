/* The ceiling: bare loops that read device memory as fast as can be, and do next to nothing with it. */
#ifndef CLI_BENCH_READ_H
#define CLI_BENCH_READ_H

#include <stdbool.h>

#include <jitreduce.h>

enum { CLI_READ_COUNT = 4 }; /* loops */

/* One loop, compiled for a device. */
typedef struct cli_bench_read {
    jr_kernel *kernel; /* NULL: this device cannot run it */
    int which, multiprocessors;
} cli_bench_read;

/* "16-byte loads, xor of all, 256 threads x 1": what a loop does. */
const char *cli_bench_read_text(int which);
/* "read 256x1" */
const char *cli_bench_read_name(int which);
/* Whether a device has what the loop needs. */
bool cli_bench_read_applies(int which, const jr_device_info *device);

jr_status cli_bench_read_get(jr_context *context, int which, cli_bench_read *loop);

/* Reads bytes (rounded down to 16) from an address aligned to 16. sink: 4 bytes of device memory. */
jr_status cli_bench_read_run(const cli_bench_read *loop, const void *data, uint64_t bytes, void *sink,
                             jr_stream stream);

#endif
