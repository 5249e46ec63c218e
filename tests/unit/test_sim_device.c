/* The simulated device, initialisation and errors in words. */
#include <pthread.h>
#include <string.h>

#include "support/cases/sim_case.h"

/* The first one. */
TEST(calls_before_init_say_so) {
    int number = -5;
    jr_cu_context context = NULL;
    fails(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&number));
    fails(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
    fails(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
    assert_int_equal(number, -5);
    good(cuDriverGetVersion(&number));
    assert_int_equal(number, 13000);
    fails(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    fails(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(NULL));
}

TEST(device_is_a_small_hopper) {
    static const int expected[][2] = {{JR_CU_DEVICE_CAPABILITY_MAJOR, 9},
                                      {JR_CU_DEVICE_CAPABILITY_MINOR, 0},
                                      {JR_CU_DEVICE_WARP_SIZE, 32},
                                      {JR_CU_DEVICE_MAX_THREADS_PER_BLOCK, 1024},
                                      {JR_CU_DEVICE_THREADS_PER_MULTIPROCESSOR, 2048},
                                      {JR_CU_DEVICE_BLOCKS_PER_MULTIPROCESSOR, 32},
                                      {JR_CU_DEVICE_REGISTERS_PER_MULTIPROCESSOR, 65536},
                                      {JR_CU_DEVICE_SHARED_BYTES_PER_MULTIPROCESSOR, 233472},
                                      {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK, 49152},
                                      {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK_OPTIN, 232448},
                                      {JR_CU_DEVICE_RESERVED_SHARED_BYTES_PER_BLOCK, 1024},
                                      {JR_CU_DEVICE_CLUSTER_LAUNCH, 1},
                                      {JR_CU_DEVICE_MULTIPROCESSOR_COUNT, 8},
                                      {JR_CU_DEVICE_UNIFIED_ADDRESSING, 1}};
    jr_cu_device device = -1;
    int value;
    char name[64];
    good(cuInit(0));
    good(cuDeviceGetCount(&value));
    assert_int_equal(value, 1);
    good(cuDeviceGet(&device, 0));
    good(cuDeviceGetName(name, sizeof name, device));
    assert_string_equal(name, "jitreduce PTX simulator");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        good(cuDeviceGetAttribute(&value, expected[i][0], device));
        assert_int_equal(value, expected[i][1]);
    }
    good(cuDeviceGetAttribute(&value, JR_CU_DEVICE_L2_BYTES, device));
    assert_true(value > 0);
}

TEST(wrong_devices_and_attributes_are_refused) {
    jr_cu_device device = -1;
    int value = -5;
    size_t bytes = 0;
    char name[4];
    good(cuInit(0));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem_v2(&bytes, 7));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, 0, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(NULL, 1, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(name, 0, 0));
    assert_int_equal(device, -1);
    assert_int_equal(value, -5);
    good(cuDeviceGetName(name, sizeof name, 0)); /* cut to fit */
    assert_string_equal(name, "jit");
}

TEST(errors_have_names_and_sentences) {
    const char *text = NULL;
    good(cuGetErrorName(JR_CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    good(cuGetErrorString(JR_CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "out of memory");
    fails(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(123456, &text));
    assert_null(text);
    fails(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(0, NULL));
}

static void *init_and_count(void *argument) {
    (void)argument;
    int count = 0;
    return cuInit(0) == 0 && cuDeviceGetCount(&count) == 0 && count == 1 ? argument : NULL;
}

TEST(threads_may_initialise_at_once) {
    pthread_t threads[8];
    int token;
    for (int i = 0; i < 8; i++) assert_int_equal(pthread_create(&threads[i], NULL, init_and_count, &token), 0);
    for (int i = 0; i < 8; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, &token);
    }
}

RUN_TESTS(NULL, NULL)
