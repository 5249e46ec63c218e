/* Finds results of whole numbers that have wrapped, by those in f64. */
#include "wide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/data.h"
#include "io/ranks.h"
#include "options/cli_operator.h"

/* 2^63: what an i64 does not hold; no rounding of an f64 sum or product comes near it. */
static const double two_to_63 = 9223372036854775808.0;

static bool is_whole(jr_type type) {
    return type == JR_I64 || type == JR_U64;
}

bool cli_wide_applies(const cli_options *options, const jr_type *types, const bool *open, int count) {
    const jr_spec *spec = &options->spec;
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= open[i] && is_whole(types[i]);
        const jr_type_class class_of = jr_type_class_of(types[i]);
        if (class_of != JR_CLASS_SIGNED && class_of != JR_CLASS_UNSIGNED) return false;
    }
    return any && options->type_count == 0 && spec->accumulate == JR_TYPE_NONE && spec->result == JR_TYPE_NONE &&
           spec->map_type == JR_TYPE_NONE;
}

cli_exit cli_wide_request(cli_options *own, const jr_type *types, int count, bool as_integers, cli_request *request,
                          cli_error *error) {
    jr_type wide[JR_INPUTS_MAX];
    own->spec.accuracy = JR_ACCURACY_FAST;
    own->spec.algorithm = JR_ALGORITHM_AUTO;
    if (as_integers) own->spec.accumulate = JR_F64;
    for (int i = 0; i < count; i++) wide[i] = as_integers || !is_whole(types[i]) ? types[i] : JR_F64;
    return cli_request_make(own, wide, count, request, error);
}

void cli_wide_convert(jr_type type, const void *from, uint64_t count, double *to) {
    const uint64_t *bits = from;
    for (uint64_t i = 0; i < count; i++) to[i] = type == JR_I64 ? (double)(int64_t)bits[i] : (double)bits[i];
}

double cli_wide_magnitude(jr_type type, const void *elements, uint64_t count) {
    const uint64_t *bits = elements;
    uint64_t most = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t magnitude = type == JR_I64 && (int64_t)bits[i] < 0 ? -bits[i] : bits[i];
        if (most < magnitude) most = magnitude;
    }
    return (double)most;
}

static double initial_magnitude(const cli_options *options) {
    double number = 0;
    const char *text = options->initial;
    if (text == NULL || cli_number_parse(JR_F64, text, text + strlen(text), &number) != CLI_NUMBER_OK) return 0;
    return fabs(number);
}

/* Whether an expression of --finish can make numbers larger. A call is of functions of floats, or of abs, min, max. */
static bool finish_grows(const char *finish) {
    return strpbrk(finish, "*+-") != NULL || strstr(finish, "<<") != NULL;
}

bool cli_wide_may_wrap(const cli_options *options, const cli_request *request, double magnitude, uint64_t count) {
    const double most = fmax(magnitude, initial_magnitude(options)), times = (double)count + 1;
    const char *finish = options->spec.finish;
    bool wraps = false;
    for (int i = 0; i < request->op_count; i++) {
        const cli_op_grows grows = cli_operator_of(request->ops[i])->grows;
        wraps |= grows == CLI_GROWS_UNKNOWN;
        wraps |= finish != NULL && is_whole(request->results.types[i]) && finish_grows(finish);
        wraps |= grows == CLI_GROWS_AS_SUM && most * times >= two_to_63;
        wraps |= grows == CLI_GROWS_AS_PRODUCT && most > 1 && log2(most) * times >= 63;
    }
    return wraps;
}

/* Whether a float that --finish has made of a sum or product was made of one that has wrapped. */
static bool was_finished(const cli_options *options, jr_op op, double number, double wide) {
    const bool wraps = cli_operator_of(op)->grows != CLI_GROWS_NOT;
    return options->spec.finish != NULL && wraps && !(fabs(number - wide) <= 1e-6 * fmax(fabs(number), fabs(wide)));
}

static bool is_counted(jr_op op) {
    return op == JR_OP_NONE || cli_operator_is(op, CLI_OP_COUNTS);
}

/* Whether a whole result has wrapped, or is of numbers that have. Sums and products are right modulo 2^64, unless the
 * numbers were compared before they were added. */
static bool has_wrapped(const cli_wide *wide, jr_op op, double whole, double number) {
    const bool modular = cli_operator_is(op, CLI_OP_MODULAR);
    const bool differs = fabs(number - whole) > 1e-12 * fabs(number);
    return fabs(number - whole) >= two_to_63 || (differs && (wide->inside || (wide->all && !modular)));
}

