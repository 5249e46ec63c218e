/* The JSON object of info --json. */
#include <stdio.h>
#include <stdlib.h>

#include "info_json.h"
#include "io/data.h"
#include "io/report.h"

static void print_device(FILE *out, const jr_device_info *device) {
    fputs("{\"device\": {", out);
    cli_json_device(out, device);
    fprintf(out, ", \"clock_khz\": %d, \"memory_bytes\": %llu, \"free_memory_bytes\": %llu, \"memory_clock_khz\": %d",
            device->clock_khz, (unsigned long long)device->memory_bytes, (unsigned long long)device->free_memory_bytes,
            device->memory_clock_khz);
    fprintf(out, ", \"memory_bus_bits\": %d, \"l2_bytes\": %llu, \"warp_size\": %d, \"max_threads_per_block\": %d",
            device->memory_bus_bits, (unsigned long long)device->l2_bytes, device->warp_size,
            device->max_threads_per_block);
    fprintf(out, ", \"shared_bytes_per_block\": %llu, \"shared_bytes_per_block_optin\": %llu",
            (unsigned long long)device->shared_bytes_per_block,
            (unsigned long long)device->shared_bytes_per_block_optin);
    fprintf(out,
            ", \"max_threads_per_multiprocessor\": %d, \"max_blocks_per_multiprocessor\": %d, "
            "\"registers_per_multiprocessor\": %d, \"shared_bytes_per_multiprocessor\": %llu, \"kernel_timeout\": %s}",
            device->max_threads_per_multiprocessor, device->max_blocks_per_multiprocessor,
            device->registers_per_multiprocessor, (unsigned long long)device->shared_bytes_per_multiprocessor,
            device->kernel_timeout ? "true" : "false");
}

static void print_request(FILE *out, const cli_request *request) {
    fputs(", \"reductions\": [", out);
    for (int i = 0; i < request->op_count; i++)
        fprintf(out, "%s{\"op\": \"%s\", \"type\": \"%s\", \"result\": \"%s\"}", i > 0 ? ", " : "",
                jr_op_name(request->ops[i]), cli_type_name(request->spec.type),
                cli_type_name(request->results.types[i]));
    fputc(']', out);
}

static jr_status print_kernel(FILE *out, jr_kernel *kernel, const jr_launch *launch) {
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    int blocks = 0;
    jr_status status = jr_kernel_info_get(kernel, &info);
    if (status == JR_OK) status = jr_kernel_occupancy(kernel, (int)launch->block[0], launch->shared_bytes, &blocks);
    if (status != JR_OK) return status;
    cli_json_text(out, "{\"name\": ", jr_kernel_name(kernel));
    fprintf(out,
            ", \"registers\": %d, \"shared_bytes\": %d, \"dynamic_shared_bytes\": %u, \"local_bytes\": %d, "
            "\"constant_bytes\": %d, \"max_threads_per_block\": %d, \"ptx_version\": \"%d.%d\", \"binary_version\": "
            "\"%d.%d\", \"block\": %u, \"blocks_per_multiprocessor\": %d}",
            info.registers, info.shared_bytes, launch->shared_bytes, info.local_bytes, info.constant_bytes,
            info.max_threads_per_block, info.ptx_version / 10, info.ptx_version % 10, info.binary_version / 10,
            info.binary_version % 10, launch->block[0], blocks);
    return JR_OK;
}

static jr_status print_plan(FILE *out, const jr_plan *plan) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_status status = jr_plan_stats(plan, &stats);
    if (status != JR_OK) return status;
    fprintf(out, ", \"algorithm\": \"%s\", \"unroll\": %d, \"block\": %d, \"grid\": %d, \"workspace_bytes\": %zu",
            jr_algorithm_name(stats.algorithm), stats.unroll, stats.block, stats.grid, jr_plan_workspace_bytes(plan));
    cli_json_text(out, ", \"tuning\": ", stats.tuned_by);
    cli_json_text(out, ", \"made_by\": ", cli_origin_text(stats.origin));
    fputs(", \"kernels\": [", out);
    for (unsigned i = 0; status == JR_OK && i < jr_plan_kernel_count(plan); i++) {
        jr_kernel *kernel;
        jr_launch launch = JR_INIT(jr_launch);
        status = jr_plan_kernel(plan, i, &kernel);
        if (status == JR_OK) status = jr_plan_launch_get(plan, i, &launch);
        if (i > 0) fputs(", ", out);
        if (status == JR_OK) status = print_kernel(out, kernel, &launch);
    }
    cli_json_text(out, "], \"version\": ", jr_version());
    fputs("}\n", out);
    return status;
}

jr_status cli_info_json(const jr_device_info *device, const cli_request *request, const jr_plan *plan) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) return JR_ERROR_OUT_OF_MEMORY;
    print_device(out, device);
    print_request(out, request);
    jr_status status = print_plan(out, plan);
    if (fclose(out) != 0 && status == JR_OK) status = JR_ERROR_OUT_OF_MEMORY;
    if (status == JR_OK) fwrite(text, 1, bytes, stdout);
    free(text);
    return status;
}
