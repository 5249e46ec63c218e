/* Host memory of a whole warp's access: most kernels stay in one range with all lanes. */
#include "lane_places.h"

#include "ranges.h"
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
