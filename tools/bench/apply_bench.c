/* apply_bench: rows that are reduced and applied, in comparison with copies of the same bytes.
 *
 * usage: apply_bench [rounds [formula [rows length [type [BLOCKxUNROLL...]]]]]: all, or those of one name, one shape,
 * one type; ours as it is chosen, and with the tunings that are asked for Each run takes the next of several buffers,
 * of 160 MB in all or more, so that no run finds its input in the caches. The peers are the driver's copy and kernels
 * that copy by 16-byte loads, 1 and 4 of a thread; the fastest is the denominator. All take turns as replays of graphs.
 * Printed as CSV: microseconds (medians), the copy's time over ours, and how far the first row is off from what doubles
 * make of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROUNDS_MAX = 1001, BUFFERS_MAX = 32, PEERS = 3, TUNINGS_MAX = 16, CONTESTANTS_MAX = PEERS + 1 + TUNINGS_MAX };

static const char source[] =
    "extern \"C\" __global__ void __launch_bounds__(256) copy(const uint4 *from, uint4 *to, "
    "unsigned long long count) {\n"
    "    unsigned long long at = (blockIdx.x * (unsigned long long)LOADS) * 256 + threadIdx.x;\n"
    "    uint4 held[LOADS];\n"
    "#pragma unroll\n"
    "    for (int u = 0; u < LOADS; u++) if (at + u * 256 < count) held[u] = from[at + u * 256];\n"
    "#pragma unroll\n"
    "    for (int u = 0; u < LOADS; u++) if (at + u * 256 < count) to[at + u * 256] = held[u];\n"
    "}\n";

typedef struct formula {
    const char *name;
    jr_op ops[2];
    int op_count; /* 0: ops[0] alone */
    const char *apply;
    jr_type wide; /* accumulate and result */
    int inputs;
} formula;

static const formula formulas[] = {
    {"softmax", {JR_OP_LOGSUMEXP}, 0, "exp(x - r)", JR_TYPE_NONE, 1},
    {"log_softmax", {JR_OP_LOGSUMEXP}, 0, "x - r", JR_TYPE_NONE, 1},
    {"rms_norm", {JR_OP_SUMSQ}, 0, "x * rsqrtf(r / n + 1e-6f) * y", JR_TYPE_NONE, 2},
    {"layer_norm",
     {JR_OP_MEAN, JR_OP_SUMSQ},
     2,
     "((x - (float)r0) - (float)(r0 - (float)r0)) * (float)rsqrt(r1 / n - r0 * r0 + 1e-5) * y "
     "+ z",
     JR_F64,
     3},
    {"zscore", {JR_OP_MEAN, JR_OP_STD}, 2, "(x - r0) / r1", JR_TYPE_NONE, 1},
    {"l2_normalize", {JR_OP_NORM2}, 0, "x / fmax(r, 1e-12)", JR_TYPE_NONE, 1}};

typedef struct shape {
    uint64_t rows, length;
} shape;
static const shape shapes[] = {{1048576, 64}, {262144, 256}, {65536, 1000}, {65536, 1001}, {65536, 1024}, {32768, 4096},
                               {8192, 16384}, {2048, 65536}, {4096, 50257}, {512, 262144}, {33, 50257},   {128, 4096}};

typedef struct tuning {
    int block, unroll; /* 0: as it is chosen */
} tuning;
typedef struct tunings {
    tuning list[TUNINGS_MAX];
    int count;
} tunings;

/* What is measured: a plan's runs, or copies. kernel NULL: the driver's. */
typedef struct contestant {
    jr_context *context;
    jr_plan *plan;
    jr_kernel *kernel;
    unsigned loads;
    uint64_t rows, bytes;
    int buffers;
    char *in[BUFFERS_MAX], *out[BUFFERS_MAX], *weights;
} contestant;

