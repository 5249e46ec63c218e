/* Chooses tunings from what was measured on one GPU of each kind. */
#include "estimate.h"

#include "base/error.h"
#include "cut.h"
#include "program/dtype.h"
#include "program/operator.h"

/* An H200 needs about 48 KiB in flight a multiprocessor to keep its memory busy: 3072 loads of 16 bytes. */
enum { VECTORS_IN_FLIGHT = 3072, DEFAULT_BLOCK = 512, DEFAULT_UNROLL = 4, SEGMENTS_BLOCK = 256 };

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
/* A tile's way through a scan takes several times as long as its loads: all blocks that fit. */
static const best_split scan_splits[SPLITS] = {
    {MiB(8), 256, 8, 2048}, {MiB(8), 256, 8, 2048}, {MiB(8), 256, 8, 2048}, {0, 512, 4, 2048}};
/* Of blocks with a tile each: 8 KiB of them fill the device from 1 MiB on. */
static const best_split wave_splits[SPLITS] = {
    {MiB(4) + 1, 576, 4, 2048}, {MiB(1), 576, 2, 2048}, {MiB(1), 576, 2, 2048}, {0, 576, 1, 2048}};
#undef MiB

/* Is it done by a kernel that scans? */
static bool is_scanned(const jr_job *job) {
    return job->kind == JR_JOB_SCAN || jr_job_is_of_runs(job);
}

static const best_split *splits_of(const jr_job *job, const jr_algorithm_row *row) {
    const jr_reduction *reduction = job->reduction;
    const jr_input *input = &reduction->inputs[0];
    if (row->tile_a_block) return wave_splits;
    if (is_scanned(job)) return scan_splits;
    if (reduction->input_count > 1 || reduction->accumulator_bytes > 16) return wide_splits;
    if (reduction->operator_files & JR_OPERATORS_INDEX) return index_splits;
    if (reduction->accumulator_bytes > 8) return wide_splits;
    if (input->bytes == 1) return byte_splits;
    return input->bytes == 2 ? short_float_splits : element_splits;
}

/* The split for the job's capacity; for one that is not known, the one from 8 or 16 MiB on, which costs little below
 * and above. */
static const best_split *find_split(const jr_job *job, const jr_algorithm_row *row) {
    const best_split *split = splits_of(job, row);
    if (job->wishes.capacity == 0) return split + 1;
    while (job->wishes.capacity < split->from_bytes / job->reduction->inputs[0].bytes) split++;
    return split;
}

/* A scan's kernel combines each element of a thread twice, one behind the other in its text: of logsumexp of bytes 8
 * loads of 16 took NVRTC 24 seconds, and 2 take 3. */
static int fewer_for_scan(const jr_reduction *reduction, int unroll) {
    enum { ELEMENTS_MOST = 32 };
    const int most = ELEMENTS_MOST / (int)jr_cut_pack_elements(reduction);
    return unroll < most ? unroll : most;
}

/* A tile of so many vectors, and no more of wide accumulators than stay in registers. Odd, so that threads which each
 * read their own packs, one behind the other, meet no other thread in a bank of shared memory. */
static int fewer_for_squads(const jr_reduction *reduction, int vectors) {
    const unsigned pack_vectors =
        jr_cut_pack_elements(reduction) * (unsigned)reduction->inputs[0].bytes / JR_VECTOR_BYTES;
    const size_t bytes = reduction->accumulator_bytes;
    const int most = bytes <= 8 ? vectors : bytes <= 16 ? fewer_for_scan(reduction, vectors) : bytes <= 32 ? 2 : 1;
    const int unroll = vectors / (int)pack_vectors < most ? vectors / (int)pack_vectors : most;
    return unroll > 2 ? (unroll - 1) | 1 : unroll > 0 ? unroll : 1;
}

/* Bytes of an element's key; 0: there are none. */
static size_t key_bytes(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_KEYS ? jr_dtype_find(job->layout.key_type)->bytes : 0;
}

/* Threads of a block among which a ring's tile is shared. */
static int tile_threads(const jr_job *job, const jr_algorithm_ring *ring, int block) {
    if (!ring->squads) return block - ring->filling_threads;
    return job->layout.kind == JR_SEGMENTS_OFFSETS ? JR_MARKED_SQUAD_THREADS(block) : JR_SQUAD_THREADS(block);
}

