// segmented_exact: exact sums of consecutive segments, of equal lengths or by offsets. Bytes: every element once by
// 16-byte loads, wherever segments begin; one result per segment. Launches: one.
//
// By windows and digits (exact/exact_windows.cuh): a warp adds a segment, or all warps of a block add one share each of a
// long segment. Each warp has digits of its own in shared memory, for summands that windows do not take. Most segments
// need no digits: their windows hold an integer of 128 bits, which is rounded directly, for 32 segments at a time.
#include "exact/exact_tiles.cuh"
#include "segmented/common/turns.cuh"

// The sum in a segment's windows, while the segment waits for others: one lane each finishes them together. Finishing
// one by one took a fifth of the time of segments of 1024 elements.
struct jr_exact_waiting {
    jr_u64 first, second; // the sums, in two's complement
    jr_u64 segment;
    int least;   // the second one's unit is 2^least
    jr_u32 rest; // the first one's is 2^(least + its lower 8 bits); the marks are above

    __device__ __forceinline__ jr_exact_size size() const {
        const jr_u32 by = rest & 0xff; // below 64
        const jr_u64 shifted = first << by, low = shifted + second;
        const jr_u64 top = by ? (jr_u64)((long long)first >> (64 - by)) : (jr_u64)((long long)first >> 63);
        const jr_u64 high = top + (jr_u64)((long long)second >> 63) + (low < shifted);
        const bool negative = high >> 63;
        const jr_u64 h = negative ? ~high + (low == 0) : high, l = negative ? 0 - low : low;
        const jr_u32 lead = h ? (jr_u32)__clzll((long long)h) : 64 + (jr_u32)__clzll((long long)l);
        const jr_u64 upper = lead >= 64 ? lead < 128 ? l << (lead - 64) : 0 : lead ? h << lead | l >> (64 - lead) : h;
        return {upper, lead >= 64 ? 0 : l << lead, 127 - (int)lead + least, false, negative};
    }
};

// A warp's shared memory.
struct jr_exact_room {
    jr_exact_waiting waiting[jr_warp_lanes];
    jr_exact_block block;
};

// A warp's share of a segment. All lanes call every function.
struct jr_exact_share {
    const jr_call &call;
    jr_exact_block &block;
    jr_exact_windows<jr_summand> windows;
    jr_u32 marks;    // marks of this lane's summands that went to the digits
    jr_u32 deposits; // upper bound of deposits to one digit since the last settle()
    bool dirty;      // true if digits may be other than 0
    bool any;        // true if an element was kept

    __device__ __forceinline__ void start() {
        if (dirty) {
            __syncwarp(); // all lanes have read what was there
            for (jr_u32 j = jr_lane(); j < jr_exact_digits + 4; j += jr_warp_lanes) block.digits[j] = 0;
            if (jr_lane() == 0) block.marks = block.low = block.high = 0; // where they reach is not asked for
            __syncwarp();
        }
        windows.restart();
        marks = deposits = 0;
        dirty = any = false;
    }

    // Moves the carries of all digits into the next ones; digits are then at most 2^15 + 1 of either sign.
    __device__ __forceinline__ void settle() {
        __syncwarp();
        int carries[jr_exact_digits / jr_warp_lanes];
#pragma unroll
        for (jr_u32 k = 0; k < jr_exact_digits / jr_warp_lanes; k++) {
            int &digit = block.digits[k * jr_warp_lanes + jr_lane()];
            carries[k] = (digit + 0x8000) >> 16;
            digit -= carries[k] * 65536;
        }
        __syncwarp();
#pragma unroll
        for (jr_u32 k = 0; k < jr_exact_digits / jr_warp_lanes; k++)
            block.digits[k * jr_warp_lanes + jr_lane() + 1] += carries[k];
        __syncwarp();
        deposits = 0;
    }

    template <jr_u32 N> __device__ __forceinline__ void add(const jr_summand (&x)[N]) {
        constexpr jr_u32 of_spill = 16; // a spill of both windows, at most
        const jr_u32 before = windows.first.count;
        const int raises = windows.raises;
        const bool fits = windows.fits(block, x);
        const bool spilled = before > 0 && (windows.raises != raises || before >= jr_exact_spill_after);
        dirty |= spilled || !fits;
        deposits += of_spill;
        if (!fits) {
#pragma unroll
            for (jr_u32 i = 0; i < N; i++) marks |= jr_exact_deposit(block, x[i]);
            deposits += N * jr_warp_lanes;
        }
        if (deposits > 1 << 13) settle();
    }

