/* Has contestants take turns. */
#include "bench_run.h"

#include <stdlib.h>
#include <string.h>

#include "bench_read.h"
#include "bench_value.h"
#include "report.h"

/* The results of a contestant: those of a list lie 16 bytes apart, a peer's CLI_PEER_OUT_BYTES. */
enum { OUT_BYTES = JR_OPS_MAX * CLI_PEER_OUT_BYTES };

/* A contestant at one work and size. */
typedef struct bench_item {
    const cli_bench_contestant *who;
    cli_bench_place *place;
    const cli_request *request;
    cli_bench_cell *cell;
    uint64_t count, bytes;
    jr_plan *plan; /* of ours and its variants; the aligned one borrows ours */
    cli_bench_read loop;
    cli_peer_work peer;
    void *out;
    int failure; /* of a peer: its error number */
} bench_item;

cli_exit cli_bench_place_open(const cli_bench *bench, jr_context *context, uint64_t bytes, cli_bench_place *place,
                              cli_error *error) {
    *place = (cli_bench_place){.context = context};
    cli_exit code = cli_bench_data_open(context, bytes, &place->data, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_memory_new(context, (uint64_t)OUT_BYTES * CLI_BENCH_MOST, &place->out);
    code = status == JR_OK ? cli_peers_open(bench->options, &place->peers, error) : cli_fail_library(error, status);
    if (code != CLI_OK) cli_bench_place_close(place);
    return code;
}

void cli_bench_place_close(cli_bench_place *place) {
    cli_peers_close(&place->peers);
    jr_memory_free(place->context, place->out);
    cli_bench_data_close(&place->data);
}

static int input_count(const cli_request *request) {
    return request->spec.input_count > 1 ? request->spec.input_count : 1;
}

/* A peer's failure is its number; the library's has a reason. */
static jr_status run_peer(bench_item *item, uint64_t run, jr_stream stream) {
    const void *in[2] = {cli_bench_array(&item->place->data, run, 0, false), NULL};
    if (input_count(item->request) > 1) in[1] = cli_bench_array(&item->place->data, run, 1, false);
    item->failure = cli_peer_run(&item->peer, in, stream);
    return item->failure == 0 ? JR_OK : JR_ERROR_DRIVER;
}

static void find_arrays(const bench_item *item, uint64_t run, const void *in[JR_INPUTS_MAX]) {
    for (int i = 0; i < input_count(item->request); i++)
        in[i] = cli_bench_array(&item->place->data, run, i, item->who->kind == CLI_BENCH_ALIGNED);
}

static jr_status run_item(void *user, uint64_t run, jr_stream stream) {
    bench_item *item = user;
    const void *in[JR_INPUTS_MAX] = {NULL};
    if (item->who->kind == CLI_BENCH_PEER) return run_peer(item, run, stream);
    if (item->who->kind == CLI_BENCH_READ)
        return cli_bench_read_run(&item->loop, cli_bench_slot(&item->place->data, run), item->bytes, item->out, stream);
    find_arrays(item, run, in);
    return jr_plan_run_arrays(item->plan, in, item->count, item->out, NULL, stream);
}

/* What --latency times: from the call until the value is in host memory. A peer's is copied on the default stream. */
static jr_status call_item(void *user, uint64_t run, jr_stream stream) {
    bench_item *item = user;
    const void *in[JR_INPUTS_MAX] = {NULL};
    if (item->plan != NULL) {
        jr_value values[JR_OPS_MAX];
        find_arrays(item, run, in);
        return jr_plan_value(item->plan, in, item->count, stream, values);
    }
    unsigned char bytes[OUT_BYTES];
    const int last = item->peer.count - 1;
    const jr_type type = cli_peer_result(&item->peer, last, item->request->results[last]);
    const uint64_t size = (uint64_t)last * CLI_PEER_OUT_BYTES + jr_type_size(type);
    const jr_status status = run_item(user, run, NULL);
    return status == JR_OK ? jr_memory_read(item->place->context, bytes, item->out, size) : status;
}

/* Reads more than the L2 cache holds, so that the buffers that a graph repeats are cold each time. */
static jr_status sweep(void *user, uint64_t run, jr_stream stream) {
    const bench_item *item = user;
    const uint64_t bytes = item->bytes < item->place->data.bytes ? item->bytes : item->place->data.bytes;
    (void)run;
    return cli_bench_read_run(&item->loop, item->place->data.memory, bytes, item->out, stream);
}

/* Expressions of the caller's are not known to peers. */
static bool is_plain(const jr_spec *spec) {
    return spec->map == NULL && spec->where == NULL && spec->finish == NULL && spec->combine == NULL &&
           spec->nan == JR_NAN_PROPAGATE;
}

static jr_status make_plan(bench_item *item) {
    jr_spec spec = item->request->spec;
    spec.capacity = item->count;
    if (item->who->kind == CLI_BENCH_ALONE) {
        spec.op = item->request->ops[0];
        spec.ops = NULL;
        spec.op_count = 0;
    }
    return jr_plan_create(item->place->context, &spec, &item->plan);
}

/* Whether the contestant can do it goes to item->cell->there. */
static jr_status prepare(const cli_bench *bench, bench_item *item, const bench_item *ours) {
    const peer_work like = {.device = bench->device.ordinal,
                            .type = jr_type_name(item->request->spec.type),
                            .count = item->count,
                            .out = item->out};
    item->cell->there = true;
    switch (item->who->kind) {
    case CLI_BENCH_ALIGNED: item->plan = ours->plan; return JR_OK;
    case CLI_BENCH_READ: return cli_bench_read_get(item->place->context, item->who->which, &item->loop);
    case CLI_BENCH_PEER:
        item->cell->there = is_plain(&item->request->spec) &&
                            cli_peer_prepare(item->place->peers.peers[item->who->which], item->request->ops,
                                             item->request->result_count, &like, &item->peer);
        return JR_OK;
    case CLI_BENCH_OURS:
    case CLI_BENCH_ALONE: break;
    }
    return make_plan(item);
}

static void release(bench_item *item) {
    if (item->who->kind != CLI_BENCH_ALIGNED) jr_plan_destroy(item->plan);
    cli_peer_release(&item->peer);
}

/* The values of a contestant's run that has ended. */
static jr_status read_values(const bench_item *item, jr_value *values) {
    unsigned char bytes[OUT_BYTES];
    const bool is_peer = item->who->kind == CLI_BENCH_PEER;
    const int count = item->who->kind == CLI_BENCH_ALONE ? 1 : item->request->result_count;
    const jr_status status = jr_memory_read(item->place->context, bytes, item->out, sizeof bytes);
    for (int i = 0; status == JR_OK && i < count; i++) {
        const jr_type ours = item->request->results[i];
        const size_t offset = is_peer ? (size_t)i * CLI_PEER_OUT_BYTES : jr_plan_result_offset(item->plan, i);
        values[i] = (jr_value){.type = is_peer ? cli_peer_result(&item->peer, i, ours) : ours};
        memcpy(&values[i].as, bytes + offset, jr_type_size(values[i].type));
    }
    return status;
}

static void compare(const bench_item *item, const jr_value *ours, const jr_value *values) {
    const int count = item->who->kind == CLI_BENCH_ALONE ? 1 : item->request->result_count;
    for (int i = 0; i < count && !item->cell->wrong; i++) {
        char wanted[CLI_VALUE_BYTES], got[CLI_VALUE_BYTES];
        if (cli_values_agree(item->request->ops[i], &ours[i], &values[i], item->count)) continue;
        item->cell->wrong = true;
        snprintf(item->cell->note, sizeof item->cell->note, "%s is %s, and ours is %s",
                 jr_op_name(item->request->ops[i]), cli_value_text(&values[i], 0, got),
                 cli_value_text(&ours[i], 0, wanted));
    }
}

/* Runs each once on the same data, and holds its result against ours. The aligned one reads other elements, and read
 * loops have none. A peer that fails is left out. */
static jr_status check(bench_item *items, int count) {
    unsigned char poison[OUT_BYTES];
    jr_value ours[JR_OPS_MAX], values[JR_OPS_MAX];
    jr_status status = JR_OK;
    memset(poison, 0xa5, sizeof poison);
    for (int i = 0; status == JR_OK && i < count; i++) {
        bench_item *item = &items[i];
        if (!item->cell->there) continue;
        status = jr_memory_write(item->place->context, item->out, poison, sizeof poison);
        if (status == JR_OK) status = run_item(item, 0, NULL);
        if (item->failure != 0) {
            snprintf(item->cell->note, sizeof item->cell->note, "it fails with error %d", item->failure);
            item->cell->there = false;
            status = JR_OK;
            continue;
        }
        if (item->who->kind == CLI_BENCH_ALIGNED || item->who->kind == CLI_BENCH_READ) continue;
        if (status == JR_OK) status = read_values(item, i == 0 ? ours : values);
        if (status == JR_OK && i > 0) compare(item, ours, values);
    }
    return status;
}

static cli_exit fail_run(const bench_item *items, int count, jr_status status, cli_error *error) {
    for (int i = 0; i < count; i++)
        if (items[i].failure != 0)
            return cli_fail(error, CLI_FAILURE, "peer %s: it fails with error %d", items[i].who->name,
                            items[i].failure);
    if (jr_last_error()->status != status) return cli_fail(error, CLI_FAILURE, "%s", jr_status_text(status));
    return cli_fail_library(error, status);
}

/* Medians and ratios of those that were measured: samples of a contestant are `rounds` apart. */
static jr_status fill_cells(const bench_item *const *measured, int count, const double *us, int rounds, int made) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < count; i++) {
        status = jr_spread_of(us + (size_t)i * (size_t)rounds, made, &measured[i]->cell->us);
        measured[i]->cell->ratio =
            measured[0]->cell->us.median > 0 ? measured[i]->cell->us.median / measured[0]->cell->us.median : 0;
    }
    return status;
}

