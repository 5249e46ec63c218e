/* Functions: their attributes and their occupancy. */
#include "sim/driver/sim_call.h"
#include "sim/driver/sim_loaded.h"

/* ---- occupancy. Source: the rules that NVIDIA's occupancy calculator states for compute capability 9.0 ---- */

static unsigned round_up(unsigned value, unsigned unit) {
    return (value + unit - 1) / unit * unit;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Warps that the register file feeds: a warp's registers come in units, and warps are dealt to four quarters. */
static unsigned warps_by_registers(const jrs_kernel *kernel) {
    unsigned of_warp = round_up(kernel->code->registers * JRS_WARP, JRS_REGISTER_UNIT);
    unsigned warps = JRS_REGISTERS / of_warp / JRS_WARP_UNIT * JRS_WARP_UNIT;
    return least(warps, JRS_WARPS_PER_MULTIPROCESSOR);
}

/* Most threads in a block of this kernel: by its registers and its bounds. */
static unsigned max_threads(const jrs_kernel *kernel) {
    return least(warps_by_registers(kernel) * JRS_WARP, kernel->code->max_threads);
}

unsigned jrs_occupancy_blocks(const jrs_kernel *kernel, unsigned threads, size_t dynamic_bytes) {
    if (threads == 0 || threads > max_threads(kernel)) return 0;
    if (dynamic_bytes > (size_t)kernel->max_dynamic_bytes) return 0;
    unsigned warps = (threads + JRS_WARP - 1) / JRS_WARP;
    unsigned by_warps = JRS_WARPS_PER_MULTIPROCESSOR / warps;
    unsigned by_registers = warps_by_registers(kernel) / warps;
    unsigned bytes = kernel->code->shared_bytes + (unsigned)dynamic_bytes + JRS_SHARED_RESERVED;
    unsigned by_shared = JRS_SHARED_PER_MULTIPROCESSOR / round_up(bytes, JRS_SHARED_UNIT);
    return least(least(by_warps, by_registers), least(by_shared, JRS_BLOCKS_PER_MULTIPROCESSOR));
}

/* ---- functions ---- */

static int read_attribute(const jrs_kernel *kernel, int attribute, int *value) {
    const jrs_function *code = kernel->code;
    switch (attribute) {
    case JR_CU_FUNC_MAX_THREADS_PER_BLOCK: *value = (int)max_threads(kernel); break;
    case JR_CU_FUNC_SHARED_BYTES: *value = (int)code->shared_bytes; break;
    case JR_CU_FUNC_CONSTANT_BYTES: *value = (int)code->module->constant_bytes; break;
    case JR_CU_FUNC_LOCAL_BYTES: *value = (int)code->local_bytes; break;
    case JR_CU_FUNC_REGISTERS: *value = (int)code->registers; break;
    case JR_CU_FUNC_PTX_VERSION: *value = code->module->target; break;
    case JR_CU_FUNC_BINARY_VERSION: *value = JRS_CAPABILITY; break;
    case JR_CU_FUNC_CACHE_MODE_CA: *value = 0; break;
    case JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES: *value = kernel->max_dynamic_bytes; break;
    case JR_CU_FUNC_SHARED_CARVEOUT: *value = kernel->carveout; break;
    case JR_CU_FUNC_CLUSTER_MUST_BE_SET: *value = code->explicit_cluster; break;
    case JR_CU_FUNC_CLUSTER_WIDTH:
    case JR_CU_FUNC_CLUSTER_HEIGHT:
    case JR_CU_FUNC_CLUSTER_DEPTH: *value = (int)kernel->cluster[attribute - JR_CU_FUNC_CLUSTER_WIDTH]; break;
    case JR_CU_FUNC_CLUSTER_NON_PORTABLE: *value = kernel->wide_clusters; break;
    case JR_CU_FUNC_CLUSTER_SCHEDULING: *value = kernel->cluster_policy; break;
    default: return JR_CUDA_ERROR_INVALID_VALUE;
    }
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuFuncGetAttribute(int *value, int attribute, jr_cu_function function) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!value) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_kernel *kernel = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    return jrs_leave(&call, kernel ? read_attribute(kernel, attribute, value) : JR_CUDA_ERROR_INVALID_HANDLE);
}

