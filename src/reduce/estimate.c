/* Chooses tunings from what was measured on one GPU of each kind. */
#include "estimate.h"

#include "base/error.h"
#include "program/operator.h"

/* An H200 needs about 48 KiB in flight a multiprocessor to keep its memory busy: 3072 loads of 16 bytes. */
enum { VECTORS_IN_FLIGHT = 3072, DEFAULT_BLOCK = 512, DEFAULT_UNROLL = 4 };

/* How they are best split into threads and chains, and how many threads a multiprocessor then works on, by the bytes of
 * an input: measured on an H200 with blocks of 128 to 1024 threads, 1 to 8 chains and 512 to 2048 threads. Small inputs
 * want small blocks, which combine sooner. */
typedef struct best_split {
    uint64_t from_bytes;
    int block, unroll, resident_threads;
} best_split;

enum { SPLITS = 4 };

#define MiB(count) ((uint64_t)(count) << 20)
static const best_split element_splits[SPLITS] = {
    {MiB(64), 512, 8, 1024}, {MiB(16), 256, 8, 512}, {MiB(8), 256, 4, 512}, {0, 256, 4, 768}};
static const best_split short_float_splits[SPLITS] = {
    {MiB(512), 512, 4, 2048}, {MiB(16), 512, 4, 1024}, {MiB(8), 256, 4, 512}, {0, 256, 4, 768}};
static const best_split byte_splits[SPLITS] = {
    {MiB(128), 512, 8, 1024}, {MiB(16), 256, 8, 512}, {MiB(8), 256, 8, 512}, {0, 256, 4, 768}};
static const best_split index_splits[SPLITS] = {
    {MiB(128), 512, 8, 1024}, {MiB(16), 256, 8, 1024}, {MiB(8), 256, 8, 512}, {0, 256, 4, 768}};
/* Two inputs, or much in registers for each chain. */
static const best_split wide_splits[SPLITS] = {
    {MiB(16), 512, 4, 1024}, {MiB(8), 512, 4, 1024}, {MiB(1), 256, 2, 512}, {0, 256, 4, 768}};
#undef MiB

static const best_split *splits_of(const jr_reduction *reduction) {
    const jr_input *input = &reduction->inputs[0];
    if (reduction->input_count > 1 || reduction->accumulator_bytes > 16) return wide_splits;
    if (reduction->operator_files & JR_OPERATORS_INDEX) return index_splits;
    if (reduction->accumulator_bytes > 8) return wide_splits;
    if (input->bytes == 1) return byte_splits;
    return input->bytes == 2 ? short_float_splits : element_splits;
}

/* The split for the spec's capacity; for one that is not known, the one from 8 or 16 MiB on, which costs little below
 * and above. */
static const best_split *find_split(const jr_spec *spec, const jr_reduction *reduction) {
    const best_split *split = splits_of(reduction);
    if (spec->capacity == 0) return split + 1;
    while (spec->capacity < split->from_bytes / reduction->inputs[0].bytes) split++;
    return split;
}

/* Large accumulators take registers for each chain: fewer chains for them. */
static int default_unroll(const jr_reduction *reduction, int unroll) {
    return reduction->accumulator_bytes <= 16 ? unroll : reduction->accumulator_bytes <= 32 ? 2 : 1;
}

/* Every device has 48 KiB a block; one that does not say has that. */
static uint64_t shared_limit(const jr_device_info *device) {
    enum { LEAST = 49152 };
    return device->shared_bytes_per_block > 0 ? device->shared_bytes_per_block : LEAST;
}

/* A block keeps an accumulator a thread in shared memory. */
static int default_block(const jr_reduction *reduction, const jr_device_info *device, int block) {
    while (block > JR_BLOCK_STEP && (size_t)block * reduction->accumulator_bytes > shared_limit(device)) block /= 2;
    return block;
}

