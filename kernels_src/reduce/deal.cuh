// The deal: which consecutive tiles of the data a block has, when blocks have them in order.
#pragma once

#include "core/types.cuh"

// As the host has dealt (src/reduce/cut.h): the first `longer` blocks have one tile more than the others.
struct jr_deal {
    jr_u64 tiles, longer;

    // The first tile of a block; of the next block it is this one's end.
    __device__ jr_u64 begin(jr_u64 block) const { return block * tiles + (block < longer ? block : longer); }
};
