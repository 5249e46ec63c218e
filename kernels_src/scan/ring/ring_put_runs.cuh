// The work of a ring's first squad where runs are reduced: it finds the run starts (heads) of a tile, folds, and
// compacts results and keys into the memory of the tile's elements and keys, whatever precedes the tile. It also
// computes the tile's total.
#pragma once

#include "scan/ring/ring_fold_heads.cuh"

// The state of each slot, besides the ring's, which the roles share.
struct jr_ring_parts {
    jr_u64 summed[JR_STAGES];                          // barriers: the totals of all warps are known;
    jr_u64 put[JR_STAGES];                             // their runs are compacted
    jr_room<jr_run> totals[JR_STAGES][jr_squad_warps]; // the total of each warp's elements,
    jr_room<jr_run> whole[JR_STAGES];                  // and of the tile
    jr_room<jr_accumulator> first[JR_STAGES];          // the fold of the tile's elements before its first head
    jr_u32 keys[JR_STAGES];                            // how its keys were copied: jr_runs_keys
};

// How the keys of a tile were copied: bytes from the beginning of the copy to the tile's first key; whether they were
// copied at all; whether the tile's first key is the first of all.
enum jr_runs_keys { jr_keys_shift = 0xff, jr_keys_there = 0x100, jr_keys_begin = 0x200 };

// Starts the copy of a tile's keys, and records how they are copied. The keys of a launch's first tile and of its last
// two may not be copied. The distance of all other tiles' keys from those of the second tile follows from the tiles'
// distance, which is quick to compute.
struct jr_runs_bringer {
    const jr_ring_bringer keys;
    const jr_queue &queue;
    jr_ring_parts &parts;
    const jr_key_span second;

    __device__ __forceinline__ void bring(jr_u32 place, jr_u32 tile, long long first, jr_u8 *to,
                                          jr_u64 *full) const {
        constexpr jr_u32 tile_bytes = jr_ring_elements * jr_key_bytes;
        if (second.there && tile > 0 && tile + 2 < queue.tile_count) {
            parts.keys[place] = second.shift | jr_keys_there;
            jr_bulk_copy(to, second.from + (jr_u64)(tile - 1) * tile_bytes, second.bytes, full);
            return;
        }
        const jr_key_span span(keys.in, keys.heads, keys.call, first);
        parts.keys[place] = span.shift | (span.there ? jr_keys_there : 0) | (span.begins ? jr_keys_begin : 0);
        keys.bring(span, to, full);
    }
    __device__ __forceinline__ void end(jr_u32) const {}
};

// Where the results and keys of a tile's runs are compacted. A head ends the run before it: that run's result and the
// head's key get the same number.
struct jr_runs_put {
    jr_result *results;
    JR_KEY *keys;
    jr_accumulator *first; // receives result 0, which also needs the fold of everything before the tile

    __device__ __forceinline__ jr_runs_put(jr_ring_parts &parts, const jr_ring_place &place, jr_u8 *staged,
                                           jr_u32 key_shift) {
        results = (jr_result *)staged;
        keys = (JR_KEY *)(staged + jr_ring_bytes + key_shift);
        first = (jr_accumulator *)&parts.first[place.at];
    }
    // Writes the result of the run that a thread's first head ends, with what precedes the thread's elements in the
    // tile. before: the state of the tile before them; fold: the thread's elements before its first head.
    __device__ __forceinline__ void begin(const jr_reducer &reducer, const jr_run &before,
                                          const jr_accumulator &fold) const {
        const jr_accumulator lower = before.of, all = reducer.combine(lower, fold);
        if (before.heads == 0)
            *first = all;
        else
            reducer.write_one(results + before.heads, all, 1); // any count but 0: no operator here needs it
    }
};

// A thread's elements and keys in a tile that was copied completely.
struct jr_runs_share {
    jr_accumulator open[jr_share_elements]; // the fold before each element, since the last head
    JR_KEY keys[jr_share_elements];
    jr_share_heads heads;

    __device__ __forceinline__ bool head(jr_u32 k) const { return heads.words[k / 32] >> k % 32 & 1; }

