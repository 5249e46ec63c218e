/* Rings in shared memory: how large their tiles are, and how many of them fit. */
#include "estimate_ring.h"

#include "base/error.h"
#include "base/whole.h"
#include "cut.h"
#include "spec/dtype.h"

/* A scan's kernel has the code to combine each element of a thread twice: for logsumexp of bytes 8 loads of 16 took
 * NVRTC 24 seconds, and 2 take 3. */
int jr_estimate_fewer_for_scan(const jr_reduction *reduction, int unroll) {
    enum { ELEMENTS_MOST = 32 };
    const int most = ELEMENTS_MOST / (int)jr_cut_pack_elements(reduction);
    return unroll < most ? unroll : most;
}

/* A tile of so many vectors, and no more of wide accumulators than stay in registers. The number is odd, so that
 * threads which each read their own consecutive packs have no bank conflicts in shared memory. */
static int fewer_for_squads(const jr_job *job, int vectors) {
    const jr_reduction *reduction = job->reduction;
    const unsigned pack_vectors =
        jr_cut_pack_elements(reduction) * (unsigned)reduction->inputs[0].bytes / JR_VECTOR_BYTES;
    const size_t bytes = reduction->accumulator_bytes;
    const uint64_t of_8_bytes = jr_tuned_number_of(job->device, JR_NUMBER_RING_LOADS_OF_8_BYTES);
    if (reduction->inputs[0].bytes <= 2 && reduction->output_bytes == 8 && bytes <= 8)
        return (int)jr_tuned_number_of(job->device, JR_NUMBER_RING_LOADS_OF_SHORT);
    const int most = bytes <= 4    ? vectors
                     : bytes <= 8  ? (int)jr_least((uint64_t)vectors, of_8_bytes)
                     : bytes <= 16 ? jr_estimate_fewer_for_scan(reduction, vectors)
                     : bytes <= 32 ? 2
                                   : 1;
    const int unroll = vectors / (int)pack_vectors < most ? vectors / (int)pack_vectors : most;
    return unroll > 2 ? (unroll - 1) | 1 : unroll > 0 ? unroll : 1;
}

/* Bytes of an element's key; 0: no keys. */
static size_t key_bytes(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_KEYS ? jr_dtype_find(job->layout.key_type)->bytes : 0;
}

/* Threads of a block among which a ring's tile is shared. */
static int tile_threads(const jr_job *job, const jr_algorithm_ring *ring, int block) {
    if (!ring->squads) return block - ring->filling_threads;
    if (jr_job_is_of_runs(job)) return JR_RUNS_SQUAD_THREADS(block);
    return job->layout.kind == JR_SEGMENTS_OFFSETS ? JR_MARKED_SQUAD_THREADS(block) : JR_SQUAD_THREADS(block);
}

/* Of segments a tile with its keys is so small that six fit. For runs, a thread has folds and keys in registers,
 * too. */
static int fewer_for_segments(const jr_job *job, const jr_algorithm_row *row, int loads, int block) {
    const jr_reduction *reduction = job->reduction;
    const int tile_bytes = (int)jr_tuned_number_of(job->device, JR_NUMBER_RING_SEGMENTS_BYTES);
    const int usual = jr_job_is_of_runs(job) ? jr_estimate_fewer_for_scan(reduction, loads) : loads;
    const int unroll = fewer_for_squads(job, usual), threads = tile_threads(job, row->ring, block);
    const size_t pack_bytes = jr_cut_pack_elements(reduction) * (reduction->inputs[0].bytes + key_bytes(job));
    const int most = threads > 0 ? tile_bytes / (threads * (int)pack_bytes) : 1;
    if (unroll <= most) return unroll;
    return most > 2 ? (most - 1) | 1 : most > 0 ? most : 1;
}

int jr_estimate_ring_unroll(const jr_job *job, const jr_algorithm_row *row, int block) {
    const int loads = jr_tuned_algorithm_of(job->device, row->tuned)->unroll;
    return job->layout.kind != 0 ? fewer_for_segments(job, row, loads, block) : fewer_for_squads(job, loads);
}

