// Scans of segments: one of all elements whose state is a fold and whether a head stands in it: what stands before a head
// does not count.
//
// Source: J. Schwartz, "Ultracomputers" (1980), and G. Blelloch, "Prefix Sums and Their Applications" (1990): segmented
// scans by pairs of a flag and a value.
#pragma once

#include "scan/common/heads.cuh"
#include "scan/common/tile_results.cuh"

#if JR_PLACED && JR_HEADS == JR_HEADS_KEYS
typedef jr_u64 jr_head; // 1 + the number of the last segment start; 0: no segment starts
#else
typedef jr_u32 jr_head; // 1: there is one
#endif

// The fold of the elements since the last segment start, inclusive; of all elements if no segment starts.
struct JR_COMPOUND_OF(jr_accumulator) jr_headed {
    jr_member<jr_accumulator> of;
    jr_head head;
};
static_assert(sizeof(jr_headed) == JR_HEADED_BYTES(JR_ACCUMULATOR_BYTES, sizeof(jr_head)), "heads: not the host's size");

JR_SHUFFLE_STATE(jr_headed)

struct jr_headed_reducer {
    const jr_reducer &reducer;

    __device__ __forceinline__ jr_headed identity() const { return {reducer.identity(), 0}; }
    __device__ __forceinline__ jr_headed combine(const jr_headed &a, const jr_headed &b) const {
        if (b.head) return b;
        const jr_accumulator one = a.of, other = b.of;
        return {reducer.combine(one, other), a.head};
    }
    // One more element; number: of it among all.
    __device__ __forceinline__ jr_headed take(const jr_headed &running, const jr_accumulator &lifted, bool head,
                                              jr_u64 number) const {
        if (head) return {jr_with_initial(reducer, lifted), (jr_head)(sizeof(jr_head) == 8 ? number + 1 : 1)};
        const jr_accumulator one = running.of;
        return {reducer.combine(one, lifted), running.head};
    }
};

// A scan of each segment for itself. JR_EXCLUSIVE: a result leaves its own element out.
struct jr_segmented_scan {
    typedef jr_headed accumulator, carried;
    const jr_reducer &reducer;
    const jr_output out;
    const jr_headed_reducer headed;
    jr_head_finder finder;
    jr_pack_heads heads[JR_UNROLL];

    __device__ __forceinline__ const jr_headed_reducer &combiner() const { return headed; }
    __device__ __forceinline__ jr_headed start() const { return {jr_with_initial(reducer, reducer.identity()), 0}; }

    // Finds the heads of a tile. All threads take part.
    __device__ __forceinline__ void begin(const jr_cut &in, jr_u64 tile, long long at) {
        finder.find(in, reducer.call, tile, at, heads);
    }

    // The step for one pack: it goes through the pack's elements.
    struct step_of_pack {
        typedef jr_headed accumulator;
        const jr_reducer &reducer;
        const jr_headed_reducer &headed;
        const jr_pack_heads &heads;

        // An item that knows its place in its segment: one of keys in the whole.
        __device__ __forceinline__ jr_item placed(const jr_item &item, jr_u32 k) const {
            jr_item own = item;
#if JR_PLACED && JR_HEADS != JR_HEADS_KEYS
            const jr_u32 up_to = heads.mask & (2u << k) - 1; // heads up to k
            own.i = up_to ? k - (31 - __clz(up_to)) : item.i - heads.begin;
#endif
            return own;
        }
        __device__ __forceinline__ jr_headed take(const jr_headed &running, const jr_item &given, jr_u32 k) const {
            return headed.take(running, reducer.lift(placed(given, k)), heads.mask >> k & 1, given.i);
        }
        __device__ __forceinline__ jr_result operator()(jr_headed &running, const jr_item &given, jr_u32 k) const {
            const bool head = heads.mask >> k & 1;
            const jr_headed next = take(running, given, k);
#if !JR_PLACED
            const jr_u64 before = !head && given.i > 0; // as much as is asked for
#elif JR_HEADS == JR_HEADS_KEYS
            const jr_u64 before = given.i - (next.head > 0 ? next.head - 1 : 0);
#else
            const jr_u64 before = placed(given, k).i;
#endif
            const jr_accumulator nothing = jr_with_initial(reducer, reducer.identity());
            const jr_accumulator before_it = running.of, with_it = next.of;
            const jr_accumulator fold = JR_EXCLUSIVE ? (head ? nothing : before_it) : with_it;
            running = next;
            return jr_scan_result(reducer, fold, before + !JR_EXCLUSIVE);
        }
    };
    __device__ __forceinline__ step_of_pack step(jr_u32 u) const { return {reducer, headed, heads[u]}; }

    __device__ __forceinline__ const carried &carry(const carried &before) const { return before; }
    __device__ __forceinline__ void write(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                          const accumulator (&before)[JR_UNROLL], const carried &) const {
        jr_scan_tile(*this, in, at, packs, before);
    }
    __device__ __forceinline__ void end(const carried &, const accumulator &) const {}

    // Folds each of a thread's packs.
    __device__ __forceinline__ void fold(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                         jr_headed (&folded)[JR_UNROLL]) const {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) folded[u] = fold_pack(in, at + u * jr_warp_lanes, packs[u], step(u));
    }
    __device__ __forceinline__ jr_headed fold_pack(const jr_cut &in, long long at, const jr_packs &packs,
                                                   const step_of_pack &step) const {
        const jr_u64 first = reducer.call.first;
        jr_headed folded = headed.identity();
        if (jr_is_whole(in, at)) {
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++)
                folded = step.take(folded, packs.item(k, jr_pack_index(in, at, first)), k);
        } else {
            const jr_part part(in, reducer.call.count, at);
#pragma unroll 1
            for (jr_u32 k = part.from; k < part.to; k++) folded = step.take(folded, part.item(in, k, first), k);
        }
        return folded;
    }
};
