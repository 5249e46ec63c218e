// Scan results: one per element, stored by 16-byte vectors at any alignment of the output.
//
// The results of a warp's packs go through shared memory. Their distance from a 16-byte boundary is the same there as
// in the output, so that vectors of one are vectors of the other.
#pragma once

#include "scan/common/tiles.cuh"

typedef decltype(jr_finished(jr_operator::finish(*(const jr_accumulator *)0, jr_u64(0), 0.0), jr_u64(0),
                             *(const jr_call *)0)) jr_result;

constexpr jr_u32 jr_result_pack_bytes = jr_pack_elements * sizeof(jr_result);

// How many lanes' results are staged at once: as many as 1 KiB a warp takes, at least one.
constexpr jr_u32 jr_stage_lanes = jr_result_pack_bytes <= 32    ? 32
                                  : jr_result_pack_bytes <= 64  ? 16
                                  : jr_result_pack_bytes <= 128 ? 8
                                  : jr_result_pack_bytes <= 256 ? 4
                                  : jr_result_pack_bytes <= 512 ? 2
                                                                : 1;
constexpr jr_u32 jr_stage_elements = jr_stage_lanes * jr_pack_elements;
constexpr jr_u32 jr_stage_bytes = (jr_stage_lanes * jr_result_pack_bytes + 15) / 16 * 16 + 16; // a warp's, and the shift

// The results of one pack in registers.
union jr_results {
    jr_result elements[jr_pack_elements];
    uint4 vectors[(jr_result_pack_bytes + 15) / 16];
    __device__ jr_results() {}
};

// What a result is copied by where less than a vector of it is there.
template <jr_u32 ALIGNMENT> struct jr_unit { typedef uint4 type; };
template <> struct jr_unit<1> { typedef jr_u8 type; };
template <> struct jr_unit<2> { typedef unsigned short type; };
template <> struct jr_unit<4> { typedef jr_u32 type; };
template <> struct jr_unit<8> { typedef jr_u64 type; };

// Where vector v of a stage of n a lane lies: eight of them that are written at once, or read at once, meet in no bank.
template <jr_u32 N> __device__ __forceinline__ jr_u32 jr_turned(jr_u32 v) {
    return N == 2 || N == 4 || N == 8 ? v ^ v / 8 % N : v;
}

// The output, and one warp's stage for it.
struct jr_output {
    jr_u8 *packs; // the results of pack 0
    jr_u8 *stage; // at a 16-byte boundary in shared memory
    jr_u64 count;
    jr_u32 head;

    // Where the results from pack `at` on are staged.
    __device__ __forceinline__ jr_u8 *staged(long long at) const {
        return stage + (jr_u64)(packs + at * jr_result_pack_bytes) % 16;
    }

    // Stages the results of a pack. to: where they lie.
    __device__ __forceinline__ void put(jr_u8 *to, const jr_results &results) const {
        if (jr_result_pack_bytes % 16 == 0 && (jr_u64)to % 16 == 0) {
#pragma unroll
            for (jr_u32 v = 0; v < jr_result_pack_bytes / 16; v++) ((uint4 *)to)[v] = results.vectors[v];
        } else {
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) ((jr_result *)to)[k] = results.elements[k];
        }
    }

    // Stores a row of results, which fill vectors and begin at a 16-byte boundary: pack `at`, one per lane. The stage
    // transposes the consecutive vectors of each lane, so that neighbouring lanes store neighbouring vectors.
    __device__ __forceinline__ void put_row(long long at, const jr_results &results) const {
        constexpr jr_u32 n = jr_result_pack_bytes / 16;
        const uint4 *const staged = (const uint4 *)stage;
        if (n == 1) {
            *(uint4 *)(packs + at * 16) = results.vectors[0];
            return;
        }
#pragma unroll 1
        for (jr_u32 begin = 0; begin < jr_warp_lanes; begin += jr_stage_lanes) {
            const int lane = (int)(jr_lane() - begin); // among those whose turn it is
            uint4 *const row = (uint4 *)(packs + (at - lane) * jr_result_pack_bytes);
            if ((jr_u32)lane < jr_stage_lanes) {
#pragma unroll
                for (jr_u32 v = 0; v < n; v++) ((uint4 *)stage)[jr_turned<n>(lane * n + v)] = results.vectors[v];
            }
            __syncwarp();
#pragma unroll
            for (jr_u32 v = jr_lane(); v < jr_stage_lanes * n; v += jr_warp_lanes) row[v] = staged[jr_turned<n>(v)];
            __syncwarp();
        }
    }

    // Stores the stage: the results of jr_stage_lanes packs from `at` on, as far as there are such elements.
    __device__ __forceinline__ void flush(long long at) const {
        typedef typename jr_unit<alignof(jr_result)>::type unit;
        const long long begin = at * jr_pack_elements;
        const long long before = -(long long)head - begin, left = (long long)(count - head) - begin;
        const long long size = sizeof(jr_result);
        const int from = before > 0 ? (int)(before * size) : 0;
        const int to = left < 0 ? 0 : left > jr_stage_elements ? (int)(jr_stage_elements * size) : (int)(left * size);
        const int shift = (int)(staged(at) - stage);
        jr_u8 *const out = packs + begin * size - shift;
#pragma unroll 1
        for (int v = jr_lane() * 16; v < shift + to; v += jr_warp_lanes * 16) {
            if (v - shift >= from && v - shift + 16 <= to) {
                *(uint4 *)(out + v) = *(const uint4 *)(stage + v);
                continue;
            }
            const int first = v - shift < from ? from + shift : v, last = v - shift + 16 > to ? to + shift : v + 16;
#pragma unroll 1
            for (int b = first; b < last; b += (int)sizeof(unit)) *(unit *)(out + b) = *(const unit *)(stage + b);
        }
    }
};

// The output of a thread's warp. stages: jr_block_warps * jr_stage_bytes of shared memory at a 16-byte boundary.
__device__ __forceinline__ jr_output jr_output_of(const jr_cut &in, void *results, jr_u8 *stages, jr_u64 count) {
    return {(jr_u8 *)results + in.head * sizeof(jr_result), stages + threadIdx.x / jr_warp_lanes * jr_stage_bytes, count,
            in.head};
}
