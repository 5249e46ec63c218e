/* Modules and functions of the simulator: what is loaded, what is refused, attributes, occupancy. */
#include <string.h>

#include "support/cases/sim_case.h"

static int load(const char *image) {
    jr_cu_module module = NULL;
    int error = cuModuleLoadData(&module, image);
    if (!error) good(cuModuleUnload(module));
    return error;
}

TEST_BETWEEN(images_that_are_no_ptx_for_this_device_are_refused, sim_open, sim_close) {
    static const char fatbin[16] = {0x50, (char)0xed, 0x55, (char)0xba, 1, 0, 16, 0};
    fails(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(NULL, sim_ptx));
    fails(CUDA_ERROR_INVALID_VALUE, load(NULL));
    fails(CUDA_ERROR_NO_BINARY_FOR_GPU, load("\177ELF\2\1\1"));
    fails(CUDA_ERROR_NO_BINARY_FOR_GPU, load(fatbin));
    fails(CUDA_ERROR_INVALID_IMAGE, load(""));
    fails(CUDA_ERROR_INVALID_IMAGE, load("garbage"));
    fails(CUDA_ERROR_INVALID_IMAGE, load("/* never closed"));
    fails(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, load(".version 10.0\n.target sm_90\n.address_size 64\n"));
    fails(CUDA_ERROR_NO_BINARY_FOR_GPU, load(".version 9.0\n.target sm_100\n.address_size 64\n"));
    fails(CUDA_ERROR_NO_BINARY_FOR_GPU, load(".version 9.0\n.target sm_80a\n.address_size 64\n"));
    fails(CUDA_ERROR_INVALID_PTX, load(".version 9.0\n.address_size 64\n"));
    fails(CUDA_ERROR_INVALID_PTX, load(".version x\n.target sm_90\n"));
    assert_int_equal(jrsim_live("modules"), 1);
}

TEST_BETWEEN(comments_and_older_targets_are_fine, sim_open, sim_close) {
    good(load("// made by\n/* somebody */\n\t.version 9.0\n.target sm_90a\n.address_size 64\n"
              ".visible .entry nothing()\n{\nret;\n}\n"));
    good(load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n"));
}

TEST_BETWEEN(a_jit_error_stands_in_the_log, sim_open, sim_close) {
    static const char broken[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nmov.u32 %nonsense, 1;\n}\n";
    char log[256] = "untouched", info[16] = "untouched";
    int options[] = {JR_CU_JIT_ERROR_LOG_BUFFER, JR_CU_JIT_ERROR_LOG_BUFFER_BYTES, JR_CU_JIT_INFO_LOG_BUFFER,
                     JR_CU_JIT_INFO_LOG_BUFFER_BYTES};
    void *values[] = {log, (void *)sizeof log, info, (void *)sizeof info};
    jr_cu_module module = NULL;
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, broken, 4, options, values));
    assert_null(module);
    assert_non_null(strstr(log, "nonsense"));
    assert_int_equal((uintptr_t)values[1], strlen(log) + 1);
    assert_string_equal(info, "");
    values[1] = (void *)5;
    fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&module, broken, 2, options, values));
    assert_int_equal(strlen(log), 4); /* cut to fit */
    fails(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, broken, 1, NULL, values));
    fails(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, broken, 1, &(int){999}, values));
    values[1] = (void *)sizeof log;
    good(cuModuleLoadDataEx(&module, sim_ptx, 2, options, values));
    assert_string_equal(log, "");
    assert_int_equal((uintptr_t)values[1], 0);
    good(cuModuleUnload(module));
}

TEST_BETWEEN(names_are_found_or_not, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_function function = NULL;
    jr_cu_deviceptr address = 0;
    size_t bytes = 0;
    fails(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, sim->module, "absent"));
    fails(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&function, sim->module, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, NULL, "fill"));
    fails(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, (jr_cu_module)sim->context, "fill"));
    fails(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&address, &bytes, sim->module, "absent"));
    assert_null(function);
    assert_ptr_equal(sim_function(sim, "fill"), sim_function(sim, "fill"));
    good(cuModuleGetGlobal_v2(&address, &bytes, sim->module, "counter"));
    assert_int_equal(bytes, 4);
    assert_int_equal(sim_read(address), 7);
    good(cuModuleGetGlobal_v2(NULL, &bytes, sim->module, "limits"));
    assert_int_equal(bytes, 16);
}