    // Adds the elements of a span: whole tiles first, then several elements per lane (at most a tile's, for which
    // windows have room), and last `few` per lane, which is all of a short segment.
    template <class SPAN> __device__ __forceinline__ void add_span(const SPAN &span) {
        constexpr jr_u32 tile = jr_tile_rows * jr_pack_elements, few = 2,
                         several = jr_exact_tile < 8 ? jr_exact_tile : 8;
        jr_u64 e = 0;
#pragma unroll 1
        for (; span.has_tile(e); e += jr_tile_elements) {
            jr_summand x[tile];
            span.summands(x, e, call, &any);
            add(x);
        }
#pragma unroll 1
        for (; e + few * jr_warp_lanes < span.count; e += several * jr_warp_lanes) add_some<several>(span, e);
        if (e < span.count) add_some<few>(span, e);
    }

    // The marks of all lanes.
    __device__ __forceinline__ jr_u32 all_marks() const {
        return __reduce_or_sync(jr_full_mask, marks | (windows.not_minus_zero ? JR_EXACT_NOT_MINUS_ZERO : 0) |
                                                  (jr_selects && any ? JR_EXACT_ANY : 0));
    }
    // The sum of all lanes' windows, if nothing went to the digits.
    __device__ __forceinline__ jr_exact_waiting waiting(jr_u64 segment) const {
        const jr_u64 first = sum_of(windows.first);
        const bool two = windows.second.count > 0;
        const jr_u64 second = two ? sum_of(windows.second) : 0;
        const int least = two ? windows.second.g : windows.first.g;
        return {first, second, segment, least, (jr_u32)(windows.first.g - least) | all_marks() << 8};
    }
    __device__ __forceinline__ bool is_short() const {
        return !dirty && windows.first.count <= jr_warp_lanes;
    }

  private:
    // Adds N elements per lane from element e on, or as many as are left.
    template <jr_u32 N, class SPAN> __device__ __forceinline__ void add_some(const SPAN &span, jr_u64 e) {
        jr_summand x[N];
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) {
            const jr_u64 at = e + i * jr_warp_lanes + jr_lane();
            bool kept = false;
            const jr_summand found = jr_exact_summand(span.item(at < span.count ? at : span.count - 1), call, &kept);
            x[i] = at < span.count ? found : jr_exact_nothing<jr_summand>::value;
            any |= kept && at < span.count;
        }
        add(x);
    }
    // The sum of a window over the lanes, each of which took at most 32 windows: it is below 2^62.
    static __device__ __forceinline__ jr_u64 sum_of(const jr_exact_window &window) {
        const jr_u64 own = window.total - window.count * jr_exact_bits(window.anchor());
        const int low = __reduce_add_sync(jr_full_mask, (int)own & 0x3fffff);
        const int middle = __reduce_add_sync(jr_full_mask, (int)(own >> 22) & 0x3fffff);
        const int high = __reduce_add_sync(jr_full_mask, (int)((long long)own >> 44));
        return (jr_u64)low + ((jr_u64)middle << 22) + ((jr_u64)(long long)high << 44);
    }
};

// One lane writes the result of segment s, of `count` elements.
__device__ __forceinline__ void jr_exact_write_segment(const jr_exact_size &size, jr_u32 marks, void *out, jr_u64 s,
                                                       const jr_segment_cut &segments, jr_u64 count,
                                                       const jr_call &call) {
    const jr_u32 all = marks | (!jr_selects && count ? JR_EXACT_ANY : 0u);
    jr_store::put((jr_u8 *)out + s * segments.result_bytes,
                  jr_finished(jr_operator::finish_size(size, all, count), count, call));
}

// All warps of a block, each with a share, call it: it adds their digits to the first warp's, which writes the result.
__device__ __forceinline__ void jr_exact_join(jr_exact_share &share, jr_exact_block &all, void *out, jr_u64 s,
                                              const jr_segment_cut &segments, jr_u64 count) {
    const jr_u32 marks = share.all_marks();
    share.windows.spill(share.block);
    share.dirty = true;
    share.settle();
    __syncthreads();
    if (jr_warp() > 0)
        for (jr_u32 j = jr_lane(); j < jr_exact_digits; j += jr_warp_lanes) {
            const int digit = share.block.digits[j];
            if (digit) atomicAdd(&all.digits[j], digit);
        }
    if (jr_lane() == 0) atomicOr(&all.marks, (int)marks);
    __syncthreads();
    if (jr_warp() > 0) return;
    const jr_exact_size size = jr_exact_size_of_digits(all.digits);
    if (jr_lane() == 0) jr_exact_write_segment(size, (jr_u32)all.marks, out, s, segments, count, share.call);
}

