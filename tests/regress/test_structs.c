/* Structs of callers: what is wrong with them is said in their words, and they lie where they may. */
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"

/* What is wrong with a caller's struct reached the user as errors in headers of the library's own. */
static jr_structure pair_of(const char *name, const char *source) {
    return (jr_structure){.size = sizeof(jr_structure), .name = name, .source = source, .bytes = 8, .alignment = 4};
}

static jr_status check(const jr_structure *structure) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = structure,
                                 .map_type = JR_F32, .map = "x.key");
    return jr_reduce_check(&spec, NULL);
}

TEST(a_name_that_the_source_lacks_is_named) {
    const jr_structure other = pair_of("q", "struct pair { float key; int id; };\n");
    fails(check(&other), JR_ERROR_INVALID_ARGUMENT,
          "the source declares no struct q: spec.structure->name and ->source must agree");
    const jr_structure longer = pair_of("pai", "struct pair { float key; int id; };\n");
    fails(check(&longer), JR_ERROR_INVALID_ARGUMENT, "the source declares no struct pai");
    const jr_structure empty = pair_of("pair", "");
    fails(check(&empty), JR_ERROR_INVALID_ARGUMENT, "the source declares no struct pair");
}

TEST(slips_of_structs_in_expressions_are_told_what_to_write) {
    static const char source[] = "struct pair { float key; int id; };\n", least[] = "a.key < b.key ? a : b";
    const jr_structure pair = pair_of("pair", source);
    static const struct {
        const char *identity, *why;
    } slips[] = {
        {"0", "it is a number, not a pair: add '__device__ pair make() { return {0}; }' to the struct's text"},
        {"-INFINITY", "add '__device__ pair make() { return {-INFINITY}; }' to the struct's text"},
        {"(float)0", "it is a number, not a pair"},
        {"{0, 0}", "to make a pair, add '__device__ pair make() { return {...}; }' to the struct's text"},
        {"(pair){0, 0}", "to make a pair, add '__device__ pair make()"},
        {"pair{0, 0}", "to make a pair, add '__device__ pair make()"},
        {"none()", "declare it in the struct's text, as '__device__ pair none() { return {...}; }'"},
        {"first()", "declare it in the struct's text, as '__device__ pair first()"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair,
                                     .combine = least, .identity = slips[i].identity);
        fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, slips[i].why);
    }
    const jr_spec number = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair,
                                   .map_type = JR_F32, .map = "x.key", .combine = "a + b", .identity = "0");
    works(jr_reduce_check(&number, NULL));
}

TEST_BETWEEN(a_header_in_the_source_is_answered_with_types_that_need_none, open_context, close_context) {
    const opened *device = *state;
    const jr_structure pair = pair_of("pair", "#include <no_such_types.h>\nstruct pair { float key; int id; };\n");
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &pair, .map_type = JR_F32, .map = "x.key");
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_COMPILE,
          "the source of struct pair includes no_such_types.h, and a struct's source has no headers: spell its types");
}

/* NVRTC's words for these were a wrong size, and conversions in our own headers. */
TEST_BETWEEN(a_type_that_nothing_defines_and_types_left_open_are_named, open_context, close_context) {
    const opened *device = *state;
    const jr_structure undefined = pair_of("pair", "struct pair { float key; no_such_t id; };\n"),
                       made = pair_of("pair", "struct pair { float key; int id; };\n"
                                              "__device__ pair make(float a, float b) { return {a, (int)b}; }\n");
    const jr_spec specs[] = {JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &undefined,
                                     .map_type = JR_F32, .map = "x.key"),
                             JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &made,
                                     .combine = "b.id > a.id ? b : a", .identity = "make(0, -1)", .finish = "a.key"),
                             JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .input_count = 2, .structure = &made,
                                     .map = "make(x, y)", .combine = "b.id > a.id ? b : a", .identity = "make(0, -1)")};
    static const struct {
        jr_status status;
        const char *why;
    } rows[] = {{JR_ERROR_COMPILE, "the source of struct pair uses no_such_t, which nothing defines"},
                {JR_ERROR_INVALID_EXPRESSION, "unless spec.result is set: set it to the number's type"},
                {JR_ERROR_INVALID_EXPRESSION, "unless spec.map_type is set: set it to JR_STRUCT"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jr_plan *plan = NULL;
        fails(jr_work_plan_create(device->context, WORK(&specs[i]), &plan), rows[i].status, rows[i].why);
    }
    jr_spec right = specs[1];
    right.result = JR_F32;
    plan_held(device, WORK(&right));
}

TEST(types_of_headers_have_words_of_C) {
    static const struct {
        const char *map, *why;
    } slips[] = {{"(int32_t)x", "has 'int32_t' in column 2: this name is unknown here: write int"},
                 {"uint8_t(x)", "write unsigned char"},
                 {"(int64_t)x", "write long long"},
                 {"(uint64_t)x + 1", "write unsigned long long"}};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = slips[i].map);
        fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, slips[i].why);
    }
}

TEST(a_missing_semicolon_is_named) {
    static const char *const sources[] = {"struct pair { float key; int id; }",
                                          "struct pair {\n\tfloat key;\n\tint id;\n}\n",
                                          "struct pair { struct { float key; } a; int id; }"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const jr_structure structure = pair_of("pair", sources[i]);
        fails(check(&structure), JR_ERROR_INVALID_ARGUMENT, "the source of struct pair ends with its }: write };");
    }
    static const char *const good[] = {"struct pair { float key; int id; };",
                                       "typedef struct { float key; int id; } pair;",
                                       "struct pair { float key; int id; };\nfloat twice(pair p) { return 2 * p.key; }",
                                       "struct base { float key; int id; }; using pair = base;"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const jr_structure structure = pair_of("pair", good[i]);
        works(check(&structure));
    }
}