TEST_BETWEEN(variables_live_as_long_as_their_module, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_module second = NULL;
    jr_cu_deviceptr mine = 0, other = 0, out = sim_alloc(8);
    unsigned words[2];
    good(cuModuleLoadData(&second, sim_ptx));
    good(cuModuleGetGlobal_v2(&mine, NULL, sim->module, "counter"));
    good(cuModuleGetGlobal_v2(&other, NULL, second, "counter"));
    assert_true(mine != other);
    for (int i = 0; i < 3; i++) good(sim_launch(sim_function(sim, "count"), NULL, out));
    good(cuMemcpyDtoH_v2(words, out, sizeof words));
    assert_int_equal(words[0], 9);
    assert_int_equal(words[1], 4);
    assert_int_equal(sim_read(mine), 10);
    assert_int_equal(sim_read(other), 7);
    good(cuModuleUnload(second));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(words, other, 4));
    fails(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(second));
    good(cuMemFree_v2(out));
}

static int attribute(jr_cu_function function, int which) {
    int value = -1;
    good(cuFuncGetAttribute(&value, which, function));
    return value;
}

TEST_BETWEEN(functions_have_attributes, sim_open, sim_close) {
    const sim_case *sim = *state;
    int value = -7;
    jr_cu_function bounded = sim_function(sim, "bounded"), nothing = sim_function(sim, "nothing");
    assert_int_equal(attribute(bounded, JR_CU_FUNC_SHARED_BYTES), 1024);
    assert_int_equal(attribute(bounded, JR_CU_FUNC_MAX_THREADS_PER_BLOCK), 128);
    assert_int_equal(attribute(nothing, JR_CU_FUNC_MAX_THREADS_PER_BLOCK), 1024);
    assert_int_equal(attribute(bounded, JR_CU_FUNC_PTX_VERSION), 90);
    assert_int_equal(attribute(bounded, JR_CU_FUNC_BINARY_VERSION), 90);
    assert_int_equal(attribute(bounded, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES), 48 * 1024 - 1024);
    assert_true(attribute(bounded, JR_CU_FUNC_REGISTERS) > 0);
    good(cuFuncSetAttribute(bounded, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES, 226 * 1024));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(bounded, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES, 226 * 1024 + 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(bounded, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES, -1));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(bounded, JR_CU_FUNC_REGISTERS, 3));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, 99, bounded));
    fails(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, 0, NULL));
    assert_int_equal(value, -7);
}

TEST_BETWEEN(functions_tell_their_parameters_one_by_one, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_function fill = sim_function(sim, "fill");
    const size_t offsets[] = {0, 8, 12}, sizes[] = {8, 4, 4};
    size_t offset, bytes;
    for (size_t i = 0; i < 3; i++) {
        good(cuFuncGetParamInfo(fill, i, &offset, &bytes));
        assert_int_equal(offset, offsets[i]);
        assert_int_equal(bytes, sizes[i]);
    }
    good(cuFuncGetParamInfo(fill, 1, &offset, NULL));
    assert_int_equal(offset, 8);
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(fill, 3, &offset, &bytes));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(fill, 0, NULL, &bytes));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(sim_function(sim, "nothing"), 0, &offset, &bytes));
    fails(CUDA_ERROR_INVALID_HANDLE, cuFuncGetParamInfo(NULL, 0, &offset, &bytes));
}

static int blocks(jr_cu_function function, int threads, size_t shared) {
    int count = -1;
    good(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, threads, shared));
    return count;
}

static size_t shared_by_threads(int threads) {
    return (size_t)threads * 64;
}

TEST_BETWEEN(occupancy_follows_the_four_limits, sim_open, sim_close) {
    const sim_case *sim = *state;
    int count, grid = 0, block = 0;
    jr_cu_function nothing = sim_function(sim, "nothing"), bounded = sim_function(sim, "bounded");
    assert_int_equal(blocks(nothing, 1, 0), 32);  /* blocks */
    assert_int_equal(blocks(nothing, 256, 0), 8); /* warps */
    assert_int_equal(blocks(nothing, 1024, 0), 2);
    assert_int_equal(blocks(nothing, 96, 0), 21);
    assert_int_equal(blocks(nothing, 128, 48 << 10), 4);       /* 228 KiB / (48 + 1) */
    assert_int_equal(blocks(nothing, 128, (48 << 10) + 1), 0); /* over the function's limit */
    assert_int_equal(blocks(bounded, 128, 0), 16);
    assert_int_equal(blocks(bounded, 129, 0), 0);
    fails(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, nothing, 0, 0));
    good(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 0));
    assert_int_equal(block, 1024);
    assert_int_equal(grid, 16);
    good(cuOccupancyMaxPotentialBlockSize(&grid, &block, bounded, NULL, 0, 0));
    assert_int_equal(block, 128);
    assert_int_equal(grid, 128);
    good(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, shared_by_threads, 0, 500));
    assert_int_equal(block, 256); /* 8 blocks of 256 threads beat 4 of 500 */
    assert_int_equal(grid, 64);
}

RUN_TESTS(NULL, NULL)
