/* The simulated devices: a table of attributes, and the settings that shape them. */
#include "sim_device.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "loader/cuda_abi.h"

/* Warp instructions of one CPU thread without progress (see exec/scheduler/standstill.c, which also bounds polling by
 * time). An endless loop is reported within half a minute, while a block may still fold thousands of millions of
 * elements before its first store. */
static const uint64_t default_step_limit = UINT64_C(1) << 29;

static const struct {
    int attribute, value;
} attributes[] = {
    {JR_CU_DEVICE_MAX_THREADS_PER_BLOCK, JRS_THREADS_PER_BLOCK},
    {JR_CU_DEVICE_MAX_BLOCK_DIM_X, JRS_THREADS_PER_BLOCK},
    {JR_CU_DEVICE_MAX_BLOCK_DIM_Y, JRS_THREADS_PER_BLOCK},
    {JR_CU_DEVICE_MAX_BLOCK_DIM_Z, JRS_BLOCK_Z},
    {JR_CU_DEVICE_MAX_GRID_DIM_X, INT_MAX},
    {JR_CU_DEVICE_MAX_GRID_DIM_Y, JRS_GRID_YZ},
    {JR_CU_DEVICE_MAX_GRID_DIM_Z, JRS_GRID_YZ},
    {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK, JRS_SHARED_PER_BLOCK},
    {JR_CU_DEVICE_TOTAL_CONSTANT_BYTES, JRS_CONSTANT_BYTES},
    {JR_CU_DEVICE_WARP_SIZE, JRS_WARP},
    {JR_CU_DEVICE_REGISTERS_PER_BLOCK, JRS_REGISTERS},
    {JR_CU_DEVICE_CLOCK_KHZ, 1000000},
    {JR_CU_DEVICE_MULTIPROCESSOR_COUNT, JRS_MULTIPROCESSORS},
    {JR_CU_DEVICE_KERNEL_TIMEOUT, 0},
    {JR_CU_DEVICE_INTEGRATED, 0},
    {JR_CU_DEVICE_CAN_MAP_HOST_MEMORY, 1},
    {JR_CU_DEVICE_COMPUTE_MODE, 0},
    {JR_CU_DEVICE_CONCURRENT_KERNELS, 0}, /* one queue a device: see queue.h */
    {JR_CU_DEVICE_ECC, 0},
    {JR_CU_DEVICE_MEMORY_CLOCK_KHZ, 1000000}, /* with the bus: 16 GB/s, of a CPU's order */
    {JR_CU_DEVICE_MEMORY_BUS_BITS, 64},
    {JR_CU_DEVICE_THREADS_PER_MULTIPROCESSOR, JRS_WARPS_PER_MULTIPROCESSOR *JRS_WARP},
    {JR_CU_DEVICE_ASYNC_ENGINES, 0},
    {JR_CU_DEVICE_UNIFIED_ADDRESSING, 1},
    {JR_CU_DEVICE_CAPABILITY_MAJOR, JRS_CAPABILITY / 10},
    {JR_CU_DEVICE_CAPABILITY_MINOR, JRS_CAPABILITY % 10},
    {JR_CU_DEVICE_SHARED_BYTES_PER_MULTIPROCESSOR, JRS_SHARED_PER_MULTIPROCESSOR},
    {JR_CU_DEVICE_REGISTERS_PER_MULTIPROCESSOR, JRS_REGISTERS},
    {JR_CU_DEVICE_MANAGED_MEMORY, 0},
    {JR_CU_DEVICE_CAN_USE_HOST_POINTER, 1},
    {JR_CU_DEVICE_COOPERATIVE_LAUNCH, 1},
    {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK_OPTIN, JRS_SHARED_PER_BLOCK_OPTIN},
    {JR_CU_DEVICE_BLOCKS_PER_MULTIPROCESSOR, JRS_BLOCKS_PER_MULTIPROCESSOR},
    {JR_CU_DEVICE_RESERVED_SHARED_BYTES_PER_BLOCK, JRS_SHARED_RESERVED},
    {JR_CU_DEVICE_CLUSTER_LAUNCH, 1},
};

/* The host's last cache plays the part of L2: both stand before the memory. */
static int l2_bytes(void) {
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 && bytes <= INT_MAX ? (int)bytes : 8 << 20;
}

bool jrs_device_attribute(int attribute, int *value) {
    if (attribute == JR_CU_DEVICE_L2_BYTES) {
        *value = l2_bytes();
        return true;
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attribute != attribute) continue;
        *value = attributes[i].value;
        return true;
    }
    return false;
}

