/* The command line: every wrong word is named, with what would be right. */
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/cli_settings.h"
#include "base/number.h"
#include "base/sizes.h"
#include "base/structure.h"
#include "options/slip.h"
#include "support/cases/cli_line.h"

typedef struct wrong_line {
    const char *line, *message;
} wrong_line;

static void assert_usage_error(const char *line, const char *message) {
    cli_options options = {.file_count = 77};
    cli_error error = {.message = ""};
    assert_int_equal(parse(line, &options, &error), CLI_USAGE);
    assert_string_equal(error.message, message);
    assert_int_equal(options.file_count, 77);
}

TEST(wrong_words_are_usage_errors_that_name_them) {
    static const wrong_line rows[] = {
        {"--op foo", "--op: 'foo' is not one of" JR_OPS(WORD) " minmax count" SEE_HELP},
        {"--type text", "--type: 'text' is not one of" JR_TYPES(WORD) "; texts are keys: --group-by and --keys"},
        {"--algorithm best",
         "--algorithm: 'best' is not one of auto" JR_ALGORITHMS(WORD) JR_SCAN_ALGORITHMS(WORD) SEE_HELP},
        {"--uf 0", "--uf: '0' is not a number from 1 to 16" SEE_HELP},
        {"--uf 17", "--uf: '17' is not a number from 1 to 16" SEE_HELP},
        {"--uf=x", "--uf: 'x' is not a number from 1 to 16" SEE_HELP},
        {"--uf -1", "--uf: '-1' is not a number from 1 to 16" SEE_HELP},
        {"--uf 4294967300", "--uf: '4294967300' is not a number from 1 to 16" SEE_HELP},
        {"--block 33", "--block: '33' is not a multiple of 32 from 32 to 1024" SEE_HELP},
        {"--block 0", "--block: '0' is not a multiple of 32 from 32 to 1024" SEE_HELP},
        {"--block 2048", "--block: '2048' is not a multiple of 32 from 32 to 1024" SEE_HELP},
        {"--grid 0", "--grid: '0' is not a number from 1 to 65535" SEE_HELP},
        {"--grid 65536", "--grid: '65536' is not a number from 1 to 65535" SEE_HELP},
        {"--shared both", "--shared: 'both' is not one of auto static dynamic" SEE_HELP},
        {"--device gpu",
         "--device: 'gpu' is not one of auto cuda cuda:N cuda:N,N cuda:all sim sim#N sim:N sim:N,N sim:all"
         "; did you mean 'cuda'?"},
        {"--device cuda:",
         "--device: 'cuda:' is not one of auto cuda cuda:N cuda:N,N cuda:all sim sim#N sim:N sim:N,N sim:all" SEE_HELP},
        {"--device cuda:1x", "--device: 'cuda:1x' is not one of auto cuda cuda:N cuda:N,N cuda:all sim sim#N sim:N "
                             "sim:N,N sim:all" SEE_HELP},
        {"--device cuda:99999", "--device: 'cuda:99999' is not one of auto cuda cuda:N cuda:N,N cuda:all sim sim#N "
                                "sim:N sim:N,N sim:all" SEE_HELP},
        {"--format csv",
         "--format: 'csv' is not one of auto npy raw text; a table is read by --column, written by --csv"},
        {"--random many", "--random: 'many' is not a count like 1000, 1e8, 2^20, 100M or 1Gi" SEE_HELP},
        {"--random -5", "--random: '-5' is not a count like 1000, 1e8, 2^20, 100M or 1Gi" SEE_HELP},
        {"--column 0", "--column: '0': columns count from 1" SEE_HELP},
        {"--bogus", "--bogus: is not an option" SEE_HELP},
        {"a --bogus=3 b", "--bogus=3: is not an option" SEE_HELP},
        {"--stats=3", "--stats=3: takes no value" SEE_HELP},
        {"-qZ", "-Z: is not an option" SEE_HELP},
        {"--op", "--op: needs a value" SEE_HELP},
        {"-o", "-o: needs a value" SEE_HELP},
        {"--random 4 --iota 4", "--random and --iota: give one of them"},
        {"--random 4:x", "--random: the seed 'x' is not a whole number"},
        {"--random :4", "--random: '' is not a count like 1000, 1e8, 2^20, 100M or 1Gi" SEE_HELP},
        {"--axis one", "--axis: 'one' is not the number of an axis: 0 is the first, -1 the last one"},
        {"--axis 0.5", "--axis: '0.5' is not the number of an axis: 0 is the first, -1 the last one"},
        {"--shape 4,,6", "--shape: '4,,6' is not a shape like 4,5,6" SEE_HELP},
        {"--shape 4,-1", "--shape: '4,-1' is not a shape like 4,5,6" SEE_HELP},
        {"--shape 1,1,1,1,1,1,1,1,1", "--shape: '1,1,1,1,1,1,1,1,1' has more than 8 dimensions"},
        {"--shape 4,5", "--shape: needs --axis"},
        {"--axis 0 --segments 4", "--segments, --axis, --keys and --group-by: give one of them"},
        {"--keys a --segments b", "--segments, --axis, --keys and --group-by: give one of them"},
        {"--keys a --keys b --axis 0", "--keys: is given twice, 'a' and 'b': give one of them"},
        {"--keys a --output-keys b", "--output-keys: is for keys: needs --keys or --group-by, and --output"},
        {"--output a --output-keys b", "--output-keys: is for keys: needs --keys or --group-by, and --output"},
        {"--keys a --output b --output-keys b", "--output, --output-keys: 'b' cannot be both files"},
        {"--key-type i8", "--key-type: needs --keys or --group-by"},
        {"--keys a --key-type i9", "--key-type: 'i9' is not one of" JR_TYPES(WORD) "; did you mean 'i8'?"},
        {"--format raw x", "--format raw: needs --type" SEE_HELP},
        {"--column 1 --format raw --type f32", "--column: is for text"},
        {"--random 4 --format raw --type f32", "--format: generated data has no format"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_usage_error(rows[i].line, rows[i].message);
}

TEST(wrong_words_about_the_operator_are_usage_errors_that_name_them) {
    static const wrong_line rows[] = {
        {"--op min,,max", "--op: an operator is missing; a list is sum,mean" SEE_HELP},
        {"--op minmax,max", "--op: 'max' is given twice"},
        {"--op sum,prod,min,max,mean,var,std,norm1,norm2", "--op: a list of more than 8 operators"},
        {"--type f32,f33", "--type: 'f33' is not one of" JR_TYPES(WORD) "; did you mean 'f32'?"},
        {"--type i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8",
         "--type: 'i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8,i8' lists more than 16 types"},
        {"--mode graphs", "--mode: 'graphs' is not one of launches graph latency; did you mean 'graph'?"},
        {"--data warm,cold", "--data: is cold or warm: give one of them"},
        {"--data warm,hot", "--data: 'hot' is not one of cold warm hostile misaligned" SEE_HELP},
        {"--csv --json", "--csv and --json: give one of them"},
        {"--one-pass --op sum", "--one-pass: needs a list of operators like --op sum,min"},
        {"--accumulate f31", "--accumulate: 'f31' is not one of" JR_TYPES(WORD) "; did you mean 'f32'?"},
        {"--nan skip", "--nan: 'skip' is not one of propagate ignore; did you mean 'ignore'?"},
        {"--ddof one", "--ddof: 'one' is not a number"},
        {"--param t", "--param: 't' is not name=value or name=value:type" SEE_HELP},
        {"--param =3", "--param: '=3' is not name=value or name=value:type" SEE_HELP},
        {"--param t=x", "--param: 'x' is not a number"},
        {"--param t=300:i7", "--param: 'i7' is not one of" JR_TYPES(WORD) "; did you mean 'i8'?"},
        {"--param t=2.5:i32", "--param: '2.5' is not a whole number, but the type is i32"},
        {"--param a_name_that_is_longer_than_an_identifier_may_be=1",
         "--param: the name 'a_name_that_is_longer_than_an_identifier_may_be' is longer than 31 characters"},
        {"--op sum --combine a+b", "--combine, --identity: go with --op custom, not with sum"},
        {"--type struct", "--type: struct needs --struct" SEE_HELP},
        {"--struct pair", "--struct: 'pair' is not like 'struct pair { float key; int id; };'" SEE_HELP},
        {"-z b a", "-z: also needs -y"},
        {"-y b a", "-y: nothing uses it: give --map, --where or --op dot" SEE_HELP},
        {"--op dot --type i8,i8,i8 -y b a", "--type: 3 types for 2 inputs"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_usage_error(rows[i].line, rows[i].message);
}

TEST(options_stand_anywhere_among_files) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("a.npy -qp min b.npy --uf 4 -b 64 -g2 -t f64 -d cuda:3 -- --op", &options, &error), CLI_OK);
    assert_int_equal(options.file_count, 3);
    assert_string_equal(options.files[2], "--op");
    assert_int_equal(options.ops[0], JR_OP_MIN);
    assert_int_equal(options.spec.type, JR_F64);
    assert_int_equal(options.spec.unroll, 4);
    assert_int_equal(options.spec.block, 64);
    assert_int_equal(options.spec.grid, 2);
    assert_string_equal(options.device, "cuda:3");
    assert_true(options.quiet);
    assert_false(options.stats);
}

TEST(operators_and_types_come_in_lists) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("--op minmax,mean --type i8,f32 --map x*y -y b a", &options, &error), CLI_OK);
    assert_int_equal(options.op_count, 3);
    assert_int_equal(options.ops[0], JR_OP_MIN);
    assert_int_equal(options.ops[1], JR_OP_MAX);
    assert_int_equal(options.ops[2], JR_OP_MEAN);
    assert_int_equal(options.spec.type, JR_I8);
    assert_int_equal(cli_options_type(&options, 1), JR_F32);
    assert_int_equal(cli_options_type(&options, 3), JR_F32);
    assert_int_equal(cli_options_input_count(&options), 2);
    assert_string_equal(options.more_files[1], "b");
}

