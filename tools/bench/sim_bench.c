/* sim_bench: CPU time that the simulator takes for kernels of everyday shapes, and for calls of our own.
 *
 * usage: sim_bench [rounds [program]]: all, or those whose name begins so
 * Each program runs once to compile, then `rounds` times. Printed as CSV: the least CPU seconds of this process in one
 * round, all threads together, and whether the values are right, by samples that the host computes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

/* All have the parameters (const float *a, const float *b, void *c, int n). */
static const char source[] =
    "#define KERNEL extern \"C\" __global__ void\n"
    "#define X (blockIdx.x * blockDim.x + threadIdx.x)\n"
    "#define Y (blockIdx.y * blockDim.y + threadIdx.y)\n"
    "KERNEL matmul_naive(const float *a, const float *b, float *c, int n) {\n"
    "    int j = X, i = Y; float s = 0;\n"
    "    for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];\n"
    "    c[i * n + j] = s;\n"
    "}\n"
    "KERNEL matmul_tiled(const float *a, const float *b, float *c, int n) {\n"
    "    __shared__ float A[16][16], B[16][17];\n"
    "    int x = threadIdx.x, y = threadIdx.y, j = X, i = Y; float s = 0;\n"
    "    for (int t = 0; t < n; t += 16) {\n"
    "        A[y][x] = a[i * n + t + x]; B[y][x] = b[(t + y) * n + j];\n"
    "        __syncthreads();\n"
    "        for (int k = 0; k < 16; k++) s += A[y][k] * B[k][x];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[i * n + j] = s;\n"
    "}\n"
    "KERNEL saxpy(const float *a, const float *b, float *c, int n) { int i = X; if (i < n) c[i] = 2 * a[i] + b[i]; }\n"
    "KERNEL reduce(const float *a, const float *b, float *c, int n) {\n"
    "    __shared__ float s[256]; float v = 0; int t = threadIdx.x;\n"
    "    for (int i = X; i < n; i += gridDim.x * blockDim.x) v += a[i];\n"
    "    s[t] = v;\n"
    "    __syncthreads();\n"
    "    for (int k = 128; k; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }\n"
    "    if (!t) c[blockIdx.x] = s[0];\n"
    "}\n"
    "KERNEL histogram(const unsigned char *a, const float *b, unsigned *c, int n) {\n"
    "    __shared__ unsigned s[256]; int t = threadIdx.x;\n"
    "    s[t] = 0;\n"
    "    __syncthreads();\n"
    "    for (int i = X; i < n; i += gridDim.x * 256) atomicAdd(&s[a[i]], 1u);\n"
    "    __syncthreads();\n"
    "    atomicAdd(&c[t], s[t]);\n"
    "}\n"
    "KERNEL n_body(const float4 *a, const float *b, float4 *c, int n) {\n"
    "    __shared__ float4 s[128]; int i = X; float4 me = a[i]; float x = 0, y = 0, z = 0;\n"
    "    for (int t = 0; t < n; t += 128) {\n"
    "        s[threadIdx.x] = a[t + threadIdx.x];\n"
    "        __syncthreads();\n"
    "        for (int k = 0; k < 128; k++) {\n"
    "            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;\n"
    "            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = s[k].w * r * r * r;\n"
    "            x += dx * f; y += dy * f; z += dz * f;\n"
    "        }\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[i] = make_float4(x, y, z, 0);\n"
    "}\n"
    "KERNEL mandelbrot(const float *a, const float *b, int *c, int n) {\n"
    "    int x = X, y = Y, k = 0; double u = 0, v = 0, p = -2 + 3.0 * x / n, q = -1.5 + 3.0 * y / n;\n"
    "    while (k < 200 && u * u + v * v < 4) { double t = u * u - v * v + p; v = 2 * u * v + q; u = t; k++; }\n"
    "    c[y * n + x] = k;\n"
    "}\n"
    "KERNEL xorshift(const float *a, const float *b, unsigned *c, int n) {\n"
    "    int i = X; unsigned s = i * 2654435761u + 1;\n"
    "    for (int k = 0; k < 100; k++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; }\n"
    "    c[i] = s;\n"
    "}\n";

/* ---- element k of c, by the host ---- */

typedef double wanted_fn(const float *a, const float *b, int n, int k);

static double matmul_at(const float *a, const float *b, int n, int k) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += (double)a[k / n * n + j] * (double)b[j * n + k % n];
    return sum;
}

