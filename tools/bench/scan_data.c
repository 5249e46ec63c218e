/* Makes the data of scan_bench on the device, and looks at results there. */
#include "scan_data.h"

#include <stdio.h>
#include <string.h>

/* The result that a scan must have at each index, and the elements that lead to it: sums have noise below 16 as results
 * and its differences as elements; extremes climb eight steps, with noise below each. */
static const char source[] =
    "typedef unsigned long long u64;\n"
    "enum { SUM, MIN, MAX, AFFINE };\n"
    "struct pair { float m, k; };\n"
    "struct half { unsigned short bits; };\n"
    "template <class T> struct make { static __device__ T of(int x, int) { return (T)x; } };\n"
    "template <> struct make<pair> { static __device__ pair of(int x, int m) { return {(float)m, (float)x}; } };\n"
    "template <> struct make<half> { static __device__ half of(int x, int) {\n"
    "    half h; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h.bits) : \"f\"((float)x)); return h; } };\n"
    "template <class T> __device__ bool same(T a, T b) { return a == b; }\n"
    "__device__ bool same(half a, half b) { return a.bits == b.bits; }\n"
    "__device__ bool same(pair a, pair b) { return a.m == b.m && a.k == b.k; }\n"
    "__device__ int noise(u64 i) {\n"
    "    u64 x = (i + 1) * 0x9e3779b97f4a7c15ull;\n"
    "    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;\n"
    "    return (int)((x ^ x >> 27) * 0x94d049bb133111ebull >> 59);\n"
    "}\n"
    "__device__ int sign(u64 i) { return OP == AFFINE && noise(i) & 16 ? -1 : 1; }\n"
    "__device__ int result(u64 i, u64 count) {\n"
    "    const int step = (int)(i * 8 / count) * 15;\n"
    "    return OP == MAX ? step : OP == MIN ? -step : noise(i) & 15;\n"
    "}\n"
    "__device__ ELEMENT element(u64 i, u64 count) {\n"
    "    const int here = result(i, count), before = i > 0 ? result(i - 1, count) : 0;\n"
    "    const int turn = i > 0 ? sign(i) * sign(i - 1) : sign(i);\n"
    "    const int off = i == 0 || here != before ? 0 : noise(i) & 15;\n"
    "    if (OP == MIN || OP == MAX) return make<ELEMENT>::of(OP == MIN ? here + off : here - off, 1);\n"
    "    return make<ELEMENT>::of(here - turn * before, turn);\n"
    "}\n"
    "extern \"C\" __global__ void fill(ELEMENT *data, u64 count) {\n"
    "    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull)\n"
    "        data[i] = element(i, count);\n"
    "}\n"
    "extern \"C\" __global__ void look(const RESULT *data, u64 count, u64 *wrong) {\n"
    "    for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {\n"
    "        const bool none = EXCLUSIVE && i == 0;\n"
    "        const u64 at = none ? 0 : i - EXCLUSIVE;\n"
    "        const RESULT wanted = make<RESULT>::of(none ? 0 : result(at, count), none ? 1 : sign(at));\n"
    "        if (!same(wanted, data[i])) atomicAdd(wrong, 1ull);\n"
    "    }\n"
    "}\n";

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

/* ---- works ---- */

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

void scan_work_parse(const char *text, scan_work *work) {
    *work = (scan_work){.initial = {.type = JR_TYPE_NONE}};
    const int words =
        sscanf(text, "%15[^:]:%15[^:]:%15[^:]:%15[^:]", work->kind, work->op, work->type, work->result); /* SCAN_WORD */
    bench_demand(words >= 3 && (is(work->kind, "inclusive") || is(work->kind, "exclusive")),
                 "'%s' is not inclusive or exclusive, an operator and a type, like inclusive:sum:f32", text);
    work->scan = is(work->kind, "exclusive") ? JR_SCAN_EXCLUSIVE : JR_SCAN_INCLUSIVE;
    fill_spec(work);
    bench_demand(is(work->op, "sum") || is(work->op, "min") || is(work->op, "max") || work->spec.op == JR_OP_CUSTOM,
                 "no data are known for the operator %s: sum, min, max, user or affine", work->op);
    if (work->scan == JR_SCAN_EXCLUSIVE && (is(work->op, "min") || is(work->op, "max"))) {
        work->initial.type = work->spec.result;
        work->spec.initial = &work->initial;
    }
}

/* ---- data ---- */

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
    enum { BLOCK = 256, GRID_MOST = 2048 }; /* the source has the block, too */
    const jr_type result = work->spec.type == JR_STRUCT ? JR_STRUCT : work->spec.result;
    const jr_named_text constants[] = {{"ELEMENT", c_type_of(work->spec.type)},
                                       {"RESULT", c_type_of(result)},
                                       {"EXCLUSIVE", work->scan == JR_SCAN_EXCLUSIVE ? "1" : "0"},
                                       {"OP", is(work->op, "min")      ? "MIN"
                                              : is(work->op, "max")    ? "MAX"
                                              : is(work->op, "affine") ? "AFFINE"
                                                                       : "SUM"}};
    const jr_program program = JR_INIT(jr_program, .name = "scan_data", .source = source, .entry = entry,
                                       .constants = constants, .constant_count = sizeof constants / sizeof *constants);
    const uint64_t blocks = count / BLOCK + 1;
    const jr_launch how =
        JR_INIT(jr_launch, .grid = {blocks < GRID_MOST ? (unsigned)blocks : GRID_MOST}, .block = {BLOCK});
    jr_kernel *kernel;
    bench_check(jr_kernel_get(device->context, &program, &kernel), "compiling what makes the data");
    bench_check(jr_kernel_launch(kernel, &how, args), "launching it");
}

void scan_data_fill(const bench_device *device, const scan_work *work, jr_cu_deviceptr data, uint64_t count) {
    launch(device, work, "fill", count, (void *[]){&data, &count});
}

uint64_t scan_data_wrong(const bench_device *device, const scan_work *work, jr_cu_deviceptr results, uint64_t count,
                         jr_cu_deviceptr counter) {
    uint64_t wrong = 0;
    bench_driver(device, device->driver.cuMemcpyHtoD_v2(counter, &wrong, sizeof wrong), "copying");
    bench_driver(device, device->driver.cuCtxSynchronize(), "waiting");
    launch(device, work, "look", count, (void *[]){&results, &count, &counter});
    bench_driver(device, device->driver.cuCtxSynchronize(), "waiting");
    bench_driver(device, device->driver.cuMemcpyDtoH_v2(&wrong, counter, sizeof wrong), "copying");
    return wrong;
}
