/* Contestants that set the ceiling: bare read loops. */
#include <stdlib.h>

#include "bench_read.h"
#include "contestant.h"

static jr_status prepare_loop(cli_bench_item *item) {
    item->own = malloc(sizeof(cli_bench_read));
    if (item->own == NULL) return JR_ERROR_OUT_OF_MEMORY;
    return cli_bench_read_get(item->bench->context, item->who->which, item->own);
}

static jr_status run_loop(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    return cli_bench_read_run(item->own, cli_bench_slot(item->bench->data, run), item->bytes, item->out, stream);
}

static void free_loop(cli_bench_item *item) {
    free(item->own);
}

const cli_bench_kind cli_contestant_loop = {.prepare = prepare_loop, .run = run_loop, .release = free_loop};
