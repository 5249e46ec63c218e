/* Occupancy. Source: the rules that NVIDIA's occupancy calculator states for compute capability 9.0. */
#include "occupancy.h"

static int round_up(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Warps that the register file feeds: a warp's registers come in units, and warps are dealt to four quarters. */
static int warps_by_registers(const jrs_kernel *kernel) {
    if (kernel->info.registers <= 0) return JRS_WARPS_PER_MULTIPROCESSOR;
    int of_warp = round_up(kernel->info.registers * JRS_WARP, JRS_REGISTER_UNIT);
    int warps = JRS_REGISTERS / of_warp / JRS_WARP_UNIT * JRS_WARP_UNIT;
    return least(warps, JRS_WARPS_PER_MULTIPROCESSOR);
}

int jrs_occupancy_max_threads(const jrs_kernel *kernel) {
    int threads = least(warps_by_registers(kernel) * JRS_WARP, JRS_THREADS_PER_BLOCK);
    return kernel->info.max_threads > 0 ? least(threads, kernel->info.max_threads) : threads;
}

int jrs_occupancy_blocks(const jrs_kernel *kernel, unsigned threads, size_t dynamic_bytes) {
    if (threads == 0 || threads > (unsigned)jrs_occupancy_max_threads(kernel)) return 0;
    if (dynamic_bytes > (size_t)kernel->max_dynamic_bytes) return 0;
    int warps = (int)(threads + JRS_WARP - 1) / JRS_WARP;
    int by_warps = JRS_WARPS_PER_MULTIPROCESSOR / warps;
    int by_registers = warps_by_registers(kernel) / warps;
    int shared = round_up(kernel->info.shared_bytes + (int)dynamic_bytes + JRS_SHARED_RESERVED, JRS_SHARED_UNIT);
    int by_shared = JRS_SHARED_PER_MULTIPROCESSOR / shared;
    int blocks = least(least(by_warps, by_registers), least(by_shared, JRS_BLOCKS_PER_MULTIPROCESSOR));
    return blocks;
}
