/* Has contestants take turns. */
#include "bench_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_read.h"
#include "io/report.h"

static bool is_float(jr_type type) {
    return jr_type_class_of(type) == JR_CLASS_FLOAT;
}

/* Half the distance from 1 to the next number. */
static double unit_of(jr_type type) {
    return ldexp(0.5, -jr_type_fraction_bits(type));
}

/* Each element goes through about so many additions: a tree over 2^18 chains, of which each adds up its share. */
static double value_tolerance(jr_op op, jr_type ours, jr_type other, uint64_t count) {
    if (!is_float(ours) || !is_float(other) || (jr_op_flags(op) & JR_OP_FLAG_SELECTS)) return 0;
    const double unit = fmax(unit_of(ours), unit_of(other));
    return unit * (16 + 4 * log2((double)count + 1) + (double)count * 0x1p-18);
}

static double number_of(const jr_value *value) {
    double number;
    return jr_value_number(value, &number) == JR_OK ? number : (double)NAN;
}

bool cli_values_agree(jr_op op, const jr_value *ours, const jr_value *other, uint64_t count) {
    if (!is_float(ours->type) && !is_float(other->type)) {
        const size_t a = jr_type_size(ours->type), b = jr_type_size(other->type);
        return memcmp(&ours->as, &other->as, a < b ? a : b) == 0; /* little-endian: the low bytes */
    }
    const double x = number_of(ours), y = number_of(other);
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    if (x == y || isinf(x) || isinf(y)) return x == y;
    return fabs(x - y) <= value_tolerance(op, ours->type, other->type, count) * fmax(fabs(x), fabs(y));
}

/* A peer of groups is prepared for the largest size, once. */
static void prepare_peers(cli_bench *bench) {
    cli_peers *peers = &bench->peers;
    for (int i = 0; i < peers->count; i++)
        peers->handles[i] = peers->groups[i]->open(bench->device_count, bench->ordinals, bench->count_most);
}

cli_exit cli_bench_open(cli_bench *bench, uint64_t bytes, cli_error *error) {
    const bool of_group = bench->devices.group != NULL;
    jr_status status = jr_memory_new(bench->context, (uint64_t)CLI_OUT_BYTES * CLI_BENCH_MAX, &bench->out);
    for (int d = 0; status == JR_OK && d < bench->device_count; d++) {
        jr_context *context = of_group ? jr_group_context(bench->devices.group, (size_t)d) : bench->context;
        bench->data[d] = (cli_bench_data){.context = context, .bytes = bytes, .first = (uint64_t)d * bytes};
        status = jr_memory_new(context, bytes, &bench->data[d].memory);
    }
    if (status != JR_OK) return cli_fail_library(error, status);
    const cli_exit code = cli_peers_open(bench->options, of_group, &bench->peers, error);
    if (code == CLI_OK && of_group) prepare_peers(bench);
    return code;
}

void cli_bench_close(cli_bench *bench) {
    cli_peers_close(&bench->peers);
    for (int d = 0; d < bench->device_count; d++) jr_memory_free(bench->data[d].context, bench->data[d].memory);
    jr_memory_free(bench->context, bench->out);
}

/* Reads more than the L2 cache holds, so that the buffers that a graph repeats are cold each time. */
static jr_status sweep(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    const cli_bench_data *data = item->bench->data;
    (void)run;
    return cli_bench_read_run(item->own, data->memory, item->bytes < data->bytes ? item->bytes : data->bytes, item->out,
                              stream);
}

static void find_distance(const cli_bench_item *item, const jr_value *ours, const jr_value *values) {
    cli_distance *off = &item->cell->off;
    off->known = true;
    for (int i = 0; i < item->result_count; i++) {
        const cli_distance one = cli_distance_of(&values[i], &ours[i]);
        off->known &= one.known;
        if (one.steps > off->steps) off->steps = one.steps;
    }
}

/* whose: what the values are held against. */
static void compare(const cli_bench_item *item, const char *whose, const jr_value *ours, const jr_value *values) {
    for (int i = 0; i < item->result_count && !item->cell->wrong; i++) {
        char wanted[CLI_VALUE_BYTES], got[CLI_VALUE_BYTES];
        const uint64_t count = item->count * (uint64_t)item->who->devices;
        if (cli_values_agree(item->request->ops[i], &ours[i], &values[i], count)) continue;
        item->cell->wrong = true;
        snprintf(item->cell->note, sizeof item->cell->note, "%s is %s, and %s is %s", jr_op_name(item->request->ops[i]),
                 cli_value_text(&values[i], NULL, got), whose, cli_value_text(&ours[i], NULL, wanted));
    }
}

/* Judges ours, where there is another way to its values. */
static jr_status judge(const cli_bench_item *item, const jr_value *ours) {
    jr_value expected[JR_OPS_MAX];
    bool known = false;
    if (item->who->kind->expect == NULL) return JR_OK;
    const jr_status status = item->who->kind->expect(item, expected, &known);
    if (status == JR_OK && known) compare(item, "one device's", expected, ours);
    return status;
}

/* Runs each once on the same data, judges ours, and holds the others' values against it. A contestant whose run fails
 * by itself is dropped. */
