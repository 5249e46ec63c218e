/* What is wrong with a caller's struct reached the user as errors in headers of the library's own. */
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"

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
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_COMPILE,
          "the source of struct pair includes no_such_types.h, and a struct's source has no headers: spell its types");
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
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_INVALID_ARGUMENT,
          "struct pair has 8 bytes in its source and 12 in spec.structure->bytes: give the host's struct the same "
          "members");
    structure.bytes = 8;
    structure.alignment = 8;
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_INVALID_ARGUMENT,
          "struct pair has an alignment of 4 in its source and 8 in spec.structure->alignment");
    assert_null(plan);
    structure.alignment = 4;
    works(jr_plan_create(device->context, &spec, &plan));
    jr_plan_destroy(plan);
}

RUN_TESTS(NULL, NULL)
