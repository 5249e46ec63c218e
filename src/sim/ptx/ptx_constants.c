/* Constants: values broadcast over 32 lanes, each value once. */
#include <string.h>

#include "builder.h"

jrs_slot jrs_slot_constant_apart(jrs_parser *parser, const void *value, unsigned bytes) {
    jrs_builder *builder = parser->builder;
    uint32_t size = bytes ? bytes * JRS_LANES : 64, offset = builder->constant_bytes;
    if (offset > JRS_FRAME_MAX) jrs_parse_fail(parser, "too many constants");
    if (offset + size > builder->constant_capacity) {
        uint32_t capacity = (builder->constant_capacity + size) * 2;
        builder->constants = jrs_parse_grow(parser, builder->constants, offset, capacity);
        builder->constant_capacity = capacity;
    }
    uint32_t lanes = bytes ? JRS_LANES : 1, each = bytes ? bytes : 4;
    for (uint32_t lane = 0; lane < lanes; lane++) memcpy(builder->constants + offset + lane * each, value, each);
    builder->constant_bytes = offset + size;
    return jrs_builder_slot(JRS_BASE_CONSTANT, offset);
}

/* The place of a constant in the table, or the empty one where it belongs. */
static jrs_constant *find_known(const jrs_builder *builder, const jrs_constant *wanted) {
    uint64_t hash = (wanted->bits[0] ^ wanted->bits[1] * 31 ^ wanted->bytes) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t at = (uint32_t)(hash >> 32);; at++) {
        jrs_constant *known = &builder->known[at & (builder->known_capacity - 1)];
        bool same =
            known->bytes == wanted->bytes && known->bits[0] == wanted->bits[0] && known->bits[1] == wanted->bits[1];
        if (same || !known->bytes) return known;
    }
}

static void grow_known(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    const jrs_constant *old = builder->known;
    const uint32_t count = builder->known_capacity;
    builder->known_capacity = count ? count * 2 : 64;
    builder->known = jrs_parse_take(parser, builder->known_capacity * sizeof *builder->known);
    for (uint32_t k = 0; k < count; k++)
        if (old[k].bytes) *find_known(builder, &old[k]) = old[k];
}

jrs_slot jrs_slot_constant(jrs_parser *parser, const void *value, unsigned bytes) {
    jrs_builder *builder = parser->builder;
    jrs_constant wanted = {.bytes = bytes};
    if (!bytes) return jrs_slot_constant_apart(parser, value, 0);
    memcpy(wanted.bits, value, bytes);
    if (builder->known_count * 2 >= builder->known_capacity) grow_known(parser);
    jrs_constant *known = find_known(builder, &wanted);
    if (known->bytes) return known->slot;
    wanted.slot = jrs_slot_constant_apart(parser, value, bytes);
    builder->known_count++;
    *known = wanted;
    return wanted.slot;
}
