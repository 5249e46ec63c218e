/* Which programs specs need, how they are compiled, and what of a spec is foreseen. */
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "jitreduce/kernel.h"
#include "plan/needed.h"
#include "program/constants.h"
#include "program/sources.h"
#include "support/cases/hint_case.h"
#include "support/fixtures/check.h"

/* With --Ofast-compile=min NVRTC 13.0 reads memory that it has freed where a kernel is as large as a reduction by key
 * of several operators: it ended one of some ten runs of device/test_runs, and one of six of the judge of exact sums;
 * and where the elements are structs, one of ten runs of such a reduction. */
typedef struct compiles {
    int fastest, faster, whole;
} compiles;

static jr_status note_options(void *user, const jr_program *program) {
    compiles *all = user;
    bool min = false, mid = false;
    for (size_t i = 0; i < program->option_count; i++) {
        min = min || strcmp(program->options[i], "--Ofast-compile=min") == 0;
        mid = mid || strcmp(program->options[i], "--Ofast-compile=mid") == 0;
    }
    all->fastest += min && !mid;
    all->faster += mid && !min;
    all->whole += !min && !mid;
    return JR_OK;
}

static compiles programs_of(int op_count, jr_accuracy accuracy, jr_segment_layout layout) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_MEAN};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = op_count, .type = JR_F32, .accuracy = accuracy);
    const jr_needed needed = {.spec = &spec,
                              .job = {.kind = layout.kind != 0 ? JR_JOB_SEGMENTS : JR_JOB_FLAT, .layout = layout}};
    compiles all = {0};
    assert_int_equal(jr_needed_each(&needed, 90, note_options, &all), JR_OK);
    return all;
}

TEST(reductions_by_key_and_exact_sums_are_not_compiled_in_the_way_that_fails) {
    const jr_segment_layout by_key = {.kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};
    const jr_segment_layout all = {0};
    const compiles one = programs_of(1, 0, by_key), list = programs_of(3, 0, by_key), flat = programs_of(3, 0, all);
    const compiles exact = programs_of(1, JR_ACCURACY_EXACT, all),
                   exact_by_key = programs_of(3, JR_ACCURACY_EXACT, by_key);
    assert_true(one.fastest == 0 && one.whole > 0);
    assert_true(list.fastest == 0 && list.whole > 0); /* nor in the other, whose kernels take twice the time */
    assert_true(flat.fastest > 0 && flat.faster == 0);
    assert_true(exact.fastest == 0 && exact.faster + exact.whole > 0);
    assert_true(exact_by_key.fastest == 0 && exact_by_key.faster > 0 && exact_by_key.whole == 0);
}

TEST(accumulators_of_several_words_are_not_compiled_in_the_way_that_fails) {
    const jr_structure pair = JR_INIT(jr_structure, .name = "pair", .source = "struct pair { unsigned char a, b; };",
                                      .bytes = 2, .alignment = 1);
    const jr_spec specs[] = {JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair, .combine = "a",
                                     .identity = "pair()", .unroll = 1),
                             JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F32, .unroll = 1),
                             JR_INIT(jr_spec, .op = JR_OP_LOGSUMEXP, .type = JR_F32, .unroll = 1)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        const jr_needed needed = {
            .spec = &specs[s],
            .job = {.kind = JR_JOB_SEGMENTS, .layout = {.kind = JR_SEGMENTS_KEYS, .key_type = JR_I32}}};
        compiles all = {0};
        if (jr_needed_each(&needed, 90, note_options, &all) != JR_OK) fail_msg("%s", jr_last_error()->message);
        assert_true(all.fastest == 0 && all.faster == 0 && all.whole > 0);
    }
}

/* A pack had the blocks of devices whose memory is slow alone: where it is fast, scans of f32 of 2.4 to 4.2 million
 * elements found no kernel in it. */

/* The blocks of bulk_copy that were seen. */
typedef struct seen {
    bool small, large;
} seen;

static jr_status look(void *user, const jr_program *program) {
    seen *all = user;
    if (strcmp(program->entry, "jr_scan_bulk_copy") != 0) return JR_OK;
    for (size_t i = 0; i < program->constant_count; i++) {
        if (strcmp(program->constants[i].name, "JR_BLOCK") != 0) continue;
        all->small = all->small || strcmp(program->constants[i].text, "640") == 0;
        all->large = all->large || strcmp(program->constants[i].text, "896") == 0;
    }
    return JR_OK;
}

TEST(what_fast_and_slow_memory_choose_is_needed) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_needed needed = {.spec = &spec, .job = {.kind = JR_JOB_SCAN}};
    seen all = {0};
    assert_int_equal(jr_needed_each(&needed, 90, look, &all), JR_OK);
    assert_true(all.small && all.large);
}

/* Sums of floats took more instructions than before the sum of -0 was -0: the end of each asked for the count of
 * elements, and the beginning of each chain was written twice. A product has neither, and is otherwise the same kernel.
 */
static size_t count_of(const char *text, const char *what) {
    size_t count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) count++;
    return count;
}

