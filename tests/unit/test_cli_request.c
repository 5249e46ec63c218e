/* Requests of the command line: what they ask for, what has no effect, and slips. */
#include <string.h>

#include "base/cli_error.h"
#include "base/cli_settings.h"
#include "base/number.h"
#include "base/sizes.h"
#include "base/structure.h"
#include "fold/request.h"
#include "options/option_use.h"
#include "support/cases/cli_line.h"

/* Requests: structs laid out as the compiler does, and what is wrong with a command line whatever its input is. */
TEST(a_struct_that_is_none_has_no_name) {
    static const char *const texts[] = {"", "struct", "pair", "struct {int x;};", "struct p", "union p { int x; };"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (cli_structure_of(texts[i]).name[0] != '\0') fail_msg("'%s' was taken for a struct", texts[i]);
}

TEST(a_struct_of_more_than_numbers_has_no_size) {
    static const char *const texts[] = {"struct p { int *x; };",
                                        "struct p { float4 x; };",
                                        "struct p { int x : 3; };",
                                        "struct p { struct { int x; } y; };",
                                        "struct p { int x[N]; };",
                                        "struct p { int x[0]; };",
                                        "struct alignas(8) p { int x; };",
                                        "struct p { int x;",
                                        "struct p { };",
                                        "struct p { int f() { return 1; } };",
                                        "struct p { int 3; };",
                                        "struct p { unsigned; };"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const cli_structure structure = cli_structure_of(texts[i]);
        if (structure.bytes != 0 || structure.alignment != 0) fail_msg("'%s' was laid out", texts[i]);
        assert_string_equal(structure.name, "p");
    }
}

/* The struct itself, and its text. */
#define STRUCT_ROW(name, ...)                                                                                          \
    {                                                                                                                  \
        "struct " #name " { " #__VA_ARGS__ " }; int f(int x) { return x; }", #name, sizeof(struct name),               \
            _Alignof(struct name)                                                                                      \
    }

struct pair {
    float key;
    int id;
};
struct mixed {
    char a;
    double b;
    short c[3], d;
    unsigned e;
};
struct small {
    unsigned char a, b, c;
};
struct long_words {
    long long int a;
    short int b;
    unsigned long c;
    signed char d[2][3];
};
struct flags {
    _Bool a;
    const unsigned short b;
};

TEST(a_struct_of_numbers_is_laid_out_as_the_compiler_does) {
    static const struct {
        const char *text, *name;
        size_t bytes, alignment;
    } rows[] = {
        STRUCT_ROW(pair, float key; int id;),
        STRUCT_ROW(mixed, char a; double b; short c[3], d; unsigned e;),
        STRUCT_ROW(small, unsigned char a, b, c;),
        STRUCT_ROW(long_words, long long int a; short int b; unsigned long c; signed char d[2][3];),
        {"struct flags{bool a;const unsigned short b;};", "flags", sizeof(struct flags), _Alignof(struct flags)}
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_structure structure = cli_structure_of(rows[i].text);
        assert_string_equal(structure.name, rows[i].name);
        if (structure.bytes != rows[i].bytes || structure.alignment != rows[i].alignment)
            fail_msg("%s: %zu bytes, alignment %zu", rows[i].text, structure.bytes, structure.alignment);
    }
}

static cli_exit check(const char *line, cli_error *error) {
    cli_options options;
    cli_exit code = parse(line, &options, error);
    return code == CLI_OK ? cli_request_check(&options, error) : code;
}

static void assert_wrong(const char *line, const char *message) {
    cli_error error = {.message = ""};
    assert_int_equal(check(line, &error), CLI_USAGE);
    if (strstr(error.message, message) == NULL) fail_msg("'%s' lacks '%s'", error.message, message);
}

TEST(what_no_input_makes_right_is_found_before_it_is_read) {
    assert_wrong("--op and --type f32", "--op and: ");
    assert_wrong("--map x;", "the map expression has ';'");
    assert_wrong(
        "--op custom",
        "an operator of your own needs --combine and --identity, as --combine 'a * b' --identity 1: both are missing");
    assert_wrong("--combine a+b", "--identity 1: identity is missing");
    assert_wrong("--identity 0", "--identity 1: combine is missing");
    assert_wrong("--op min,max --finish a", "go with one operator");
    assert_wrong("--op std --ddof -1", "--ddof: -1");
    assert_wrong("--accumulate i8", "--accumulate: i8");
    assert_wrong("--op sum,dot -y b --map x", "dot cannot be in a list");
}

TEST(what_an_input_may_make_right_waits_for_it) {
    cli_error error;
    assert_int_equal(check("--op and", &error), CLI_OK);
    assert_int_equal(check("--op xor,or", &error), CLI_OK);
    assert_int_equal(check("--op dot", &error), CLI_OK);
}

TEST(the_request_holds_the_types_of_all_results) {
    cli_options options;
    cli_request request;
    cli_error error;
    const jr_type types[] = {JR_I16, JR_F32};
    assert_int_equal(parse("--op min,argmin,mean --where y>t -y b --param t=3", &options, &error), CLI_OK);
    assert_int_equal(cli_request_make(&options, types, 2, &request, &error), CLI_OK);
    assert_int_equal(request.results.count, 3);
    assert_int_equal(request.results.types[0], JR_I16);
    assert_int_equal(request.results.types[1], JR_I64);
    assert_int_equal(request.results.types[2], JR_F64);
    assert_int_equal(request.spec.more_types[0], JR_F32);
    assert_string_equal(request.parameters[0].name, "t");
}

TEST(the_initial_value_is_of_the_results_type) {
    cli_options options;
    cli_request request;
    cli_error error;
    const jr_type types[] = {JR_F32};
    assert_int_equal(parse("--accumulate f64 --initial 0.1", &options, &error), CLI_OK);
    assert_int_equal(cli_request_make(&options, types, 1, &request, &error), CLI_OK);
    assert_int_equal(request.initial.type, JR_F64);
    assert_true(request.spec.initial == &request.initial && request.initial.as.f64 == 0.1);
    options.initial = "few";
    assert_int_equal(cli_request_make(&options, types, 1, &request, &error), CLI_USAGE);
    assert_string_equal(error.message, "--initial: 'few' is not a number");
}

TEST(a_product_of_two_types_is_made_in_one_that_holds_both) {
    cli_options options;
    cli_request request;
    cli_error error;
    const jr_type types[] = {JR_I64, JR_F64}, narrow[] = {JR_I8, JR_U32}, apart[] = {JR_U64, JR_I64};
    assert_int_equal(parse("--op dot -y b a", &options, &error), CLI_OK);
    assert_int_equal(cli_request_make(&options, types, 2, &request, &error), CLI_OK);
    assert_int_equal(request.spec.accumulate, JR_F64);
    assert_int_equal(cli_request_make(&options, narrow, 2, &request, &error), CLI_OK);
    assert_int_equal(request.spec.accumulate, JR_I64);
    assert_int_equal(cli_request_make(&options, apart, 2, &request, &error), CLI_USAGE);
    assert_string_equal(error.message,
                        "--op dot: x is of u64 and y of i64, and no type holds both: --type f64 reads both as floats, "
                        "--accumulate i64 takes the products modulo 2^64");
    options.spec.accumulate = JR_I64;
    assert_int_equal(cli_request_make(&options, apart, 2, &request, &error), CLI_OK);
}

/* Options that would have no effect are refused by name. */
static cli_exit check_use(const cli_options *options, int scope, cli_error *error) {
    const cli_exit code = cli_options_check_use(options, scope, error);
    return code == CLI_OK ? cli_options_check_names(options, error) : code;
}

static void refuse(const char *line, int scope, const char *message) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse(line, &options, &error), CLI_OK);
    assert_int_equal(check_use(&options, scope, &error), CLI_USAGE);
    assert_string_equal(error.message, message);
}

