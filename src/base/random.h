/* Numbers that look like chance, the same in every run. */
#ifndef JR_BASE_RANDOM_H
#define JR_BASE_RANDOM_H

#include <stdint.h>

/* The index-th 64 bits of splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). */
static inline uint64_t jr_random_bits(uint64_t index) {
    uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
