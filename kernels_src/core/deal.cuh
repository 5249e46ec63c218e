// The deal: which consecutive tiles of the data a block has, when blocks have them in order.
#pragma once

#include "core/types.cuh"

// The first tile of a block; of the next block it is this one's end.
__device__ __forceinline__ jr_u64 jr_deal_begin(const jr_deal &deal, jr_u64 block) {
    return block * deal.tiles + (block < deal.longer ? block : deal.longer);
}
