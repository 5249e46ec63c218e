/* Works of scan_bench, their data on the device, and looks at results there. */
#include "scan_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const jr_structure pair_structure = {.size = sizeof(jr_structure),
                                            .name = "affine",
                                            .source = "struct affine { float m, k; };\n"
                                                      "__device__ affine same() { affine f = {1, 0}; return f; }\n"
                                                      "__device__ affine after(const affine &f, const affine &g) {\n"
                                                      "    affine h = {g.m * f.m, g.m * f.k + g.k};\n"
                                                      "    return h;\n"
                                                      "}\n",
                                            .bytes = 8,
                                            .alignment = 4};

static bool is(const char *one, const char *other) {
    return strcmp(one, other) == 0;
}

static void fill_spec(scan_work *work) {
    work->spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM);
    if (is(work->op, "affine")) {
        work->spec.type = JR_STRUCT;
        work->spec.structure = &pair_structure;
        work->spec.combine = "after(a, b)";
        work->spec.identity = "same()";
        work->element_bytes = work->result_bytes = pair_structure.bytes;
        snprintf(work->result, sizeof work->result, "%s", work->type);
        return;
    }
    bench_check(jr_type_find(work->type, &work->spec.type), "reading a work");
    if (is(work->op, "user")) {
        work->spec.combine = "a + b";
        work->spec.identity = "0";
    } else {
        bench_check(jr_op_find(work->op, &work->spec.op), "reading a work");
    }
    if (work->result[0] != '\0')
        bench_check(jr_type_find(work->result, &work->spec.result), "reading a work");
    else if (work->spec.op == JR_OP_CUSTOM)
        work->spec.result = work->spec.type;
    else
        bench_check(jr_result_type(work->spec.op, work->spec.type, &work->spec.result), "reading a work");
    snprintf(work->result, sizeof work->result, "%s", jr_type_name(work->spec.result));
    work->element_bytes = jr_type_size(work->spec.type);
    work->result_bytes = jr_type_size(work->spec.result);
}

bool scan_work_is_equal(const scan_work *work) {
    return work->segments == JR_SEGMENTS_EQUAL || work->segments == JR_SEGMENTS_STRIDED;
}

/* Reads the part after @: "keys:64". */
static void parse_runs(const char *text, scan_work *work) {
    char *end = NULL;
    const int words = sscanf(text, "%15[^:]:%15s", work->layout, work->run); /* SCAN_WORD */
    work->segments = is(work->layout, "rows")      ? JR_SEGMENTS_EQUAL
                     : is(work->layout, "columns") ? JR_SEGMENTS_STRIDED
                     : is(work->layout, "offsets") ? JR_SEGMENTS_OFFSETS
                     : is(work->layout, "keys")    ? JR_SEGMENTS_KEYS
                                                   : (jr_segment_kind)0;
    bench_demand(words == 2 && work->segments != 0,
                 "'%s' is not rows, columns, offsets or keys and a mean run, like keys:64", text);
    if (is(work->run, "all")) return;
    const double mean = strtod(work->run, &end);
    bench_demand(*end == '\0' && mean >= 1 && mean <= 1e9 && 2 * mean == (double)(uint64_t)(2 * mean),
                 "'%s' is not a mean run: 1, 1.5, 2 and so on, or all", work->run);
    work->twice_mean = (uint64_t)(2 * mean);
    bench_demand(!scan_work_is_equal(work) || work->twice_mean % 2 == 0, "'%s' is no length of rows: it is whole",
                 work->run);
}

void scan_work_parse(const char *text, scan_work *work) {
    *work = (scan_work){.initial = {.type = JR_TYPE_NONE}, .layout = "flat", .run = "all"};
    const int words = sscanf(text, "%15[^:]:%15[^:]:%15[^:@]:%15[^:@]", work->kind, work->op, work->type,
                             work->result); /* SCAN_WORD */
    const char *runs = strchr(text, '@');
    work->reduces = is(work->kind, "reduce");
    bench_demand(words >= 3 && (work->reduces || is(work->kind, "inclusive") || is(work->kind, "exclusive")),
                 "'%s' is not inclusive, exclusive or reduce, an operator and a type, like inclusive:sum:f32", text);
    work->scan = is(work->kind, "exclusive") ? JR_SCAN_EXCLUSIVE : JR_SCAN_INCLUSIVE;
    if (runs != NULL) parse_runs(runs + 1, work);
    bench_demand(!work->reduces || runs != NULL, "'%s' says no runs to reduce, like reduce:sum:f32@keys:64", text);
    fill_spec(work);
    bench_demand(is(work->op, "sum") || is(work->op, "min") || is(work->op, "max") || work->spec.op == JR_OP_CUSTOM,
                 "no data are known for the operator %s: sum, min, max, user or affine", work->op);
    if (work->scan == JR_SCAN_EXCLUSIVE && (is(work->op, "min") || is(work->op, "max"))) {
        work->initial.type = work->spec.result;
        work->spec.initial = &work->initial;
    }
}