static double saxpy_at(const float *a, const float *b, int n, int k) {
    (void)n;
    return (double)(2 * a[k] + b[k]);
}

/* What one block sums. */
static double reduce_at(const float *a, const float *b, int n, int k) {
    double sum = 0;
    (void)b;
    for (int from = k * 256; from < n; from += 512 * 256)
        for (int i = from; i < from + 256 && i < n; i++) sum += (double)a[i];
    return sum;
}

static double histogram_at(const float *a, const float *b, int n, int k) {
    int count = 0;
    (void)b;
    for (int i = 0; i < n; i++) count += ((const unsigned char *)a)[i] == k;
    return count;
}

static double n_body_at(const float *a, const float *b, int n, int k) {
    const float *me = a + k / 4 * 4;
    double sum = 0;
    (void)b;
    for (const float *p = a; p < a + 4 * n; p += 4) {
        const double d[3] = {(double)(p[0] - me[0]), (double)(p[1] - me[1]), (double)(p[2] - me[2])};
        if (k % 4 < 3) sum += d[k % 4] * (double)p[3] * pow(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01, -1.5);
    }
    return sum;
}

static double mandelbrot_at(const float *a, const float *b, int n, int k) {
    double u = 0, v = 0, p = -2 + 3.0 * (k % n) / n, q = -1.5 + 3.0 * (double)(k / n) / n; /* NOLINT: whole row */
    int rounds = 0;
    (void)a, (void)b;
    for (; rounds < 200 && u * u + v * v < 4; rounds++) {
        const double t = u * u - v * v + p;
        v = 2 * u * v + q;
        u = t;
    }
    return rounds;
}

static double xorshift_at(const float *a, const float *b, int n, int k) {
    unsigned s = (unsigned)k * 2654435761u + 1;
    (void)a, (void)b, (void)n;
    for (int r = 0; r < 100; r++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
    }
    return s;
}

/* ---- programs ---- */

typedef struct program {
    const char *name;
    wanted_fn *wanted;
    int whole; /* c holds whole numbers */
    unsigned grid[2], block[2];
    int n;
    uint64_t in_count, out_count; /* elements of 4 bytes: of a and of b, of c */
} program;

static const program programs[] = {
    {"matmul_naive", matmul_at, 0, {32, 32}, {16, 16}, 512, 512 * 512, 512 * 512},
    {"matmul_tiled", matmul_at, 0, {32, 32}, {16, 16}, 512, 512 * 512, 512 * 512},
    {"saxpy", saxpy_at, 0, {39063, 1}, {256, 1}, 10000000, 10000000, 10000000},
    {"reduce", reduce_at, 0, {512, 1}, {256, 1}, 100000000, 100000000, 512},
    {"histogram", histogram_at, 1, {64, 1}, {256, 1}, 10000000, 2500000, 256},
    {"n_body", n_body_at, 0, {16, 1}, {128, 1}, 2048, 8192, 8192},
    {"mandelbrot", mandelbrot_at, 1, {32, 32}, {16, 16}, 512, 1, 512 * 512},
    {"xorshift", xorshift_at, 1, {4096, 1}, {256, 1}, 1 << 20, 1, 1 << 20},
};

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static float *numbers(uint64_t count) {
    float *made = malloc((size_t)count * sizeof *made);
    bench_demand(made != NULL, "no host memory for %llu numbers", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) made[i] = (float)(i % 1009) * 0.001f;
    return made;
}

static void *on_device(jr_context *context, const void *from, uint64_t bytes) {
    void *address;
    bench_check(jr_memory_new(context, bytes, &address), "allocating");
    bench_check(jr_memory_write(context, address, from, bytes), "writing");
    return address;
}

static int is_right(const program *of, const float *a, const float *b, const void *c) {
    enum { SAMPLES = 7 };
    for (int s = 0; s < SAMPLES; s++) {
        const int k = (int)((uint64_t)s * 0x9e3779b1u % of->out_count);
        const double wanted = of->wanted(a, b, of->n, k);
        const double found = of->whole ? (double)((const unsigned *)c)[k] : (double)((const float *)c)[k];
        if (!(fabs(found - wanted) <= (of->whole ? 0 : 1e-3 * fabs(wanted) + 1e-3))) return 0;
    }
    return 1;
}