static jr_status check(cli_bench_item *items, int count) {
    unsigned char poison[CLI_OUT_BYTES];
    jr_value ours[JR_OPS_MAX], values[JR_OPS_MAX];
    jr_status status = JR_OK;
    memset(poison, 0xa5, sizeof poison);
    for (int i = 0; status == JR_OK && i < count; i++) {
        cli_bench_item *item = &items[i];
        const cli_bench_kind *kind = item->who->kind;
        if (!item->cell->there) continue;
        status = jr_memory_write(item->bench->context, item->out, poison, sizeof poison);
        if (status == JR_OK) status = kind->run(item, 0, NULL);
        if (item->failed) {
            item->cell->there = false;
            status = JR_OK;
        } else if (kind->read != NULL) {
            if (status == JR_OK) status = kind->read(item, i == 0 ? ours : values);
            if (status == JR_OK && i == 0) status = judge(item, ours);
            if (status == JR_OK && i > 0 && !kind->rounds_otherwise) compare(item, "ours", ours, values);
            if (status == JR_OK && cli_bench_tells_errors(item->bench))
                find_distance(item, ours, i == 0 ? ours : values);
        }
    }
    return status;
}

static cli_exit fail_run(const cli_bench_item *items, int count, jr_status status, cli_error *error) {
    for (int i = 0; i < count; i++)
        if (items[i].failed) return cli_fail(error, CLI_FAILURE, "%s: %s", items[i].who->name, items[i].cell->note);
    if (jr_last_error()->status != status) return cli_fail(error, CLI_FAILURE, "%s", jr_status_text(status));
    return cli_fail_library(error, status);
}

/* Medians and ratios of those that were measured: samples of a contestant are `rounds` apart. */
static void fill_cells(const cli_bench_item *const *measured, int count, double *us, int rounds, int made) {
    for (int i = 0; i < count; i++) {
        measured[i]->cell->us = cli_spread_of(us + (size_t)i * (size_t)rounds, made);
        measured[i]->cell->ratio =
            measured[0]->cell->us.median > 0 ? measured[i]->cell->us.median / measured[0]->cell->us.median : 0;
    }
}

static jr_status measure(const cli_bench *bench, cli_bench_item *items, cli_bench_row *row) {
    const cli_bench_options *options = &bench->options->bench;
    jr_measured turns[CLI_BENCH_MAX];
    const cli_bench_item *measured[CLI_BENCH_MAX];
    cli_bench_read loop;
    cli_bench_item sweeper = {.bench = bench, .own = &loop, .out = bench->out, .bytes = 4 * bench->device.l2_bytes};
    const jr_measured before = {sweep, &sweeper};
    jr_measure_options how = JR_INIT(jr_measure_options,
                                     .mode = options->mode == CLI_BENCH_LATENCY ? JR_MEASURE_HOST
                                             : options->mode == CLI_BENCH_GRAPH ? JR_MEASURE_GRAPH
                                                                                : JR_MEASURE_LAUNCHES,
                                     .rounds = bench->rounds);
    int count = 0;
    for (int i = 0; i < bench->contestant_count; i++) {
        const cli_bench_kind *kind = items[i].who->kind;
        if (!items[i].cell->there) continue;
        turns[count] = (jr_measured){options->mode == CLI_BENCH_LATENCY ? kind->call : kind->run, &items[i]};
        measured[count++] = &items[i];
    }
    jr_status status = JR_OK;
    if (options->mode == CLI_BENCH_GRAPH && bench->cold_bytes > 0) {
        status = cli_bench_read_get(bench->context, 0, &loop);
        how.before = &before;
    }
    double *us = malloc((size_t)count * (size_t)how.rounds * sizeof *us);
    if (us == NULL) status = JR_ERROR_OUT_OF_MEMORY;
    if (status == JR_OK) status = jr_measure(bench->context, &how, turns, count, us, &row->rounds);
    if (status == JR_OK) fill_cells(measured, count, us, how.rounds, row->rounds);
    free(us);
    return status;
}

cli_exit cli_bench_run_size(cli_bench *bench, const cli_request *request, cli_bench_row *row, cli_error *error) {
    cli_bench_item items[CLI_BENCH_MAX] = {{.who = NULL}};
    const int inputs = request->spec.input_count > 1 ? request->spec.input_count : 1;
    jr_status status = JR_OK;
    for (int d = 0; d < bench->device_count; d++)
        cli_bench_data_cut(&bench->data[d], row->count, bench->options->offset, inputs, bench->cold_bytes);
    int made = 0;
    for (; status == JR_OK && made < bench->contestant_count; made++) {
        items[made] = (cli_bench_item){.who = &bench->contestants[made],
                                       .ours = &items[0],
                                       .bench = bench,
                                       .request = request,
                                       .cell = &row->cells[made],
                                       .count = row->count,
                                       .bytes = row->bytes,
                                       .input_count = inputs,
                                       .result_count = request->op_count,
                                       .out = (char *)bench->out + made * CLI_OUT_BYTES};
        row->cells[made].there = true;
        row->cells[made].bytes = row->bytes * (uint64_t)bench->contestants[made].devices;
        status = items[made].who->kind->prepare(&items[made]);
    }
    if (status == JR_OK) status = check(items, made);
    if (status == JR_OK) status = measure(bench, items, row);
    row->stats = JR_INIT(jr_stats);
    if (status == JR_OK && bench->devices.group == NULL) status = jr_plan_stats(items[0].own, &row->stats);
    const cli_exit code = status == JR_OK ? CLI_OK : fail_run(items, made, status, error);
    for (int i = made - 1; i >= 0; i--) items[i].who->kind->release(&items[i]);
    return code;
}
