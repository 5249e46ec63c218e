/* Folds elements of texts in f64, too, where results of whole numbers may wrap (wide.h). For plain sums of a text that
 * can be read again, it starts only when the numbers are large enough. */
#include "fold_wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options/cli_operator.h"

void cli_fold_widen(cli_fold *fold, cli_fold *wide) {
    const cli_options *options = fold->options;
    const jr_spec *spec = &options->spec;
    const char *where = spec->where;
    const bool selects = where != NULL && (strpbrk(where, "*+-") != NULL || strstr(where, "<<") != NULL);
    bool sums = false, others = selects || spec->map != NULL || spec->finish != NULL || spec->combine != NULL;
    for (int i = 0; i < options->op_count; i++) {
        const cli_op_grows grows = cli_operator_of(options->ops[i])->grows;
        sums |= grows == CLI_GROWS_AS_SUM;
        others |= grows > CLI_GROWS_AS_SUM;
    }
    if (!sums && !others) return;
    fold->wide = wide;
    fold->asleep = !others;
    *wide = (cli_fold){.options = options,
                       .in_f64 = true,
                       .converts = selects || spec->map != NULL || spec->finish != NULL || spec->combine != NULL};
}

/* In addition to the operators it folds the range of a map, which shows whether the map has wrapped. */
static void add_range(cli_options *options) {
    const jr_op range[] = {JR_OP_MIN, JR_OP_MAX};
    if (options->spec.map == NULL || options->spec.finish != NULL || options->initial != NULL) return;
    if (options->ops[0] == JR_OP_CUSTOM || options->op_count + 2 > JR_OPS_MAX || options->spec.kept) return;
    for (int i = 0; i < 2; i++) {
        bool there = false;
        for (int op = 0; op < options->op_count; op++) there |= options->ops[op] == range[i];
        if (!there) options->ops[options->op_count++] = range[i];
    }
}

cli_exit cli_fold_wide_request(cli_fold *fold, const jr_type *types, cli_error *error) {
    fold->own = *fold->options;
    if (fold->converts) {
        add_range(&fold->own);
        const uint64_t most = cli_fold_held(fold);
        fold->converted = calloc(most, sizeof *fold->converted);
        if (fold->converted == NULL) return cli_fail(error, CLI_FAILURE, "input: out of memory");
    }
    return cli_wide_request(&fold->own, types, fold->column_count, !fold->converts, &fold->request, error);
}

void cli_fold_measure(cli_fold *fold) {
    /* Elements whose type was asked for, or stands in the file, are modular, and need not be of 8 bytes. */
    if (fold->wide == NULL || !fold->asleep || !fold->columns[0].open) return;
    const cli_vector *vector = &fold->columns[0].vector;
    const uint64_t there = cli_fold_held(fold), read = fold->elements + there, fresh = read - fold->measured;
    if (vector->type == JR_F64 || vector->type == JR_TYPE_NONE || fresh > there) return;
    const double most = cli_wide_magnitude(vector->type, vector->bytes + (there - fresh) * vector->size, fresh);
    fold->magnitude = fmax(fold->magnitude, most);
    fold->measured = read;
    if (fold->repeats && fold->magnitude * (double)read < 0x1p62) return; /* of a pipe nobody knows what is to come */
    fold->asleep = false;
    fold->again = fold->elements > 0 && fold->repeats;
}
