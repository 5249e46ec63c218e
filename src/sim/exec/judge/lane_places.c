/* Host memory of a whole warp's access: most kernels stay in one range with all lanes. */
#include "lane_places.h"

#include "ranges.h"
#include "sim/exec/frame.h"
#include "sim/exec/lanes.h"

static bool is_plain(const jrs_warp *warp, const jrs_instruction *i, bool write) {
    return !i->strong && !warp->early && !(write && warp->careful) && i->memory.at.space <= JRS_SPACE_CONST &&
           i->memory.at.bytes == 8;
}

bool jrs_places_find(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write, uint8_t *places[JRS_LANES]) {
    jrs_worker *worker = warp->worker;
    if (!is_plain(warp, i, write)) return false;
    const lane_u64 *lanes = jrs_at(warp, i->memory.at.slot);
    const uint64_t each = (uint64_t)i->memory.bytes * i->memory.count, offset = (uint64_t)i->memory.at.offset;
    const uint64_t first = lanes[jrs_first(mask)] + offset;
    if (!jrs_ranges_find(worker, first, each, write) || worker->found->watched || worker->found->heap) return false;
    const uint64_t begin = worker->found->begin, room = worker->found->end - begin - each;
    uint64_t wrong = 0, apart = 0;
    JRS_FOR_LANES(mask, const uint64_t address = lanes[l] + offset;
                  wrong |= (address & (each - 1)) | (address - begin > room); apart |= address ^ first;
                  places[l] = (uint8_t *)(uintptr_t)address);
    if (wrong) return false;
    if (apart >> worker->run->page_shift) JRS_FOR_LANES(mask, jrs_ranges_touch(worker, (uint64_t)(uintptr_t)places[l]));
    return true;
}

bool jrs_places_find_local(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint8_t *places[JRS_LANES]) {
    const bool framed = i->memory.at.space == JRS_SPACE_FRAME;
    const uint64_t each = (uint64_t)i->memory.bytes * i->memory.count, size = warp->local_stride;
    const uint64_t base = framed ? warp->group->frame->local_base : 0;
    if ((!framed && i->memory.at.space != JRS_SPACE_LOCAL) || i->strong || size < base + each) return false;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = jrs_first(rest);
        const uint64_t address = jrs_locate(warp, &i->memory.at, lane);
        if ((address & (each - 1)) || address > size - base - each) return false;
        places[lane] = jrs_local(warp, lane) + base + address;
    }
    return true;
}
