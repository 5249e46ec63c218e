// Rooms: consecutive elements that a warp has brought into shared memory by 16-byte loads, pack by pack as they lie,
// for a lane or a few to fold a segment there.
#pragma once

#include "core/bulk.cuh"
#include "segmented/common/groups.cuh"
#include "segmented/common/shared.cuh"

// Of a warp. 2^28 floats in segments of 64 take 329 us, by rooms of half the size 471 us, measured on an H200.
constexpr jr_u32 jr_room_bytes = JR_ROOM_BYTES(JR_BLOCK);
constexpr jr_u32 jr_room_elements = jr_room_bytes / sizeof(JR_X);
constexpr jr_u32 jr_room_rounds = jr_room_bytes / (16 * jr_warp_lanes); // packs a lane
constexpr jr_u32 jr_room_ahead = 4;                                     // elements that a lane reads at once
// Padding after every 128 bytes: lanes that begin whole rows apart have few bank conflicts.
constexpr jr_u32 jr_room_row = 128 / sizeof(JR_X), jr_room_pad = 16 / sizeof(JR_X); // elements

struct jr_element_room {
    __align__(16) jr_u8 bytes[(jr_room_elements + jr_room_elements / jr_room_row * jr_room_pad) * sizeof(JR_X)];
};

// A warp's room, by the place of an element in it.
struct jr_room_view {
    jr_u32 address;

    __device__ __forceinline__ jr_u32 place(jr_u32 p) const {
        return address + (p + p / jr_room_row * jr_room_pad) * (jr_u32)sizeof(JR_X);
    }
    __device__ __forceinline__ JR_X load_if(bool there, jr_u32 p) const {
        union {
            unsigned char word[sizeof(JR_X)];
            JR_X element;
        } bits;
        const typename jr_shared<sizeof(JR_X)>::word word = jr_shared<sizeof(JR_X)>::load_if(there, place(p));
        memcpy(bits.word, &word, sizeof(JR_X));
        return bits.element;
    }
    __device__ __forceinline__ void store(jr_u32 p, const JR_X &element) const {
        typename jr_shared<sizeof(JR_X)>::word word = 0;
        memcpy(&word, &element, sizeof(JR_X));
        jr_shared<sizeof(JR_X)>::store(place(p), word);
    }
    __device__ __forceinline__ jr_u32 pack_place(jr_u32 pack) const {
        static_assert(sizeof(JR_X) * jr_pack_elements == 16 && sizeof(JR_X) <= 8, "room: a pack is not one vector");
        return place(pack * jr_pack_elements);
    }
    __device__ __forceinline__ void store_pack(jr_u32 pack, const jr_packs &packs) const {
        jr_u32 words[4];
        memcpy(words, &packs.x, 16);
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(pack_place(pack)), "r"(words[0]), "r"(words[1]),
                     "r"(words[2]), "r"(words[3])
                     : "memory");
    }
    __device__ __forceinline__ void load_pack(jr_u32 pack, jr_packs &packs) const {
        jr_u32 words[4];
        asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "r"(pack_place(pack))
                     : "memory");
        memcpy(&packs.x, words, 16);
    }
};

// Divides elements [e, e + n) into packs: packs [first, stop) are whole within all elements; `heads` elements come
// before them, and elements from `tail` on after them.
struct jr_room_span {
    jr_u64 base; // the pack of element e
    jr_u32 phase, first, stop, heads, tail;

    __device__ __forceinline__ jr_room_span(const jr_group &all, jr_u64 e, jr_u32 n) {
        // Counted from the pack before the first one, as jr_span does.
        const jr_u64 shifted = e + (jr_pack_elements - all.in.head);
        base = shifted / jr_pack_elements - 1;
        phase = (jr_u32)(shifted % jr_pack_elements);
        first = heads = 0;
        stop = n > 0 ? (phase + n + jr_pack_elements - 1) / jr_pack_elements : 0;
        tail = n;
        if (e < all.begin || e + n > all.end) leave_ends(all, e, n);
    }

    __device__ __forceinline__ void leave_ends(const jr_group &all, jr_u64 e, jr_u32 n) {
        const jr_u32 near = jr_group::distance(e, all.begin), far = jr_group::distance(e, all.end);
        const jr_u32 whole = (phase + far) / jr_pack_elements;
        first = near > 0;
        stop = stop < whole ? stop : whole;
        heads = near < n ? near : n;
        tail = far < n ? far : n;
        tail = tail > heads ? tail : heads;
    }
};

// Copies elements [e, e + n) to the room; every lane of the warp takes part. Returns where element e lies in the room:
// its index in its pack. That index + n must be at most jr_room_elements.
__device__ __forceinline__ jr_u32 jr_room_load(const jr_room_view &room, const jr_group &all, jr_u64 e, jr_u32 n) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    const jr_room_span span(all, e, n);
    const JR_X *from = all.in.packs + span.base * jr_pack_elements;
    __syncwarp();
    if (span.first < span.stop) {
        jr_packs packs[jr_room_rounds];
        // Lanes whose pack is outside the span load the nearest pack of it, so that no load is conditional; nobody
        // reads what these loads bring.
#pragma unroll
        for (jr_u32 r = 0; r < jr_room_rounds; r++) {
            const jr_u32 own = lane + r * jr_warp_lanes, low = r == 0 && own < span.first ? span.first : own;
            jr_load(packs[r].x.elements, from + (low < span.stop ? low : span.stop - 1) * jr_pack_elements);
        }
#pragma unroll
        for (jr_u32 r = 0; r < jr_room_rounds; r++) room.store_pack(lane + r * jr_warp_lanes, packs[r]);
    } else if (lane < 4) { // no pack is whole: the few that have elements are zeroed, as jr_room_fold reads whole packs
        const jr_packs nothing = {};
        room.store_pack(lane, nothing);
    }
    __syncwarp();
    if (span.heads > 0 || span.tail < n) {
        const jr_u32 p = lane < span.heads ? lane : span.tail + (lane - span.heads);
        if (p < n) room.store(span.phase + p, all.in.packs[(long long)(e + p - all.in.head)]);
        __syncwarp();
    }
    return span.phase;
}

// Folds every step-th pack from the first-th on of a segment's `length` elements, which lie in the room from `from` on.
// The lanes whose `first` is 0 and 1 also fold the partial packs at the segment's front and back; with a step of 1, the
// one lane folds both. index: of the first element in the segment.
__device__ __forceinline__ jr_accumulator jr_room_fold(const jr_room_view &room, const jr_reducer &reducer, jr_u32 from,
                                                       jr_u32 length, jr_u32 first, jr_u32 step, jr_u64 index) {
    constexpr jr_u32 n = jr_pack_elements;
    const jr_u32 to = from + length, low = (from + n - 1) / n, high = to / n;
    jr_accumulator acc = reducer.identity();
    jr_packs held;
#pragma unroll 1
    for (jr_u32 k = low + first; k < high; k += step) {
        room.load_pack(k, held);
        acc = reducer.combine(acc, jr_pairwise<n>::fold(reducer, held, 0, index + (k * n - from)));
    }
#pragma unroll 1
    for (jr_u32 e = first; e < 2; e += step) {
        const jr_u32 k = e == 0 ? low - 1 : high;
        if (length == 0 || (e == 0 ? from % n == 0 : to % n == 0 || low > high)) continue;
        const jr_u32 inside = k * n - from; // wraps below 0
        room.load_pack(k, held);
        acc = reducer.combine(acc, jr_within<n>::fold(reducer, held, 0, inside, length,
                                                      index + (long long)(int)inside));
    }
    return acc;
}
