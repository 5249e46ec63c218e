// Chains of sums of 4-byte integers in 8 bytes: a multiply-add by 0 or 1 widens, adds and leaves out in one instruction,
// where a sign, a carry and a choice would take four.
#pragma once

__device__ __forceinline__ void jr_add_wide(long long &sum, int x, jr_u32 times) {
    asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(x), "r"(times));
}
template <class A> __device__ __forceinline__ void jr_add_wide(A &sum, jr_u32 x, jr_u32 times) {
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(sum) : "r"(x), "r"(times));
}

template <class A> struct jr_wide_chains : jr_plain_chains {
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool taken) {
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) jr_add_wide((A &)chain[u], packs.x.elements[k], taken);
    }
};
template <class R> struct jr_chains<jr_sum<int, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_sum<jr_u32, jr_u64, R>> : jr_wide_chains<jr_u64> {};
#if JR_OPERATORS_STATISTICS
template <class R> struct jr_chains<jr_mean<int, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_mean<jr_u32, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_mean<jr_u32, jr_u64, R>> : jr_wide_chains<jr_u64> {};
#endif
