// Inputs of two to four arrays: the second to fourth are loaded by vectors where they lie as the first does.
#pragma once

#define JR_AT(array, type) (((const type *)in.more[array])[k])

#if JR_INPUTS == 2
#define JR_PACKS_MORE jr_pack<JR_Y> y;
#define JR_ITEM_MORE  (JR_Y_VALUE)y.elements[k],
#define JR_AT_MORE    (JR_Y_VALUE)JR_AT(0, JR_Y),
#elif JR_INPUTS == 3
#define JR_PACKS_MORE jr_pack<JR_Y> y; jr_pack<JR_Z> z;
#define JR_ITEM_MORE  (JR_Y_VALUE)y.elements[k], (JR_Z_VALUE)z.elements[k],
#define JR_AT_MORE    (JR_Y_VALUE)JR_AT(0, JR_Y), (JR_Z_VALUE)JR_AT(1, JR_Z),
#else
#define JR_PACKS_MORE jr_pack<JR_Y> y; jr_pack<JR_Z> z; jr_pack<JR_W> w;
#define JR_ITEM_MORE  (JR_Y_VALUE)y.elements[k], (JR_Z_VALUE)z.elements[k], (JR_W_VALUE)w.elements[k],
#define JR_AT_MORE    (JR_Y_VALUE)JR_AT(0, JR_Y), (JR_Z_VALUE)JR_AT(1, JR_Z), (JR_W_VALUE)JR_AT(2, JR_W),
#endif

// Loads the pack of an array beside the first one.
template <class E>
__device__ __forceinline__ void jr_load_beside(jr_pack<E> &pack, const void *packs, jr_u64 at, bool aligned) {
    const E *from = (const E *)packs + at * jr_pack_elements;
    if constexpr (sizeof(pack.elements) % 16 == 0)
        if (aligned) return jr_load(pack.elements, from);
#pragma unroll
    for (jr_u32 k = 0; k < jr_pack_elements; k++) pack.elements[k] = from[k];
}

struct jr_packs {
    jr_pack<JR_X> x;
    JR_PACKS_MORE

    __device__ __forceinline__ void load(const jr_cut &in, jr_u64 at) {
        jr_load(x.elements, in.packs + at * jr_pack_elements);
        jr_load_beside(y, in.more[0], at, in.aligned & 1);
#if JR_INPUTS > 2
        jr_load_beside(z, in.more[1], at, in.aligned & 2);
#endif
#if JR_INPUTS > 3
        jr_load_beside(w, in.more[2], at, in.aligned & 4);
#endif
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
        return {(JR_X_VALUE)x.elements[k], JR_ITEM_MORE index + k};
    }
};

// The item k elements behind the first pack; k may be negative.
__device__ __forceinline__ jr_item jr_item_at(const jr_cut &in, long long k, jr_u64 first) {
    return {(JR_X_VALUE)in.packs[k], JR_AT_MORE first + in.head + k};
}
