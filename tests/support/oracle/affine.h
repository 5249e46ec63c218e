/* An operator over u64 that is far from commutative: maps x -> m x + c modulo 2^32, packed as m << 32 | c, of which a
 * comes first.
 */
#ifndef TESTS_SUPPORT_AFFINE_H
#define TESTS_SUPPORT_AFFINE_H

#include <stdint.h>

#define AFFINE_COMBINE  "((a >> 32) * (b >> 32) << 32) | (((b >> 32) * (a & 4294967295) + b) & 4294967295)"
#define AFFINE_IDENTITY "4294967296"

static inline uint64_t affine_combine(uint64_t a, uint64_t b) {
    return ((a >> 32) * (b >> 32) << 32) | (((b >> 32) * (a & UINT32_MAX) + b) & UINT32_MAX);
}

#endif
