/* How a row of the option table is written. */
#ifndef CLI_OPTION_ROW_H
#define CLI_OPTION_ROW_H

#include <stddef.h>

#include "option_take.h"

/* Which subcommands take an option. */
#define REDUCE CLI_SCOPE_REDUCE
#define TIMED  (CLI_SCOPE_REDUCE | CLI_SCOPE_COMPARE)
#define APPLY  CLI_SCOPE_APPLY
#define RUNS   (CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN)
#define PARTS  (RUNS | CLI_SCOPE_COMPARE)
#define TABLES (CLI_SCOPE_REDUCE | CLI_SCOPE_COMPARE | CLI_SCOPE_SCAN | APPLY)
#define DATA   (TABLES | CLI_SCOPE_TRACE)
#define PLANS  (CLI_SCOPE_REDUCE | CLI_SCOPE_INFO | CLI_SCOPE_BENCH | CLI_SCOPE_TRACE)
#define BENCH  CLI_SCOPE_BENCH
#define TUNE   CLI_SCOPE_TUNE
#define PACK   CLI_SCOPE_PACK
#define SCANS  (CLI_SCOPE_COMPARE | CLI_SCOPE_TUNE | CLI_SCOPE_TRACE | PACK)
#define SPEC   (DATA | CLI_SCOPE_INFO | BENCH)
#define WORK   (SPEC | TUNE | PACK)
#define RUN    CLI_SCOPE_RUN
#define LAUNCH (CLI_SCOPE_RUN | CLI_SCOPE_REPLAY)

/* Names with blanks in front. */
#define OP_NAMES        JR_OPS(WORD)
#define TYPE_NAMES      JR_TYPES(WORD)
#define ALGORITHM_NAMES JR_ALGORITHMS(WORD)

/* A row: what every option has, then its function, and what only some have. argument NULL: it takes none. */
#define OPTION(name_, letter_, argument_, scope_, help_, ...)                                                          \
    { .name = name_, .letter = letter_, .argument = argument_, .scope = scope_, .help = help_, __VA_ARGS__ }
#define INTO(function, member_) .take = cli_##function, .member = offsetof(cli_options, member_)
/* Of `run` it is a formula. */
#define OR_FORMULA(member_) .formula = offsetof(cli_options, run.member_)

#endif
