/* jitreduce bench: works x sizes, each compared with read loops and peers; rows are printed as they are measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/versions.h"
#include "bench_form.h"
#include "bench_read.h"
#include "bench_run.h"
#include "fold/works.h"
#include "io/cli_device.h"
#include "options/command.h"
#include "plot/gnuplot.h"

/* Several times the size of any L2 cache; a simulated device has no cache. */
static uint64_t cold_bytes(const jr_device_info *device) {
    const uint64_t least = UINT64_C(1) << 30, caches = 8 * device->l2_bytes;
    if (device->simulated) return UINT64_C(4) << 20;
    return least > caches ? least : caches;
}

static int choose_rounds(const cli_bench *bench) {
    enum { LATENCY = 1001, SIMULATED = 3 };
    if (bench->options->bench.rounds > 0) return bench->options->bench.rounds;
    if (bench->device.simulated) return SIMULATED;
    return bench->options->bench.mode == CLI_BENCH_LATENCY ? LATENCY : JR_MEASURE_ROUNDS;
}

static void add_contestant(cli_bench *bench, const cli_bench_kind *kind, int which, const char *name,
                           const char *about) {
    cli_bench_contestant *added = &bench->contestants[bench->contestant_count++];
    *added = (cli_bench_contestant){
        .kind = kind, .which = which, .devices = 1, .sets_ceiling = kind == &cli_contestant_loop, .about = about};
    snprintf(added->name, sizeof added->name, "%s", name);
    if (kind == &cli_contestant_group || kind == &cli_contestant_group_peer) added->devices = bench->device_count;
}

static void list_of_group(cli_bench *bench) {
    add_contestant(bench, &cli_contestant_group, 0, "jitreduce", NULL);
    add_contestant(bench, &cli_contestant_one, 0, "one device", NULL);
    for (int i = 0; i < bench->peers.count; i++)
        add_contestant(bench, &cli_contestant_group_peer, i, bench->peers.names[i], bench->options->bench.peers[i]);
}

static void list_contestants(cli_bench *bench) {
#define ALGORITHM(name, number, text) JR_ALGORITHM_##name,
    static const jr_algorithm algorithms[] = {JR_ALGORITHMS(ALGORITHM)};
#undef ALGORITHM
    const cli_options *options = bench->options;
    char name[64];
    add_contestant(bench, &cli_contestant_ours, 0, "jitreduce", NULL);
    if (options->offset > 0) add_contestant(bench, &cli_contestant_aligned, 0, "jitreduce aligned", NULL);
    if (options->spec.accuracy != JR_ACCURACY_FAST)
        add_contestant(bench, &cli_contestant_plain, 0, "jitreduce plain", NULL);
    if (options->bench.one_pass) add_contestant(bench, &cli_contestant_alone, 0, "jitreduce first alone", NULL);
    for (size_t i = 0; options->bench.every && i < sizeof algorithms / sizeof *algorithms; i++) {
        snprintf(name, sizeof name, "jitreduce %s", jr_algorithm_name(algorithms[i]));
        add_contestant(bench, &cli_contestant_algorithm, (int)algorithms[i], name, NULL);
    }
    for (int i = 0; i < CLI_READ_COUNT && options->bench.mode != CLI_BENCH_LATENCY; i++)
        if (cli_bench_read_applies(i, &bench->device))
            add_contestant(bench, &cli_contestant_loop, i, cli_bench_read_name(i), cli_bench_read_text(i));
    for (int i = 0; i < bench->peers.count; i++)
        add_contestant(bench, &cli_contestant_peer, i, bench->peers.names[i], options->bench.peers[i]);
}

/* Checks every work before the first is measured, and finds the largest slot. */
static cli_exit check_works(cli_bench *bench, const cli_sizes *sizes, uint64_t *slot_bytes, cli_error *error) {
    cli_exit code = CLI_OK;
    cli_options own;
    *slot_bytes = 0;
    for (int w = 0; code == CLI_OK && cli_works_at(bench->options, w, &own); w++) {
        cli_request request;
        code = cli_works_request(&own, &request, error);
        for (int s = 0; code == CLI_OK && s < sizes->count; s++) {
            const int arrays = request.spec.input_count > 1 ? request.spec.input_count : 1;
            if (sizes->counts[s] > UINT64_MAX / 64 || bench->options->offset > UINT64_MAX / 64)
                return cli_fail(error, CLI_USAGE, "--sizes: %llu elements are beyond the address space",
                                (unsigned long long)sizes->counts[s]);
            if (bench->count_most < sizes->counts[s]) bench->count_most = sizes->counts[s];
            const uint64_t bytes =
                cli_bench_slot_bytes(own.spec.type, sizes->counts[s], bench->options->offset, arrays);
            if (*slot_bytes < bytes) *slot_bytes = bytes;
        }
    }
    return code;
}

