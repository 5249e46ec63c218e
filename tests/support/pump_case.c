/* Arrays, a pump for them, and copies made on the device. */
#include "support/pump_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/context.h"

static const char warp_copy[] = "extern \"C\" __global__ void warp_copy(char *to, const char *from, int bytes) {\n"
                                "    for (int i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];\n"
                                "}\n";

enum { FLIPPED = 0x5a };
static const char flip[] = "extern \"C\" __global__ void flip(char *to, const char *from, int bytes) {\n"
                           "    for (int i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i] ^ 0x5a;\n"
                           "}\n";

static uint64_t bytes_of(const pump_case *pumped, int array) {
    return pumped->request.count * pumped->request.arrays[array].element_bytes;
}

static void begin_array(pump_case *pumped, int array) {
    const uint64_t bytes = bytes_of(pumped, array);
    uint64_t seed = bytes + (uint64_t)array;
    pumped->owns_data[array] = pumped->data[array] == NULL;
    if (pumped->owns_data[array]) pumped->data[array] = malloc(bytes + 1);
    assert_non_null(pumped->data[array]);
    for (uint64_t i = 0; i < bytes; i++) pumped->data[array][i] = (unsigned char)random_bits(&seed);
    pumped->request.arrays[array].data = pumped->data[array];
    pumped->d_copies[array] = device_new(pumped->device, bytes + 1);
}

static jr_kernel *kernel_of(const opened *device, const char *name, const char *source) {
    const jr_program program = JR_INIT(jr_program, .name = name, .source = source, .entry = name);
    jr_kernel *kernel = NULL;
    works(jr_kernel_get(device->context, &program, &kernel));
    return kernel;
}

static void expect_results(const pump_case *pumped) {
    for (uint64_t i = 0; i < bytes_of(pumped, 0); i++) pumped->wanted[i] = pumped->data[0][i] ^ FLIPPED;
}

static void begin_results(pump_case *pumped) {
    const uint64_t bytes = bytes_of(pumped, 0);
    jr_pump_results *results = &pumped->request.results;
    if (results->upon_first) results->data = pumped->data[0];
    pumped->owns_results = results->data == NULL;
    if (pumped->owns_results) results->data = malloc(bytes + 1);
    pumped->wanted = malloc(bytes + 1);
    assert_non_null(results->data);
    assert_non_null(pumped->wanted);
    pumped->request.result_count = pumped->request.count;
    pumped->flip = kernel_of(pumped->device, "flip", flip);
    expect_results(pumped);
}

void pump_case_begin(pump_case *pumped, const jr_pump_request *request) {
    pumped->request = *request;
    if (request->array_count == 0) {
        pumped->request.array_count = 1;
        pumped->request.arrays[0].element_bytes = 1;
    }
    for (int i = 0; i < pumped->request.array_count; i++) begin_array(pumped, i);
    if (pumped->slow) pumped->kernel = kernel_of(pumped->device, "warp_copy", warp_copy);
    if (request->results.bytes > 0) begin_results(pumped);
    works(jr_pump_open(&pumped->device->context->device, &pumped->request, &pumped->pump));
}

void pump_case_end(pump_case *pumped) {
    jr_pump_close(pumped->pump);
    for (int i = 0; i < pumped->request.array_count; i++) {
        device_free(pumped->device, pumped->d_copies[i]);
        if (pumped->owns_data[i]) free(pumped->data[i]);
    }
    free(pumped->wanted);
    if (pumped->owns_results) free(pumped->request.results.data);
}

/* What is wrong with a chunk, NULL for nothing. */
static const char *fault_of(const pump_case *pumped, const jr_chunk *chunk) {
    const jr_pump_request *request = &pumped->request;
    const bool last = chunk->first + chunk->count == request->count;
    uint64_t bytes = 0;
    if (chunk->index != pumped->chunks || chunk->first != pumped->next) return "out of order";
    if (chunk->count == 0 || chunk->count > request->count - chunk->first) return "of a wrong size";
    if (!last && chunk->count % request->granule_count != 0) return "no multiple of the granule";
    if (last != (chunk->index + 1 == jr_pump_chunk_count(pumped->pump))) return "not the last, or too early";
    for (int i = 0; i < request->array_count; i++) {
        if (chunk->in[i] % 16 != 0) return "not aligned";
        bytes += chunk->count * request->arrays[i].element_bytes;
    }
    if (request->limit_bytes > 0 && bytes * JR_PUMP_BUFFERS > request->limit_bytes) return "over the limit";
    return NULL;
}

