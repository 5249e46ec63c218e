// wave: scans of all elements, a block for each tile.
#include "scan/queue/wave.cuh"

// in: the input. results: a result for each element; may be an input. queue: the tiles of this launch, a block each.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_wave_blocks)
    jr_scan_wave(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_queue queue,
                 const __grid_constant__ jr_call call) {
    __shared__ jr_u64 drawn;
    __shared__ jr_room_of_one totals[jr_wave_warps], before;
    __shared__ __align__(16) jr_u8 stages[jr_wave_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    const jr_wave wave = {&drawn, (jr_accumulator *)totals, (jr_accumulator *)&before};
    jr_begin_next();
    // Each block fetches the tile of its own number, so that all tiles are fetched.
    if (jr_warp() < jr_wave_warps) jr_fetch_tile(in, (queue.first_tile + blockIdx.x) * jr_wave_packs, jr_wave_row);
    jr_begin_rest();
    if (threadIdx.x == JR_BLOCK - 1) drawn = jr_queue_draw(queue);
    jr_u32 tile = blockIdx.x;
    if (!(queue.flags & JR_QUEUE_BY_INDEX)) {
        __syncthreads();
        tile = (jr_u32)drawn;
    } else if (jr_warp() >= jr_wave_warps) {
        jr_meet<2 * jr_warp_lanes>(JR_TICKET_IS_THERE); // whose epoch those with roles must know
    }
    if (jr_warp() == jr_wave_warps + 1)
        jr_wave_look_back(reducer, in, queue, tile, wave);
    else if (jr_warp() == jr_wave_warps)
        jr_wave_publish(reducer, queue, tile, wave);
    else
        jr_wave_scan(reducer, in, results, queue.first_tile + tile, stages, wave);
}
