// The flow walker: bulk copies bring a warp's share tile by tile, the next tile while the warp folds one. Each lane
// folds equally many elements of a tile, wherever segments end; the fold of a segment overwrites its last element.
// Tiles begin at 128-byte boundaries: the first tile of a share begins with positions before the share. Measured on an
// H100, 2^28 f32: segments of about 4096 take 389 us, by copies from any 16-byte boundary 414 us.
#pragma once

#include "core/bulk.cuh"
#include "segmented/common/shared.cuh"
#include "segmented/ragged/walker.cuh"

constexpr jr_u32 jr_flow_tiles = 2;                                     // tiles that have arrived or are in flight
constexpr jr_u32 jr_flow_packs = JR_FLOW_PACKS;                           // of a lane
constexpr jr_u32 jr_flow_share = jr_flow_packs * jr_pack_elements;        // elements of a lane
constexpr jr_u32 jr_flow_elements = jr_flow_share * jr_warp_lanes;        // of a tile
constexpr jr_u32 jr_flow_words = (jr_flow_share + 31) / 32;               // of a lane's bits
constexpr jr_u32 jr_flow_marks = jr_flow_elements / 32 + jr_flow_words;   // of a tile's; a lane may read one too many
// Ends of segments that a warp holds in registers: rows of one per lane.
constexpr jr_u32 jr_flow_rows = 4, jr_flow_known = jr_flow_rows * jr_warp_lanes;
static_assert(jr_flow_packs % 2 == 1, "flow: lanes whose packs are an even number apart would meet in few banks");
static_assert(sizeof(jr_accumulator) <= sizeof(JR_X), "contract: an accumulator must have room in an element's place");

struct alignas(128) jr_flow_room {
    jr_u8 tiles[jr_flow_tiles][jr_flow_elements * sizeof(JR_X)];
    jr_u64 full[jr_flow_tiles]; // barriers: the tile has arrived
    jr_u32 ends[jr_flow_marks];  // one bit per element of a tile: a segment ends with it
};

// The ends of a lane's elements.
struct jr_flow_bits {
    jr_u32 words[jr_flow_words];

    __device__ __forceinline__ jr_flow_bits(const jr_u32 *ends, jr_u32 lane) {
        const jr_u32 from = lane * jr_flow_share;
#pragma unroll
        for (jr_u32 w = 0; w < jr_flow_words; w++)
            words[w] = __funnelshift_r(ends[from / 32 + w], ends[from / 32 + w + 1], from);
        if (jr_flow_share % 32 > 0) words[jr_flow_words - 1] &= (1u << jr_flow_share % 32) - 1;
    }
    __device__ __forceinline__ bool has(jr_u32 i) const { return words[i / 32] >> i % 32 & 1; }
    // The position of the first end; jr_flow_share or more: no segment ends.
    __device__ __forceinline__ jr_u32 first() const {
        jr_u32 at = jr_flow_words * 32;
#pragma unroll
        for (jr_u32 w = jr_flow_words; w-- > 0;)
            if (words[w] != 0) at = w * 32 + __ffs((int)words[w]) - 1;
        return at;
    }
};

__device__ __forceinline__ jr_shared<sizeof(jr_accumulator)>::word jr_flow_word(const jr_accumulator &value) {
    jr_shared<sizeof(jr_accumulator)>::word word;
    memcpy(&word, &value, sizeof value);
    return word;
}

// A tile, and which of its positions belong to the share.
struct jr_flow_tile {
    jr_u8 *bytes;
    long long pack;   // the first one
    jr_u64 element;   // the number of the element at the first position; it may wrap below 0
    jr_u32 from, to;  // positions [from, to) belong to the share
    bool brought;     // true: all packs that lanes fold were copied; false: lanes read elements of packs outside
                      // [first, stop) from global memory, one by one, and others from the copy

    __device__ __forceinline__ jr_accumulator &result(jr_u32 place) const {
        return *(jr_accumulator *)(bytes + place * sizeof(JR_X));
    }
};

struct jr_step_walker : jr_walker {
    typedef jr_flow_room warp_room;
    warp_room &room;
    jr_u64 begin;              // of segment s
    long long first, stop;     // packs [first, stop) are copied: whole packs of the lanes with positions of the share
    long long pack;            // of the tile
    jr_u64 element;            // of the tile's first position
    jr_u32 at, parity;         // which of the tiles in shared memory, and its barrier's phase