scan_runs scan_work_runs(const scan_work *work, uint64_t count) {
    const bool equal = scan_work_is_equal(work);
    if (work->twice_mean == 0) return (scan_runs){.count = count, .span = 2 * count, .second = count};
    const uint64_t mean = work->twice_mean / 2;
    return (scan_runs){.count = equal ? count / mean * mean : count,
                       .span = work->twice_mean,
                       .second = equal ? mean : 0,
                       .inner = work->segments == JR_SEGMENTS_STRIDED ? count / mean : 0};
}

/* The result that a scan must have at each index, and the elements that lead to it: sums have noise below 16 as results
 * and its differences as elements; extremes climb eight steps, with noise below each. Each run starts again. The last
 * result of a run is the run's reduction. */
static const char source[] =
    "typedef unsigned long long u64;\n"
    "enum { SUM, MIN, MAX, AFFINE };\n"
    "enum { INCLUSIVE, EXCLUSIVE, REDUCE };\n"
    "struct pair { float m, k; };\n"
    "struct half { unsigned short bits; };\n"
    "struct runs { u64 count, span, second, inner; };\n"
    "struct arrays { ELEMENT *elements; int *keys; u64 *offsets; RESULT *results; int *keys_out; u64 *runs_out; };\n"
    "template <class T> struct make { static __device__ T of(int x, int) { return (T)x; } };\n"
    "template <> struct make<pair> { static __device__ pair of(int x, int m) { return {(float)m, (float)x}; } };\n"
    "template <> struct make<half> { static __device__ half of(int x, int) {\n"
    "    half h; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h.bits) : \"f\"((float)x)); return h; } };\n"
    "template <class T> __device__ bool same(T a, T b) { return a == b; }\n"
    "__device__ bool same(half a, half b) { return a.bits == b.bits; }\n"
    "__device__ bool same(pair a, pair b) { return a.m == b.m && a.k == b.k; }\n"
    "__device__ u64 mix(u64 i) {\n"
    "    u64 x = (i + 1) * 0x9e3779b97f4a7c15ull;\n"
    "    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;\n"
    "    return (x ^ x >> 27) * 0x94d049bb133111ebull;\n"
    "}\n"
    "__device__ int noise(u64 i) { return (int)(mix(i) >> 59); }\n"
    "__device__ int sign(u64 i) { return OP == AFFINE && noise(i) & 16 ? -1 : 1; }\n"
    "__device__ u64 place(runs r, u64 i) { return r.inner ? i % r.second * r.inner + i / r.second : i; }\n"
    "__device__ u64 begin(runs r, u64 run) {\n"
    "    const u64 at = run / 2 * r.span;\n"
    "    return run % 2 == 0 ? at : at + (r.second > 0 ? r.second : 1 + (mix(run) >> 20) % (r.span - 1));\n"
    "}\n"
    "__device__ u64 run_at(runs r, u64 i) {\n"
    "    const u64 run = i / r.span * 2;\n"
    "    return i < begin(r, run + 1) ? run : run + 1;\n"
    "}\n"
    "__device__ int result(u64 i, u64 count) {\n"
    "    const int step = (int)(i * 8 / count) * 15;\n"
    "    return OP == MAX ? step : OP == MIN ? -step : noise(i) & 15;\n"
    "}\n"
    "__device__ ELEMENT element(u64 i, bool first, u64 count) {\n"
    "    const int here = result(i, count), before = first ? 0 : result(i - 1, count);\n"
    "    const int turn = first ? sign(i) : sign(i) * sign(i - 1);\n"
    "    const int off = first || here != before ? 0 : noise(i) & 15;\n"
    "    if (OP == MIN || OP == MAX) return make<ELEMENT>::of(OP == MIN ? here + off : here - off, 1);\n"
    "    return make<ELEMENT>::of(here - turn * before, turn);\n"
    "}\n"
    "extern \"C\" __global__ void fill(arrays a, runs r) {\n"
    "    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < r.count; i += gridDim.x * 256ull) {\n"
    "        const u64 run = run_at(r, i);\n"
    "        const bool first = i == begin(r, run);\n"
    "        a.elements[place(r, i)] = element(i, first, r.count);\n"
    "        if (a.keys) a.keys[i] = (int)run;\n"
    "        if (a.offsets && first) a.offsets[run] = i;\n"
    "        if (a.offsets && i == r.count - 1) a.offsets[run + 1] = r.count;\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void count_runs(runs r, u64 *counter) {\n"
    "    if (blockIdx.x == 0 && threadIdx.x == 0) *counter = run_at(r, r.count - 1) + 1;\n"
    "}\n"
    "__device__ bool wrong_at(const arrays &a, runs r, u64 i) {\n"
    "    const u64 run = run_at(r, i);\n"
    "    if (KIND == REDUCE) {\n"
    "        if (i != r.count - 1 && run == run_at(r, i + 1)) return false;\n"
    "        if (a.keys_out && (a.keys_out[run] != (int)run || i == r.count - 1 && *a.runs_out != run + 1)) return "
    "true;\n"
    "        return !same(make<RESULT>::of(result(i, r.count), sign(i)), a.results[run]);\n"
    "    }\n"
    "    const bool none = KIND == EXCLUSIVE && i == begin(r, run);\n"
    "    const u64 at = none || KIND == INCLUSIVE ? i : i - 1;\n"
    "    return !same(make<RESULT>::of(none ? 0 : result(at, r.count), none ? 1 : sign(at)), a.results[place(r, i)]);\n"
    "}\n"
    "extern \"C\" __global__ void look(arrays a, runs r, u64 *wrong) {\n"
    "    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < r.count; i += gridDim.x * 256ull)\n"
    "        if (wrong_at(a, r, i)) atomicAdd(wrong, 1ull);\n"
    "}\n";

