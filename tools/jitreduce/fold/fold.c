/* Folds elements of texts into partial states (jitreduce/state.h), a part at a time, and merges these. */
#include "fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli_clock.h"
#include "fold_wide.h"
#include "io/cli_device.h"

/* The elements of a part: 32 MiB of f64. */
enum { PART_ELEMENTS = 1 << 22 };

/* Of a group each device is given its share of all; a reproducible result has one tree over all elements. */
bool cli_fold_applies(const cli_options *options) {
    const jr_spec *spec = &options->spec;
    const bool one = options->axis_count == 0 && options->segment_length == 0 && options->offsets == NULL &&
                     options->keys == NULL && options->group_by == NULL;
    const bool whole = !options->random && !options->iota;
    const bool plain = spec->algorithm == JR_ALGORITHM_AUTO && spec->accuracy != JR_ACCURACY_REPRODUCIBLE &&
                       spec->device_bytes == 0 && spec->max_launch_ms == 0;
    return one && whole && plain && !cli_device_is_group(options) && options->ranks == NULL &&
           options->structure.text == NULL;
}

void cli_fold_begin(cli_fold *fold, cli_column *columns, int count) {
    fold->columns = columns;
    fold->column_count = count;
    fold->repeats = true;
}

/* If a selection may keep nothing, the number of kept elements is counted, too. */
static void count_kept(cli_fold *fold) {
    jr_spec *spec = &fold->spec;
    *spec = fold->request.spec;
    if ((spec->where != NULL || spec->nan == JR_NAN_IGNORE) && fold->request.results.count < JR_OPS_MAX) spec->kept = 1;
}

static jr_status make_plan(cli_fold *fold) {
    const jr_work work = JR_INIT(jr_work, .spec = &fold->spec, .kind = JR_WORK_STATE);
    jr_status status = jr_work_plan_create(fold->context, &work, &fold->plan);
    if (status != JR_OK) return status;
    fold->states = (cli_vector){.size = jr_plan_result_bytes(fold->plan)};
    status = jr_memory_new(fold->context, fold->states.size, &fold->device_state);
    for (int i = 0; status == JR_OK && i < fold->column_count; i++)
        status = jr_memory_new(fold->context, (uint64_t)PART_ELEMENTS * 8, &fold->device_elements[i]);
    return status;
}

/* Opens the device for the types that the columns have now. */
static cli_exit begin(cli_fold *fold, cli_error *error) {
    jr_type types[JR_INPUTS_MAX];
    for (int i = 0; i < fold->column_count; i++) types[i] = fold->columns[i].vector.type;
    cli_exit code = fold->in_f64 ? cli_fold_wide_request(fold, types, error)
                                 : cli_request_make(fold->options, types, fold->column_count, &fold->request, error);
    if (code == CLI_OK && fold->context == NULL) code = cli_device_open(fold->options, &fold->context, error);
    if (code != CLI_OK) return code;
    fold->request.spec.capacity = PART_ELEMENTS;
    count_kept(fold);
    const jr_status status = make_plan(fold);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static jr_status copy_part(cli_fold *fold, uint64_t count) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < fold->column_count; i++) {
        const cli_vector *vector = &fold->columns[i].vector;
        const void *elements = vector->bytes;
        if (fold->converts) {
            cli_wide_convert(vector->type, elements, count, fold->converted);
            elements = fold->converted;
        }
        status = jr_memory_write(fold->context, fold->device_elements[i], elements, count * vector->size);
    }
    return status;
}

/* Folds the first `count` elements of the columns into one more state. */
static jr_status fold_part(cli_fold *fold, uint64_t count) {
    const jr_work_data part = JR_INIT(jr_work_data, .in = (const void *const *)fold->device_elements, .count = count,
                                      .first = fold->elements, .out = fold->device_state);
    if (!cli_vector_grow(&fold->states)) return JR_ERROR_OUT_OF_MEMORY;
    const double begin_ms = cli_now_s() * 1e3;
    jr_status status = copy_part(fold, count);
    const double copied_ms = cli_now_s() * 1e3;
    if (status == JR_OK) status = jr_work_plan_run(fold->plan, &part, NULL, NULL);
    if (status == JR_OK)
        status = jr_memory_read(fold->context, fold->states.bytes + fold->states.used, fold->device_state,
                                fold->states.size);
    if (status != JR_OK) return status;
    fold->copy_ms += copied_ms - begin_ms;
    fold->run_ms += cli_now_s() * 1e3 - copied_ms;
    fold->states.used += fold->states.size;
    fold->elements += count;
    fold->parts++;
    return JR_OK;
}

