/* Measures one work at one size: ours, its variants, read loops and peers, in turn. */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "contestant.h"

/* Opens peers, and memory for inputs of `bytes` and all results. The caller closes, also when it fails. */
cli_exit cli_bench_open(cli_bench *bench, uint64_t bytes, cli_error *error);
void cli_bench_close(cli_bench *bench);

/* Fills a row whose count and bytes are set. request: the work's; its data is filled in already. */
cli_exit cli_bench_run_size(cli_bench *bench, const cli_request *request, cli_bench_row *row, cli_error *error);

/* Whether two results are of the same reduction. */
bool cli_values_agree(jr_op op, const jr_value *ours, const jr_value *other, uint64_t count);

#endif
