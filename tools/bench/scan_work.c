/* Reads the works of scan_bench. */
#include "scan_work.h"

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

/* Reads the part after @: "keys:64". */
static void parse_runs(const char *text, scan_work *work) {
    char *end = NULL;
    const int words = sscanf(text, "%15[^:]:%15s", work->layout, work->run); /* SCAN_WORD */
    work->segments = is(work->layout, "rows")      ? JR_SEGMENTS_EQUAL
                     : is(work->layout, "offsets") ? JR_SEGMENTS_OFFSETS
                     : is(work->layout, "keys")    ? JR_SEGMENTS_KEYS
                                                   : (jr_segment_kind)0;
    bench_demand(words == 2 && work->segments != 0, "'%s' is not rows, offsets or keys and a mean run, like keys:64",
                 text);
    if (is(work->run, "all")) return;
    const double mean = strtod(work->run, &end);
    bench_demand(*end == '\0' && mean >= 1 && mean <= 1e9 && 2 * mean == (double)(uint64_t)(2 * mean),
                 "'%s' is not a mean run: 1, 1.5, 2 and so on, or all", work->run);
    work->twice_mean = (uint64_t)(2 * mean);
    bench_demand(work->segments != JR_SEGMENTS_EQUAL || work->twice_mean % 2 == 0,
                 "'%s' is no length of rows: it is whole", work->run);
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
    const bool rows = work->segments == JR_SEGMENTS_EQUAL;
    if (work->twice_mean == 0) return (scan_runs){.count = count, .span = 2 * count, .second = count};
    const uint64_t mean = work->twice_mean / 2;
    return (scan_runs){
        .count = rows ? count / mean * mean : count, .span = work->twice_mean, .second = rows ? mean : 0};
}