    __device__ __forceinline__ jr_step_walker(const jr_walker &walker, warp_room &own)
        : jr_walker(walker), room(own), begin(jr_segment_begin(segments, s)), at(0), parity(0) {
        const jr_span all(in, jr_segment_begin(segments, 0), jr_segment_begin(segments, segments.count));
        const jr_u64 shift = jr_pack_elements - in.head; // see jr_span
        long long low = (long long)((e + shift) / jr_pack_elements) - 1;
        low -= (long long)(((jr_u64)in.packs / 16 + (jr_u64)low) % 8);
        pack = low;
        element = in.head + (jr_u64)(low * (long long)jr_pack_elements);
        const jr_u64 lanes = (last.e - element + jr_flow_share - 1) / jr_flow_share; // lanes with positions in all
                                                                                     // tiles
        const long long high = low + (long long)(lanes * jr_flow_packs);
        first = low > (long long)all.first ? low : (long long)all.first;
        stop = high < (long long)all.end ? high : (long long)all.end;
        if (e == last.e) stop = first; // no copy that no lane would wait for
        if (jr_lane() == 0) {
            for (jr_u32 p = 0; p < jr_flow_tiles; p++) jr_bulk_init(room.full + p, 1);
            jr_bulk_fence();
            for (jr_u32 p = 0; p < jr_flow_tiles; p++) bring(p, pack + p * (jr_flow_elements / jr_pack_elements));
        }
        __syncwarp();
    }

    // Starts the copy of a tile, as far as the share reaches. One lane calls it.
    __device__ __forceinline__ void bring(jr_u32 to, long long from) const {
        constexpr long long packs = jr_flow_elements / jr_pack_elements;
        const long long low = from > first ? from : first, high = from + packs < stop ? from + packs : stop;
        if (low < high)
            jr_bulk_copy(room.tiles[to] + (low - from) * 16, in.packs + low * (long long)jr_pack_elements,
                         (jr_u32)(high - low) * 16, room.full + to);
        else
            jr_bulk_arrive(room.full + to);
    }

    // Loads the ends of segments from `of` on: `rows` rows with one per lane.
    __device__ __forceinline__ void load(jr_u64 (&ends)[jr_flow_rows], jr_u64 of, jr_u32 rows) const {
        const jr_u64 follow = segments.count - of;
#pragma unroll
        for (jr_u32 r = 0; r < jr_flow_rows; r++) {
            const jr_u32 own = r * jr_warp_lanes + jr_lane() + 1;
            ends[r] = ~0ull;
            if (r < rows && own <= follow)
                asm volatile("ld.global.nc.b64 %0, [%1];" : "=l"(ends[r]) : "l"(segments.offsets + of + own));
        }
    }

    // Marks the ends that are in the tile and in the share; returns how many. passed: how many ends precede them.
    __device__ __forceinline__ jr_u32 mark(const jr_flow_tile &tile, const jr_u64 (&ends)[jr_flow_rows], jr_u32 rows,
                                           jr_u32 passed) const {
        const jr_u64 left = last.s - s - passed;
        jr_u32 taken = 0;
#pragma unroll
        for (jr_u32 r = 0; r < jr_flow_rows; r++) {
            const jr_u64 to = ends[r] - tile.element;
            const bool ends_here = (r < rows) & (r * jr_warp_lanes + jr_lane() < left) & (to <= tile.to);
            if (ends_here & (to > tile.from)) atomicOr(room.ends + ((jr_u32)to - 1) / 32, 1u << ((jr_u32)to - 1) % 32);
            taken += __popc(__ballot_sync(jr_full_mask, ends_here));
        }
        return taken;
    }

