/* Strong accesses: the compiler's atomics, acquire and release at least, so that ThreadSanitizer sees the order. */
#include "atomics.h"

#include <string.h>

static lane_u128 join(jrs_wide value) {
    return (lane_u128)value.high << 64 | value.low;
}

static jrs_wide split(lane_u128 value) {
    return (jrs_wide){(uint64_t)value, (uint64_t)(value >> 64)};
}

/* 16 bytes have no load or store of their own: both are exchanges, in one instruction of x86-64 since the Makefile
 * gives -mcx16; without it clang calls a function that no library has. */
static lane_u128 swap16(uint8_t *at, lane_u128 seen, lane_u128 wanted) {
    return __sync_val_compare_and_swap((lane_u128 *)(void *)at, seen, wanted);
}

jrs_wide jrs_strong_load(const uint8_t *at, unsigned bytes) {
    const void *p = at;
    switch (bytes) {
    case 1: return (jrs_wide){__atomic_load_n((const lane_u8 *)p, __ATOMIC_ACQUIRE), 0};
    case 2: return (jrs_wide){__atomic_load_n((const lane_u16 *)p, __ATOMIC_ACQUIRE), 0};
    case 4: return (jrs_wide){__atomic_load_n((const lane_u32 *)p, __ATOMIC_ACQUIRE), 0};
    case 8: return (jrs_wide){__atomic_load_n((const lane_u64 *)p, __ATOMIC_ACQUIRE), 0};
    default: return split(swap16((uint8_t *)(uintptr_t)p, 0, 0));
    }
}

bool jrs_strong_swap(uint8_t *at, unsigned bytes, jrs_wide *seen, jrs_wide wanted) {
    void *p = at;
    bool done;
    lane_u16 two = (lane_u16)seen->low;
    lane_u32 four = (lane_u32)seen->low;
    lane_u128 old = join(*seen), found;
    switch (bytes) {
    case 2:
        done = __atomic_compare_exchange_n((lane_u16 *)p, &two, (lane_u16)wanted.low, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
        seen->low = two;
        return done;
    case 4:
        done = __atomic_compare_exchange_n((lane_u32 *)p, &four, (lane_u32)wanted.low, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
        seen->low = four;
        return done;
    case 8:
        return __atomic_compare_exchange_n((lane_u64 *)p, &seen->low, wanted.low, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    default:
        found = swap16(at, old, join(wanted));
        *seen = split(found);
        return found == old;
    }
}

bool jrs_strong_store(uint8_t *at, unsigned bytes, jrs_wide value) {
    void *p = at;
    jrs_wide old = {0, 0};
    switch (bytes) {
    case 1: old.low = __atomic_exchange_n((lane_u8 *)p, (lane_u8)value.low, __ATOMIC_ACQ_REL); break;
    case 2: old.low = __atomic_exchange_n((lane_u16 *)p, (lane_u16)value.low, __ATOMIC_ACQ_REL); break;
    case 4: old.low = __atomic_exchange_n((lane_u32 *)p, (lane_u32)value.low, __ATOMIC_ACQ_REL); break;
    case 8: old.low = __atomic_exchange_n((lane_u64 *)p, value.low, __ATOMIC_ACQ_REL); break;
    default:
        while (!jrs_strong_swap(at, 16, &old, value)) {
        }
        break;
    }
    return old.low != value.low || old.high != value.high;
}
