// Rooms: consecutive elements that a warp has brought into shared memory by 16-byte loads, pack by pack as they lie,
// for a lane or a few to fold a segment there.
#pragma once

#include "core/bulk.cuh"
#include "segmented/groups.cuh"

// Of a warp. 2^28 floats in segments of 64 take 329 us, by rooms of half the size 471 us, measured on an H200.
constexpr jr_u32 jr_room_bytes = JR_ROOM_BYTES(JR_BLOCK);
constexpr jr_u32 jr_room_elements = jr_room_bytes / sizeof(JR_X);
constexpr jr_u32 jr_room_rounds = jr_room_bytes / (16 * jr_warp_lanes); // packs a lane
constexpr jr_u32 jr_room_ahead = 4;                                     // elements that a lane reads at once
// Padding behind every 128 bytes: lanes that begin 2, 4, 8 or more elements apart meet few others in a bank.
constexpr jr_u32 jr_room_row = 128 / sizeof(JR_X), jr_room_pad = sizeof(JR_X) < 4 ? 4 / sizeof(JR_X) : 1; // elements

struct jr_warp_room {
    __align__(16) jr_u8 bytes[(jr_room_elements + jr_room_elements / jr_room_row * jr_room_pad) * sizeof(JR_X)];
};

// Words in shared memory, by addresses of that space: as pointers they would take two registers each.
template <jr_u32 BYTES> struct jr_shared;
#define JR_SHARED(bytes, form, type, constraint)                                                                       \
    template <> struct jr_shared<bytes> {                                                                              \
        typedef type word;                                                                                             \
        static __device__ __forceinline__ word load_if(bool there, jr_u32 from) {                                      \
            word w;                                                                                                    \
            asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p ld.shared." form " %0, [%1];\n}"                 \
                         : "=" constraint(w)                                                                           \
                         : "r"(from), "r"((jr_u32)there)                                                               \
                         : "memory");                                                                                  \
            return w;                                                                                                  \
        }                                                                                                              \
        static __device__ __forceinline__ word load(jr_u32 from) {                                                     \
            word w;                                                                                                    \
            asm volatile("ld.shared." form " %0, [%1];" : "=" constraint(w) : "r"(from) : "memory");                   \
            return w;                                                                                                  \
        }                                                                                                              \
        static __device__ __forceinline__ void store(jr_u32 to, word w) {                                              \
            asm volatile("st.shared." form " [%0], %1;" ::"r"(to), constraint(w) : "memory");                          \
        }                                                                                                              \
    };
JR_SHARED(1, "u8", unsigned short, "h")
JR_SHARED(2, "u16", unsigned short, "h")
JR_SHARED(4, "u32", jr_u32, "r")
JR_SHARED(8, "u64", jr_u64, "l")

// A warp's room, by the place of an element in it.
struct jr_room_view {
    jr_u32 address;

    __device__ __forceinline__ jr_u32 place(jr_u32 p) const {
        return address + (p + p / jr_room_row * jr_room_pad) * (jr_u32)sizeof(JR_X);
    }
    static __device__ __forceinline__ JR_X element_of(typename jr_shared<sizeof(JR_X)>::word word) {
        union {
            unsigned char word[sizeof(JR_X)];
            JR_X element;
        } bits;
        memcpy(bits.word, &word, sizeof(JR_X));
        return bits.element;
    }
    __device__ __forceinline__ JR_X load(jr_u32 p) const {
        return element_of(jr_shared<sizeof(JR_X)>::load(place(p)));
    }
    __device__ __forceinline__ JR_X load_if(bool there, jr_u32 p) const {
        return element_of(jr_shared<sizeof(JR_X)>::load_if(there, place(p)));
    }
    __device__ __forceinline__ void store(jr_u32 p, const JR_X &element) const {
        typename jr_shared<sizeof(JR_X)>::word word = 0;
        memcpy(&word, &element, sizeof(JR_X));
        jr_shared<sizeof(JR_X)>::store(place(p), word);
    }
    // By words, or by elements that are larger: a pack lies in one row.
    __device__ __forceinline__ void store_pack(jr_u32 pack, const jr_packs &packs) const {
        constexpr jr_u32 step = sizeof(JR_X) < 4 ? 4 : sizeof(JR_X);
        static_assert(sizeof(JR_X) * jr_pack_elements == 16 && sizeof(JR_X) <= 8, "room: a pack is not one vector");
        const jr_u32 to = place(pack * jr_pack_elements);
#pragma unroll
        for (jr_u32 b = 0; b < 16; b += step) {
            typename jr_shared<step>::word word;
            memcpy(&word, (const char *)&packs.x + b, step);
            jr_shared<step>::store(to + b, word);
        }
    }
};

// How elements [e, e + n) lie in packs: [first, stop) of them are whole within all elements; `heads` elements lie
// before these, and those from `tail` on behind.
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

// Brings elements [e, e + n), with the pack of e up to jr_room_elements; every lane of the warp takes part. Returns
// where element e lies in the room.
__device__ __forceinline__ jr_u32 jr_room_load(const jr_room_view &room, const jr_group &all, jr_u64 e, jr_u32 n) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    const jr_room_span span(all, e, n);
    const JR_X *from = all.in.packs + span.base * jr_pack_elements;
    __syncwarp();
    if (span.first < span.stop) {
        jr_packs packs[jr_room_rounds];
        // Loads outside are led to the nearest pack, so that all are asked for at once; nobody reads what they bring.
#pragma unroll
        for (jr_u32 r = 0; r < jr_room_rounds; r++) {
            const jr_u32 own = lane + r * jr_warp_lanes, low = r == 0 && own < span.first ? span.first : own;
            jr_load(packs[r].x.elements, from + (low < span.stop ? low : span.stop - 1) * jr_pack_elements);
        }
#pragma unroll
        for (jr_u32 r = 0; r < jr_room_rounds; r++) room.store_pack(lane + r * jr_warp_lanes, packs[r]);
    }
    __syncwarp();
    if (span.heads > 0 || span.tail < n) {
        const jr_u32 p = lane < span.heads ? lane : span.tail + (lane - span.heads);
        if (p < n) room.store(span.phase + p, all.in.packs[(long long)(e + p - all.in.head)]);
        __syncwarp();
    }
    return span.phase;
}

// Folds every step-th element from the first-th on of a segment's `length` that lie in the room from `from` on; index:
// of the first of them in the segment.
__device__ __forceinline__ jr_accumulator jr_room_fold(const jr_room_view &room, const jr_reducer &reducer, jr_u32 from,
                                                       jr_u32 length, jr_u32 first, jr_u32 step, jr_u64 index) {
    jr_accumulator acc = reducer.identity();
    jr_u32 k = first;
    // Rounds in which all elements are there ask for none of them.
#pragma unroll 1
    for (; k + (jr_room_ahead - 1) * step < length; k += jr_room_ahead * step) {
        JR_X held[jr_room_ahead];
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead; u++) held[u] = room.load(from + k + u * step);
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead; u++)
            acc = reducer.combine(acc, reducer.lift({(JR_X_VALUE)held[u], index + k + u * step}));
    }
    if (k < length) {
        JR_X held[jr_room_ahead];
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead - 1; u++) held[u] = room.load_if(k + u * step < length, from + k + u * step);
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead - 1; u++)
            if (k + u * step < length)
                acc = reducer.combine(acc, reducer.lift({(JR_X_VALUE)held[u], index + k + u * step}));
    }
    return acc;
}