static jr_status run_plan(void *user, uint64_t run, jr_stream stream) {
    const contestant *of = user;
    const void *const in[] = {of->in[run % (uint64_t)of->buffers], of->weights, of->weights};
    return jr_work_plan_run(
        of->plan, &JR_INIT(jr_work_data, .in = in, .segments = of->rows, .out = of->out[run % (uint64_t)of->buffers]),
        NULL, stream);
}

static jr_status run_copy(void *user, uint64_t run, jr_stream stream) {
    const contestant *of = user;
    const uint64_t buffer = run % (uint64_t)of->buffers;
    const void *from = of->in[buffer];
    void *to = of->out[buffer];
    unsigned long long vectors = of->bytes / 16;
    if (of->kernel == NULL) return jr_stream_copy(of->context, to, from, of->bytes, stream);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {(unsigned)((vectors - 1) / (256 * of->loads) + 1)},
                                     .block = {256}, .stream = stream);
    return jr_kernel_launch(of->kernel, &launch, (void *[]){&from, &to, &vectors});
}

static jr_kernel *copier(jr_context *context, unsigned loads) {
    char text[sizeof source + 32];
    jr_kernel *kernel;
    snprintf(text, sizeof text, "#define LOADS %u\n%s", loads, source);
    const jr_program program = JR_INIT(jr_program, .name = "copy", .source = text, .entry = "copy");
    bench_check(jr_kernel_get(context, &program, &kernel), "compiling a copy");
    return kernel;
}

/* NULL: the row does not fit what was asked for. */
static jr_plan *plan_of(jr_context *context, const formula *of, const shape *size, jr_type type, tuning asked) {
    const jr_spec spec = JR_INIT(
        jr_spec, .op = of->op_count > 0 ? JR_OP_NONE : of->ops[0], .ops = of->op_count > 0 ? of->ops : NULL,
        .op_count = of->op_count, .type = type, .accumulate = of->wide, .result = of->wide, .apply = of->apply,
        .input_count = of->inputs, .row_inputs = (1u << of->inputs) - 2, .block = asked.block, .unroll = asked.unroll);
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = size->length);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = JR_WORK_APPLY, .layout = &rows);
    jr_plan *plan;
    const jr_status status = jr_work_plan_create(context, &work, &plan);
    if (status != JR_OK && asked.block > 0) return NULL;
    bench_check(status, "making a plan");
    return plan;
}

/* ---- one row by doubles ---- */

