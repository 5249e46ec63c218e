/* Tells what a kernel takes of the device. */
#include "kernel_print.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/spread.h"

jr_status cli_kernel_print(jr_kernel *kernel, const jr_launch *launch, const jr_device_info *device) {
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    const int block =
        (int)(launch->block[0] * (launch->block[1] ? launch->block[1] : 1) * (launch->block[2] ? launch->block[2] : 1));
    int blocks = 0;
    jr_status status = jr_kernel_info_get(kernel, &info);
    if (status == JR_OK) status = jr_kernel_occupancy(kernel, block, launch->shared_bytes, &blocks);
    if (status != JR_OK) return status;
    int threads = blocks * block, most = device->max_threads_per_multiprocessor;
    printf("kernel                       %s\n", jr_kernel_name(kernel));
    printf("registers                    %d a thread\n", info.registers);
    printf("shared memory                %d bytes a block static, %u dynamic; %llu at most\n", info.shared_bytes,
           launch->shared_bytes, (unsigned long long)device->shared_bytes_per_block);
    printf("local memory                 %d bytes a thread\n", info.local_bytes);
    printf("constant memory              %d bytes\n", info.constant_bytes);
    printf("threads in a block, at most  %d\n", info.max_threads_per_block);
    printf("versions                     PTX %d.%d, binary %d.%d\n", info.ptx_version / 10, info.ptx_version % 10,
           info.binary_version / 10, info.binary_version % 10);
    printf("occupancy                    %d block%s of %d threads on a multiprocessor", blocks, blocks == 1 ? "" : "s",
           block);
    printf(most > 0 ? ": %d %%\n" : "\n", most > 0 ? 100 * threads / most : 0);
    return JR_OK;
}

/* ---- time ---- */

enum { SIMULATED_ROUNDS = 3 };

typedef struct again {
    jr_kernel *kernel;
    jr_launch launch;
    void **pointers;
} again;

static jr_status launch_again(void *user, uint64_t run, jr_stream stream) {
    again *it = user;
    (void)run;
    it->launch.stream = stream;
    return jr_kernel_launch(it->kernel, &it->launch, it->pointers);
}

jr_status cli_kernel_print_time(jr_context *context, jr_kernel *kernel, const jr_launch *launch, void **pointers) {
    const bool simulated = jr_context_is_simulated(context);
    const jr_measure_options how = JR_INIT(
        jr_measure_options, .rounds = simulated ? SIMULATED_ROUNDS : JR_MEASURE_ROUNDS, .batch = simulated ? 1 : 0);
    again it = {kernel, *launch, pointers};
    const jr_measured item = {launch_again, &it};
    double microseconds[JR_MEASURE_ROUNDS];
    int rounds = 0;
    const jr_status status = jr_measure(context, &how, &item, 1, microseconds, &rounds);
    if (status != JR_OK) return status;
    const cli_spread spread = cli_spread_of(microseconds, rounds);
    printf("time: %.3f us, the median of %d (%.3f to %.3f)%s\n", spread.median, rounds, spread.least, spread.most,
           simulated ? ", on the simulator: it says nothing of a GPU" : "");
    return JR_OK;
}
