// segmented_blocks: long equal segments; a block folds one, or a part of it, as the flat reduction does.
//
// Bytes: every element once by 16-byte loads, wherever segments begin; one result per segment; one accumulator per
// part, if there are several. Launches: this one, and segmented_blocks_join where there are parts.
#include "segmented/common/segments.cuh"

// in: the input, cut without an end. out: the results. partials: an accumulator for every part, read when there are
// several. parts: of each segment; part p has its tiles p, p + parts, ...
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_blocks(const __grid_constant__ jr_cut in, void *out, jr_accumulator *partials, const jr_u32 parts,
                        const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    const jr_reducer reducer{{{}, call}};
    const jr_u64 units = segments.count * parts;
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_u64 s = unit / parts, begin = s * segments.length;
        const jr_u32 part = (jr_u32)(unit % parts);
        const jr_span span(in, begin, begin + segments.length);
        jr_accumulator acc = jr_fold_packs<JR_BLOCK>(reducer, in, span.first + (jr_u64)part * tile + threadIdx.x,
                                                     span.end, (jr_u64)parts * tile, 0 - begin);
        if (part == 0 && threadIdx.x < span.heads + span.tails)
            jr_take(reducer, acc, jr_segment_item(in, span.end_element(threadIdx.x), begin));
        const jr_accumulator total = jr_combine_block(reducer, acc, jr_block_cache());
        if (threadIdx.x == 0) {
            if (parts > 1)
                partials[unit] = total;
            else
                jr_segment_write(reducer, segments, out, s, total, segments.length);
        }
        __syncthreads(); // the cache is free again
    }
}
