/* Compares results. */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/operator.h"
#include "reduce/cut.h"

double jr_verify_depth(const jr_plan *plan, uint64_t count) {
    enum { LAST = 15, WARP_HALF = 16 };
    const double grid = jr_plan_grid(plan, count), block = plan->choice.tuning.block,
                 unroll = plan->choice.tuning.unroll;
    return ceil((double)count / (jr_cut_pack_elements(plan->reduction) * unroll * block * grid)) + unroll +
           block / WARP_HALF + ceil(grid / block) + LAST;
}

/* Whether sums of an arena's numbers, which are whole and from -64 to 63, are exact in every order. */
static bool sums_exactly(const jr_dtype *accumulator, uint64_t count) {
    enum { LARGEST_LOG2 = 6 };
    return count <= (uint64_t)1 << (accumulator->fraction_bits + 1 - LARGEST_LOG2);
}

/* The sum of what is added without signs, in the units of the result: with it the bound grows. 0: nothing rounds in an
 * order of its own. */
static double magnitude_of(const jr_reduction *reduction, const jr_operator *row, double result, uint64_t count) {
    enum { LARGEST_TERM = 4096, LARGEST_NUMBER = 64, MOMENTS = 16 };
    const jr_spec *spec = &reduction->spec;
    const jr_dtype *input = jr_dtype_find(reduction->inputs[0].type);
    const bool texts = spec->map != NULL || spec->where != NULL || spec->finish != NULL || spec->combine != NULL;
    if (jr_operator_is(row, JR_OP_FLAG_SELECTS)) return 0;
    if (texts || row->inputs > 1 || input == NULL) return fmax(fabs(result), (double)count * LARGEST_TERM);
    if (!jr_operator_is(row, JR_OPERATOR_KEEPS_WHOLE) || !jr_dtype_is_float(input)) return MOMENTS * fabs(result);
    const jr_type number = jr_operator_accumulation(row, input, spec->accumulate).number;
    const bool exact = jr_operator_is(row, JR_OPERATOR_MULTIPLIES) || sums_exactly(jr_dtype_find(number), count);
    return exact ? 0 : (double)count * LARGEST_NUMBER;
}

static bool agree(const jr_reduction *reduction, int index, uint64_t count, double depth, const double values[2]) {
    const jr_spec *spec = &reduction->spec;
    const jr_dtype *row = jr_dtype_find(reduction->outputs[index].type);
    const double unit = row->type == JR_F64 ? 0x1p-53 : 0x1p-24;
    const double own_unit =
        jr_dtype_value_type(row) != row->type ? ldexp(1, -row->fraction_bits) : 0; /* of a narrow result */
    const double difference = fabs(values[0] - values[1]);
    if (isnan(values[0]) || isnan(values[1])) return isnan(values[0]) && isnan(values[1]);
    if (values[0] == values[1]) return true;
    const jr_operator *op = jr_operator_find(spec->op_count > 0 ? spec->ops[index] : spec->op);
    const double magnitude = magnitude_of(reduction, op, values[0], count);
    return magnitude > 0 && difference <= 2 * depth * unit * magnitude + own_unit * fabs(values[0]);
}

bool jr_verify_results(const jr_reduction *reduction, uint64_t count, double depth,
                       const unsigned char *const results[2], char why[JR_REASON_BYTES]) {
    const jr_spec *spec = &reduction->spec;
    for (int i = 0; i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        const jr_dtype *row = jr_dtype_find(output->type);
        const bool kept = output->offset == reduction->kept_offset && i > 0;
        const char *const op = kept ? "kept" : jr_operator_find(spec->op_count > 0 ? spec->ops[i] : spec->op)->name;
        if (memcmp(results[0] + output->offset, results[1] + output->offset, output->bytes) == 0) continue;
        if (!jr_dtype_is_float(row)) {
            snprintf(why, JR_REASON_BYTES, "its %s differs from the estimate's", op);
            return false;
        }
        const double values[2] = {jr_dtype_read_float(row, results[0] + output->offset),
                                  jr_dtype_read_float(row, results[1] + output->offset)};
        if (agree(reduction, i, count, depth, values)) continue;
        snprintf(why, JR_REASON_BYTES, "its %s is %.17g, the estimate's %.17g: further apart than rounding explains",
                 op, values[1], values[0]);
        return false;
    }
    return true;
}
