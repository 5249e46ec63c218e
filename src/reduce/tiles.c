/* Deals tiles to rows. */
#include "tiles.h"

jr_tiles jr_tiles_of(const jr_reduction *reduction, const jr_tuning *tuning, const jr_cut *cut, uint64_t count,
                     int row_count) {
    const uint64_t pack_elements = jr_cut_pack_elements(reduction), behind = count - cut->head;
    const uint64_t tile_packs = (uint64_t)tuning->block * (uint64_t)tuning->unroll;
    /* What lies before the first whole pack and behind the last one counts as a pack each. */
    const uint64_t packs = behind / pack_elements + (behind % pack_elements != 0) + (cut->head > 0);
    const uint64_t tiles = packs / tile_packs + (packs % tile_packs != 0);
    return (jr_tiles){.each = tiles / (uint64_t)row_count, .longer = tiles % (uint64_t)row_count};
}