static jr_status copy(const pump_case *pumped, const jr_chunk *chunk, int array) {
    const uint64_t element_bytes = pumped->request.arrays[array].element_bytes;
    unsigned char *to = pumped->d_copies[array] + chunk->first * element_bytes;
    jr_cu_deviceptr from = chunk->in[array];
    int bytes = (int)(chunk->count * element_bytes);
    void *args[] = {&to, &from, &bytes};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {32}, .stream = chunk->stream);
    if (pumped->kernel != NULL) return jr_kernel_launch(pumped->kernel, &launch, args);
    const jr_driver *driver = &pumped->device->driver;
    const jr_cu_result result = driver->cuMemcpyDtoDAsync_v2(device_address(to), from, (size_t)bytes, chunk->stream);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_check(driver, result, "copying a chunk");
}

static jr_status make_results(const pump_case *pumped, const jr_chunk *chunk) {
    jr_cu_deviceptr to = chunk->out, from = chunk->in[0];
    int bytes = (int)(chunk->count * pumped->request.results.bytes);
    void *args[] = {&to, &from, &bytes};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {256}, .stream = chunk->stream);
    return jr_kernel_launch(pumped->flip, &launch, args);
}

jr_status pump_case_callback(void *user, const jr_chunk *chunk) {
    pump_case *pumped = user;
    const char *fault = fault_of(pumped, chunk);
    if (fault != NULL) return jr_fail(JR_ERROR_DRIVER, "chunk %d is %s", (int)chunk->index, fault);
    pumped->chunks++;
    pumped->next += chunk->count;
    if (pumped->chunks == pumped->fail_at)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "enough at chunk %d", (int)chunk->index);
    jr_status status = JR_OK;
    for (int i = 0; i < pumped->request.array_count && status == JR_OK; i++) status = copy(pumped, chunk, i);
    return status == JR_OK && pumped->wanted != NULL ? make_results(pumped, chunk) : status;
}

static void compare_array(const pump_case *pumped, int array) {
    const uint64_t bytes = bytes_of(pumped, array);
    unsigned char *back = malloc(bytes + 1);
    assert_non_null(back);
    if (bytes > 0) device_read(pumped->device, back, pumped->d_copies[array], bytes);
    const int difference = bytes > 0 ? memcmp(back, pumped->data[array], bytes) : 0;
    free(back);
    if (difference != 0) fail_msg("the copy of array %d, %llu bytes, differs", array, (unsigned long long)bytes);
}

void pump_case_compare(const pump_case *pumped) {
    assert_int_equal(pumped->next, pumped->request.count);
    const bool upon = pumped->request.results.upon_first;
    for (int i = upon ? 1 : 0; i < pumped->request.array_count; i++) compare_array(pumped, i);
    if (pumped->wanted != NULL) assert_memory_equal(pumped->request.results.data, pumped->wanted, bytes_of(pumped, 0));
}

void pump_case_run(pump_case *pumped) {
    const jr_driver *driver = &pumped->device->driver;
    pumped->chunks = pumped->next = 0;
    for (int i = 0; i < pumped->request.array_count; i++)
        drives(driver->cuMemsetD8_v2(device_address(pumped->d_copies[i]), 0, bytes_of(pumped, i) + 1));
    drives(driver->cuCtxSynchronize());
    if (pumped->wanted != NULL) expect_results(pumped);
    works(jr_pump_run(pumped->pump, pump_case_callback, pumped));
    pump_case_compare(pumped);
}

uint64_t pump_case_arrives(const opened *device, const jr_pump_request *request, bool staged) {
    pump_case pumped = {.device = device};
    pump_case_begin(&pumped, request);
    assert_int_equal(jr_pump_stages(pumped.pump), staged);
    pump_case_run(&pumped);
    pump_case_end(&pumped);
    return pumped.chunks;
}