    // Marks artificial ends, which separate positions of the tile before the share, and after it, from the share's.
    // Returns true if the share ends in this tile within a segment: its last position then has an artificial end.
    __device__ __forceinline__ bool mark_edges(const jr_flow_tile &tile) const {
        if (tile.to - tile.from == jr_flow_elements) return false;
        __syncwarp();
        const bool open_end = tile.to < jr_flow_elements && tile.to > tile.from &&
                              !(room.ends[(tile.to - 1) / 32] >> (tile.to - 1) % 32 & 1);
        __syncwarp();
        if (jr_lane() == 0 && tile.from > 0) room.ends[(tile.from - 1) / 32] |= 1u << (tile.from - 1) % 32;
        if (jr_lane() == 0 && open_end) room.ends[(tile.to - 1) / 32] |= 1u << (tile.to - 1) % 32;
        return open_end;
    }

    // Folds a lane's elements; at each end the open fold overwrites the element. acc: the open fold.
    __device__ __forceinline__ void fold_brought(const jr_flow_tile &tile, const jr_flow_bits &bits,
                                                 jr_accumulator &acc) const {
        constexpr jr_u32 ahead = 3; // packs that a lane loads at once
        const jr_u8 *const own = tile.bytes + jr_lane() * (jr_u32)(jr_flow_share * sizeof(JR_X));
        const jr_u32 to = jr_shared_address(own);
#pragma unroll
        for (jr_u32 u = 0; u < jr_flow_packs; u += ahead) {
            jr_packs packs[ahead];
#pragma unroll
            for (jr_u32 v = 0; v < ahead; v++)
                if (u + v < jr_flow_packs) packs[v].load_staged(in, 0, own + (u + v) * 16);
            asm volatile("" ::: "memory"); // elements are read before results overwrite them
#pragma unroll
            for (jr_u32 i = 0; i < ahead * jr_pack_elements && u * jr_pack_elements + i < jr_flow_share; i++) {
                const jr_item item = packs[i / jr_pack_elements].item(i % jr_pack_elements, 0);
                const jr_u32 place = u * jr_pack_elements + i;
                const bool ends_here = bits.has(place);
                jr_take(reducer, acc, item);
                jr_shared<sizeof(jr_accumulator)>::store_if(ends_here, to + place * (jr_u32)sizeof(JR_X),
                                                            jr_flow_word(acc));
                acc = ends_here ? reducer.identity() : acc;
            }
        }
    }
    // The same for a tile that was not copied completely.
    __device__ __forceinline__ void fold_part(const jr_flow_tile &tile, jr_accumulator &acc) const {
        const jr_u32 own = jr_lane() * jr_flow_share, own_end = own + jr_flow_share;
        const jr_u32 to = own_end < tile.to ? own_end : tile.to;
#pragma unroll 1
        for (jr_u32 p = own > tile.from ? own : tile.from; p < to; p++) {
            const long long of = tile.pack + p / jr_pack_elements;
            const JR_X *const from =
                of >= first && of < stop ? (const JR_X *)tile.bytes : in.packs + tile.pack * (long long)jr_pack_elements;
            jr_take(reducer, acc, {(JR_X_VALUE)from[p], 0});
            if (room.ends[p / 32] >> p % 32 & 1) {
                tile.result(p) = acc;
                acc = reducer.identity();
            }
        }
    }

    // Folds a tile whose ends are marked, up to the open fold after it. cut: the end at its last position is
    // artificial.
    __device__ __forceinline__ void fold(const jr_flow_tile &tile, bool cut) {
        const jr_flow_bits bits(room.ends, jr_lane());
        jr_accumulator acc = jr_lane() == 0 ? open : reducer.identity();
        if (!tile.brought)
            fold_part(tile, acc);
        else if (jr_lane() * jr_flow_share < tile.to)
            fold_brought(tile, bits, acc);
        bool ends;
        const jr_u32 first_end = bits.first();
        const bool closed = first_end < jr_flow_share;
        const jr_accumulator before = jr_open_before(reducer, acc, closed, &ends);
        if (closed && jr_lane() > 0) {
            jr_accumulator &result = tile.result(jr_lane() * jr_flow_share + first_end);
            result = reducer.combine(before, result);
        }
        open = jr_broadcast(acc, jr_warp_lanes - 1);
        __syncwarp();
        if (tile.to < jr_flow_elements && tile.to > tile.from)
            open = cut ? tile.result(tile.to - 1) : reducer.identity();
    }

