/* Finds whether results may wrap, and does the work in f64 then. */
#include "wide_work.h"

#include <math.h>
#include <stdlib.h>

/* The inputs with elements of f64; the arrays that were made are in `made`. */
typedef struct wide_inputs {
    const cli_inputs *original;
    cli_inputs inputs;
    double *made[JR_INPUTS_MAX];
} wide_inputs;

static bool convert(const cli_inputs *inputs, wide_inputs *wide) {
    *wide = (wide_inputs){.original = inputs, .inputs = *inputs};
    for (int i = 0; i < inputs->count; i++) {
        cli_input *input = &wide->inputs.input[i];
        if (input->type != JR_I64 && input->type != JR_U64) continue;
        wide->made[i] = malloc((input->count + 1) * sizeof(double));
        if (wide->made[i] == NULL) return false;
        cli_wide_convert(input->type, input->elements, input->count, wide->made[i]);
        input->elements = wide->inputs.arrays[i] = wide->made[i];
        input->type = wide->inputs.types[i] = JR_F64;
    }
    return true;
}

static void free_inputs(wide_inputs *wide) {
    for (int i = 0; i < wide->inputs.count; i++) free(wide->made[i]);
}

/* The options for the least, or for the least and the greatest, of --map's values. */
static cli_options map_alone(const cli_options *options, int op_count) {
    cli_options own = *options;
    own.ops[0] = JR_OP_MIN;
    own.ops[1] = JR_OP_MAX;
    own.op_count = op_count;
    own.initial = NULL;
    own.spec.kept = 0;
    own.spec.finish = own.spec.combine = own.spec.identity = NULL;
    own.spec.accuracy = JR_ACCURACY_FAST;
    own.spec.algorithm = JR_ALGORITHM_AUTO;
    return own;
}

/* The least and the greatest value of --map over elements of these types; false: it does not take them. */
static bool find_range(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                       double range[2]) {
    static cli_error unused;
    const cli_options own = map_alone(options, 2);
    cli_request request;
    jr_value values[JR_OPS_MAX];
    if (cli_request_make(&own, inputs->types, inputs->count, &request, &unused) != CLI_OK) return false;
    const jr_status status =
        cli_devices_run(devices, &JR_INIT(jr_work, .spec = &request.spec),
                        &JR_INIT(jr_work_data, .in = inputs->arrays, .count = inputs->element_count, .values = values));
    range[0] = range[1] = 0;
    if (status == JR_ERROR_EMPTY_INPUT) return true;
    return status == JR_OK && jr_value_number(&values[0], &range[0]) == JR_OK &&
           jr_value_number(&values[1], &range[1]) == JR_OK;
}

/* Whether the values of --map are whole numbers. */
static bool map_is_whole(const cli_options *options, const cli_inputs *inputs) {
    static cli_error unused;
    const cli_options own = map_alone(options, 1);
    cli_request request;
    return cli_request_make(&own, inputs->types, inputs->count, &request, &unused) == CLI_OK &&
           jr_type_class_of(request.results.types[0]) != JR_CLASS_FLOAT;
}

static double find_inputs_magnitude(const cli_inputs *inputs) {
    double magnitude = 0;
    for (int i = 0; i < inputs->count; i++) {
        const jr_type type = inputs->types[i];
        const double most = type == JR_I64 || type == JR_U64
                                ? cli_wide_magnitude(type, inputs->arrays[i], inputs->element_count)
                                : 0x1p32;
        magnitude = fmax(magnitude, most);
    }
    return magnitude;
}

/* The greatest magnitude of what the operator is given. *all: the map has wrapped. */
static double find_magnitude(const cli_options *options, const cli_inputs *inputs, const cli_inputs *wide,
                             const cli_devices *devices, bool *all, bool *takes_f64) {
    double range[2];
    if (options->spec.map != NULL) {
        cli_options every = *options;
        every.spec.where = NULL; /* which may take whole numbers alone */
        if (find_range(options, wide, devices, range) || find_range(&every, wide, devices, range))
            *all = !(range[0] >= -0x1p63 && range[1] < (inputs->types[0] == JR_U64 ? 0x1p64 : 0x1p63));
        else
            *takes_f64 = false;
        if (!*takes_f64 && !find_range(options, inputs, devices, range)) return INFINITY;
        return fmax(fabs(range[0]), fabs(range[1]));
    }
    return find_inputs_magnitude(inputs);
}

static bool collect_as(const cli_options *options, const wide_inputs *both, bool as_integers,
                       const cli_devices *devices, cli_work *work, cli_wide *wide) {
    static cli_error unused;
    cli_options own = *options;
    cli_request request;
    const cli_inputs *inputs = as_integers ? both->original : &both->inputs;
    if (cli_wide_request(&own, both->original->types, inputs->count, as_integers, &request, &unused) != CLI_OK)
        return false;
    own.wide = wide;
    wide->collecting = true;
    const cli_exit code = work(&own, &request, inputs, devices, &unused);
    wide->collecting = false;
    return code == CLI_OK && wide->numbers != NULL;
}

/* Where only expressions see the elements, they are f64; else they stay what they are, which f64 does not hold all. */
static bool collect(const cli_options *options, const cli_request *request, const wide_inputs *both,
                    const cli_devices *devices, cli_work *work, cli_wide *wide) {
    const cli_inputs *inputs = both->original;
    const jr_spec *spec = &options->spec;
    const bool expressions = spec->map != NULL || wide->inside || spec->finish != NULL || spec->combine != NULL;
    bool takes_f64 = true;
    const double magnitude = find_magnitude(options, inputs, &both->inputs, devices, &wide->all, &takes_f64);
    wide->all |= spec->map != NULL && !map_is_whole(options, inputs); /* whole numbers within it may have wrapped */
    wide->missing = !takes_f64;
    if (!wide->all && !wide->inside && !cli_wide_may_wrap(options, request, magnitude, inputs->whole_count))
        return false;
    if (expressions && collect_as(options, both, false, devices, work, wide)) return true;
    wide->missing |= wide->inside;
    wide->all = wide->inside = false;
    if (collect_as(options, both, true, devices, work, wide) && spec->finish == NULL) return true;
    wide->missing |= request->ops[0] != JR_OP_CUSTOM && magnitude > 0;
    return false;
}

static bool applies(const cli_options *options, const cli_inputs *inputs) {
    bool open[JR_INPUTS_MAX];
    for (int i = 0; i < inputs->count; i++) open[i] = inputs->input[i].open;
    return cli_wide_applies(options, inputs->types, open, inputs->count);
}

bool cli_wide_is_open(const cli_options *options, const cli_inputs *inputs) {
    return applies(options, inputs);
}

bool cli_wide_collect(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                      const cli_devices *devices, cli_work *work, cli_wide *wide) {
    wide_inputs converted;
    if (!applies(options, inputs) || options->ranks != NULL) return false;
    const bool found = convert(inputs, &converted) && collect(options, request, &converted, devices, work, wide);
    free_inputs(&converted);
    return found;
}
