/* Chooses tunings from what was measured on one GPU of each kind. */
#include "estimate.h"

/* An H200 needs about 48 KiB in flight a multiprocessor to keep its memory busy: 3072 loads of 16 bytes, independent of
 * how they are split into threads and chains. 512 threads of 4 chains were among the best at every size measured. */
enum { LOADS_IN_FLIGHT = 3072, DEFAULT_BLOCK = 512, DEFAULT_ONE_BLOCK = 1024, DEFAULT_UNROLL = 4 };

void jr_estimate_tuning(const jr_spec *spec, const jr_algorithm_row *row, jr_tuning *tuning) {
    const bool alone = row->algorithm == JR_ALGORITHM_ONE_BLOCK;
    tuning->algorithm = row->algorithm;
    tuning->unroll = spec->unroll > 0 ? spec->unroll : DEFAULT_UNROLL;
    tuning->block = spec->block > 0 ? spec->block : alone ? DEFAULT_ONE_BLOCK : DEFAULT_BLOCK;
    tuning->grid = alone ? 1 : spec->grid;
    tuning->shared_dynamic = spec->shared == JR_SHARED_DYNAMIC;
}

int jr_estimate_wave(const jr_tuning *tuning, const jr_device_info *device, int occupancy) {
    const int loads = tuning->block * tuning->unroll;
    const int wanted = (LOADS_IN_FLIGHT + loads - 1) / loads;
    const int blocks = wanted < occupancy ? wanted : occupancy;
    const int wave = device->multiprocessor_count * (blocks > 0 ? blocks : 1);
    return wave < JR_GRID_MAX ? wave : JR_GRID_MAX;
}