    // where: jr_runs_keys.
    __device__ __forceinline__ void load_keys(jr_u32 where, const JR_KEY *mine, jr_u32 thread) {
        const bool first = where & jr_keys_begin && thread == 0;
        heads.clear();
        jr_ring_load_keys(where & jr_keys_shift, mine, keys);
        JR_KEY last = mine[first ? 0 : -1];
#pragma unroll
        for (jr_u32 k = 0; k < jr_share_elements; k++) {
            if (jr_head_finder::differ(last, keys[k])) heads.words[k / 32] |= 1u << k % 32;
            last = keys[k];
        }
        if (first) heads.words[0] |= 1;
    }

    // Folds the elements.
    __device__ __forceinline__ jr_run fold(const jr_ring_scan &scan, const jr_ring_share_of &share) {
        const jr_u64 index = jr_pack_index(scan.in, share.at, scan.reducer.call.first);
        jr_accumulator folded = scan.reducer.identity();
        jr_packs packs[JR_UNROLL];
        jr_u32 count = 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load_staged(scan.in, share.at + u, share.pack(u));
#pragma unroll
        for (jr_u32 k = 0; k < jr_share_elements; k++) {
            const jr_u32 u = k / jr_pack_elements;
            const jr_accumulator lifted =
                scan.reducer.lift(packs[u].item(k % jr_pack_elements, index + u * jr_pack_elements));
            open[k] = folded;
            folded = head(k) ? lifted : scan.reducer.combine(folded, lifted);
        }
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) count += __popc(heads.words[w]);
        return {folded, count};
    }

    // Writes the results of the runs that end at the thread's heads, and the keys of the runs that begin there. Only
    // the thread's own elements of a run are known here, so `begin` then overwrites the first result, whose run may
    // have begun before the thread. before: the state of the tile before the thread's elements.
    __device__ __forceinline__ void put(const jr_ring_scan &scan, const jr_run &before, const jr_runs_put &to) {
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) asm volatile("" : "+r"(heads.words[w])); // else the compiler keeps
                                                                                             // each bit in a register
        jr_result *result = to.results + before.heads;
        JR_KEY *key = to.keys + before.heads;
        jr_accumulator first = open[0];
        jr_u32 any = 0;
#pragma unroll
        for (jr_u32 k = jr_share_elements; k-- > 1;) first = head(k) ? open[k] : first;
        first = head(0) ? open[0] : first;
#pragma unroll
        for (jr_u32 k = 0; k < jr_share_elements; k++) {
            if (!head(k)) continue;
            scan.reducer.write_one(result++, open[k], 1);
            *key++ = keys[k];
        }
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) any |= heads.words[w];
        if (any) to.begin(scan.reducer, before, first);
    }
};

// jr_runs_share for any tile, whose elements and keys are read from global memory. PUTS: writes the thread's runs, as
// put; else folds the thread's share, as fold. The bits are the same. at: the number of the share's first pack.
template <bool PUTS>
__device__ __forceinline__ jr_run jr_ring_walk_share(const jr_ring_scan &scan, long long at, const jr_run &before,
                                                     const jr_runs_put &to) {
    const JR_KEY *const keys = (const JR_KEY *)scan.given.keys + scan.in.head;
    const jr_call &call = scan.reducer.call;
    jr_run running = scan.combiner.identity();
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_part there(scan.in, call.count, at + u);
#pragma unroll 1
        for (jr_u32 k = there.from; k < there.to; k++) {
            const long long mine = there.begin + k;
            const bool head =
                jr_head_finder::is_first(scan.in, call, mine) || jr_head_finder::differ(keys[mine - 1], keys[mine]);
            if (PUTS && head) {
                const jr_accumulator fold = running.of;
                if (running.heads == 0)
                    to.begin(scan.reducer, before, fold);
                else
                    scan.reducer.write_one(to.results + before.heads + running.heads, fold, 1);
                to.keys[before.heads + running.heads] = keys[mine];
            }
            running = scan.combiner.take(running, scan.reducer.lift(there.item(scan.in, k, call.first)), head, 0);
        }
    }
    return running;
}