/* single_pass as it is chosen for 2^20 elements. */
static jr_image *compiled(jr_op op, jr_type type) {
    static const char *const options[] = {"--minimal", "--Ofast-compile=min", "--disable-warnings"};
    const jr_tuning tuning = {.algorithm = JR_ALGORITHM_SINGLE_PASS, .unroll = 4, .block = 256};
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    jr_named_text headers[JR_SOURCE_HEADERS_MAX];
    jr_constants constants;
    jr_reduction *reduction = NULL;
    jr_image *image = NULL;
    assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
    jr_constants_of(reduction, &tuning, NULL, &constants);
    const jr_program program =
        JR_INIT(jr_program, .name = "single_pass.cu", .source = jr_sources_find("reduce/single_pass.cu"),
                .entry = "jr_reduce_single_pass", .constants = constants.items, .constant_count = constants.count,
                .headers = headers, .header_count = jr_sources_headers("reduce/single_pass.cu", headers),
                .options = options, .option_count = sizeof options / sizeof *options);
    if (jr_image_compile(NULL, &program, "sm_90", &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    jr_reduction_destroy(reduction);
    return image;
}

TEST(a_sum_of_floats_asks_for_no_more_than_a_product) {
    static const jr_type types[] = {JR_F16, JR_BF16, JR_F32, JR_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        jr_image *sum = compiled(JR_OP_SUM, types[t]), *product = compiled(JR_OP_PROD, types[t]);
        const char *one = jr_image_ptx(sum), *other = jr_image_ptx(product);
        assert_in_range(count_of(one, "setp"), 1, count_of(other, "setp"));
        /* To load the host's zero and to add it, where what is added are words with two moves that PTX alone has. */
        const size_t more = types[t] == JR_F32 ? 4 : 2;
        assert_in_range(count_of(one, ";\n"), 1, count_of(other, ";\n") + more);
        jr_image_destroy(sum);
        jr_image_destroy(product);
    }
}

/* For untyped whole numbers a map was compiled twice, to see whether it wraps; now ranges decide beforehand, and silent
 * effects of integers (1/2, a truncated quotient, a divisor of 0, -1 next to an unsigned number) get a message. */

/* A spec over x from low to high, and what it may do. */
typedef struct foreseen {
    const char *map, *where, *finish;
    jr_op op;
    int64_t low, high;
    uint64_t count;
    unsigned flags;
} foreseen;

static unsigned flags_of(const foreseen *of) {
    const jr_value ranges[] = {{.type = JR_I64, .as.i64 = of->low}, {.type = JR_I64, .as.i64 = of->high}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = of->op, .type = JR_I64, .map = of->map, .where = of->where, .finish = of->finish);
    unsigned flags = 99;
    works(jr_reduce_foresee(&spec, ranges, of->count, &flags, NULL, 0));
    return flags;
}

static const foreseen cases[] = {
    {"x*x", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"x*x", NULL, NULL, JR_OP_SUM, -3000000000, 3000000000, 1, 0},
    {"x*x", NULL, NULL, JR_OP_SUM, 0, 3000000000, 2, JR_MAY_WRAP},
    {"x*x", NULL, NULL, JR_OP_MAX, 0, 3000000000, 2, 0},
    {"x*x", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, JR_MAY_WRAP},
    {"x*x*0.5", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, JR_MAY_WRAP},
    {"x*0.5*x", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, 0},
    {"x & 7", NULL, NULL, JR_OP_SUM, INT64_MIN, INT64_MAX, 1000, 0},
    {"x ^ 3", NULL, NULL, JR_OP_SUM, -5, 5, 11, 0},
    {"x << 62", NULL, NULL, JR_OP_MAX, 0, 1, 2, 0},
    {"x << 62", NULL, NULL, JR_OP_MAX, 0, 2, 2, JR_MAY_WRAP},
    {"-x", NULL, NULL, JR_OP_MAX, INT64_MIN, 0, 2, JR_MAY_WRAP},
    {"abs(x)", NULL, NULL, JR_OP_MAX, INT64_MIN + 1, 0, 2, 0},
    {NULL, NULL, NULL, JR_OP_SUM, 0, INT64_MAX, 1, 0},
    {NULL, NULL, NULL, JR_OP_SUM, 0, INT64_MAX, 2, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_SUM, INT64_MIN, 0, 2, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_PROD, 1, 20, 14, 0},
    {NULL, NULL, NULL, JR_OP_PROD, 1, 20, 15, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_PROD, -1, 1, UINT64_MAX, 0},
    {NULL, "x % 2 == 1", "a + 1", JR_OP_SUM, 1, 10, 10, 0},
    {NULL, NULL, "a * a", JR_OP_SUM, 0, 1000000000, 10, JR_MAY_WRAP},
    {NULL, NULL, "a * a", JR_OP_SUM, 0, 1000000, 10, 0},
    {"x / 2", NULL, NULL, JR_OP_SUM, 1, 10, 10, JR_MAY_CUT},
    {"x / 1", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"x / 2.0", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {NULL, NULL, "a / n", JR_OP_SUM, 1, 10, 10, JR_MAY_CUT},
    {NULL, NULL, "a / n", JR_OP_MEAN, 1, 10, 10, 0},
    {"10 % x", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"10 % x", NULL, NULL, JR_OP_SUM, 0, 10, 10, JR_MAY_DIVIDE_BY_ZERO},
    {"10 % (x - 3)", NULL, NULL, JR_OP_SUM, 1, 10, 10, JR_MAY_DIVIDE_BY_ZERO},
    {NULL, "10 % x == 0", NULL, JR_OP_SUM, -1, 1, 10, JR_MAY_DIVIDE_BY_ZERO},
    {NULL, NULL, "7 % a", JR_OP_SUM, -1, 1, 10, JR_MAY_DIVIDE_BY_ZERO},
};

TEST(ranges_tell_what_integers_may_do) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (flags_of(&cases[i]) != cases[i].flags)
            fail_msg("%s %s %s over %lld to %lld: %u, not %u", cases[i].map ? cases[i].map : "",
                     jr_op_name(cases[i].op), cases[i].finish ? cases[i].finish : "", (long long)cases[i].low,
                     (long long)cases[i].high, flags_of(&cases[i]), cases[i].flags);
}

TEST(without_ranges_all_of_a_type_may_come) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .map = "x * x");
    unsigned flags;
    spec.map_type = JR_I32;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, 0);
    spec.type = JR_I64;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, JR_MAY_WRAP);
    spec.type = JR_F32;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, 0);
    fails(jr_reduce_foresee(&spec, NULL, 10, NULL, NULL, 0), JR_ERROR_INVALID_ARGUMENT, "flags is NULL");
}

