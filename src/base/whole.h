/* Whole numbers: what many files need of them. */
#ifndef JR_BASE_WHOLE_H
#define JR_BASE_WHOLE_H

#include <stdint.h>

static inline uint64_t jr_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* a / b, rounded up. b: not 0. Nothing overflows. */
static inline uint64_t jr_divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

#endif