/* Whether an f64 is a whole number that has not been rounded, as far as its size shows. */
static bool is_exact(jr_type type, double number) {
    return number == trunc(number) && fabs(number) < 0x1p53 && (type == JR_I64 || number >= 0);
}

static jr_value whole_value(jr_type type, double number) {
    jr_value value = {.type = type};
    switch (type) {
    case JR_BOOL: value.as.boolean = number != 0; break;
    case JR_U64: value.as.u64 = (uint64_t)number; break;
    default: value.as.i64 = (int64_t)number; break;
    }
    return value;
}

/* A NaN is of 0 times inf, where whole numbers make a 0. */
static jr_value choose(const cli_options *options, jr_op op, const jr_value *value, double number) {
    const cli_wide *wide = options->wide;
    const jr_value in_f64 = {.type = JR_F64, .as.f64 = number};
    double whole = 0;
    if (jr_value_number(value, &whole) != JR_OK || (isnan(number) && !isnan(whole))) return *value;
    if (is_counted(op) && (is_whole(value->type) || value->type == JR_BOOL))
        return whole != number && (wide->all || wide->inside) ? whole_value(value->type, number) : *value;
    if (is_whole(value->type) && has_wrapped(wide, op, whole, number))
        return is_exact(value->type, number) ? whole_value(value->type, number) : in_f64;
    if (is_whole(value->type)) return *value;
    const bool other = wide->all || was_finished(options, op, whole, number) ||
                       (wide->inside && !(fabs(number - whole) <= 1e-12 * fabs(number)));
    return value->type == JR_F64 && whole != number && other ? in_f64 : *value;
}

void cli_wide_add_rounded(const cli_wide *wide, const jr_value *value, cli_wide_tally *tally) {
    if (wide->divided && value->type == JR_F64 && isfinite(value->as.f64) && fabs(value->as.f64) >= 0x1p53)
        tally->rounded++;
}

jr_value cli_wide_value(const cli_options *options, jr_op op, const jr_value *value, uint64_t index,
                        cli_wide_tally *tally) {
    const double number = options->wide->numbers[index];
    const jr_value chosen = choose(options, op, value, number);
    const bool floats = chosen.type != value->type;
    tally->replaced += floats || memcmp(&chosen.as, &value->as, jr_type_size(value->type)) != 0;
    tally->floats += floats;
    tally->beyond += floats && !(number >= -two_to_63 && number < (value->type == JR_U64 ? 0x1p64 : two_to_63));
    return chosen;
}

void cli_wide_keep(cli_wide *wide, double *numbers, uint64_t count, int value_count) {
    free(wide->numbers);
    wide->numbers = numbers;
    wide->count = count;
    wide->value_count = value_count;
}

void cli_wide_note(const cli_options *options, const char *op, jr_type type, const cli_wide_tally *tally,
                   uint64_t count) {
    if (!cli_ranks_first(options->ranks)) return;
    if (tally->rounded > 0)
        fprintf(stderr,
                "jitreduce: note: %s: an expression divides, so that whole numbers are floats, which beyond 2^53 are "
                "rounded: --type i64 keeps whole numbers, and cuts quotients\n",
                op);
    if (tally->replaced == 0) return;
    if (tally->beyond == 0)
        fprintf(stderr, "jitreduce: note: %s: whole numbers that do not fit 64 bits are read as floats\n", op);
    else if (count == 1)
        fprintf(stderr, "jitreduce: note: %s does not fit %s and is a float: --type %s gives it modulo 2^64\n", op,
                cli_type_name(type), cli_type_name(type));
    else
        fprintf(stderr,
                "jitreduce: note: %s: %llu of %llu results do not fit %s and are floats: --type %s gives them "
                "modulo 2^64\n",
                op, (unsigned long long)tally->floats, (unsigned long long)count, cli_type_name(type),
                cli_type_name(type));
}

void cli_wide_note_missing(const cli_options *options, const char *what) {
    if (cli_ranks_first(options->ranks))
        fprintf(stderr,
                "jitreduce: note: results that do not fit 64 bits are modulo 2^64, for %s whole numbers alone\n", what);
}

void cli_wide_free(cli_wide *wide) {
    free(wide->numbers);
    free(wide->counts);
    *wide = (cli_wide){.collecting = false};
}
