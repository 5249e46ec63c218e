/* The command line: what a slip was meant to be, and what it says of the form of texts. */
#include <stdio.h>
#include <string.h>

#include "options/option_parse.h"
#include "support/fixtures/check.h"

typedef struct wrong_line {
    const char *line, *message;
} wrong_line;

/* Parses a command line given as one text, of which options keep nothing that is looked at later. */
static cli_exit parse(const char *line, cli_options *options, cli_error *error) {
    char text[256], program[] = "jitreduce", *words[16] = {program};
    int count = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) words[count++] = word;
    words[count] = NULL;
    return cli_options_parse(count, words, options, error);
}

static void assert_refused(const wrong_line *rows, size_t count) {
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
        {"--se", "--se: begins several options: --seed --segment-length"},
    };
    assert_refused(rows, sizeof rows / sizeof *rows);
}

TEST(what_does_not_go_together_about_texts_is_told) {
    static const wrong_line rows[] = {
        {"--column 1,,2", "--column: '1,,2' is not a list of columns like price or 3,4" SEE_HELP},
        {"--column 1,2,3,4,5", "--column: '1,2,3,4,5' lists more than 4 columns: x, y, z and w"},
        {"--column 1,2 x",
         "--column: nothing uses the second one, which is y: --map 'x + y' makes one number of both, --op dot adds "
         "their products; the sum of each needs a command of its own, with one column"},
        {"--column 1,2 --op dot -y x", "-y: the second column of --column is y already"},
        {"--delimiter ; x", "--delimiter: separates the columns of --column, which is not given"},
        {"--delimiter ab", "--delimiter: 'ab' is not one character like ';', nor tab or space" SEE_HELP},
        {"--decimal ;", "--decimal: ';' is neither '.' nor ','" SEE_HELP},
        {"--decimal , --delimiter , --column 1", "--delimiter, --decimal: both are the comma"},
        {"--missing skip",
         "--missing: needs --na, the words for a missing value: --na '' for an empty field, --na NA,-"},
        {"--na NA --random 4", "--delimiter, --decimal, --thousands, --skip-lines, --na, --missing: are for text"},
    };
    assert_refused(rows, sizeof rows / sizeof *rows);
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
