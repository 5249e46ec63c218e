/* Chooses tunings from what was measured of devices of a class (tuned.h). */
#include "estimate.h"

#include "base/error.h"
#include "base/whole.h"
#include "cut.h"
#include "estimate_ring.h"
#include "spec/operator.h"

/* Is it done by a kernel that scans? */
static bool is_scanned(const jr_job *job) {
    return job->kind == JR_JOB_SCAN || jr_job_is_of_runs(job);
}

/* Does a thread keep sums of differences in each chain (kernels_src/fold/moments.cuh)? */
static bool is_of_moments(const jr_reduction *reduction) {
    const bool is_one = reduction->spec.op == JR_OP_VAR || reduction->spec.op == JR_OP_STD;
    return is_one && reduction->input_count == 1 && reduction->spec.accuracy == JR_ACCURACY_FAST;
}

static jr_tuned_splits splits_of(const jr_job *job, jr_tuned_splits splits) {
    const jr_reduction *reduction = job->reduction;
    const jr_input *input = &reduction->inputs[0];
    if (splits != JR_SPLITS_OF_TYPE) return splits;
    if (is_of_moments(reduction)) return JR_SPLITS_MOMENTS;
    if (reduction->input_count > 1 || reduction->accumulator_bytes > 16) return JR_SPLITS_WIDE;
    if (reduction->operator_files & JR_OPERATORS_INDEX) return JR_SPLITS_INDEX;
    if (reduction->accumulator_bytes > 8) return JR_SPLITS_WIDE;
    if (input->bytes == 1) return JR_SPLITS_BYTES;
    return input->bytes == 2 ? JR_SPLITS_SHORT_FLOATS : JR_SPLITS_ELEMENTS;
}

/* The split for the job's capacity; for one that is not known, the one from 8 or 16 MiB on, which costs little below
 * and above. Where the algorithm has none, all is 0. */
static const jr_tuned_split *find_split(const jr_job *job, const jr_tuned_algorithm *tuned) {
    const jr_tuned_split *split = jr_tuned_splits_of(job->device, splits_of(job, tuned->splits));
    if (job->requested.capacity == 0) return split + 1;
    while (job->requested.capacity < jr_divide_up(split->from_bytes, job->reduction->inputs[0].bytes)) split++;
    return split;
}

static int number_of(const jr_job *job, jr_tuned_number number) {
    return (int)jr_tuned_number_of(job->device, number);
}

/* Large accumulators take registers for each chain: fewer chains for them. A long segment has its 16-byte loads in
 * flight by chains, as all of the elements have. */
static int choose_unroll(const jr_job *job, const jr_algorithm_row *row, const jr_tuned_split *split, int block) {
    const size_t bytes = job->reduction->accumulator_bytes;
    const int own = jr_tuned_algorithm_of(job->device, row->tuned)->unroll;
    if (row->choices != NULL && row->choices->unroll != NULL) return row->choices->unroll(job, block);
    if (!is_scanned(job) && job->kind == JR_JOB_SEGMENTS)
        return own > 0 && bytes <= 8 ? own : bytes <= 16 ? number_of(job, JR_NUMBER_UNROLL) : 1;
    if (row->ring != NULL && row->ring->squads) return jr_estimate_ring_unroll(job, row, block);
    if (own > 0) return own;
    if (bytes > 16 && (split->unroll == 0 || !is_of_moments(job->reduction))) return bytes <= 32 ? 2 : 1;
    const int usual = split->unroll > 0 ? split->unroll : number_of(job, JR_NUMBER_UNROLL);
    return is_scanned(job) && (bytes > 8 || job->layout.kind != 0) ? jr_estimate_fewer_for_scan(job->reduction, usual)
                                                                   : usual;
}

/* Every device has 48 KiB a block; one that does not say has that. */
static uint64_t shared_limit(const jr_device_info *device) {
    enum { LEAST = 49152 };
    return device->shared_bytes_per_block > 0 ? device->shared_bytes_per_block : LEAST;
}

static unsigned thread_bytes(const jr_algorithm_row *row) {
    return row->shared != NULL ? row->shared->thread_bytes : 0;
}

/* Shared memory of a block: an accumulator a thread; where there are patches also a thread's share of one, of 2 KiB a
 * warp, and of the ends of segments. */
static size_t shared_bytes(const jr_job *job, const jr_algorithm_row *row, int block) {
    enum { PATCH_AND_ENDS = 84 };
    const size_t accumulator = job->reduction->accumulator_bytes;
    if (thread_bytes(row) > 0) return (size_t)block * thread_bytes(row);
    const bool has_patches = row->shared != NULL && row->shared->has_patches;
    return (size_t)block * (accumulator + (has_patches ? accumulator / 16 + PATCH_AND_ENDS : 0));
}

/* The most that a block may take: where it is asked for at every launch, what the device gives so. */
static uint64_t block_limit(const jr_job *job, const jr_algorithm_row *row) {
    const uint64_t usual = shared_limit(job->device), most = job->device->shared_bytes_per_block_optin;
    return thread_bytes(row) > 0 && most > usual ? most : usual;
}

static int choose_block(const jr_job *job, const jr_algorithm_row *row, const jr_tuned_split *split) {
    const int own = jr_tuned_algorithm_of(job->device, row->tuned)->block;
    const int chosen = row->choices != NULL && row->choices->block != NULL ? row->choices->block(job) : 0;
    int block = chosen > 0                     ? chosen
                : own > 0                      ? own
                : split->block > 0             ? split->block
                : job->kind == JR_JOB_SEGMENTS ? number_of(job, JR_NUMBER_SEGMENTS_BLOCK)
                                               : number_of(job, JR_NUMBER_BLOCK);
    while (row->ring == NULL && block > JR_BLOCK_STEP && shared_bytes(job, row, block) > block_limit(job, row))
        block /= 2;
    return block;
}

