/* Makes requests, and has the library check them before a device is opened. */
#include "request.h"

#include <stdio.h>
#include <string.h>

#include "base/library_words.h"
#include "base/number.h"
#include "base/structure.h"
#include "io/data.h"
#include "parse/column_names.h"
#include "parse/expression_advice.h"

/* Everything but the initial value, whose type the result's is. */
static void fill(const cli_options *options, const jr_type *types, int input_count, cli_request *request) {
    jr_spec *spec = &request->spec;
    *spec = options->spec;
    spec->size = sizeof *spec;
    spec->type = types[0];
    spec->input_count = input_count;
    for (int i = 1; i < input_count; i++) spec->more_types[i - 1] = types[i];
    request->op_count = options->op_count;
    memcpy(request->ops, options->ops, sizeof request->ops);
    spec->op = options->op_count == 1 ? options->ops[0] : JR_OP_NONE;
    spec->ops = options->op_count == 1 ? NULL : request->ops;
    spec->op_count = options->op_count == 1 ? 0 : options->op_count;
    if (options->counts) request->op_count = 0; /* its result is the number of elements */
    if (spec->apply != NULL) {                  /* the only result is a value */
        spec->ops = options->op_count == 1 ? NULL : options->ops;
        request->op_count = 1;
        request->ops[0] = JR_OP_CUSTOM;
    }
    for (int i = 0; i < options->parameter_count; i++)
        request->parameters[i] = (jr_parameter){options->parameters[i].name, options->parameters[i].value};
    spec->parameters = options->parameter_count > 0 ? request->parameters : NULL;
    spec->parameter_count = options->parameter_count;
    request->structure = JR_INIT(jr_structure, options->structure.name, options->structure.text,
                                 options->structure.bytes, options->structure.alignment);
    if (options->structure.text != NULL) spec->structure = &request->structure;
}

/* The library's sentence alone: what is wrong with a request is wrong with the command line. The input's type, which is
 * not always said there, may be the reason, too. */
static cli_exit fail_check(const cli_options *options, jr_status status, bool type_is_given, cli_error *error) {
    const jr_error *last = jr_last_error();
    if (status == JR_ERROR_OUT_OF_MEMORY || (status == JR_ERROR_UNSUPPORTED_TYPE && !type_is_given))
        return cli_fail_library(error, status);
    (void)cli_fail_library(error, status); /* for its log */
    const bool one = status == JR_ERROR_UNSUPPORTED_TYPE && options->op_count == 1;
    snprintf(error->message, sizeof error->message, "%s%s%s%s", one ? "--op " : "",
             one ? jr_op_name(options->ops[0]) : "", one ? ": " : "", last->message);
    cli_expression_advise(options, error->message, sizeof error->message);
    cli_named_restore(options->named, error->message, sizeof error->message);
    cli_named_restore(options->named, error->log, sizeof error->log);
    cli_name_options(error->message, sizeof error->message);
    return CLI_USAGE;
}

/* The types of --initial: the result's, which --finish has not yet changed, and the one in which the operator works, to
 * which the library converts it. The spec has been checked. */
static void initial_types(const cli_request *request, jr_type *type, jr_type *works) {
    jr_type types[JR_OPS_MAX] = {request->results.types[0]};
    jr_spec before = request->spec;
    before.finish = NULL;
    before.result = JR_TYPE_NONE;
    (void)jr_reduce_check(&before, types);
    *works = types[0];
    *type = request->spec.finish == NULL ? request->results.types[0] : types[0];
}

/* Fails for a text that is no value of a type; where the operator could work with floats, says how. */
static cli_exit fail_initial(const cli_options *options, const cli_request *request, cli_number_status reason,
                             jr_type type, cli_error *error) {
    const char *text = options->initial, *end = text + strlen(text);
    const bool chosen = request->spec.result == type, whole = jr_type_class_of(type) != JR_CLASS_FLOAT;
    const bool floats = !chosen && whole && (jr_op_flags(request->ops[0]) & JR_OP_FLAG_FLOATS);
    char detail[192];
    const char *why = cli_number_explain(reason, type, text, end, detail);
    const char *advice = reason == CLI_NUMBER_NONE                  ? cli_number_advice(text)
                         : !floats || strstr(why, "write ") != NULL ? ""
                         : request->spec.map == NULL                ? "; --map '(double)x' computes with floats"
                                                                    : "; --map-type f64 computes with floats";
    return cli_fail(error, CLI_USAGE, "--initial: %s%s", why, advice);
}

/* Parses --initial. */
static cli_exit parse_initial(const cli_options *options, cli_request *request, cli_error *error) {
    const char *text = options->initial, *end = text + strlen(text);
    jr_type works;
    jr_value unused;
    request->initial = (jr_value){.type = JR_TYPE_NONE};
    initial_types(request, &request->initial.type, &works);
    const bool is_struct = request->initial.type == JR_STRUCT;
    if (is_struct && !cli_structure_parse(&request->structure, text, request->initial.as.bytes))
        return cli_fail(error, CLI_USAGE, "--initial: '%s' is not a struct %s like {2, 1.5}, one number per member",
                        text, request->structure.name);
    cli_number_status reason = is_struct ? CLI_NUMBER_OK : cli_number_parse(works, text, end, &unused.as);
    if (reason != CLI_NUMBER_OK) return fail_initial(options, request, reason, works, error);
    if (!is_struct) reason = cli_number_parse(request->initial.type, text, end, &request->initial.as);
    if (reason != CLI_NUMBER_OK) return fail_initial(options, request, reason, request->initial.type, error);
    request->spec.initial = &request->initial;
    jr_status status = jr_reduce_check(&request->spec, NULL);
    return status == JR_OK ? CLI_OK : fail_check(options, status, false, error);
}