TEST(an_operator_of_your_own_needs_no_op) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("--combine a+b --identity=-0.0f --commutative", &options, &error), CLI_OK);
    assert_int_equal(options.ops[0], JR_OP_CUSTOM);
    assert_string_equal(options.spec.identity, "-0.0f");
    assert_int_equal(options.spec.commutative, 1);
}

TEST(the_text_of_a_parameter_gives_its_type) {
    cli_options options;
    cli_error error;
    assert_int_equal(
        parse("--param a=-3 --param b=2.5 --param c=7:u32 --param d=1:f32 --param e=inf", &options, &error), CLI_OK);
    assert_int_equal(options.parameter_count, 5);
    const cli_parameter *all = options.parameters;
    assert_string_equal(all[2].name, "c");
    assert_true(all[0].value.type == JR_I64 && all[0].value.as.i64 == -3);
    assert_true(all[1].value.type == JR_F64 && all[1].value.as.f64 == 2.5);
    assert_true(all[2].value.type == JR_U32 && all[2].value.as.u32 == 7);
    assert_true(all[3].value.type == JR_F32 && all[3].value.as.f32 == 1);
    assert_int_equal(all[4].value.type, JR_F64);
}

TEST(what_is_not_given_is_left_to_choose) {
    cli_options options;
    cli_error error;
    unsetenv("JITREDUCE_DEVICE");
    assert_int_equal(parse("", &options, &error), CLI_OK);
    assert_int_equal(options.ops[0], JR_OP_SUM);
    assert_int_equal(options.spec.type, JR_TYPE_NONE);
    assert_int_equal(options.spec.unroll, 0);
    assert_int_equal(options.spec.algorithm, JR_ALGORITHM_AUTO);
    assert_string_equal(options.device, "auto");
    assert_true(options.count == UINT64_MAX);
}