/* Of segments a tile with its keys is of 33 KiB at most, so that six fit. Measured on an H200, f32 by keys of i32, 2^28
 * elements: with 3, 4, 5 and 6 places 1225, 1015, 935 and 865 us. */
static int fewer_for_segments(const jr_job *job, const jr_algorithm_row *row, int block) {
    enum { TILE_BYTES = 33 * 1024 };
    const int unroll = fewer_for_squads(job->reduction, row->unroll), threads = tile_threads(job, &row->ring, block);
    const size_t pack_bytes = jr_cut_pack_elements(job->reduction) * (job->reduction->inputs[0].bytes + key_bytes(job));
    const int most = threads > 0 ? TILE_BYTES / (threads * (int)pack_bytes) : 1;
    if (unroll <= most) return unroll;
    return most > 2 ? (most - 1) | 1 : most > 0 ? most : 1;
}

/* Large accumulators take registers for each chain: fewer chains for them. A long segment has its 16-byte loads in
 * flight by chains, as all of the elements have. */
static int choose_unroll(const jr_job *job, const jr_algorithm_row *row, const best_split *split, int block) {
    const size_t bytes = job->reduction->accumulator_bytes;
    if (row->choose_unroll != NULL) return row->choose_unroll(job, block);
    if (!is_scanned(job) && job->kind == JR_JOB_SEGMENTS)
        return row->unroll > 0 && bytes <= 8 ? row->unroll : bytes <= 16 ? DEFAULT_UNROLL : 1;
    if (row->ring.squads && job->layout.kind != 0) return fewer_for_segments(job, row, block);
    if (row->ring.squads) return fewer_for_squads(job->reduction, row->unroll);
    if (row->unroll > 0) return row->unroll;
    if (bytes > 16) return bytes <= 32 ? 2 : 1;
    const int usual = row->splits_by_size ? split->unroll : DEFAULT_UNROLL;
    return is_scanned(job) && (bytes > 8 || job->layout.kind != 0) ? fewer_for_scan(job->reduction, usual) : usual;
}

/* Every device has 48 KiB a block; one that does not say has that. */
static uint64_t shared_limit(const jr_device_info *device) {
    enum { LEAST = 49152 };
    return device->shared_bytes_per_block > 0 ? device->shared_bytes_per_block : LEAST;
}

/* Shared memory of a block: an accumulator a thread; where there are patches also a thread's share of one, of 2 KiB a
 * warp, and of the ends of segments. */
static size_t shared_bytes(const jr_job *job, const jr_algorithm_row *row, int block) {
    enum { PATCH_AND_ENDS = 84 };
    const size_t accumulator = job->reduction->accumulator_bytes;
    if (row->thread_bytes > 0) return (size_t)block * row->thread_bytes;
    return (size_t)block * (accumulator + (row->has_patches ? accumulator / 16 + PATCH_AND_ENDS : 0));
}

/* The most that a block may take: where it is asked for at every launch, what the device gives so. */
static uint64_t block_limit(const jr_job *job, const jr_algorithm_row *row) {
    const uint64_t usual = shared_limit(job->device), most = job->device->shared_bytes_per_block_optin;
    return row->thread_bytes > 0 && most > usual ? most : usual;
}

static int choose_block(const jr_job *job, const jr_algorithm_row *row, const best_split *split) {
    int block = row->block > 0                 ? row->block
                : row->splits_by_size          ? split->block
                : job->kind == JR_JOB_SEGMENTS ? SEGMENTS_BLOCK
                                               : DEFAULT_BLOCK;
    while (row->ring.tiles_max == 0 && block > JR_BLOCK_STEP && shared_bytes(job, row, block) > block_limit(job, row))
        block /= 2;
    return block;
}

/* What is more than every block may have must be asked for at the launch, as dynamic shared memory. */
static jr_status fit_block(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const uint64_t usual = shared_limit(job->device), most = job->device->shared_bytes_per_block_optin;
    const size_t bytes = shared_bytes(job, row, tuning->block);
    tuning->shared_dynamic |= row->thread_bytes > 0;
    tuning->shared_dynamic |= bytes > usual && job->wishes.shared == JR_SHARED_AUTO;
    const uint64_t limit = tuning->shared_dynamic && most > usual ? most : usual;
    tuning->shared_bytes = tuning->shared_dynamic ? (unsigned)bytes : 0;
    if (bytes <= limit) return JR_OK;
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "a block of %d threads needs %zu bytes of shared memory, %zu a thread; the device has %llu: "
                   "choose a smaller block",
                   tuning->block, bytes, bytes / (size_t)tuning->block, (unsigned long long)limit);
}