    // Writes the results of `taken` segments with these ends; `passed` earlier segments end in the tile. before: the
    // end of the last earlier segment; it becomes the end of the last segment written.
    __device__ __forceinline__ void write(const jr_flow_tile &tile, const jr_u64 (&ends)[jr_flow_rows], jr_u32 passed,
                                          jr_u32 taken, jr_u32 &before) {
#pragma unroll
        for (jr_u32 r = 0; r < jr_flow_rows; r++) {
            const jr_u32 own = r * jr_warp_lanes + jr_lane(), to = (jr_u32)(ends[r] - tile.element);
            const jr_u32 below = __shfl_up_sync(jr_full_mask, to, 1), from = jr_lane() > 0 ? below : before;
            if (r * jr_warp_lanes >= taken) break;
            const jr_u32 here = taken - r * jr_warp_lanes;
            before = __shfl_sync(jr_full_mask, to, here < jr_warp_lanes ? here - 1 : jr_warp_lanes - 1);
            if (own >= taken) continue;
            const jr_u64 count = passed + own == 0 ? ends[r] - begin : to - from;
            close(s + passed + own, to > from ? tile.result(to - 1) : reducer.identity(), count);
        }
    }

    // Folds one tile. ends: the ends of the segments from s on, in `rows` rows; it becomes the ends of the segments
    // after the tile. Returns the number of their rows.
    __device__ __forceinline__ jr_u32 step(jr_u64 (&ends)[jr_flow_rows], jr_u32 rows) {
        const jr_u64 left = last.e - element;
        jr_flow_tile tile = {room.tiles[at], pack, element, (jr_u32)(e - element)};
        tile.to = left < jr_flow_elements ? (jr_u32)left : jr_flow_elements;
        const jr_u32 packs = (tile.to + jr_flow_share - 1) / jr_flow_share * jr_flow_packs;
        tile.brought = pack >= first && pack + (long long)packs <= stop;
        for (jr_u32 w = jr_lane(); w < jr_flow_marks; w += jr_warp_lanes) room.ends[w] = 0;
        __syncwarp();
        jr_u32 ended = mark(tile, ends, rows, 0), seen = rows * jr_warp_lanes;
        // While all ends that were loaded lie in the tile, further ones may.
#pragma unroll 1
        while (ended == seen) {
            load(ends, s + ended, jr_flow_rows);
            seen += jr_flow_known;
            ended += mark(tile, ends, jr_flow_rows, ended);
        }
        const bool cut = mark_edges(tile), again = seen > rows * jr_warp_lanes;
        // The next tile is expected to have about as many ends as this one.
        const jr_u32 like = ended / jr_warp_lanes + 1, wanted = like < jr_flow_rows ? like : jr_flow_rows;
        jr_u64 next[jr_flow_rows];
        load(next, s + ended, wanted);
        __syncwarp();
        jr_bulk_wait(room.full + at, parity);
        fold(tile, cut);
        if (again) load(ends, s, jr_flow_rows);
        jr_u32 before = tile.from;
#pragma unroll 1
        for (jr_u32 passed = 0; passed < ended;) {
            write(tile, ends, passed, ended - passed, before);
            passed += jr_flow_known;
            if (passed < ended) load(ends, s + passed, jr_flow_rows);
        }
        if (ended > 0) begin = tile.element + before;
        finish(tile, ended);
#pragma unroll
        for (jr_u32 r = 0; r < jr_flow_rows; r++) ends[r] = next[r];
        return wanted;
    }

    // Moves on to the next tile; `ended` segments have ended in this one.
    __device__ __forceinline__ void finish(const jr_flow_tile &tile, jr_u32 ended) {
        move(ended, tile.element + tile.to);
        jr_bulk_fence(); // the next copy into this tile comes after the reads of its results
        __syncwarp();
        pack += jr_flow_elements / jr_pack_elements;
        element += jr_flow_elements;
        if (jr_lane() == 0) bring(at, pack + (jr_flow_tiles - 1) * (jr_flow_elements / jr_pack_elements));
        if (++at < jr_flow_tiles) return;
        at = 0;
        parity ^= 1;
    }

    __device__ __forceinline__ void walk() {
        jr_u64 ends[jr_flow_rows];
        jr_u32 rows = jr_flow_rows;
        load(ends, s, rows);
#pragma unroll 1
        while (s < last.s || e < last.e) rows = step(ends, rows);
    }
};