// Folds the totals of a tile's first `warps` warps, and then `more`.
__device__ __forceinline__ jr_run jr_ring_fold_warps(const jr_ring_scan &scan, const jr_room<jr_run> *totals,
                                                     jr_u32 warps, const jr_run &more) {
    if (warps == 0) return more;
    jr_run folded = *(const jr_run *)&totals[0];
#pragma unroll
    for (jr_u32 w = 1; w + 1 < jr_squad_warps; w++)
        if (w < warps) folded = scan.combiner.combine(folded, *(const jr_run *)&totals[w]);
    return scan.combiner.combine(folded, more);
}

// Publishes the total of a warp's elements, waits for the totals of all warps of the squad, and returns the state of
// the tile before a thread's elements. After the wait, all of the squad have read their elements and keys, so that
// results and keys may overwrite them. total: of the thread's elements.
__device__ __forceinline__ jr_run jr_ring_before_share(const jr_ring_scan &scan, jr_ring_parts &parts,
                                                       const jr_ring_place &place, jr_u32 warp, const jr_run &total) {
    jr_run value[1] = {total};
    jr_scan_lanes(scan.combiner, value);
    __syncwarp(); // all lanes have read their elements
    if (jr_lane() == jr_warp_lanes - 1) {
        *(jr_run *)&parts.totals[place.at][warp] = value[0];
        jr_bulk_arrive(parts.summed + place.at);
    }
    const jr_run up = jr_shuffle_up(value[0], 1), lower = jr_lane() == 0 ? scan.combiner.identity() : up;
    jr_bulk_wait(parts.summed + place.at, place.parity);
    return jr_ring_fold_warps(scan, parts.totals[place.at], warp, lower);
}

// The role of the first squad: folds and compacts the runs of each of the block's tiles.
__device__ __forceinline__ void jr_ring_put_tiles(const jr_ring_scan &scan, jr_ring_parts &parts, jr_u32 warp) {
    const jr_u32 thread = warp * jr_warp_lanes + jr_lane();
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(scan.ring.full + place.at, place.parity);
        const jr_u32 tile = scan.ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(scan.in, scan.queue, tile), at = first + thread * JR_UNROLL;
        jr_u8 *const staged = scan.places + place.at * jr_place_bytes;
        const jr_u32 where = parts.keys[place.at];
        const jr_runs_put to(parts, place, staged, where & jr_keys_shift);
        if (where & jr_keys_there) {
            const jr_ring_share_of share_of = {at, staged + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>))};
            jr_runs_share share;
            share.load_keys(where, to.keys + thread * jr_share_elements, thread);
            const jr_run total = share.fold(scan, share_of);
            share.put(scan, jr_ring_before_share(scan, parts, place, warp, total), to);
        } else {
            const jr_run total = jr_ring_walk_share<false>(scan, at, scan.combiner.identity(), to);
            jr_ring_walk_share<true>(scan, at, jr_ring_before_share(scan, parts, place, warp, total), to);
        }
        jr_bulk_fence(); // copies will overwrite the compacted runs
        __syncwarp();
        if (jr_lane() == 0) jr_bulk_arrive(parts.put + place.at);
    }
}

// ---- the tile's total ----

// Waits until the first squad's warps have published their totals, and publishes the tile's total. A warp calls it.
__device__ __forceinline__ void jr_ring_total_runs(const jr_ring_scan &scan, jr_ring_parts &parts,
                                                   const jr_ring_place &place, jr_u32 tile) {
    jr_bulk_wait(parts.summed + place.at, place.parity);
    if (jr_lane() > 0) return;
    const jr_run last = *(const jr_run *)&parts.totals[place.at][jr_squad_warps - 1];
    const jr_run all = jr_ring_fold_warps(scan, parts.totals[place.at], jr_squad_warps - 1, last);
    jr_queue_put(scan.queue, scan.queue.begin + tile, scan.ring.epoch, all);
    *(jr_run *)&parts.whole[place.at] = all;
    jr_bulk_arrive(scan.ring.folded + place.at);
}

// The role of a warp that publishes the totals of all of the block's tiles, where a block has a warp for it alone.
__device__ __forceinline__ void jr_ring_total_tiles(const jr_ring_scan &scan, jr_ring_parts &parts) {
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(scan.ring.drawn + place.at, place.parity);
        const jr_u32 tile = scan.ring.tile[place.at];
        if (tile == jr_no_tile) break;
        jr_ring_total_runs(scan, parts, place, tile);
    }
}