/* Of a scan: the stage of a warp's results (kernels_src/scan/results.cuh). */
enum { STAGE_MOST = 1040 };

/* A scan by a queue has a stage and three totals for each warp, and by offsets a bit for each element of a tile: static
 * memory. Only the bits can become too much. */
static jr_status fit_scan(const jr_job *job, const jr_tuning *tuning) {
    enum { HEAD_BYTES = 20 }; /* beside an accumulator, of what is known of heads, at most */
    const uint64_t warps = (uint64_t)tuning->block / JR_WARP_LANES, limit = shared_limit(job->device);
    const uint64_t others = warps * STAGE_MOST + (3 * warps + 1) * (job->reduction->accumulator_bytes + HEAD_BYTES);
    const uint64_t elements = (uint64_t)tuning->block * (uint64_t)tuning->unroll * jr_cut_pack_elements(job->reduction);
    if (job->layout.kind != JR_SEGMENTS_OFFSETS || others + elements / 8 <= limit) return JR_OK;
    return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                   "tiles of %llu elements by offsets need %llu bytes of shared memory; the device gives a block "
                   "%llu: choose a smaller block or unroll factor",
                   (unsigned long long)elements, (unsigned long long)(others + elements / 8),
                   (unsigned long long)limit);
}

/* Of which a ring has a thread block at least: with a warp of each squad. */
static int ring_threads_least(const jr_job *job, const jr_algorithm_ring *ring) {
    if (!ring->squads) return ring->filling_threads + JR_BLOCK_STEP;
    return (4 + (job->layout.kind == JR_SEGMENTS_OFFSETS ? JR_MARKERS : 0)) * JR_WARP_LANES;
}

/* Bytes of what is combined in segments, beside the accumulator, in a ring of squads. */
static size_t ring_state_bytes(const jr_job *job) {
    const size_t bytes = job->reduction->accumulator_bytes;
    return job->layout.kind == 0 ? bytes : JR_HEADED_BYTES(bytes, sizeof(jr_u32));
}

/* Bytes that a place has in the ring: a tile, and what tells of heads in it. */
static uint64_t ring_tile_bytes(const jr_job *job, const jr_algorithm_ring *ring, uint64_t threads, int unroll) {
    const uint64_t share = (uint64_t)unroll * jr_cut_pack_elements(job->reduction);
    const uint64_t packs_bytes = threads * share * job->reduction->inputs[0].bytes;
    if (!ring->squads || job->layout.kind == 0) return packs_bytes;
    return packs_bytes + JR_RING_BESIDE_BYTES(threads, share, key_bytes(job), ring_state_bytes(job));
}

/* Bytes that a ring takes beside its tiles: of squads for each warp the stage of its results and two totals, and for
 * each tile barriers, its number, and a fold a warp and one more (kernels_src/scan/ring.cuh). */
static uint64_t ring_fixed_bytes(const jr_job *job, const jr_algorithm_ring *ring, int warps) {
    return ring->fixed_bytes + (ring->squads ? (uint64_t)warps * (STAGE_MOST + 2 * ring_state_bytes(job)) : 0);
}
static uint64_t ring_place_bytes(const jr_job *job, const jr_algorithm_ring *ring, int warps) {
    enum { BARRIERS_AND_NUMBER = 52, COUNT = 4 }; /* of runs before a tile more may begin than in it */
    return ring->squads ? BARRIERS_AND_NUMBER + COUNT + (uint64_t)(warps + 1) * ring_state_bytes(job) : 0;
}

/* As many tiles as the multiprocessor's shared memory holds; the ring that folds is the block's cache, too, in the end.
 */