/* A type that holds products of both; JR_TYPE_NONE: there is no such type. */
static jr_type common_type(jr_type x, jr_type y) {
    const jr_type_class of_x = jr_type_class_of(x), of_y = jr_type_class_of(y);
    if (x == JR_STRUCT || y == JR_STRUCT) return JR_TYPE_NONE;
    if (of_x == JR_CLASS_FLOAT || of_y == JR_CLASS_FLOAT) return JR_F64;
    if (of_x != JR_CLASS_SIGNED && of_y != JR_CLASS_SIGNED) return JR_U64;
    return x == JR_U64 || y == JR_U64 ? JR_TYPE_NONE : JR_I64;
}

/* The library makes the product in x's type unless another is asked for: fractions of y would be lost. */
static cli_exit settle_dot(const cli_options *options, const jr_type *types, int input_count, cli_request *request,
                           cli_error *error) {
    if (options->ops[0] != JR_OP_DOT || input_count < 2 || types[0] == types[1]) return CLI_OK;
    if (options->spec.accumulate != JR_TYPE_NONE) return CLI_OK;
    const jr_type common = common_type(types[0], types[1]);
    const bool exact = options->spec.accuracy == JR_ACCURACY_EXACT;
    if (common != JR_TYPE_NONE && !exact) request->spec.accumulate = common;
    if (common != JR_TYPE_NONE && !exact) return CLI_OK;
    if (exact)
        return cli_fail(error, CLI_USAGE,
                        "--op dot: x is of %s and y of %s, and an exact sum is of one type: --type f64 reads both so",
                        cli_type_name(types[0]), cli_type_name(types[1]));
    return cli_fail(error, CLI_USAGE,
                    "--op dot: x is of %s and y of %s, and no type holds both: --type f64 reads both as floats, "
                    "--accumulate i64 takes the products modulo 2^64",
                    cli_type_name(types[0]), cli_type_name(types[1]));
}

cli_exit cli_request_make(const cli_options *options, const jr_type *types, int input_count, cli_request *request,
                          cli_error *error) {
    memset(request, 0, sizeof *request);
    fill(options, types, input_count, request);
    const cli_exit code = settle_dot(options, types, input_count, request, error);
    if (code != CLI_OK) return code;
    request->results = JR_INIT(jr_result_layout);
    jr_status status = jr_result_layout_of(&request->spec, &request->results);
    if (status != JR_OK) return fail_check(options, status, false, error);
    return options->initial ? parse_initial(options, request, error) : CLI_OK;
}

jr_type cli_request_type_of(const cli_request *request, jr_op op) {
    const jr_spec *of = &request->spec;
    jr_type type = JR_TYPE_NONE;
    jr_spec spec = JR_INIT(jr_spec, .op = op, .type = of->type, .input_count = of->input_count, .map = of->map,
                           .map_type = of->map_type, .structure = of->structure, .parameters = of->parameters,
                           .parameter_count = of->parameter_count);
    memcpy(spec.more_types, of->more_types, sizeof spec.more_types);
    return jr_reduce_check(&spec, &type) == JR_OK ? type : JR_TYPE_NONE;
}

/* Checks the request with `open` (if it is a type) for every open type: any error but an unfit type would occur with
 * all types. */
static jr_status check_as(const cli_options *options, const jr_type *types, int count, jr_type open) {
    jr_type all[JR_INPUTS_MAX];
    cli_request request;
    for (int i = 0; i < JR_INPUTS_MAX; i++) all[i] = open != JR_TYPE_NONE ? open : types[i];
    memset(&request, 0, sizeof request);
    fill(options, all, count, &request);
    return jr_reduce_check(&request.spec, NULL);
}

cli_exit cli_request_check(const cli_options *options, cli_error *error) {
    jr_type types[JR_INPUTS_MAX];
    const int given = cli_options_input_count(options), typed = options->type_count;
    const int input_count = given < typed && typed <= JR_INPUTS_MAX ? typed : given; /* info has types alone */
    bool known = true;
    for (int i = 0; i < JR_INPUTS_MAX; i++) types[i] = cli_options_type(options, i);
    for (int i = 0; i < input_count; i++) known &= types[i] != JR_TYPE_NONE;
    const int count = options->ops[0] == JR_OP_DOT && input_count == 1 ? 0 : input_count;
    jr_status status = check_as(options, types, count, known ? JR_TYPE_NONE : JR_F32);
    /* An expression may take integers alone. */
    if (!known && status == JR_ERROR_INVALID_EXPRESSION) status = check_as(options, types, count, JR_I64);
    if (status == JR_OK || (!known && status == JR_ERROR_UNSUPPORTED_TYPE)) return CLI_OK;
    return fail_check(options, status, true, error);
}
