/* Options that would have no effect are refused by name. */
#include <string.h>

#include "base/cli_error.h"
#include "options/option_use.h"
#include "support/cases/cli_line.h"

static cli_exit check(const cli_options *options, int scope, cli_error *error) {
    const cli_exit code = cli_options_check_use(options, scope, error);
    return code == CLI_OK ? cli_options_check_names(options, error) : code;
}

static void refuse(const char *line, int scope, const char *message) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse(line, &options, &error), CLI_OK);
    assert_int_equal(check(&options, scope, &error), CLI_USAGE);
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
    assert_int_equal(check(&options, CLI_SCOPE_PACK, &error), CLI_OK);
    assert_int_equal(parse("--device sim --op dot -y f --where y>k --param k=1", &options, &error), CLI_OK);
    assert_int_equal(check(&options, CLI_SCOPE_REDUCE, &error), CLI_OK);
}

RUN_TESTS(NULL, NULL)