/* What the kernel's text requires cannot be changed. */
static bool write_cluster(jrs_kernel *kernel, int attribute, int value) {
    enum { POLICIES = 3 };
    const unsigned extent = (unsigned)attribute - JR_CU_FUNC_CLUSTER_WIDTH;
    if (attribute == JR_CU_FUNC_CLUSTER_NON_PORTABLE) return kernel->wide_clusters = value != 0, true;
    if (attribute == JR_CU_FUNC_CLUSTER_SCHEDULING && value >= 0 && value < POLICIES)
        return kernel->cluster_policy = value, true;
    if (extent > 2 || value < 0) return false;
    if (kernel->code->required_cluster[0] && kernel->code->required_cluster[extent] != (unsigned)value) return false;
    kernel->cluster[extent] = (unsigned)value;
    return true;
}

static int write_attribute(jrs_kernel *kernel, int attribute, int value) {
    bool shared = attribute == JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES && value >= 0 &&
                  value <= JRS_SHARED_PER_BLOCK_OPTIN - (int)kernel->code->shared_bytes;
    bool carveout = attribute == JR_CU_FUNC_SHARED_CARVEOUT && value >= -1 && value <= 100;
    if (shared) kernel->max_dynamic_bytes = value;
    if (carveout) kernel->carveout = value;
    return shared || carveout || write_cluster(kernel, attribute, value) ? JR_CUDA_SUCCESS
                                                                         : JR_CUDA_ERROR_INVALID_VALUE;
}

jr_cu_result cuFuncSetAttribute(jr_cu_function function, int attribute, int value) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_kernel *kernel = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    return jrs_leave(&call, kernel ? write_attribute(kernel, attribute, value) : JR_CUDA_ERROR_INVALID_HANDLE);
}

jr_cu_result cuFuncGetParamInfo(jr_cu_function function, size_t index, size_t *offset, size_t *bytes) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    const jrs_kernel *kernel = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    if (!kernel) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    if (!offset || index >= kernel->code->parameter_count) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    *offset = kernel->code->parameters[index].offset;
    if (bytes) *bytes = kernel->code->parameters[index].bytes;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, jr_cu_function function, int block,
                                                         size_t shared_bytes) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!blocks || block <= 0) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_kernel *kernel = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    if (!kernel) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    *blocks = (int)jrs_occupancy_blocks(kernel, (unsigned)block, shared_bytes);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* The largest block among those with the most threads on a multiprocessor; sizes are multiples of a warp, but for the
 * limit itself. */
static void choose_block(const jrs_kernel *kernel, jr_cu_block_to_shared to_shared, size_t shared_bytes, int limit,
                         int *grid, int *block) {
    int most = 0;
    for (int size = (limit + JRS_WARP - 1) / JRS_WARP * JRS_WARP; size > 0; size -= JRS_WARP) {
        int threads = size < limit ? size : limit;
        size_t bytes = to_shared ? to_shared(threads) : shared_bytes;
        int blocks = (int)jrs_occupancy_blocks(kernel, (unsigned)threads, bytes);
        if (blocks * threads <= most) continue;
        most = blocks * threads;
        *block = threads;
        *grid = blocks * JRS_MULTIPROCESSORS;
    }
}

jr_cu_result cuOccupancyMaxPotentialBlockSize(int *grid, int *block, jr_cu_function function,
                                              jr_cu_block_to_shared to_shared, size_t shared_bytes, int block_limit) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!grid || !block || block_limit < 0) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_kernel *found = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_kernel kernel = *found;
    jrs_leave(&call, JR_CUDA_SUCCESS); /* the callback may call the driver */
    int limit = (int)max_threads(&kernel);
    if (block_limit > 0 && block_limit < limit) limit = block_limit;
    *grid = *block = 0;
    choose_block(&kernel, to_shared, shared_bytes, limit, grid, block);
    return JR_CUDA_SUCCESS;
}