static jr_status measure(const cli_bench *bench, cli_bench_place *place, bench_item *items, cli_bench_row *row) {
    const cli_bench_options *options = &bench->options->bench;
    jr_measured turns[CLI_BENCH_MOST];
    const bench_item *measured[CLI_BENCH_MOST];
    bench_item sweeper = {.place = place, .out = place->out, .bytes = 4 * bench->device.l2_bytes};
    const jr_measured before = {sweep, &sweeper};
    jr_measure_options how = JR_INIT(jr_measure_options,
                                     .mode = options->latency ? JR_MEASURE_HOST
                                             : options->graph ? JR_MEASURE_GRAPH
                                                              : JR_MEASURE_LAUNCHES,
                                     .rounds = bench->rounds);
    int count = 0;
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!items[i].cell->there) continue;
        turns[count] = (jr_measured){options->latency ? call_item : run_item, &items[i]};
        measured[count++] = &items[i];
    }
    jr_status status = JR_OK;
    if (options->graph && bench->cold_bytes > 0) {
        status = cli_bench_read_get(place->context, 0, &sweeper.loop);
        how.before = &before;
    }
    double *us = malloc((size_t)count * (size_t)how.rounds * sizeof *us);
    if (us == NULL) status = JR_ERROR_OUT_OF_MEMORY;
    if (status == JR_OK) status = jr_measure(place->context, &how, turns, count, us, &row->rounds);
    if (status == JR_OK) status = fill_cells(measured, count, us, how.rounds, row->rounds);
    free(us);
    return status;
}

cli_exit cli_bench_run_size(const cli_bench *bench, cli_bench_place *place, const cli_request *request,
                            cli_bench_row *row, cli_error *error) {
    bench_item items[CLI_BENCH_MOST] = {{.who = NULL}};
    jr_status status = JR_OK;
    cli_bench_data_cut(&place->data, row->count, bench->options->offset, input_count(request), bench->cold_bytes);
    int made = 0;
    for (; status == JR_OK && made < bench->contestant_count; made++) {
        items[made] = (bench_item){.who = &bench->contestants[made],
                                   .place = place,
                                   .request = request,
                                   .cell = &row->cells[made],
                                   .count = row->count,
                                   .bytes = row->bytes,
                                   .out = (char *)place->out + made * OUT_BYTES};
        status = prepare(bench, &items[made], &items[0]);
    }
    if (status == JR_OK) status = check(items, made);
    if (status == JR_OK) status = measure(bench, place, items, row);
    row->stats = JR_INIT(jr_stats);
    if (status == JR_OK) status = jr_plan_stats(items[0].plan, &row->stats);
    const cli_exit code = status == JR_OK ? CLI_OK : fail_run(items, made, status, error);
    for (int i = made - 1; i >= 0; i--) release(&items[i]);
    return code;
}
