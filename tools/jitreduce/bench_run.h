/* Measures one work at one size: ours, its variants, read loops and peers, in turn. */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "contestant.h"

/* Opens peers, and memory for inputs of `bytes` and all results. */
cli_exit cli_bench_place_open(const cli_bench *bench, jr_context *context, uint64_t bytes, cli_bench_place *place,
                              cli_error *error);
void cli_bench_place_close(cli_bench_place *place);

/* Fills a row whose count and bytes are set. request: the work's; its data is filled in already. */
cli_exit cli_bench_run_size(const cli_bench *bench, cli_bench_place *place, const cli_request *request,
                            cli_bench_row *row, cli_error *error);

#endif