TEST(an_option_without_effect_is_named) {
    cli_options options;
    cli_error error;
    refuse("--device sim --ddof 1 --op min,max", CLI_SCOPE_REDUCE, "--ddof: is for var and std, not for min,max");
    refuse("--device sim --commutative", CLI_SCOPE_SCAN,
           "--commutative: is for an operator of your own: needs --combine");
    refuse("--device sim --map x*kk --param k=2", CLI_SCOPE_REDUCE, "--param: no expression uses k");
    refuse("--device sim --map x+x -y f --where xy", CLI_SCOPE_REDUCE, "-y: no expression uses y");
    refuse("--device sim --iota 3 --field a", CLI_SCOPE_REDUCE,
           "--field: is for .npy files, not for generated elements");
    assert_int_equal(parse("pack --device sim --ddof 1", &options, &error), CLI_OK); /* of every operator */
    assert_int_equal(check_use(&options, CLI_SCOPE_PACK, &error), CLI_OK);
    assert_int_equal(parse("--device sim --op dot -y f --where y>k --param k=1", &options, &error), CLI_OK);
    assert_int_equal(check_use(&options, CLI_SCOPE_REDUCE, &error), CLI_OK);
}

/* The command line: what a slip was meant to be, and what it says of the form of texts. */
typedef struct wrong_line {
    const char *line, *message;
} wrong_line;