/* Two of the largest slots where there is room, so that a run does not find what the one before left. */
static uint64_t data_bytes(const cli_bench *bench, uint64_t slot_bytes) {
    const uint64_t room = bench->free_bytes / 10 * 9;
    uint64_t bytes = 2 * slot_bytes > bench->cold_bytes ? 2 * slot_bytes : bench->cold_bytes;
    if (bench->cold_bytes == 0 || bytes > room) bytes = slot_bytes;
    return bytes;
}

/* How far all of it is, and what is measured now. */
static void show(cli_bench *bench, const cli_bench_work *work, const cli_sizes *sizes, int size) {
    char name[128], text[256];
    const int done = (bench->work_count - 1) * sizes->count + size;
    snprintf(text, sizeof text, "%s %s, %llu elements", cli_bench_work_text(work, name), jr_type_name(work->type),
             (unsigned long long)sizes->counts[size]);
    cli_progress_show(&bench->progress, (double)done / (bench->planned_works * sizes->count), text);
}

static cli_exit run_work(cli_bench *bench, const cli_sizes *sizes, const cli_options *own, cli_error *error) {
    cli_request request;
    cli_exit code = cli_works_request(own, &request, error);
    cli_bench_work **works = realloc(bench->works, (size_t)(bench->work_count + 1) * sizeof(void *));
    if (works != NULL) bench->works = works;
    cli_bench_work *work = works != NULL ? calloc(1, sizeof *work) : NULL;
    if (work == NULL) return cli_fail(error, CLI_FAILURE, "out of memory for the results");
    bench->works[bench->work_count++] = work;
    work->op_count = request.op_count;
    work->type = own->spec.type;
    memcpy(work->ops, request.ops, sizeof work->ops);
    jr_status status = JR_OK;
    for (int d = 0; code == CLI_OK && status == JR_OK && d < bench->device_count; d++)
        status = cli_bench_data_fill(&bench->data[d], work->type, bench->options->bench.hostile);
    if (status != JR_OK) code = cli_fail_library(error, status);
    for (int s = 0; code == CLI_OK && s < sizes->count && !bench->interrupted; s++) {
        cli_bench_row *row = &work->rows[s];
        show(bench, work, sizes, s);
        const uint64_t arrays = request.spec.input_count > 1 ? (uint64_t)request.spec.input_count : 1;
        row->count = sizes->counts[s];
        row->bytes = row->count * jr_type_size(work->type) * arrays;
        code = cli_bench_run_size(bench, &request, row, error);
        if (code == CLI_OK) work->row_count++;
        for (int i = 0; code == CLI_OK && i < bench->contestant_count; i++) bench->wrong_count += row->cells[i].wrong;
        bench->interrupted = cli_interrupt_waits();
    }
    return code;
}

static cli_exit tell_works(cli_bench *bench, const cli_sizes *sizes, FILE *out, cli_error *error) {
    const cli_bench_form *form = bench->options->json  ? &cli_bench_json
                                 : bench->options->csv ? &cli_bench_csv
                                                       : &cli_bench_table;
    cli_exit code = CLI_OK;
    cli_options own;
    form->begin(bench, out);
    while (cli_works_at(bench->options, bench->planned_works, &own)) bench->planned_works++;
    for (int w = 0; code == CLI_OK && !bench->interrupted && cli_works_at(bench->options, w, &own); w++) {
        code = run_work(bench, sizes, &own, error);
        cli_progress_end(&bench->progress);
        if (code != CLI_OK) break;
        cli_bench_fit(bench, bench->works[w]);
        form->work(bench, bench->works[w], out);
        fflush(out);
    }
    if (code == CLI_OK) form->end(bench, out);
    return code;
}

/* An object is printed when it is whole, or not at all; lines as they come. */
static cli_exit run_works(cli_bench *bench, const cli_sizes *sizes, cli_error *error) {
    char *text = NULL;
    size_t bytes = 0;
    if (!bench->options->json) return tell_works(bench, sizes, stdout, error);
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) return cli_fail(error, CLI_FAILURE, "out of memory for the results");
    cli_exit code = tell_works(bench, sizes, out, error);
    if (fclose(out) != 0 && code == CLI_OK) code = cli_fail(error, CLI_FAILURE, "out of memory for the results");
    if (code == CLI_OK) fwrite(text, 1, bytes, stdout);
    free(text);
    return code;
}

/* ---- where and how it is measured ---- */

/* Writes the command line as a shell would take it, truncated if it is too long. The subcommand, which parsing has
 * moved after all options, comes first. */
