/* Cuts arrays at 16-byte boundaries. */
#include "cut.h"

enum { VECTOR_BYTES = 16 };

jr_cut jr_cut_of(const void *in, uint64_t count, size_t element_bytes) {
    const uint64_t address = (uint64_t)(uintptr_t)in;
    const uint64_t vector_elements = VECTOR_BYTES / element_bytes;
    uint64_t head = (VECTOR_BYTES - address % VECTOR_BYTES) % VECTOR_BYTES / element_bytes;
    if (head > count) head = count;
    const uint64_t tail = (count - head) % vector_elements;
    return (jr_cut){.vectors = address + head * element_bytes,
                    .vector_count = (count - head) / vector_elements,
                    .head = (uint32_t)head,
                    .ends = (uint32_t)(head + tail)};
}