static jr_status fit_ring(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const jr_algorithm_ring *ring = &row->ring;
    const int threads = tile_threads(job, ring, tuning->block), warps = threads / JR_WARP_LANES;
    const uint64_t tile_bytes = ring_tile_bytes(job, ring, threads > 0 ? (uint64_t)threads : 0, tuning->unroll);
    const uint64_t own_bytes = (uint64_t)tuning->block * row->thread_bytes; /* behind the ring */
    const uint64_t cache_bytes =
        ring->squads || own_bytes > 0 ? 0 : (uint64_t)tuning->block * job->reduction->accumulator_bytes;
    const uint64_t all = job->device->shared_bytes_per_block_optin;
    const uint64_t fixed = ring_fixed_bytes(job, ring, warps) + own_bytes;
    if (threads <= 0)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "%s needs a block of %d threads or more, not %d", row->name,
                       ring_threads_least(job, ring), tuning->block);
    const uint64_t most = (uint64_t)ring->tiles_max, room = all > fixed ? all - fixed : 0;
    const uint64_t fitting = room / (tile_bytes + ring_place_bytes(job, ring, warps));
    const uint64_t tiles = fitting < most ? fitting : most;
    if (tiles < (uint64_t)ring->tiles_least || cache_bytes > tiles * tile_bytes)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "%s needs %d tiles of %llu bytes and %llu bytes for its block in shared memory, and the "
                       "device gives a block %llu: choose a smaller block or unroll factor",
                       row->name, ring->tiles_least, (unsigned long long)tile_bytes,
                       (unsigned long long)(cache_bytes > 0 ? cache_bytes : fixed), (unsigned long long)all);
    tuning->stages = (int)tiles;
    tuning->shared_bytes = (unsigned)(tiles * tile_bytes + own_bytes);
    return JR_OK;
}

jr_status jr_estimate_tuning(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const jr_wishes *wishes = &job->wishes;
    const best_split *split = find_split(job, row);
    const bool open = wishes->unroll == 0 && wishes->block == 0;
    const int block = wishes->block > 0 ? wishes->block : choose_block(job, row, split);
    jr_tuning made = {.algorithm = row->algorithm,
                      .unroll = wishes->unroll > 0 ? wishes->unroll : choose_unroll(job, row, split, block),
                      .block = block,
                      .grid = row->grid_max == 1 ? 1 : wishes->grid,
                      .blocks_per_multiprocessor = wishes->blocks_per_multiprocessor,
                      .resident_threads = row->splits_by_size && open ? split->resident_threads : 0,
                      .shared_dynamic = wishes->shared == JR_SHARED_DYNAMIC,
                      .to_state = job->to_state,
                      .from_initial = job->from_initial,
                      .to_all = job->to_all};
    jr_status status = JR_OK;
    if (row->ring.tiles_max > 0)
        status = fit_ring(job, row, &made);
    else
        status = is_scanned(job) ? fit_scan(job, &made) : fit_block(job, row, &made);
    if (status == JR_OK) *tuning = made;
    return status;
}

bool jr_estimate_ring_fits(const jr_job *job, const jr_algorithm_row *row) {
    jr_tuning tuning;
    if (row->ring.tiles_max == 0) return true;
    jr_error_saved *saved = jr_error_save();
    const bool fits = jr_estimate_tuning(job, row, &tuning) == JR_OK;
    jr_error_restore(saved);
    return fits;
}

/* Blocks of one launch that leave room for as many of the next, or for none: launches overlap
 * (kernels_src/core/begin.cuh), and what fits only in part comes to lie on some multiprocessors alone. Measured on an
 * H200: up to 25 % of the time.
 */
static int balanced(int wanted, int occupancy) {
    return 2 * wanted > occupancy ? occupancy : wanted;
}

int jr_estimate_wave(const jr_algorithm_row *row, const jr_tuning *tuning, const jr_device_info *device,
                     int occupancy) {
    /* Warps wait for segments as well as for elements: all blocks that can be resident are wanted. */
    const int usual = row->kind == JR_JOB_SEGMENTS ? 1 << 20 : VECTORS_IN_FLIGHT;
    const int in_flight = row->vectors_in_flight > 0 ? row->vectors_in_flight : usual;
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
    const double bytes_per_ms = 2.0 * job->device->memory_clock_khz * job->device->memory_bus_bits / 8;
    size_t element_bytes = 0;
    if (job->wishes.max_launch_ms == 0) return 0;
    for (int i = 0; i < job->reduction->input_count; i++) element_bytes += job->reduction->inputs[i].bytes;
    const double bytes = (bytes_per_ms > 0 ? bytes_per_ms : UNKNOWN_BYTES_PER_MS) / MARGIN * job->wishes.max_launch_ms;
    const double count = bytes / (double)element_bytes;
    if (count < LEAST_COUNT) return LEAST_COUNT;
    return count < 0x1p60 ? (uint64_t)count / LEAST_COUNT * LEAST_COUNT : 0; /* whole tiles of any tuning */
}
