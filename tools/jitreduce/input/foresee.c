/* Finds ranges, and says what may come of them. */
#include "foresee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library_words.h"
#include "io/ranks.h"

static const char letters[] = "xyzw";

static cli_exit gather(cli_ranks *ranks, cli_ranges *ranges, cli_error *error) {
    cli_ranges *all = calloc((size_t)ranks->way.ranks, sizeof *all);
    cli_exit code = all != NULL ? CLI_OK : cli_fail(error, CLI_FAILURE, "--mpi: out of memory");
    code = cli_ranks_agree(ranks, code, error);
    if (code == CLI_OK) code = cli_ranks_gather(ranks, ranges, sizeof *ranges, all, error);
    for (int i = 0; code == CLI_OK && i < ranks->way.ranks; i++) cli_ranges_merge(ranges, &all[i]);
    free(all);
    return code;
}

cli_exit cli_foresee_ranges(const cli_options *options, const cli_inputs *inputs, cli_ranges *ranges,
                            cli_error *error) {
    uint64_t first = 0;
    *ranges = (cli_ranges){.count = inputs->whole_count};
    if (options->ranks != NULL) (void)cli_ranks_share(options->ranks, inputs->whole_count, &first);
    for (int i = 0; i < inputs->count; i++)
        cli_ranges_grow(ranges, i, inputs->types[i], inputs->arrays[i], inputs->element_count, first);
    return options->ranks != NULL ? gather(options->ranks, ranges, error) : CLI_OK;
}

static bool continues_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static bool spec_wraps(const jr_spec *spec, const cli_ranges *ranges) {
    unsigned flags = JR_MAY_WRAP;
    (void)jr_reduce_foresee(spec, ranges->bounds, ranges->count, &flags, NULL, 0);
    return (flags & JR_MAY_WRAP) != 0;
}

bool cli_foresee_wraps(const cli_request *request, const cli_ranges *ranges) {
    return spec_wraps(&request->spec, ranges);
}

/* Whether numbers of one expression may not fit, before an operator sees them. type: of map's values. */
static bool expression_wraps(const cli_request *request, const cli_ranges *ranges, const char *map, const char *where,
                             jr_type type) {
    jr_spec spec = request->spec;
    spec.op = JR_OP_MAX;
    spec.ops = NULL;
    spec.op_count = 0;
    spec.map = map;
    spec.where = where;
    spec.finish = spec.combine = spec.identity = NULL;
    spec.initial = NULL;
    spec.kept = 0;
    spec.ddof = 0;
    spec.commutative = 0;
    spec.accumulate = spec.result = JR_TYPE_NONE;
    spec.map_type = map != NULL ? type : JR_TYPE_NONE;
    return spec_wraps(&spec, ranges);
}

/* Whether an expression does more than add, subtract and multiply, which is right modulo 2^64. */
static bool compares(const char *expression) {
    for (const char *at = expression; *at != '\0'; at++)
        if (strchr("<>=!?&|", *at) != NULL || (*at == '(' && at > expression && continues_name(at[-1]))) return true;
    return false;
}

bool cli_foresee_inside(const cli_request *request, const cli_ranges *ranges) {
    const jr_spec *spec = &request->spec;
    return (spec->where != NULL && expression_wraps(request, ranges, NULL, spec->where, JR_TYPE_NONE)) ||
           (spec->map != NULL && compares(spec->map) &&
            expression_wraps(request, ranges, spec->map, NULL, spec->map_type));
}

/* ---- notes ---- */

/* Whether an expression divides by an input of that letter, which stands alone. */
static bool divides_by(const char *expression, char letter) {
    for (const char *at = expression; at != NULL && (at = strpbrk(at, "/%")) != NULL;) {
        at++;
        at += strspn(at, " ");
        if (*at == letter && !continues_name(at[1])) return true;
    }
    return false;
}

static bool has_choice(const char *expression) {
    return expression != NULL && strchr(expression, '?') != NULL;
}

/* The letter of an input, or the name by which an expression has it. */
static void name_input(const cli_options *options, int input, char name[64]) {
    const cli_column_name *column = &options->table.columns[input];
    const bool named = input < options->table.column_count && column->option != NULL && column->length < 60;
    snprintf(name, 64, "%.*s", named ? (int)column->length : 1, named ? column->name : &letters[input]);
}

/* Whether an element that is 0 is a divisor; of one that something may leave out nobody knows. *seen: the divisors are
 * inputs alone, so that it is known. */
static bool note_zero_element(const cli_options *options, const cli_request *request, const cli_ranges *ranges,
                              bool *seen) {
    const jr_spec *spec = &request->spec;
    for (int i = 0; i < spec->input_count; i++) {
        const bool maps = divides_by(spec->map, letters[i]), selects = divides_by(spec->where, letters[i]);
        *seen |= maps || selects;
        if (!ranges->zero[i] || has_choice(spec->map) || has_choice(spec->where)) continue;
        if (!(maps && spec->where == NULL) && !selects) continue;
        if (!cli_ranks_first(options->ranks)) return true;
        char name[64];
        name_input(options, i, name);
        fprintf(
            stderr,
            "jitreduce: note: --%s divides by %s, and element %llu of it is 0: what whole numbers give there is not "
            "defined; --type f64, or --where '%s != 0'\n",
            maps ? "map" : "where", name, (unsigned long long)ranges->zero_at[i], name);
        return true;
    }
    return false;
}