/* What is more than every block may have must be asked for at the launch, as dynamic shared memory. */
static jr_status fit_block(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const uint64_t usual = shared_limit(job->device), most = job->device->shared_bytes_per_block_optin;
    const size_t bytes = shared_bytes(job, row, tuning->block);
    tuning->shared_dynamic |= thread_bytes(row) > 0;
    tuning->shared_dynamic |= bytes > usual && job->requested.shared == JR_SHARED_AUTO;
    const uint64_t limit = tuning->shared_dynamic && most > usual ? most : usual;
    tuning->shared_bytes = tuning->shared_dynamic ? (unsigned)bytes : 0;
    if (bytes <= limit) return JR_OK;
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "a block of %d threads needs %zu bytes of shared memory, %zu a thread; the device has %llu: "
                   "choose a smaller block",
                   tuning->block, bytes, bytes / (size_t)tuning->block, (unsigned long long)limit);
}

/* A scan by a queue has a stage and three totals for each warp, and by offsets a bit for each element of a tile: static
 * memory. Only the bits can become too much. */
static jr_status fit_scan(const jr_job *job, const jr_tuning *tuning) {
    enum { HEAD_BYTES = 20 }; /* about segment starts, in addition to an accumulator, at most */
    const uint64_t warps = (uint64_t)tuning->block / JR_WARP_LANES, limit = shared_limit(job->device);
    const uint64_t others =
        warps * JR_SCAN_STAGE_MOST + (3 * warps + 1) * (job->reduction->accumulator_bytes + HEAD_BYTES);
    const uint64_t elements = (uint64_t)tuning->block * (uint64_t)tuning->unroll * jr_cut_pack_elements(job->reduction);
    if (job->layout.kind != JR_SEGMENTS_OFFSETS || others + elements / 8 <= limit) return JR_OK;
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "tiles of %llu elements by offsets need %llu bytes of shared memory; the device gives a block "
                   "%llu: choose a smaller block or unroll factor",
                   (unsigned long long)elements, (unsigned long long)(others + elements / 8),
                   (unsigned long long)limit);
}

jr_status jr_estimate_tuning(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const jr_requested_tuning *requested = &job->requested;
    const jr_tuned_split *split = find_split(job, jr_tuned_algorithm_of(job->device, row->tuned));
    const bool open = requested->unroll == 0 && requested->block == 0;
    const int block = requested->block > 0 ? requested->block : choose_block(job, row, split);
    jr_tuning made = {.algorithm = row->algorithm,
                      .unroll = requested->unroll > 0 ? requested->unroll : choose_unroll(job, row, split, block),
                      .block = block,
                      .grid = row->grid_max == 1 ? 1 : requested->grid,
                      .blocks_per_multiprocessor = requested->blocks_per_multiprocessor,
                      .resident_threads = open ? split->resident_threads : 0,
                      .shared_dynamic = requested->shared == JR_SHARED_DYNAMIC,
                      .exclusive = job->kind == JR_JOB_SCAN && job->exclusive,
                      .to_state = job->to_state,
                      .from_initial = job->from_initial,
                      .to_all = job->to_all};
    jr_status status = JR_OK;
    if (row->ring != NULL)
        status = jr_estimate_fit_ring(job, row, &made);
    else
        status = is_scanned(job) ? fit_scan(job, &made) : fit_block(job, row, &made);
    if (status == JR_OK) *tuning = made;
    return status;
}

bool jr_estimate_ring_fits(const jr_job *job, const jr_algorithm_row *row) {
    jr_tuning tuning;
    if (row->ring == NULL) return true;
    JR_KEEP_ERROR;
    return jr_estimate_tuning(job, row, &tuning) == JR_OK;
}

/* Rounds the blocks per multiprocessor so that either as many of the next launch fit, too, or no block does: launches
 * overlap (kernels_src/core/begin.cuh), and a part of the next launch would be resident on some multiprocessors only.
 */
static int balanced(int wanted, int occupancy) {
    return 2 * wanted > occupancy ? occupancy : wanted;
}

int jr_estimate_wave(const jr_algorithm_row *row, const jr_tuning *tuning, const jr_device_info *device,
                     int occupancy) {
    /* Warps wait for segments as well as for elements: all blocks that can be resident are wanted. */
    const int own = jr_tuned_algorithm_of(device, row->tuned)->vectors_in_flight;
    const int usual =
        row->kind == JR_JOB_SEGMENTS ? 1 << 20 : (int)jr_tuned_number_of(device, JR_NUMBER_VECTORS_IN_FLIGHT);
    const int in_flight = own > 0 ? own : usual;
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

uint64_t jr_estimate_launch_count(const jr_job *job) {
    enum { LEAST_COUNT = 65536, UNKNOWN_BYTES_PER_MS = 10000000, MARGIN = 16 };
    const double bytes_per_ms = jr_tuned_memory_rate(job->device);
    size_t element_bytes = 0;
    if (job->requested.max_launch_ms == 0) return 0;
    for (int i = 0; i < job->reduction->input_count; i++) element_bytes += job->reduction->inputs[i].bytes;
    const double bytes =
        (bytes_per_ms > 0 ? bytes_per_ms : UNKNOWN_BYTES_PER_MS) / MARGIN * job->requested.max_launch_ms;
    const double count = bytes / (double)element_bytes;
    if (count < LEAST_COUNT) return LEAST_COUNT;
    return count < 0x1p60 ? (uint64_t)count / LEAST_COUNT * LEAST_COUNT : 0; /* whole tiles of any tuning */
}