TEST(what_may_not_be_meant_is_noted) {
    static const struct {
        const char *map;
        jr_type type;
        const char *note;
    } notes[] = {{"1/2 * x", JR_I64, "map: 1 / 2 is a whole number in C, cut: write 1.0 / 2"},
                 {"4/2 * x", JR_I64, ""},
                 {"1/2 * x", JR_F32, "map: 1 / 2 is a whole number in C"},
                 {"x > -1", JR_U64, "map: x > -1: x is unsigned, and so -1 is taken as unsigned, too"},
                 {"x > -1", JR_U8, ""},
                 {"x > 1", JR_U64, ""},
                 {"x < i", JR_U64, ""},
                 {"x > -1", JR_I64, ""}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = notes[i].type, .map = notes[i].map);
        assert_noted(&spec, NULL, 10, notes[i].note);
    }
}

TEST(a_quotient_that_is_cut_is_noted_with_its_operands_unless_a_type_says_that_it_is_meant) {
    static const struct {
        jr_spec spec;
        const char *note;
    } quotients[] = {
        {{.map = "k / 3 * x"},
         "map: k / 3 divides whole numbers as in C, and cuts the quotient: write k / 3.0; a map "
         "type of i64 says that it is meant"},
        {{.map = "10/x"}, "map: 10 / x divides whole numbers as in C, and cuts the quotient: write 10.0 / x; a map "},
        {{.map = "(x + 1)/i"}, "write (x + 1) / (double)i; a map type"},
        {{.finish = "a / n"},
         "finish: a / n divides whole numbers as in C, and cuts the quotient: write a / "
         "(double)n; a result of i64 says that it is meant"},
        {{.where = "x / 3 > 1"}, "where: x / 3 divides whole numbers as in C, and cuts the quotient: write x / 3.0"},
        {{.map = "x / 3", .map_type = JR_F64}, "map: x / 3 divides"},
        {{.map = "1/2 * x", .finish = "a / n"}, "map: 1 / 2 is a whole number"},
        {{.map = "x / 3", .map_type = JR_I64}, NULL},
        {{.finish = "a / n", .result = JR_I64}, NULL},
        {{.finish = "a / n", .accumulate = JR_I64}, NULL},
        {{.map = "x / 3.0"}, NULL},
        {{.map = "x / 1"}, NULL},
        {{.type = JR_F32, .map = "x / 3"}, NULL},
    };
    const jr_parameter k = {"k", {.type = JR_I64, .as.i64 = 2}};
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        jr_spec spec = quotients[i].spec;
        char note[512];
        unsigned flags;
        spec.size = sizeof spec;
        spec.op = JR_OP_SUM;
        if (spec.type == JR_TYPE_NONE) spec.type = JR_I64;
        spec.parameters = &k;
        spec.parameter_count = spec.map != NULL && *spec.map == 'k';
        assert_noted(&spec, NULL, 10, quotients[i].note);
        works(jr_reduce_foresee(&spec, NULL, 10, &flags, note, sizeof note));
        const bool notes_cut = quotients[i].note != NULL && strstr(quotients[i].note, "divides") != NULL;
        if (notes_cut && !(flags & JR_NOTES_CUT)) fail_msg("case %zu: the flag is missing", i);
        if (quotients[i].note == NULL || strstr(quotients[i].note, "1 / 2") != NULL)
            assert_int_equal(flags & JR_NOTES_CUT, 0);
    }
}

RUN_TESTS(NULL, NULL)