static double number_at(jr_type type, const void *data, uint64_t k) {
    unsigned word;
    if (type == JR_F32) return (double)((const float *)data)[k];
    float value;
    word = (unsigned)((const unsigned short *)data)[k] << 16;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static double wanted_at(const formula *of, const double *x, const double *y, uint64_t length, uint64_t k) {
    double most = x[0], sum = 0, exponentials = 0, squares = 0;
    for (uint64_t j = 0; j < length; j++) most = x[j] > most ? x[j] : most;
    for (uint64_t j = 0; j < length; j++) {
        exponentials += exp(x[j] - most);
        sum += x[j];
        squares += x[j] * x[j];
    }
    const double n = (double)length, mean = sum / n;
    if (strcmp(of->name, "softmax") == 0) return exp(x[k] - most) / exponentials;
    if (strcmp(of->name, "log_softmax") == 0) return x[k] - most - log(exponentials);
    if (strcmp(of->name, "rms_norm") == 0) return x[k] / sqrt(squares / n + 1e-6) * y[k];
    if (strcmp(of->name, "l2_normalize") == 0) return x[k] / sqrt(squares);
    if (strcmp(of->name, "zscore") == 0) return (x[k] - mean) / sqrt(squares / n - mean * mean);
    return (x[k] - mean) / sqrt(squares / n - mean * mean + 1e-5) * y[k] + y[k];
}

/* The greatest relative error of some elements of the first row. */
static double error_of(const contestant *of, const formula *done, const shape *size, jr_type type) {
    enum { SOME = 64 };
    const size_t bytes = (size_t)size->length * jr_type_size(type);
    char *texts[3] = {malloc(bytes), malloc(bytes), malloc(bytes)};
    double *x = malloc((size_t)size->length * sizeof *x), *y = malloc((size_t)size->length * sizeof *y), most = 0;
    const void *const from[] = {of->in[0], of->weights, of->out[0]};
    for (int t = 0; t < 3; t++) {
        if (texts[t] == NULL || x == NULL || y == NULL) abort();
        bench_check(jr_memory_read(of->context, texts[t], from[t], bytes), "reading");
    }
    for (uint64_t k = 0; k < size->length; k++) {
        x[k] = number_at(type, texts[0], k);
        y[k] = number_at(type, texts[1], k);
    }
    for (int s = 0; s < SOME; s++) {
        const uint64_t k = size->length * (uint64_t)s / SOME;
        const double wanted = wanted_at(done, x, y, size->length, k);
        most = fmax(most, fabs(number_at(type, texts[2], k) - wanted) / fmax(fabs(wanted), 1e-30));
    }
    for (int t = 0; t < 3; t++) free(texts[t]);
    free(x);
    free(y);
    return most;
}

/* ---- */

/* f32 from 0 to 1 that differ; bf16 of the same bits are such numbers, too, every second one small noise's. */
static void fill(const bench_device *device, contestant *of, jr_type type) {
    unsigned short *host = malloc(of->bytes);
    if (host == NULL) abort();
    for (uint64_t k = 0; k < of->bytes / 2; k++) {
        const float value = (float)(k * 2654435761u % 1000003u) / 1000003.0f;
        unsigned word;
        memcpy(&word, &value, sizeof word);
        if (type == JR_BF16)
            host[k] = (unsigned short)(word >> 16);
        else if (k % 2 == 0)
            memcpy(host + k, &value, sizeof value);
    }
    for (int b = 0; b < of->buffers; b++) {
        void *in, *out;
        bench_check(jr_memory_new(device->context, of->bytes + 16, &in), "allocating");
        bench_check(jr_memory_new(device->context, of->bytes + 16, &out), "allocating");
        bench_check(jr_memory_write(device->context, in, host, of->bytes), "writing");
        of->in[b] = in;
        of->out[b] = out;
    }
    of->weights = of->in[of->buffers - 1];
    free(host);
}

static void give_back(contestant *of) {
    for (int b = 0; b < of->buffers; b++) {
        jr_memory_free(of->context, of->in[b]);
        jr_memory_free(of->context, of->out[b]);
    }
}

/* Ours: the plan's time and values, of a copy's time. */
static void print(const contestant *of, const formula *done, const shape *size, jr_type type, double us, double copy) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    jr_kernel *kernel;
    bench_check(run_plan((void *)of, 0, NULL), "running");
    bench_check(jr_context_wait(of->context), "waiting");
    bench_check(jr_plan_stats(of->plan, &stats), "asking for statistics");
    bench_check(jr_plan_kernel(of->plan, 0, &kernel), "asking for the kernel");
    bench_check(jr_kernel_info_get(kernel, &info), "asking for its registers");
    printf("%s,%s,%llu,%llu,%.3f,%.3f,%.3f,%d,%d,%d,%d,%.1e\n", done->name, jr_type_name(type),
           (unsigned long long)size->rows, (unsigned long long)size->length, us, copy, copy / us, stats.block,
           stats.unroll, info.registers, info.local_bytes, error_of(of, done, size, type));
    fflush(stdout);
}

