/* Opens devices, fills buffers and takes medians for the benchmarks. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

void bench_check(jr_status status, const char *action) {
    if (status == JR_OK) return;
    fprintf(stderr, "%s: %s\n%s", action, jr_last_error()->message, jr_last_error()->log);
    exit(1);
}

void bench_driver(const bench_device *device, jr_cu_result result, const char *action) {
    if (result != JR_CUDA_SUCCESS) bench_check(jr_driver_fail(&device->driver, result, "%s", action), action);
}

void bench_open(bench_device *device) {
    bench_check(jr_context_open(NULL, &device->context), "opening a context");
    bench_check(jr_context_device_info(device->context, &device->info), "describing the device");
    const jr_driver_request request = {NULL, device->info.simulated};
    bench_check(jr_driver_open(&request, NULL, &device->driver), "opening the driver");
    jr_cu_context context;
    bench_driver(device, device->driver.cuDevicePrimaryCtxRetain(&context, device->info.ordinal),
                 "retaining the context");
    bench_driver(device, device->driver.cuCtxSetCurrent(context), "setting the context");
}

void bench_close(bench_device *device) {
    jr_context_close(device->context);
    device->driver.cuDevicePrimaryCtxRelease_v2(device->info.ordinal);
    jr_driver_close(&device->driver);
}

jr_cu_deviceptr bench_fill(const bench_device *device, uint64_t bytes) {
    enum { PIECE_BYTES = 16 << 20 };
    jr_cu_deviceptr address = 0;
    float *piece = malloc(PIECE_BYTES);
    uint32_t state = 1;
    if (piece == NULL) {
        fprintf(stderr, "no host memory for %d bytes\n", PIECE_BYTES);
        exit(1);
    }
    bench_driver(device, device->driver.cuMemAlloc_v2(&address, bytes), "allocating device memory");
    for (size_t i = 0; i < PIECE_BYTES / sizeof *piece; i++) {
        state =
            state * 1664525u + 1013904223u; /* Numerical Recipes' generator: differing values are all that is asked */
        piece[i] = (float)(state >> 8) * 0x1p-24f;
    }
    for (uint64_t at = 0; at < bytes; at += PIECE_BYTES) {
        const uint64_t left = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
        bench_driver(device, device->driver.cuMemcpyHtoD_v2(address + at, piece, left), "copying");
    }
    free(piece);
    return address;
}

int bench_number(const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < INT_MIN || number > INT_MAX) {
        fprintf(stderr, "'%s' is no whole number\n", text);
        exit(1);
    }
    return (int)number;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return count % 2 != 0 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}
