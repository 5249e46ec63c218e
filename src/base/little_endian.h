/* Numbers in stored forms: little-endian, whatever the machine. */
#ifndef JR_BASE_LITTLE_ENDIAN_H
#define JR_BASE_LITTLE_ENDIAN_H

#include <stdint.h>

/* bytes: 1 to 8. */
static inline void jr_little_put(uint8_t *at, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> (8 * i));
}

static inline uint64_t jr_little_get(const uint8_t *at, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
    return number;
}

#endif