// Finishes a segment by its digits.
__device__ __forceinline__ void jr_exact_finish_segment(jr_exact_share &share, void *out, jr_u64 s,
                                                        const jr_segment_cut &segments, jr_u64 count) {
    const jr_u32 marks = share.all_marks();
    share.windows.spill(share.block);
    share.dirty = true;
    __syncwarp();
    const jr_exact_size size = jr_exact_size_of_digits(share.block.digits);
    if (jr_lane() == 0) jr_exact_write_segment(size, marks, out, s, segments, count, share.call);
}

// Adds all segments. together, SEGMENTS: see jr_take_turns (turns.cuh); a span has summands(x, e, call, &any).
template <class SEGMENTS>
__device__ __forceinline__ void jr_exact_segments(const SEGMENTS &of, const jr_segment_cut &segments, jr_u32 together,
                                                  void *out, const jr_call &call) {
    static_assert(sizeof(jr_exact_room) <= jr_warp_lanes * JR_EXACT_LANE_BYTES,
                  "abi.h: JR_EXACT_LANE_BYTES is too small");
    extern __shared__ __align__(16) unsigned char jr_room[];
    jr_exact_room *const rooms = (jr_exact_room *)jr_room;
    jr_exact_room &room = rooms[jr_warp()];
    const jr_u64 most = together > 1 ? 16 * jr_tile_elements : jr_tile_elements; // of one warp
    jr_exact_share share = {call, room.block};
    jr_u32 waiting = 0;
    share.dirty = true; // what lies in shared memory at the beginning
    // Each lane finishes one of the waiting segments.
    const auto finish_waiting = [&] {
        __syncwarp();
        if (jr_lane() < waiting) {
            const jr_exact_waiting &own = room.waiting[jr_lane()];
            jr_exact_write_segment(own.size(), own.rest >> 8, out, own.segment, segments, of.length(own.segment), call);
        }
        __syncwarp();
        waiting = 0;
    };
    jr_take_turns(of, segments.count, together, most, [&](jr_u64 s, bool alone) {
        const jr_u64 length = of.length(s);
        jr_u64 begin = 0, count = length;
        if (!alone) {
            const jr_u64 tiles = (length + jr_tile_elements - 1) / jr_tile_elements;
            const jr_u64 each = (tiles + jr_block_warps - 1) / jr_block_warps * jr_tile_elements;
            begin = jr_warp() * each < length ? jr_warp() * each : length;
            count = length - begin < each ? length - begin : each;
        }
        share.start();
        share.add_span(of.span(s, begin, count));
        if (!alone)
            jr_exact_join(share, rooms[0].block, out, s, segments, length);
        else if (!share.is_short())
            jr_exact_finish_segment(share, out, s, segments, length);
        else {
            const jr_exact_waiting own = share.waiting(s);
            if (jr_lane() == 0) room.waiting[waiting] = own;
            if (++waiting == jr_warp_lanes) finish_waiting();
        }
    });
    finish_waiting();
}

struct jr_exact_span : jr_tree_span {
    using jr_tree_span::jr_tree_span;
    __device__ __forceinline__ void summands(jr_summand (&x)[jr_tile_rows * jr_pack_elements], jr_u64 e,
                                             const jr_call &call, bool *any) const {
        jr_packs packs[jr_tile_rows];
        load_tile(packs, e);
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++) {
            const jr_u64 index = first + e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements;
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++)
                x[u * jr_pack_elements + k] = jr_exact_summand(packs[u].item(k, index), call, any);
        }
    }
};

// Blocks that must fit on a multiprocessor: as many as have 768 threads together; of 320, the default, two. With the
// registers that these leave a thread the compiler keeps its tile of 32 summands in them; of 1024 threads it would not.
constexpr jr_u32 jr_exact_resident = JR_BLOCK < 768 ? 768 / JR_BLOCK : 1;

extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_exact_resident)
    jr_segmented_exact(const __grid_constant__ jr_cut in, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 together, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_exact_segments(jr_rows<jr_exact_span>{in, segments, jr_segment_begin(segments, segments.count)}, segments,
                      together, out, call);
}
