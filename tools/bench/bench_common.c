/* Opens devices and peers, fills buffers, starts processes and takes medians for the benchmarks. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/versions.h" /* tools/jitreduce */
#include "bench.h"

void bench_check(jr_status status, const char *action) {
    if (status == JR_OK) return;
    const jr_error *error = jr_last_error();
    fprintf(stderr, "%s: %s\n%s%s", action, error->message, error->log, error->log[0] != '\0' ? "\n" : "");
    exit(1);
}

void bench_driver(const bench_device *device, jr_cu_result result, const char *action) {
    if (result != JR_CUDA_SUCCESS) bench_check(jr_driver_check(&device->driver, result, "%s", action), action);
}

void bench_open(bench_device *device) {
    bench_check(jr_context_open(NULL, &device->context), "opening a context");
    device->info = JR_INIT(jr_device_info);
    bench_check(jr_context_device_info(device->context, &device->info), "describing the device");
    bench_check(jr_driver_open(NULL, NULL, device->info.simulated, NULL, &device->driver), "opening the driver");
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
    bench_demand(piece != NULL, "no host memory for %d bytes", PIECE_BYTES);
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

const peer *bench_peer(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    peer_get_fn get = NULL;
    if (library != NULL) *(void **)&get = dlsym(library, "peer_get");
    bench_demand(get != NULL, "%s is not a peer: %s", path, library == NULL ? dlerror() : "it has no peer_get");
    const peer *opened = get();
    bench_demand(opened->version == PEER_VERSION, "%s was built with another peer.h", path);
    return opened;
}

void bench_head(const bench_device *device, const peer *const *peers, int peer_count, int argc, char *const *argv) {
    const int cuda = device->info.driver_version;
    char driver[CLI_VERSION_BYTES] = "", nvrtc[CLI_VERSION_BYTES];
    if (!device->info.simulated) cli_driver_version(driver);
    bench_check(cli_nvrtc_version(nvrtc), "asking for versions");
    printf("# device: %s\n# driver: %s, CUDA %d.%d\n# nvrtc: %s\n# jitreduce: %s\n", device->info.name,
           driver[0] != '\0' ? driver : "unknown", cuda / 1000, cuda % 1000 / 10, nvrtc, jr_version());
    for (int p = 0; p < peer_count; p++) printf("# peer: %s\n", peers[p]->name);
    printf("# command:");
    for (int i = 0; i < argc; i++) {
        const char *name = strrchr(argv[i], '/');
        printf(" %s", name != NULL && (i == 0 || argv[i][0] == '/') ? name + 1 : argv[i]);
    }
    printf("\n");
}

int bench_number(const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    bench_demand(end != text && *end == '\0' && number >= INT_MIN && number <= INT_MAX, "'%s' is not a whole number",
                 text);
    return (int)number;
}

_Noreturn static void run_child(bench_measure measure, const void *options, double *numbers, int count, int out) {
    const size_t bytes = (size_t)count * sizeof *numbers;
    measure(options, numbers);
    fflush(NULL);
    _exit(write(out, numbers, bytes) == (ssize_t)bytes ? 0 : 1);
}

void bench_fresh(bench_measure measure, const void *options, double *numbers, int count) {
    const size_t bytes = (size_t)count * sizeof *numbers;
    int ends[2], status = 1;
    fflush(NULL);
    const pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) run_child(measure, options, numbers, count, ends[1]);
    if (child > 0) {
        close(ends[1]);
        if (read(ends[0], numbers, bytes) != (ssize_t)bytes) numbers[0] = 0;
        close(ends[0]);
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    }
    fprintf(stderr, "a process that measures %s\n", child > 0 ? "failed" : "could not be started");
    exit(1);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return count % 2 != 0 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}
