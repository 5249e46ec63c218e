/* Copies past the cache, where the processor has stores for it. */
#include "copy.h"

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

enum { LINE_BYTES = 64, LANE_BYTES = sizeof(__m128i), LANES = LINE_BYTES / LANE_BYTES };

static void copy_lines(unsigned char *to, const unsigned char *from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += LINE_BYTES) {
        __m128i lanes[LANES];
        for (int i = 0; i < LANES; i++) lanes[i] = _mm_loadu_si128((const __m128i *)(from + at) + i);
        for (int i = 0; i < LANES; i++) _mm_stream_si128((__m128i *)(to + at) + i, lanes[i]);
    }
    _mm_sfence();
}

void jr_copy_past_cache(void *to, const void *from, size_t bytes) {
    unsigned char *out = to;
    const unsigned char *in = from;
    const size_t before = (LINE_BYTES - (uintptr_t)out % LINE_BYTES) % LINE_BYTES;
    if (bytes < before + LINE_BYTES) {
        memcpy(out, in, bytes);
        return;
    }
    const size_t lines = (bytes - before) / LINE_BYTES * LINE_BYTES;
    memcpy(out, in, before);
    copy_lines(out + before, in + before, lines);
    memcpy(out + before + lines, in + before + lines, bytes - before - lines);
}
#else
void jr_copy_past_cache(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}
#endif
