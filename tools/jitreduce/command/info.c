/* jitreduce info: the device, and what the kernels of a spec take of it. */
#include <stdio.h>

#include "fold/request.h"
#include "info_json.h"
#include "io/cli_device.h"
#include "io/data.h"
#include "io/report.h"
#include "options/command.h"
#include "run/kernel_print.h"

static void print_device(const jr_device_info *device) {
    printf("device                       %s%s\n", device->name, device->simulated ? " (simulated)" : "");
    printf("compute capability           %d.%d\n", device->capability_major, device->capability_minor);
    printf("driver version               %d.%d\n", device->driver_version / 1000, device->driver_version % 1000 / 10);
    printf("multiprocessors              %d\n", device->multiprocessor_count);
    printf("clock                        %d MHz\n", device->clock_khz / 1000);
    printf("memory                       %llu MiB, %llu MiB free\n", (unsigned long long)(device->memory_bytes >> 20),
           (unsigned long long)(device->free_memory_bytes >> 20));
    printf("memory clock, bus            %d MHz, %d bits\n", device->memory_clock_khz / 1000, device->memory_bus_bits);
    printf("L2 cache                     %llu KiB\n", (unsigned long long)(device->l2_bytes >> 10));
    printf("warp                         %d threads\n", device->warp_size);
    printf("block, at most               %d threads, %llu bytes shared (%llu opt-in)\n", device->max_threads_per_block,
           (unsigned long long)device->shared_bytes_per_block,
           (unsigned long long)device->shared_bytes_per_block_optin);
    printf("multiprocessor, at most      %d threads, %d blocks, %d registers, %llu bytes shared\n",
           device->max_threads_per_multiprocessor, device->max_blocks_per_multiprocessor,
           device->registers_per_multiprocessor, (unsigned long long)device->shared_bytes_per_multiprocessor);
    printf("kernels are ended after 2 s  %s\n", device->kernel_timeout ? "yes (a display GPU)" : "no");
}

static void print_request(const cli_request *request) {
    putchar('\n');
    for (int i = 0; i < request->op_count; i++)
        printf("reduction                    %s of %s to %s\n", jr_op_name(request->ops[i]),
               cli_type_name(request->spec.type), cli_type_name(request->results.types[i]));
}

static jr_status print_plan(const jr_plan *plan, const jr_device_info *device) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_status status = jr_plan_stats(plan, &stats);
    if (status != JR_OK) return status;
    printf("algorithm                    %s: unroll %d, block %d, grid %d\n", jr_algorithm_name(stats.algorithm),
           stats.unroll, stats.block, stats.grid);
    printf("tuning                       %s\n", stats.tuned_by);
    printf("workspace                    %zu bytes\n", jr_plan_workspace_bytes(plan));
    printf("made by                      %s\n", cli_origin_text(stats.origin));
    for (unsigned i = 0; status == JR_OK && i < jr_plan_kernel_count(plan); i++) {
        jr_kernel *kernel;
        jr_launch launch = JR_INIT(jr_launch);
        status = jr_plan_kernel(plan, i, &kernel);
        if (status == JR_OK) status = jr_plan_launch_get(plan, i, &launch);
        if (status == JR_OK) putchar('\n');
        if (status == JR_OK) status = cli_kernel_print(kernel, &launch, device);
    }
    return status;
}

static jr_status print_rest(const cli_request *request, const jr_plan *plan, const jr_device_info *device) {
    print_request(request);
    return print_plan(plan, device);
}

/* f32 where no type is given; as many inputs as there are types. */
static cli_exit make_request(const cli_options *options, cli_request *request, cli_error *error) {
    jr_type types[JR_INPUTS_MAX];
    int count = options->type_count > 1 ? options->type_count : 1;
    if (options->ops[0] == JR_OP_DOT && count == 1) count = 2;
    for (int i = 0; i < count; i++) {
        const jr_type given = cli_options_type(options, i);
        types[i] = given != JR_TYPE_NONE ? given : JR_F32;
    }
    return cli_request_make(options, types, count, request, error);
}

cli_exit cli_info_run(const cli_options *options, cli_error *error) {
    jr_context *context = NULL;
    jr_plan *plan = NULL;
    jr_device_info device = JR_INIT(jr_device_info);
    cli_request request;
    cli_exit code = make_request(options, &request, error);
    if (code == CLI_OK) code = cli_device_open(options, &context, error);
    if (code != CLI_OK) return code;
    jr_status status = jr_context_device_info(context, &device);
    if (status == JR_OK && !options->json) print_device(&device);
    if (status == JR_OK) status = jr_work_plan_create(context, &JR_INIT(jr_work, .spec = &request.spec), &plan);
    if (status == JR_OK && options->json)
        status = cli_info_json(&device, &request, plan);
    else if (status == JR_OK)
        status = print_rest(&request, plan, &device);
    if (status != JR_OK) code = cli_fail_library(error, status);
    jr_plan_destroy(plan);
    jr_context_close(context);
    return code;
}
