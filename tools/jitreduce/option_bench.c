/* Takes sizes, rounds and peers from the command line. */
#include "option_bench.h"

#include <string.h>

#include "number.h"

cli_exit cli_take_sizes(cli_options *options, const char *argument, cli_error *error) {
    return cli_sizes_parse(argument, &options->sizes, error);
}

cli_exit cli_take_rounds(cli_options *options, const char *argument, cli_error *error) {
    enum { MOST = 100000 };
    uint64_t rounds;
    if (!cli_count_parse(argument, &rounds) || rounds == 0 || rounds > MOST)
        return cli_fail(error, CLI_USAGE, "--rounds: '%s' is not a number from 1 to %d", argument, MOST);
    options->bench.rounds = (int)rounds;
    return CLI_OK;
}

cli_exit cli_take_limit_s(cli_options *options, const char *argument, cli_error *error) {
    const double most = 1e9;
    double limit = 0;
    const cli_number_status status = cli_number_parse(JR_F64, argument, argument + strlen(argument), &limit);
    if (status != CLI_NUMBER_OK || !(limit > 0) || !(limit <= most))
        return cli_fail(error, CLI_USAGE, "--limit: '%s' is not a number of seconds above 0", argument);
    options->limit_s = limit;
    return CLI_OK;
}

cli_exit cli_take_peer(cli_options *options, const char *argument, cli_error *error) {
    if (options->bench.peer_count == CLI_PEERS_MAX)
        return cli_fail(error, CLI_USAGE, "--peer: more than %d of them", CLI_PEERS_MAX);
    options->bench.peers[options->bench.peer_count++] = argument;
    return CLI_OK;
}