TEST_BETWEEN(a_wrong_size_is_told_with_the_true_one, open_context, close_context) {
    const opened *device = *state;
    jr_structure structure = pair_of("pair", "struct pair { float key; int id; };\n");
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &structure, .map_type = JR_F32,
                           .map = "x.key");
    jr_plan *plan = NULL;
    structure.bytes = 12;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_INVALID_ARGUMENT,
          "struct pair has 8 bytes in its source and 12 in spec.structure->bytes: give the host's struct the same "
          "members");
    structure.bytes = 8;
    structure.alignment = 8;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_INVALID_ARGUMENT,
          "struct pair has an alignment of 4 in its source and 8 in spec.structure->alignment");
    assert_null(plan);
    structure.alignment = 4;
    works(jr_work_plan_create(device->context, WORK(&spec), &plan));
    jr_plan_destroy(plan);
}

/* Structs that lie at less than the boundaries of words: results of short segments were stored as whole words wherever
 * they lie, and wave scans of structs of odd sizes read more of their totals than was written. */
enum { COUNT = 3000 };

/* A struct that is an array, whose members are added each for itself. */
typedef struct bytes_struct {
    char source[512];
    jr_structure structure;
} bytes_struct;

static void make_bytes(bytes_struct *made, const char *member, int count, size_t bytes, size_t alignment) {
    snprintf(made->source, sizeof made->source,
             "struct some { %s v[%d]; };\n"
             "__device__ inline some sum(some a, some b) {\n"
             "    for (int k = 0; k < %d; k++) a.v[k] += b.v[k];\n"
             "    return a;\n"
             "}\n"
             "__device__ inline some none() { some n; for (int k = 0; k < %d; k++) n.v[k] = 0; return n; }\n",
             member, count, count, count);
    made->structure =
        JR_INIT(jr_structure, .name = "some", .source = made->source, .bytes = bytes, .alignment = alignment);
}

static jr_spec sums_of(const bytes_struct *made) {
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &made->structure,
                   .combine = "sum(a, b)", .identity = "none()", .commutative = true);
}

static void sum_pairs(const opened *device, const char *member, int count, size_t bytes, size_t alignment) {
    enum { PAIRS = 5, MEMBERS = 64 };
    bytes_struct made;
    unsigned char data[2 * PAIRS * MEMBERS], sums[PAIRS * MEMBERS];
    uint64_t seed = bytes;
    make_bytes(&made, member, count, bytes, alignment);
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)random_below(&seed, 100); /* no byte carries */
    const jr_spec spec = sums_of(&made);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = PAIRS);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2);
    unsigned char *d_in = device_new(device, sizeof data), *d_out = device_new(device, sizeof sums + alignment);
    device_write(device, d_in, data, sizeof data);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out + alignment), NULL, NULL));
    works(jr_context_wait(device->context));
    device_read(device, sums, d_out + alignment, PAIRS * bytes);
    for (size_t s = 0; s < PAIRS; s++)
        for (size_t k = 0; k < bytes; k++)
            assert_int_equal(sums[s * bytes + k], data[2 * s * bytes + k] + data[(2 * s + 1) * bytes + k]);
}

TEST_BETWEEN(results_of_segments_lie_at_the_alignment_of_their_struct, open_context, close_context) {
    sum_pairs(*state, "unsigned", 2, 8, 4);
    sum_pairs(*state, "unsigned short", 2, 4, 2);
    sum_pairs(*state, "unsigned char", 4, 4, 1);
    sum_pairs(*state, "unsigned char", 8, 8, 1);
}

static void scan_bytes(const opened *device, size_t bytes, jr_work_kind kind) {
    bytes_struct made;
    static unsigned char data[COUNT * 64], results[COUNT * 64];
    uint64_t seed = bytes;
    make_bytes(&made, "unsigned char", (int)bytes, bytes, 1);
    jr_spec spec = sums_of(&made);
    spec.algorithm = JR_ALGORITHM_WAVE;
    spec.unroll = tests_are_whole() ? 0 : 1; /* which compiles sooner */
    for (size_t i = 0; i < COUNT * bytes; i++) data[i] = (unsigned char)random_bits(&seed);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = kind),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (size_t k = 0; k < bytes; k++) {
        unsigned char sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            if (kind == JR_WORK_SCAN_EXCLUSIVE) assert_int_equal(results[i * bytes + k], sum);
            sum = (unsigned char)(sum + data[i * bytes + k]);
            if (kind == JR_WORK_SCAN_INCLUSIVE) assert_int_equal(results[i * bytes + k], sum);
        }
    }
}

TEST_BETWEEN(wave_scans_take_structs_of_any_size, open_context, close_context) {
    static const size_t sizes[] = {3, 5, 6, 7, 9, 11, 13, 15, 21, 23, 31};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes;
         i++) { /* a sample: small ones, which compile in a tenth of the time */
        if (tests_take((int)i, 11)) scan_bytes(*state, sizes[i], JR_WORK_SCAN_INCLUSIVE);
        if (tests_take((int)i + 7, 11)) scan_bytes(*state, sizes[i], JR_WORK_SCAN_EXCLUSIVE);
    }
}

RUN_TESTS(NULL, NULL)