static void note_zero(const cli_options *options, const cli_request *request, const cli_ranges *ranges) {
    const jr_spec *spec = &request->spec;
    bool seen = false;
    if (note_zero_element(options, request, ranges, &seen) || seen || !cli_ranks_first(options->ranks)) return;
    if (has_choice(spec->map) || has_choice(spec->where) || has_choice(spec->finish) || has_choice(spec->combine))
        return;
    fprintf(
        stderr,
        "jitreduce: note: a divisor of whole numbers may be 0: what that gives is not defined; --type f64 gives inf "
        "or nan\n");
}

/* Whether a fraction could be kept: the operators take floats, so that a sign of an expression keeps the numbers whole.
 */
static bool could_be_floats(const cli_request *request) {
    bool floats = true;
    for (int i = 0; i < request->op_count; i++) floats &= (jr_op_flags(request->ops[i]) & JR_OP_FLAG_FLOATS) != 0;
    return floats;
}

/* Whether finish makes numbers that do not fit, of results that fit: nobody knows what those of combine are. */
static bool finish_wraps(const cli_request *request, const cli_ranges *ranges) {
    jr_spec spec = request->spec;
    if (spec.combine != NULL || spec.finish == NULL) return false;
    spec.finish = NULL;
    return !spec_wraps(&spec, ranges);
}

/* Numbers that expressions compute in the types that a file declares. */
static void note_declared_wraps(const cli_request *request, const cli_ranges *ranges) {
    const jr_spec *spec = &request->spec;
    const char *names = NULL;
    if (spec->map != NULL && expression_wraps(request, ranges, spec->map, NULL, JR_F64))
        names = "map";
    else if (spec->where != NULL && expression_wraps(request, ranges, NULL, spec->where, JR_TYPE_NONE))
        names = "where";
    else if (finish_wraps(request, ranges))
        names = "finish";
    const char of = names != NULL && *names == 'f' ? 'a' : 'x';
    if (names != NULL)
        fprintf(stderr,
                "jitreduce: note: a number in --%s may not fit the type in which C computes it, and wraps: convert "
                "what it is made of, as (double)%c or (long long)%c\n",
                names, of, of);
    else if (spec->map != NULL && spec->map_type == JR_TYPE_NONE &&
             expression_wraps(request, ranges, spec->map, NULL, JR_TYPE_NONE))
        fprintf(stderr, "jitreduce: note: a value of --map may not fit the type of the elements, and wraps: "
                        "--map-type i64, or f64\n");
}

/* Whether the work is done again in f64 where whole numbers wrap. */
static bool can_be_wide(const jr_spec *spec) {
    jr_spec wide = *spec;
    wide.type = JR_F64;
    for (int i = 0; i < JR_INPUTS_MAX - 1; i++) wide.more_types[i] = JR_TYPE_NONE;
    return jr_reduce_check(&wide, NULL) == JR_OK;
}

/* What the library notes; of elements that become floats where they wrap, nothing that these wrap. */
static jr_status note_of(const jr_spec *spec, const cli_ranges *ranges, bool open, unsigned *flags, char note[512]) {
    jr_value zeros[2 * JR_INPUTS_MAX];
    unsigned of_note;
    for (int i = 0; i < 2 * JR_INPUTS_MAX; i++) zeros[i] = (jr_value){.type = JR_I64, .as.i64 = 0};
    const jr_status status = jr_reduce_foresee(spec, ranges->bounds, ranges->count, flags, note, 512);
    const bool of_identity = strncmp(note, "identity:", 9) == 0; /* which is as wrong for floats */
    if (status != JR_OK || !open || note[0] == '\0' || of_identity || !can_be_wide(spec)) return status;
    const jr_status again = jr_reduce_foresee(spec, zeros, ranges->count, &of_note, note, 512);
    *flags = (*flags & ~JR_NOTES_CUT) | (of_note & JR_NOTES_CUT);
    return again;
}

/* A quotient that is cut is meant where the command line names the type of the elements, or the operators take none but
 * whole numbers. */
static bool cut_is_meant(const cli_options *options, const cli_request *request) {
    return options->type_count > 0 || !could_be_floats(request);
}

void cli_foresee_note(const cli_options *options, const cli_request *request, const cli_ranges *ranges, bool open) {
    unsigned flags = 0;
    char note[512] = "";
    const jr_spec *spec = &request->spec;
    if (spec->map == NULL && spec->where == NULL && spec->finish == NULL && spec->combine == NULL) return;
    if (note_of(spec, ranges, open, &flags, note) != JR_OK) return;
    const bool cuts = (flags & JR_NOTES_CUT) != 0;
    if (cuts && cut_is_meant(options, request)) note[0] = '\0';
    cli_name_options(note, sizeof note);
    if (note[0] != '\0' && cli_ranks_first(options->ranks))
        fprintf(stderr, "jitreduce: note: --%s%s\n", note,
                !cuts || !open                     ? ""
                : cli_options_read_floats(options) ? " (a type like int keeps the numbers of a text whole)"
                                                   : " (% & | ^ << >> or ~ keeps the numbers of a text whole)");
    const bool wraps = (flags & JR_MAY_WRAP) != 0 && (note[0] == '\0' || cuts);
    if (wraps && !open && options->type_count == 0 && cli_ranks_first(options->ranks))
        note_declared_wraps(request, ranges);
    if (flags & JR_MAY_DIVIDE_BY_ZERO) note_zero(options, request, ranges);
}