jr_status jr_estimate_tuning(const jr_spec *spec, const jr_reduction *reduction, const jr_algorithm_row *row,
                             const jr_device_info *device, jr_tuning *tuning) {
    const best_split *split = find_split(spec, reduction);
    const int block = row->block > 0 ? row->block : row->splits_by_size ? split->block : DEFAULT_BLOCK;
    const int unroll = row->splits_by_size ? split->unroll : DEFAULT_UNROLL;
    tuning->algorithm = row->algorithm;
    tuning->unroll = spec->unroll > 0  ? spec->unroll
                     : row->unroll > 0 ? row->unroll
                                       : default_unroll(reduction, unroll);
    tuning->block = spec->block > 0 ? spec->block : default_block(reduction, device, block);
    tuning->grid = row->grid_max == 1 ? 1 : spec->grid;
    tuning->blocks_per_multiprocessor = spec->blocks_per_multiprocessor;
    tuning->resident_threads =
        row->splits_by_size && spec->unroll == 0 && spec->block == 0 ? split->resident_threads : 0;
    tuning->shared_dynamic = spec->shared == JR_SHARED_DYNAMIC;
    if (row->scans) return JR_OK; /* at most 38 KiB, whatever the block and the operator */
    if (row->tune != NULL) return row->tune(spec, reduction, device, tuning);
    const size_t shared_bytes = (size_t)tuning->block * reduction->accumulator_bytes;
    tuning->shared_bytes = tuning->shared_dynamic ? (unsigned)shared_bytes : 0;
    if (shared_bytes > shared_limit(device))
        return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                       "a block of %d threads needs %zu bytes of shared memory, %zu a thread; the device has %llu: "
                       "choose a smaller block",
                       tuning->block, shared_bytes, reduction->accumulator_bytes,
                       (unsigned long long)shared_limit(device));
    return JR_OK;
}

/* Blocks of one launch that leave room for as many of the next, or for none: launches overlap
 * (kernels_src/core/begin.cuh), and what fits only in part comes to lie on some multiprocessors alone. Measured on an
 * H200: up to 25 % of the time.
 */
static int balanced(int wanted, int occupancy) {
    return wanted < occupancy && 2 * wanted > occupancy ? occupancy : wanted < occupancy ? wanted : occupancy;
}

int jr_estimate_wave(const jr_algorithm_row *row, const jr_tuning *tuning, const jr_device_info *device,
                     int occupancy) {
    const int in_flight = row->vectors_in_flight > 0 ? row->vectors_in_flight : VECTORS_IN_FLIGHT;
    const int grid_max = row->grid_max > 0 ? row->grid_max : JR_GRID_MAX;
    const int loads = tuning->block * tuning->unroll;
    const int asked = tuning->blocks_per_multiprocessor;
    const int wanted = asked > 0                      ? asked
                       : tuning->resident_threads > 0 ? tuning->resident_threads / tuning->block
                                                      : (in_flight + loads - 1) / loads;
    const int blocks = asked > 0 && wanted < occupancy ? wanted : balanced(wanted, occupancy);
    const int wave = device->multiprocessor_count * (blocks > 0 ? blocks : 1);
    return wave < grid_max ? wave : grid_max;
}

uint64_t jr_estimate_launch_count(const jr_reduction *reduction, const jr_device_info *device, double milliseconds) {
    enum { LEAST_COUNT = 65536, UNKNOWN_BYTES_PER_MS = 10000000, MARGIN = 16 };
    const double bytes_per_ms = 2.0 * device->memory_clock_khz * device->memory_bus_bits / 8;
    size_t element_bytes = 0;
    for (int i = 0; i < reduction->input_count; i++) element_bytes += reduction->inputs[i].bytes;
    const double bytes = (bytes_per_ms > 0 ? bytes_per_ms : UNKNOWN_BYTES_PER_MS) / MARGIN * milliseconds;
    const double count = bytes / (double)element_bytes;
    if (count < LEAST_COUNT) return LEAST_COUNT;
    return count < 0x1p60 ? (uint64_t)count / LEAST_COUNT * LEAST_COUNT : 0; /* whole tiles of any tuning */
}