/* What does not take f64 leaves the results as they are. */
static void fold_in_f64(cli_fold *fold, uint64_t count) {
    static cli_error unused;
    cli_fold *wide = fold->wide;
    jr_type types[JR_INPUTS_MAX];
    bool open[JR_INPUTS_MAX];
    if (wide->ended) return;
    wide->columns = fold->columns;
    wide->column_count = fold->column_count;
    wide->context = fold->context;
    for (int i = 0; i < fold->column_count; i++) {
        types[i] = fold->columns[i].vector.type;
        open[i] = fold->columns[i].open;
    }
    const bool applies = cli_wide_applies(fold->options, types, open, fold->column_count);
    wide->refuses = applies && wide->plan == NULL && begin(wide, &unused) != CLI_OK;
    wide->ended = !applies || wide->refuses || fold_part(wide, count) != JR_OK;
}

/* Folds the first `count` elements that the columns hold, and takes them from these. */
cli_exit cli_fold_first(cli_fold *fold, uint64_t count, cli_error *error) {
    const cli_exit code = fold->plan == NULL ? begin(fold, error) : CLI_OK;
    if (code != CLI_OK || count == 0) return code;
    const uint64_t first = fold->elements;
    for (int i = 0; i < fold->column_count; i++)
        cli_ranges_grow(&fold->ranges, i, fold->columns[i].vector.type, fold->columns[i].vector.bytes, count, first);
    fold->ranges.count = first + count;
    const jr_status status = fold_part(fold, count);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (fold->wide != NULL && !fold->asleep) fold_in_f64(fold, count);
    for (int i = 0; i < fold->column_count; i++) {
        cli_column *column = &fold->columns[i];
        const size_t gone = count * column->vector.size;
        column->folded += count;
        column->minus.used = 0;
        column->vector.used -= gone;
        memmove(column->vector.bytes, column->vector.bytes + gone, column->vector.used);
    }
    return CLI_OK;
}

/* Parts are of one size, in whatever blocks the text comes, so that the result does not depend on that. */
cli_exit cli_fold_take(void *user, cli_error *error) {
    cli_fold *fold = user;
    bool settled = true;
    cli_exit code = CLI_OK;
    cli_fold_measure(fold);
    if (fold->again) return cli_fail(error, CLI_FAILURE, "--op: the numbers are to be read again"); /* nobody sees it */
    for (int i = 0; i < fold->column_count; i++) settled &= cli_column_settled(&fold->columns[i]);
    if (!settled && !fold->repeats) return CLI_OK;
    while (code == CLI_OK && cli_fold_held(fold) > PART_ELEMENTS) code = cli_fold_first(fold, PART_ELEMENTS, error);
    return code;
}

void cli_fold_forget(cli_fold *fold) {
    for (int i = 0; i < JR_INPUTS_MAX; i++) {
        jr_memory_free(fold->context, fold->device_elements[i]);
        fold->device_elements[i] = NULL;
    }
    jr_memory_free(fold->context, fold->device_state);
    jr_plan_destroy(fold->plan);
    free(fold->states.bytes);
    free(fold->converted);
    fold->converted = NULL;
    fold->ended = fold->refuses = fold->again = false;
    fold->measured = 0;
    fold->magnitude = 0;
    if (fold->wide != NULL && fold->wide->context != NULL) cli_fold_forget(fold->wide);
    fold->plan = NULL;
    fold->device_state = NULL;
    fold->states = (cli_vector){.size = 0};
    fold->elements = fold->parts = 0;
    fold->ranges = (cli_ranges){.count = 0};
    fold->copy_ms = fold->run_ms = 0;
}

void cli_fold_close(cli_fold *fold) {
    for (int i = 0; i < fold->column_count && fold->elements > 0 && !fold->in_f64; i++)
        cli_column_free(&fold->columns[i]);
    if (fold->context == NULL) return;
    cli_fold_forget(fold);
    jr_context_close(fold->context);
    fold->context = NULL;
}