static void run_program(jr_context *context, const program *of, int rounds) {
    const jr_program text = JR_INIT(jr_program, .name = "sim_bench", .source = source, .entry = of->name);
    const jr_launch launch =
        JR_INIT(jr_launch, .grid = {of->grid[0], of->grid[1]}, .block = {of->block[0], of->block[1]});
    const uint64_t out_bytes = of->out_count * 4;
    float *a = numbers(of->in_count), *b = numbers(of->in_count), *c = calloc(of->out_count, 4);
    bench_demand(c != NULL, "no host memory for results");
    void *const zeros = calloc(of->out_count, 4);
    void *on_a = on_device(context, a, of->in_count * 4), *on_b = on_device(context, b, of->in_count * 4);
    void *on_c = on_device(context, c, out_bytes);
    int n = of->n;
    double least = INFINITY;
    jr_kernel *kernel;
    bench_check(jr_kernel_get(context, &text, &kernel), "compiling");
    for (int r = 0; r <= rounds; r++) {
        bench_check(jr_memory_write(context, on_c, zeros, out_bytes), "writing");
        const double begin = cpu_seconds();
        bench_check(jr_kernel_launch(kernel, &launch, (void *[]){&on_a, &on_b, &on_c, &n}), "launching");
        bench_check(jr_stream_wait(context, NULL), "waiting");
        if (r > 0) least = fmin(least, cpu_seconds() - begin);
    }
    bench_check(jr_memory_read(context, c, on_c, out_bytes), "reading");
    printf("%s,%.6f,%s\n", of->name, least, is_right(of, a, b, c) ? "yes" : "no");
    jr_memory_free(context, on_a);
    jr_memory_free(context, on_b);
    jr_memory_free(context, on_c);
    free(a), free(b), free(c), free(zeros);
}

/* ---- our own reductions and scans of arrays in host memory ---- */

typedef struct call {
    const char *name;
    jr_work_kind kind;
    jr_segment_kind layout; /* JR_SEGMENTS_STRIDED: columns; else none */
    uint64_t count;
    int calls; /* of one round */
} call;

static const call calls[] = {
    {"sum", JR_WORK_REDUCE, 0, 100000000, 1},
    {"sum_of_ten", JR_WORK_REDUCE, 0, 10, 1000},
    {"sum_of_columns", JR_WORK_REDUCE, JR_SEGMENTS_STRIDED, 1 << 20, 10},
    {"cumulative_sum", JR_WORK_SCAN_INCLUSIVE, 0, 1 << 20, 10},
};

/* The last result. */
static double last_of(const call *of, const float *a) {
    const uint64_t step = of->layout == JR_SEGMENTS_STRIDED ? 1024 : 1;
    double sum = 0;
    for (uint64_t i = step - 1; i < of->count; i += step) sum += (double)a[i];
    return sum;
}

static void run_call(jr_context *context, const call *of, int rounds) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_segment_layout columns =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = 1024, .inner = 1024);
    const int strided = of->layout == JR_SEGMENTS_STRIDED, reduces = of->kind == JR_WORK_REDUCE;
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = of->kind, .layout = strided ? &columns : NULL);
    float *a = numbers(of->count), *out = calloc(reduces ? 1024 : of->count, sizeof *out);
    bench_demand(out != NULL, "no host memory for results");
    jr_value value;
    jr_work_data data = JR_INIT(jr_work_data, .in = (const void *[]){a}, .count = of->count, .out = out);
    if (strided) data.segments = 1024;
    if (reduces && !strided) data.out = NULL, data.values = &value;
    double least = INFINITY;
    for (int r = 0; r <= rounds; r++) {
        const double begin = cpu_seconds();
        for (int k = 0; k < of->calls; k++) bench_check(jr_work_run_host(context, &work, &data), "calling");
        if (r > 0) least = fmin(least, (cpu_seconds() - begin) / of->calls);
    }
    const double found = data.values ? (double)value.as.f32 : (double)out[strided ? 1023 : of->count - 1];
    const int right = fabs(found - last_of(of, a)) <= 1e-4 * fabs(found);
    printf("%s,%.6f,%s\n", of->name, least, right ? "yes" : "no");
    free(a), free(out);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? bench_number(argv[1]) : 5;
    const char *begins = argc > 2 ? argv[2] : "";
    jr_context *context;
    bench_check(jr_context_open(&JR_INIT(jr_options, .device = "sim"), &context), "opening the simulator");
    printf("program,cpu_seconds,right\n");
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        if (strncmp(programs[k].name, begins, strlen(begins)) == 0) run_program(context, &programs[k], rounds);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (strncmp(calls[k].name, begins, strlen(begins)) == 0) run_call(context, &calls[k], rounds);
    jr_context_close(context);
    return 0;
}