static const char *c_type_of(jr_type type) {
    switch (type) {
    case JR_I8: return "signed char";
    case JR_I16: return "short";
    case JR_I32: return "int";
    case JR_I64: return "long long";
    case JR_U64: return "u64";
    case JR_F16: return "half";
    case JR_F32: return "float";
    case JR_F64: return "double";
    case JR_STRUCT: return "pair";
    default: bench_demand(false, "no data are known for the type %s", jr_type_name(type)); return NULL;
    }
}

static void launch(const bench_device *device, const scan_work *work, const char *entry, uint64_t count, void **args) {
    enum { BLOCK = 256, GRID_MAX = 2048 }; /* the source has the block, too */
    const jr_type result = work->spec.type == JR_STRUCT ? JR_STRUCT : work->spec.result;
    const jr_named_text constants[] = {{"ELEMENT", c_type_of(work->spec.type)},
                                       {"RESULT", c_type_of(result)},
                                       {"KIND", work->reduces                     ? "REDUCE"
                                                : work->scan == JR_SCAN_EXCLUSIVE ? "EXCLUSIVE"
                                                                                  : "INCLUSIVE"},
                                       {"OP", is(work->op, "min")      ? "MIN"
                                              : is(work->op, "max")    ? "MAX"
                                              : is(work->op, "affine") ? "AFFINE"
                                                                       : "SUM"}};
    const jr_program program = JR_INIT(jr_program, .name = "scan_data", .source = source, .entry = entry,
                                       .constants = constants, .constant_count = sizeof constants / sizeof *constants);
    const uint64_t blocks = count / BLOCK + 1;
    const jr_launch how =
        JR_INIT(jr_launch, .grid = {blocks < GRID_MAX ? (unsigned)blocks : GRID_MAX}, .block = {BLOCK});
    jr_kernel *kernel;
    bench_check(jr_kernel_get(device->context, &program, &kernel), "compiling what makes the data");
    bench_check(jr_kernel_launch(kernel, &how, args), "launching it");
}

void scan_data_fill(const bench_device *device, const scan_work *work, const scan_runs *runs,
                    const scan_arrays *arrays) {
    scan_arrays given = *arrays;
    scan_runs lying = *runs;
    launch(device, work, "fill", runs->count, (void *[]){&given, &lying});
}

static uint64_t read_counter(const bench_device *device, jr_cu_deviceptr counter) {
    uint64_t number = 0;
    bench_driver(device, device->driver.cuCtxSynchronize(), "waiting");
    bench_driver(device, device->driver.cuMemcpyDtoH_v2(&number, counter, sizeof number), "copying");
    return number;
}

uint64_t scan_data_runs(const bench_device *device, const scan_work *work, const scan_runs *runs,
                        jr_cu_deviceptr counter) {
    scan_runs lying = *runs;
    launch(device, work, "count_runs", 1, (void *[]){&lying, &counter});
    return read_counter(device, counter);
}

uint64_t scan_data_wrong(const bench_device *device, const scan_work *work, const scan_runs *runs,
                         const scan_arrays *arrays, jr_cu_deviceptr counter) {
    const uint64_t none = 0;
    scan_arrays given = *arrays;
    scan_runs lying = *runs;
    bench_driver(device, device->driver.cuMemcpyHtoD_v2(counter, &none, sizeof none), "copying");
    bench_driver(device, device->driver.cuCtxSynchronize(), "waiting");
    launch(device, work, "look", runs->count, (void *[]){&given, &lying, &counter});
    return read_counter(device, counter);
}
