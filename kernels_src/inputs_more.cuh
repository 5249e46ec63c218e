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

struct jr_packs {
    jr_pack<JR_X> x;
    JR_PACKS_MORE

    __device__ __forceinline__ void load(const jr_inputs &in, jr_u64 at) {
        x.load(in.packs + at * jr_pack_elements);
        y.load_any(in.more[0], at, in.aligned & 1);
#if JR_INPUTS > 2
        z.load_any(in.more[1], at, in.aligned & 2);
#endif
#if JR_INPUTS > 3
        w.load_any(in.more[2], at, in.aligned & 4);
#endif
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
        return {(JR_X_VALUE)x.elements[k], JR_ITEM_MORE index + k};
    }
};

// The item k elements behind the first pack; k may be negative.
__device__ __forceinline__ jr_item jr_item_at(const jr_inputs &in, long long k, jr_u64 first) {
    return {(JR_X_VALUE)in.packs[k], JR_AT_MORE first + in.head + k};
}