static void measure(const bench_device *device, const formula *of, const shape *size, jr_type type, int rounds,
                    const tunings *asked) {
    static double times[CONTESTANTS_MAX * ROUNDS_MAX];
    enum { BYTES_LEAST = 160000000 };
    contestant all[CONTESTANTS_MAX] = {{.context = device->context, .rows = size->rows}};
    jr_measured items[CONTESTANTS_MAX];
    double medians[CONTESTANTS_MAX];
    int count = PEERS, made = 0;
    all[0].bytes = size->rows * size->length * jr_type_size(type);
    all[0].buffers = (int)(BYTES_LEAST / all[0].bytes + 2);
    if (all[0].buffers > BUFFERS_MAX) all[0].buffers = BUFFERS_MAX;
    fill(device, &all[0], type);
    for (int p = 1; p < CONTESTANTS_MAX; p++) all[p] = all[0];
    all[0].kernel = copier(device->context, all[0].loads = 1);
    all[1].kernel = copier(device->context, all[1].loads = 4);
    for (int t = -1; t < asked->count; t++) {
        all[count].plan = plan_of(device->context, of, size, type, t < 0 ? (tuning){0} : asked->list[t]);
        if (all[count].plan != NULL) count++;
    }
    for (int i = 0; i < count; i++) items[i] = (jr_measured){i >= PEERS ? run_plan : run_copy, &all[i]};
    const jr_measure_options how =
        JR_INIT(jr_measure_options, .mode = JR_MEASURE_GRAPH, .rounds = rounds, .batch = all[0].buffers);
    bench_check(jr_measure(device->context, &how, items, count, times, &made), "measuring");
    for (int i = 0; i < count; i++) medians[i] = bench_median(times + i * rounds, made);
    const double copy = fmin(medians[0], fmin(medians[1], medians[2]));
    for (int i = PEERS; i < count; i++) {
        print(&all[i], of, size, type, medians[i], copy);
        jr_plan_destroy(all[i].plan);
    }
    give_back(&all[0]);
}

static tunings tunings_of(char **words, int count) {
    tunings made = {.count = count > 0 ? count : 0};
    bench_demand(count <= TUNINGS_MAX, "apply_bench takes at most 16 tunings");
    for (int t = 0; t < made.count; t++) {
        char *end;
        made.list[t].block = (int)strtol(words[t], &end, 10);
        bench_demand(*end == 'x', "a tuning is BLOCKxUNROLL, like 128x4");
        made.list[t].unroll = bench_number(end + 1);
    }
    return made;
}

int main(int argc, char **argv) {
    const jr_type types[] = {JR_F32, JR_BF16};
    const int rounds = argc > 1 ? bench_number(argv[1]) : 13;
    const shape asked = {argc > 4 ? (uint64_t)bench_number(argv[3]) : 0,
                         argc > 4 ? (uint64_t)bench_number(argv[4]) : 0};
    const size_t count = asked.rows > 0 ? 1 : sizeof shapes / sizeof *shapes;
    bench_device device;
    bench_demand(rounds >= 1 && rounds <= ROUNDS_MAX, "usage: apply_bench [rounds, 1 to 1001 [formula [rows length "
                                                      "[type [BLOCKxUNROLL...]]]]]");
    const tunings tuned = tunings_of(argv + 6, argc - 6);
    bench_open(&device);
    bench_head(&device, NULL, 0, argc, argv);
    printf("formula,type,rows,length,apply_us,copy_us,of_copy,block,unroll,registers,local_bytes,error\n");
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
        for (size_t s = 0; s < count; s++)
            for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
                if (argc > 2 && strcmp(argv[2], formulas[f].name) != 0) continue;
                if (argc > 5 && strcmp(argv[5], jr_type_name(types[t])) != 0) continue;
                shape size = asked.rows > 0 ? asked : shapes[s];
                if (device.info.simulated && size.rows > 2) size.rows = 2; /* where nothing is measured */
                if (device.info.simulated && asked.rows == 0 && size.length > 1024) continue;
                measure(&device, &formulas[f], &size, types[t], device.info.simulated ? 1 : rounds, &tuned);
            }
    bench_close(&device);
    return 0;
}
