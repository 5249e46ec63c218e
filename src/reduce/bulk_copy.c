/* bulk_copy: one block a multiprocessor folds tiles that bulk copies bring (kernels_src/reduce/bulk_copy.cu). */
#include "cut.h"
#include "plan.h"

#include "base/error.h"

/* Below this, single_pass is as fast or faster. Measured on an H200. */
static const uint64_t PREFERRED_FROM_BYTES = 4ull << 30;

/* The instruction came with compute capability 9.0. */
static bool applicable(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device) {
    return reduction->commutative && reduction->input_count == 1 && device->capability_major >= 9 &&
           (spec->grid == 1 || device->multiprocessor_count >= 2);
}

static bool preferred(const jr_spec *spec, const jr_reduction *reduction) {
    return spec->capacity >= PREFERRED_FROM_BYTES / reduction->inputs[0].bytes;
}

/* Slots and arguments are those of single_pass. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return jr_algorithm_single_pass.partial_bytes(plan, count);
}

static size_t workspace_bytes(const jr_plan *plan) {
    return jr_algorithm_single_pass.workspace_bytes(plan);
}

/* As many tiles as the multiprocessor's shared memory holds; the ring is the block's cache, too, in the end. */
static jr_status tune(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device,
                      jr_tuning *tuning) {
    enum { STATIC_BYTES = 1024, STAGES_MAX = 8, BLOCK = 512, UNROLL = 3 };
    tuning->block = spec->block > 0 ? spec->block : BLOCK;
    tuning->unroll = spec->unroll > 0 ? spec->unroll : UNROLL;
    const uint64_t folders = (uint64_t)tuning->block - JR_WARP_LANES; /* one warp copies */
    const uint64_t pack_bytes = jr_cut_pack_elements(reduction) * reduction->inputs[0].bytes;
    const uint64_t tile_bytes = folders * (uint64_t)tuning->unroll * pack_bytes;
    const uint64_t cache_bytes = (uint64_t)tuning->block * reduction->accumulator_bytes;
    const uint64_t room = device->shared_bytes_per_block_optin - STATIC_BYTES;
    if (folders == 0) return jr_fail(JR_ERROR_NOT_APPLICABLE, "bulk_copy needs a block of 64 threads or more, not 32");
    const uint64_t stages = room / tile_bytes < STAGES_MAX ? room / tile_bytes : STAGES_MAX;
    if (device->shared_bytes_per_block_optin <= STATIC_BYTES || stages < 2 || cache_bytes > stages * tile_bytes)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "bulk_copy needs two tiles of %llu bytes and %llu bytes for its block in shared memory, and the "
                       "device gives a block %llu: choose a smaller block or unroll factor",
                       (unsigned long long)tile_bytes, (unsigned long long)cache_bytes,
                       (unsigned long long)device->shared_bytes_per_block_optin);
    tuning->stages = (int)stages;
    tuning->shared_bytes = (unsigned)(stages * tile_bytes);
    return JR_OK;
}

const jr_algorithm_row jr_algorithm_bulk_copy = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .kernels = {{"reduce/bulk_copy.cu", "jr_reduce_bulk_copy"}},
    .needs =
        "a commutative operator, one input, and a device of compute capability 9.0 with two multiprocessors or more",
    .applicable = applicable,
    .preferred = preferred,
    .tune = tune,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .launches = 1,
    .run = jr_plan_run_once};
