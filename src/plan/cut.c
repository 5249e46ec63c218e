/* Cuts arrays at 16-byte boundaries. */
#include "cut.h"

#include "base/whole.h"
unsigned jr_cut_pack_elements(const jr_reduction *reduction) {
    return JR_PACK_ELEMENTS(reduction->inputs[0].bytes);
}

/* How many elements precede the first one at a boundary; pack_elements when no element is at one. */
static unsigned find_head(uint64_t address, size_t bytes, unsigned pack_elements) {
    unsigned head = 0;
    while (head < pack_elements && (address + head * bytes) % JR_VECTOR_BYTES != 0) head++;
    return head;
}

jr_cut jr_cut_of(const jr_reduction *reduction, const jr_cu_deviceptr *in, uint64_t count) {
    const unsigned pack_elements = jr_cut_pack_elements(reduction);
    const uint64_t address = in[0];
    const unsigned boundary = find_head(address, reduction->inputs[0].bytes, pack_elements);
    const uint64_t head = boundary < count ? boundary : count;
    const uint64_t packs = boundary < pack_elements ? (count - head) / pack_elements : 0;
    jr_cut cut = {.packs = address + head * reduction->inputs[0].bytes,
                  .pack_count = packs,
                  .ends = count - packs * pack_elements,
                  .head = (uint32_t)head};
    for (int i = 1; i < reduction->input_count; i++) {
        cut.more[i - 1] = in[i] + head * reduction->inputs[i].bytes;
        if (cut.more[i - 1] % JR_VECTOR_BYTES == 0) cut.aligned |= 1u << (i - 1);
    }
    return cut;
}

uint64_t jr_cut_ordered_packs(const jr_reduction *reduction, uint32_t head, uint64_t count) {
    const uint64_t pack_elements = jr_cut_pack_elements(reduction), behind = count - head;
    return jr_divide_up(behind, pack_elements) + (head > 0);
}

jr_deal jr_cut_deal(uint64_t count, uint64_t tile_count, uint64_t blocks) {
    const uint64_t tiles = jr_divide_up(count, tile_count);
    return (jr_deal){.tiles = tiles / blocks, .longer = tiles % blocks};
}