static void write_command(const cli_options *options, cli_bench *bench) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:^%@";
    size_t used = (size_t)snprintf(bench->command, sizeof bench->command, "jitreduce bench");
    for (int i = 1; i < options->word_count - 1 && used < sizeof bench->command; i++) {
        const char *word = options->words[i];
        const bool bare = word[0] != '\0' && word[strspn(word, plain)] == '\0';
        used += (size_t)snprintf(bench->command + used, sizeof bench->command - used, bare ? " %s" : " '%s'", word);
    }
}

/* Finds the devices' numbers, and how much memory there is for each: one that was named twice has half. */
static jr_status find_devices(cli_bench *bench) {
    jr_group *group = bench->devices.group;
    uint64_t free_bytes[JR_GROUP_DEVICES_MAX];
    bench->device_count = group != NULL ? (int)jr_group_size(group) : 1;
    for (int d = 0; d < bench->device_count; d++) {
        jr_device_info info = JR_INIT(jr_device_info);
        const jr_status status =
            jr_context_device_info(group != NULL ? jr_group_context(group, (size_t)d) : bench->context, &info);
        if (status != JR_OK) return status;
        if (d == 0) bench->device = info;
        bench->ordinals[d] = info.ordinal;
        free_bytes[d] = info.free_memory_bytes;
    }
    for (int d = 0; d < bench->device_count; d++) {
        uint64_t sharers = 0;
        for (int e = 0; e < bench->device_count; e++) sharers += bench->ordinals[e] == bench->ordinals[d];
        if (d == 0 || free_bytes[d] / sharers < bench->free_bytes) bench->free_bytes = free_bytes[d] / sharers;
    }
    return JR_OK;
}

static cli_exit find_head(cli_bench *bench, cli_error *error) {
    jr_status status = find_devices(bench);
    if (status == JR_OK) status = cli_nvrtc_version(bench->nvrtc);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (!bench->device.simulated) cli_driver_version(bench->driver);
    write_command(bench->options, bench);
    return CLI_OK;
}

/* Of a group the host's view is what is measured. */
/* ---- all of it ---- */

static cli_exit run_bench(cli_bench *bench, cli_error *error) {
    const cli_bench_options *options = &bench->options->bench;
    cli_sizes chosen;
    uint64_t slot_bytes;
    cli_exit code = find_head(bench, error);
    if (code != CLI_OK) return code;
    const char *usual = bench->device.simulated ? "2^10..2^18*4" : "2^10..2^18*4,2^19,2^20..2^28*4";
    const cli_sizes *sizes = cli_works_sizes(bench->options, usual, &chosen);
    bench->cold_bytes = options->warm ? 0 : cold_bytes(&bench->device);
    bench->rounds = choose_rounds(bench);
    code = check_works(bench, sizes, &slot_bytes, error);
    if (code == CLI_OK) code = cli_bench_open(bench, data_bytes(bench, slot_bytes), error);
    if (code != CLI_OK) return code;
    bench->devices.group != NULL ? list_of_group(bench) : list_contestants(bench);
    code = run_works(bench, sizes, error);
    if (code == CLI_OK && options->plots && options->plot == NULL) cli_bench_draw(bench);
    if (code == CLI_OK && options->plot != NULL && !bench->interrupted)
        code = cli_bench_plot(bench, options->plot, error);
    if (code == CLI_OK && bench->wrong_count > 0)
        code = cli_fail(error, CLI_FAILURE, "%d result%s: the report shows which", bench->wrong_count,
                        bench->wrong_count == 1 ? " differs from what it must be" : "s differ from what they must be");
    return code;
}

/* What is asked for cannot be measured. */
static cli_exit check_wishes(const cli_options *options, cli_error *error) {
    if (options->structure.text != NULL) return cli_fail(error, CLI_USAGE, "--struct: bench takes only numbers");
    if (options->bench.mode == CLI_BENCH_GRAPH && cli_device_is_group(options))
        return cli_fail(
            error, CLI_USAGE,
            "--mode graph: a group of devices combines its value on the host, outside of any graph: omit it, or "
            "name one device");
    return CLI_OK;
}

cli_exit cli_bench_run(const cli_options *options, cli_error *error) {
    cli_options own = *options;
    cli_bench bench = {.options = &own, .progress = cli_progress_of(options)};
    sigset_t before;
    cli_exit code = check_wishes(options, error);
    if (code != CLI_OK) return code;
    if (cli_device_is_group(options)) own.bench.mode = CLI_BENCH_LATENCY;
    own.offset = options->bench.misaligned;
    code = cli_gnuplot_check_options(options, error);
    cli_interrupt_block(&before);
    if (code == CLI_OK) code = cli_devices_open(options, &bench.devices, error);
    bench.context = bench.devices.context;
    if (code == CLI_OK) code = run_bench(&bench, error);
    for (int w = 0; w < bench.work_count; w++) free(bench.works[w]);
    free(bench.works);
    cli_bench_close(&bench);
    cli_devices_close(&bench.devices);
    cli_interrupt_release(&before);
    return code;
}