TEST(the_setting_stands_in_for_the_device) {
    cli_options options;
    cli_error error;
    setenv("JITREDUCE_DEVICE", "sim", 1);
    assert_int_equal(parse("", &options, &error), CLI_OK);
    assert_string_equal(options.device, "sim");
    assert_int_equal(parse("--device cuda", &options, &error), CLI_OK);
    assert_string_equal(options.device, "cuda");
    setenv("JITREDUCE_DEVICE", "toaster", 1);
    assert_int_equal(parse("", &options, &error), CLI_USAGE);
    assert_string_equal(error.message, "JITREDUCE_DEVICE: 'toaster' is not one of auto cuda cuda:N cuda:N,N cuda:all "
                                       "sim sim#N sim:N sim:N,N sim:all" SEE_HELP);
    assert_int_equal(parse("--help", &options, &error), CLI_OK);
    unsetenv("JITREDUCE_DEVICE");
}

TEST(a_shape_is_a_list_of_sizes) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("--axis -2 --shape 4,1k,0", &options, &error), CLI_OK);
    assert_int_equal(options.axis_count, 1);
    assert_int_equal(options.axes[0], -2);
    assert_int_equal(options.shape.dimensions, 3);
    assert_true(options.shape.sizes[0] == 4 && options.shape.sizes[1] == 1000 && options.shape.sizes[2] == 0);
}

TEST(an_option_outside_its_scope_is_named) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("doctor --device sim --stats", &options, &error), CLI_OK);
    assert_int_equal(cli_options_check_scope(&options, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_options_check_scope(&options, CLI_SCOPE_DOCTOR, "doctor", &error), CLI_USAGE);
    assert_string_equal(error.message,
                        "--stats: does not go with 'doctor'; it is an option of reduce, scan, apply, compare, run");
    assert_int_equal(parse("bench --device sim --type i8,i16,i32,i64,u8", &options, &error), CLI_OK);
    assert_int_equal(cli_options_check_scope(&options, CLI_SCOPE_BENCH, "bench", &error), CLI_OK);
    assert_int_equal(cli_options_check_scope(&options, CLI_SCOPE_REDUCE, "reduce", &error), CLI_USAGE);
    assert_string_equal(error.message, "--type: a list of more than 4 types");
}

/* getopt's tables, `given`, and the help lean on this. */
TEST(the_table_of_options_is_sound) {
    assert_in_range(cli_option_count(), 1, CLI_OPTIONS_MAX);
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        assert_true(option->name[0] != '\0' && option->help[0] != '\0');
        assert_true(option->scope != 0 && (option->scope & ~CLI_SCOPE_ALL) == 0);
        assert_non_null(option->take);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(option->name, cli_option_row(j)->name);
            assert_true(option->letter == '\0' || option->letter != cli_option_row(j)->letter);
        }
    }
}

RUN_TESTS(NULL, NULL)