/* A setting that is not set leaves *value as it is. */
static bool read_number(jr_setting setting, uint64_t least, uint64_t most, uint64_t *value, char *why) {
    const char *text = jr_setting_get(setting);
    if (!text || !*text) return true;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (errno || *end || strchr(text, '-') || number < least || number > most) {
        snprintf(why, JRS_WHY_BYTES, "%s is '%.100s', which is not a whole number from %" PRIu64 " to %" PRIu64,
                 jr_setting_variable(setting), text, least, most);
        return false;
    }
    *value = number;
    return true;
}

/* One of three words. A setting that is not set leaves *value as it is. */
static bool read_word(jr_setting setting, const char *const words[3], unsigned *value, char *why) {
    const char *text = jr_setting_get(setting);
    if (!text || !*text) return true;
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(text, words[i]) != 0) continue;
        *value = i;
        return true;
    }
    snprintf(why, JRS_WHY_BYTES, "%s is '%.100s', which is not one of %s, %s and %s", jr_setting_variable(setting),
             text, words[0], words[1], words[2]);
    return false;
}

static bool read_words(jrs_device_options *options, char *why) {
    static const char *const judges[] = {
        [JRS_JUDGE_STRICT] = "strict", [JRS_JUDGE_WARN] = "warn", [JRS_JUDGE_OFF] = "off"};
    static const char *const natives[] = {[JRS_NATIVE_OFF] = "off", [JRS_NATIVE_ON] = "on", [JRS_NATIVE_ONLY] = "only"};
    unsigned judge = options->judge, native = options->native;
    if (!read_word(JR_SETTING_SIM_JUDGE, judges, &judge, why) ||
        !read_word(JR_SETTING_SIM_NATIVE, natives, &native, why))
        return false;
    options->judge = (jrs_judge)judge;
    options->native = (jrs_native_mode)native;
    return true;
}

/* ":number", the whole rest of the text when it is the last. */
static bool read_part(const char *text, char after, uint64_t *number, const char **end) {
    char *stop;
    if (*text != ':' || text[1] < '0' || text[1] > '9') return false;
    *number = strtoull(text + 1, &stop, 10);
    *end = stop;
    return *stop == after;
}

static bool read_trace(jrs_device_options *options, char *why) {
    const char *text = jr_setting_get(JR_SETTING_SIM_TRACE), *end;
    if (!text || !*text) return true;
    size_t length = strcspn(text, ":");
    if (length == 0 || length >= JRS_NAME_BYTES || !read_part(text + length, ':', &options->trace_block, &end) ||
        !read_part(end, '\0', &options->trace_warp, &end)) {
        snprintf(why, JRS_WHY_BYTES, "%s is '%.300s', which is not kernel:block:warp with numbers for block and warp",
                 jr_setting_variable(JR_SETTING_SIM_TRACE), text);
        return false;
    }
    memcpy(options->trace_kernel, text, length);
    options->trace_kernel[length] = '\0';
    return true;
}

static uint64_t positive(long value, uint64_t otherwise) {
    return value > 0 ? (uint64_t)value : otherwise;
}

bool jrs_device_configure(jrs_device_options *options, char *why) {
    uint64_t pages = positive(sysconf(_SC_PHYS_PAGES), 1 << 20), page = positive(sysconf(_SC_PAGESIZE), 4096);
    uint64_t threads = positive(sysconf(_SC_NPROCESSORS_ONLN), 1), devices = 1;
    jrs_device_options found = {.step_limit = default_step_limit};
    if (threads > JRS_CPU_THREADS_MAX) threads = JRS_CPU_THREADS_MAX;
    if (!read_number(JR_SETTING_SIM_DEVICES, 1, JRS_DEVICES, &devices, why)) return false;
    found.memory_bytes = pages * page / 2 / devices;
    if (!read_number(JR_SETTING_SIM_MEMORY_BYTES, 1, UINT64_MAX, &found.memory_bytes, why) ||
        !read_number(JR_SETTING_SIM_THREADS, 1, JRS_CPU_THREADS_MAX, &threads, why) ||
        !read_number(JR_SETTING_SIM_SEED, 0, UINT64_MAX, &found.seed, why) ||
        !read_number(JR_SETTING_SIM_STEP_LIMIT, 0, UINT64_MAX, &found.step_limit, why) || !read_words(&found, why) ||
        !read_trace(&found, why))
        return false;
    found.threads = (unsigned)threads;
    found.devices = (unsigned)devices;
    *options = found;
    return true;
}