static void assert_lines_refused(const wrong_line *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        cli_options options;
        cli_error error = {.message = ""};
        assert_int_equal(parse(rows[i].line, &options, &error), CLI_USAGE);
        assert_string_equal(error.message, rows[i].message);
    }
}

TEST(a_slip_is_told_with_what_was_meant) {
    static const wrong_line rows[] = {
        {"--op maen", "--op: 'maen' is not one of" JR_OPS(WORD) " minmax count; did you mean 'mean'?"},
        {"--op sum,maximum", "--op: 'maximum' is not one of" JR_OPS(WORD) " minmax count; did you mean 'max'?"},
        {"--type flaot", "--type: 'flaot' is not one of" JR_TYPES(WORD) "; did you mean 'float'?"},
        {"--type flot32", "--type: 'flot32' is not one of" JR_TYPES(WORD) "; did you mean 'float32'?"},
        {"--missing skp", "--missing: 'skp' is not one of nan skip; did you mean 'skip'?"},
        {"--type int7", "--type: 'int7' is not one of" JR_TYPES(WORD) "; did you mean 'int'?"},
        {"--algorithm single-pas", "--algorithm: 'single-pas' is not one of auto" JR_ALGORITHMS(WORD)
                                       JR_SCAN_ALGORITHMS(WORD) "; did you mean 'single_pass'?"},
        {"--shared statik", "--shared: 'statik' is not one of auto static dynamic; did you mean 'static'?"},
        {"--colunm 3", "--colunm: is not an option; did you mean '--column'?"},
        {"--ouptut=3", "--ouptut=3: is not an option; did you mean '--output'?"},
        {"--key", "--key: begins several options: --keys --key-type"},
    };
    assert_lines_refused(rows, sizeof rows / sizeof *rows);
}

TEST(what_does_not_go_together_about_texts_is_told) {
    static const wrong_line rows[] = {
        {"--column 1,,2", "--column: '1,,2' is not a list of columns like price or 3,4" SEE_HELP},
        {"--column 1,2 --op dot -y x", "-y: the second column of --column is y already"},
        {"--delimiter ; x", "--delimiter: separates the columns of --column, which is not given"},
        {"--delimiter ab", "--delimiter: 'ab' is not one character like ';', nor tab or space" SEE_HELP},
        {"--decimal ;", "--decimal: ';' is neither '.' nor ','" SEE_HELP},
        {"--decimal , --delimiter , --column 1", "--delimiter, --decimal: both are the comma"},
        {"--missing skip",
         "--missing: needs --na, the words for a missing value: --na '' for an empty field, --na NA,-"},
        {"--na NA --random 4", "--delimiter, --decimal, --thousands, --skip-lines, --na, --missing: are for text"},
    };
    assert_lines_refused(rows, sizeof rows / sizeof *rows);
}

TEST(types_have_the_names_of_c_and_numpy) {
    static const struct {
        const char *line;
        jr_type type;
    } rows[] = {{"--type float", JR_F32},     {"--type double", JR_F64}, {"--type half", JR_F16},
                {"--type bfloat16", JR_BF16}, {"--type int8", JR_I8},    {"--type uint64", JR_U64},
                {"--type float16", JR_F16},   {"--type f64", JR_F64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_options options;
        cli_error error;
        assert_int_equal(parse(rows[i].line, &options, &error), CLI_OK);
        assert_int_equal(options.spec.type, rows[i].type);
    }
}

RUN_TESTS(NULL, NULL)