/* The fewest threads of a ring's block: with one warp in each squad. */
static int ring_threads_least(const jr_job *job, const jr_algorithm_ring *ring) {
    if (!ring->squads) return ring->filling_threads + JR_BLOCK_STEP;
    return (4 + (job->layout.kind == JR_SEGMENTS_OFFSETS ? JR_MARKERS : 0)) * JR_WARP_LANES;
}

/* Bytes of a state in segments besides the accumulator, in a ring of squads. */
static size_t ring_state_bytes(const jr_job *job) {
    const size_t bytes = job->reduction->accumulator_bytes;
    return job->layout.kind == 0 ? bytes : JR_HEADED_BYTES(bytes, sizeof(jr_u32));
}

/* Bytes of a slot of the ring: a tile, and the data about segment starts in it. */
static uint64_t ring_tile_bytes(const jr_job *job, const jr_algorithm_ring *ring, uint64_t threads, int unroll) {
    const uint64_t share = (uint64_t)unroll * jr_cut_pack_elements(job->reduction);
    const uint64_t packs_bytes = threads * share * job->reduction->inputs[0].bytes;
    if (!ring->squads || job->layout.kind == 0) return packs_bytes;
    if (jr_job_is_of_runs(job)) return packs_bytes + JR_RING_KEYS_BYTES(threads, share, key_bytes(job));
    return packs_bytes + JR_RING_BESIDE_BYTES(threads, share, key_bytes(job), ring_state_bytes(job));
}

/* Bytes of a ring besides its tiles: of squads for each warp the stage of its results and two totals, and for each tile
 * barriers, its number, and a fold a warp and one more (kernels_src/scan/ring/ring.cuh). */
static uint64_t ring_fixed_bytes(const jr_job *job, const jr_algorithm_ring *ring, int warps) {
    return ring->fixed_bytes + (ring->squads ? (uint64_t)warps * (JR_SCAN_STAGE_MOST + 2 * ring_state_bytes(job)) : 0);
}
static uint64_t ring_place_bytes(const jr_job *job, const jr_algorithm_ring *ring, int warps) {
    enum { BARRIERS_AND_NUMBER = 52, COUNT = 4 }; /* of runs before a tile more may begin than in it */
    enum { BARRIERS_AND_KEYS = 20 };              /* of runs (kernels_src/scan/ring/ring_put_runs.cuh) */
    const uint64_t state = ring_state_bytes(job), first = job->reduction->accumulator_bytes;
    const uint64_t parts = jr_job_is_of_runs(job) ? BARRIERS_AND_KEYS + (uint64_t)(warps + 1) * state + first : 0;
    return ring->squads ? BARRIERS_AND_NUMBER + COUNT + (uint64_t)(warps + 1) * state + parts : 0;
}

/* As many tiles as the multiprocessor's shared memory holds; the ring that folds is the block's cache, too, in the end.
 */
jr_status jr_estimate_fit_ring(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning) {
    const jr_algorithm_ring *ring = row->ring;
    const int threads = tile_threads(job, ring, tuning->block), warps = threads / JR_WARP_LANES;
    const uint64_t tile_bytes = ring_tile_bytes(job, ring, threads > 0 ? (uint64_t)threads : 0, tuning->unroll);
    /* Behind the ring. */
    const uint64_t own_bytes = row->shared != NULL ? (uint64_t)tuning->block * row->shared->thread_bytes : 0;
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
    if (tiles < (uint64_t)ring->tiles_least)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "%s needs %d tiles of %llu bytes and %llu bytes for its block in shared memory, and the "
                       "device gives a block %llu: choose a smaller block or unroll factor",
                       row->name, ring->tiles_least, (unsigned long long)tile_bytes, (unsigned long long)fixed,
                       (unsigned long long)all);
    if (cache_bytes > tiles * tile_bytes)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "%s combines its block in the ring's %llu tiles of %llu bytes, and for that needs %llu: choose "
                       "another algorithm, or a larger unroll factor",
                       row->name, (unsigned long long)tiles, (unsigned long long)tile_bytes,
                       (unsigned long long)cache_bytes);
    tuning->stages = (int)tiles;
    tuning->shared_bytes = (unsigned)(tiles * tile_bytes + own_bytes);
    return JR_OK;
}
