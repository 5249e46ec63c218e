/* Reads inputs in step: the one with the fewest elements so far is read next, so that no input waits in memory for
 * another one. */
#include "fold_streams.h"

#include <string.h>

#include "binary_input.h"
#include "options/cli_operator.h"

static bool continues_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether an expression names the index. */
static bool uses_index(const char *expression) {
    for (const char *at = expression; at != NULL && (at = strchr(at, 'i')) != NULL; at++)
        if ((at == expression || !continues_name(at[-1])) && !continues_name(at[1])) return true;
    return false;
}

bool cli_fold_in_order(const cli_options *options) {
    const jr_spec *spec = &options->spec;
    bool in_order = cli_options_input_count(options) > 1 || options->offset > 0 || options->count != UINT64_MAX ||
                    (spec->combine != NULL && !spec->commutative) || uses_index(spec->map) || uses_index(spec->where);
    for (int i = 0; i < options->op_count; i++) in_order |= cli_operator_is(options->ops[i], CLI_OP_INDEX);
    return in_order;
}

/* What is read of all inputs. */
typedef struct lockstep {
    cli_fold *fold;
    cli_input *inputs;
    cli_binary_reader readers[JR_INPUTS_MAX];
    bool more[JR_INPUTS_MAX];
    int count;
} lockstep;

/* Elements that an input has given. */
static uint64_t given(const lockstep *all, int input) {
    const cli_vector *vector = &all->fold->columns[input].vector;
    return all->fold->elements + vector->used / vector->size;
}

/* The input with the fewest elements of those that have more to come; -1: none has. */
static int find_next(const lockstep *all) {
    int next = -1;
    for (int i = 0; i < all->count; i++)
        if (all->more[i] && (next < 0 || given(all, i) < given(all, next))) next = i;
    return next;
}

/* An input that has ended has as many elements as every other one. */
static cli_exit check_lengths(const lockstep *all, cli_error *error) {
    const cli_options *options = all->fold->options;
    for (int i = 1; i < all->count; i++) {
        const uint64_t x = given(all, 0), other = given(all, i);
        const bool fewer = !all->more[i] && other < x, more = !all->more[0] && other > x;
        if (!fewer && !more) continue;
        const char *name = options->more_files[i];
        if (all->more[fewer ? 0 : i])
            return cli_fail(error, CLI_FAILURE, "-%c %s: has %llu elements%s, but x has %llu%s", "xyzw"[i], name,
                            (unsigned long long)other, more ? " or more" : "", (unsigned long long)x,
                            fewer ? " or more" : "");
        return cli_fail(error, CLI_FAILURE, "-%c %s: has %llu elements, but x has %llu", "xyzw"[i], name,
                        (unsigned long long)other, (unsigned long long)x);
    }
    return CLI_OK;
}

static cli_exit read_all(lockstep *all, cli_error *error) {
    cli_exit code = CLI_OK;
    for (int next; code == CLI_OK && (next = find_next(all)) >= 0;) {
        code = cli_binary_read(&all->readers[next], &all->more[next], error);
        if (code == CLI_OK) code = cli_fold_take(all->fold, error);
        if (code == CLI_OK) code = check_lengths(all, error);
    }
    return code;
}

static cli_exit begin(lockstep *all, cli_progress *progress, cli_error *error) {
    const cli_options *options = all->fold->options;
    cli_exit code = CLI_OK;
    all->fold->columns = all->fold->room;
    all->fold->column_count = all->count;
    for (int i = 0; code == CLI_OK && i < all->count; i++) {
        cli_input *input = &all->inputs[i];
        code = cli_parts_settle(options, input->parts, input->part_count, &input->type, error);
        all->fold->room[i] = cli_column_of(input->type);
        input->element_bytes = all->fold->room[i].vector.size;
        all->more[i] = true;
        all->readers[i] = (cli_binary_reader){.parts = input->parts,
                                              .part_count = input->part_count,
                                              .vector = &all->fold->room[i].vector,
                                              .skip = options->offset,
                                              .left = options->count,
                                              .progress = progress};
    }
    return code;
}

/* Gives an input what was not folded. */
static void finish(cli_column *column, cli_input *input) {
    cli_vector_finish(&column->vector, &input->joined);
    input->count = input->whole_count = input->joined.count;
    input->elements = input->joined.elements;
    input->shape = cli_shape_flat(input->count);
}

cli_exit cli_fold_streams(cli_fold *fold, cli_input *inputs, int count, cli_error *error) {
    lockstep all = {.fold = fold, .inputs = inputs, .count = count};
    cli_progress progress = cli_progress_of(fold->options);
    cli_exit code = begin(&all, &progress, error);
    if (code == CLI_OK) code = read_all(&all, error);
    cli_progress_end(&progress);
    for (int i = 0; i < count; i++) {
        cli_binary_reader *reader = &all.readers[i];
        if (code == CLI_OK && reader->left > 0) code = cli_input_check_count(fold->options, reader->elements, error);
        cli_binary_close(reader);
        inputs[i].first = fold->options->offset;
        inputs[i].narrowed = true;
    }
    for (int i = 0; i < count; i++) {
        if (code == CLI_OK && fold->elements == 0) finish(&fold->columns[i], &inputs[i]);
        if (code != CLI_OK || fold->elements == 0) cli_column_free(&fold->columns[i]);
    }
    return code;
}
