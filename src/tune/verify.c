/* Compares results, of scans part by part: they have as many as there are elements. */
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/memory.h"
#include "plan/cut.h"
#include "spec/operator.h"
#include "spec/spec_expressions.h"

/* How far apart two results may be that added the same terms in another order: 2 * depth * unit * magnitude, and
 * own_unit * result. The magnitude, what is added without signs, is at most the greatest of three: so many times the
 * result, so much for each element, and so much in any case. All 0: nothing rounds in an order of its own. */
typedef struct slack {
    const jr_dtype *type; /* of the results */
    double unit, own_unit;
    double per_result, per_element, least;
} slack;

enum { LARGEST_TERM = 4096, LARGEST_NUMBER = 64, LARGEST_LOG2 = 6, MOMENTS = 16 };

/* Twice through a thread's elements, and through the totals of tiles: those of a group by lanes, one group after the
 * other; without a queue row by row, and within one tile by tile. */
static double scan_depth(const jr_plan *plan, uint64_t count) {
    enum { LAST = 29 };
    const jr_algorithm_row *row = plan->choice.row;
    const double unroll = plan->choice.tuning.unroll, pack = jr_cut_pack_elements(plan->reduction);
    const double most = (double)count / (pack * unroll), ends = pack + 2 * unroll + LAST;
    if (row->scan != NULL && row->scan->queue != NULL) {
        const jr_scan_queue queue = row->scan->queue(plan);
        const int share = queue.group / JR_WARP_LANES; /* a lane */
        const double others = queue.in_sequence ? pack * (unroll - 1) : 0;
        return ends + others + share + ceil(ceil(most / queue.tile_threads) / queue.group);
    }
    const double rows = jr_plan_grid(plan, count), block = plan->choice.tuning.block;
    const double each = ceil(ceil(most / block) / rows);
    return ends + (rows > 1 ? 2 * each + ceil(rows / block) : each);
}

double jr_verify_depth(const jr_plan *plan, uint64_t count) {
    enum { LAST = 15, WARP_HALF = 16 };
    const double grid = jr_plan_grid(plan, count), block = plan->choice.tuning.block,
                 unroll = plan->choice.tuning.unroll, pack = jr_cut_pack_elements(plan->reduction);
    if (plan->kind == &jr_plan_scan) return scan_depth(plan, count);
    return ceil((double)count / (pack * unroll * block * grid)) + unroll + block / WARP_HALF + ceil(grid / block) +
           LAST;
}

static const jr_operator *operator_of(const jr_reduction *reduction, int index) {
    return jr_operator_find(reduction->spec.op_count > 0 ? reduction->spec.ops[index] : reduction->spec.op);
}

/* Terms of an order of their own, or of expressions, which may be anything: none is larger than the square of a number.
 */
static bool has_free_terms(const jr_reduction *reduction, const jr_operator *row) {
    const jr_spec *spec = &reduction->spec;
    jr_expression texts[JR_EXPRESSIONS_MAX];
    return jr_spec_expressions_list(spec, texts) > 0 || row->inputs > 1 ||
           jr_dtype_find(reduction->inputs[0].type) == NULL;
}

/* Whether sums of an arena's numbers, which are whole and from -64 to 63, are exact in every order. */
static bool sums_exactly(const jr_dtype *accumulator, uint64_t count) {
    return count <= (uint64_t)1 << (accumulator->fraction_bits + 1 - LARGEST_LOG2);
}

static slack slack_of(const jr_reduction *reduction, int index, uint64_t count) {
    const jr_operator *row = operator_of(reduction, index);
    const jr_dtype *input = jr_dtype_find(reduction->inputs[0].type);
    slack found = {.type = jr_dtype_find(reduction->outputs[index].type)};
    if (!jr_dtype_is_float(found.type) || jr_operator_is(row, JR_OP_FLAG_SELECTS)) return found;
    found.unit = found.type->type == JR_F64 ? 0x1p-53 : 0x1p-24;
    if (jr_dtype_value_type(found.type) != found.type->type) /* of a narrow result */
        found.own_unit = ldexp(1, -found.type->fraction_bits);
    if (has_free_terms(reduction, row)) {
        found.per_result = 1;
        found.per_element = LARGEST_TERM;
    } else if (!jr_operator_is(row, JR_OPERATOR_KEEPS_WHOLE) || !jr_dtype_is_float(input)) {
        found.per_result = MOMENTS;
    } else {
        const jr_type number = jr_operator_accumulation(row, input, reduction->spec.accumulate).number;
        const bool exact = jr_operator_is(row, JR_OPERATOR_MULTIPLIES) || sums_exactly(jr_dtype_find(number), count);
        found.per_element = exact ? 0 : LARGEST_NUMBER;
    }
    return found;
}

/* The size of the initial value, which may be any number; 0 without an initial value. */
static double initial_of(const jr_spec *spec) {
    const jr_dtype *row = spec->initial != NULL ? jr_dtype_find(spec->initial->type) : NULL;
    return row == NULL              ? 0
           : jr_dtype_is_float(row) ? fabs(jr_dtype_read_float(row, spec->initial->as.bytes))
                                    : fabs((double)(int64_t)jr_dtype_read_integer(row, spec->initial->as.bytes));
}

/* A scan has results of few elements, too, which may be small compared with what was added: deviations from a mean, or
 * numbers whose exponentials cancel out. But an arena's sums of neighbours stay small for it, however many they are. */
static slack slack_of_scan(const jr_reduction *reduction) {
    const jr_operator *row = operator_of(reduction, 0);
    const jr_dtype *input = jr_dtype_find(reduction->inputs[0].type);
    slack found = slack_of(reduction, 0, UINT64_MAX);
    if (found.per_result + found.per_element == 0) return found;
    if (has_free_terms(reduction, row)) {
        found.least = initial_of(&reduction->spec);
        return found;
    }
    const jr_type number = jr_operator_accumulation(row, input, reduction->spec.accumulate).number;
    found.unit = number == JR_F64 ? 0x1p-53 : 0x1p-24;
    if (number != found.type->type) found.own_unit = ldexp(1, -found.type->fraction_bits);
    if (row->accumulates == JR_ACCUMULATES_MOMENTS) found.least = (double)MOMENTS * LARGEST_TERM;
    if (row->accumulates == JR_ACCUMULATES_EXPONENTIAL) found.least = MOMENTS;
    if (!jr_operator_is(row, JR_OPERATOR_KEEPS_WHOLE) || !jr_dtype_is_float(input)) return found;
    found.least = initial_of(&reduction->spec);
    if (found.least == 0) found.per_element = 0; /* tune_arena.c: no sum of neighbours has more than 17 bits */
    return found;
}

static bool agree(const slack *most, uint64_t count, double depth, const double values[2]) {
    const double result = fabs(values[0]), difference = fabs(values[0] - values[1]);
    const double magnitude = fmax(fmax(most->per_result * result, most->per_element * (double)count), most->least);
    if (isnan(values[0]) || isnan(values[1])) return isnan(values[0]) && isnan(values[1]);
    if (values[0] == values[1]) return true;
    return magnitude > 0 && difference <= 2 * depth * most->unit * magnitude + most->own_unit * result;
}

bool jr_verify_results(const jr_reduction *reduction, uint64_t count, double depth,
                       const unsigned char *const results[2], char why[JR_REASON_BYTES]) {
    for (int i = 0; i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        const jr_dtype *row = jr_dtype_find(output->type);
        const bool kept = output->offset == reduction->kept_offset && i > 0;
        const char *const op = kept ? "kept" : operator_of(reduction, i)->name;
        if (memcmp(results[0] + output->offset, results[1] + output->offset, output->bytes) == 0) continue;
        if (!jr_dtype_is_float(row)) {
            snprintf(why, JR_REASON_BYTES, "its %s differs from the estimate's", op);
            return false;
        }
        const slack most = slack_of(reduction, i, count);
        const double values[2] = {jr_dtype_read_float(row, results[0] + output->offset),
                                  jr_dtype_read_float(row, results[1] + output->offset)};
        if (agree(&most, count, depth, values)) continue;
        snprintf(why, JR_REASON_BYTES, "its %s is %.17g, the estimate's %.17g: further apart than rounding explains",
                 op, values[1], values[0]);
        return false;
    }
    return true;
}

bool jr_verify_scan(const jr_reduction *reduction, double depth, const jr_verify_part *part,
                    char why[JR_REASON_BYTES]) {
    const size_t bytes = reduction->output_bytes;
    const char *const op = operator_of(reduction, 0)->name;
    if (memcmp(part->results[0], part->results[1], part->count * bytes) == 0) return true;
    const slack most = slack_of_scan(reduction);
    for (uint64_t i = 0; i < part->count; i++) {
        const unsigned char *const one = part->results[0] + i * bytes, *const other = part->results[1] + i * bytes;
        const unsigned long long element = part->first + i;
        if (memcmp(one, other, bytes) == 0) continue;
        if (!jr_dtype_is_float(most.type)) {
            snprintf(why, JR_REASON_BYTES, "its %s differs from the estimate's at element %llu", op, element);
            return false;
        }
        const double values[2] = {jr_dtype_read_float(most.type, one), jr_dtype_read_float(most.type, other)};
        if (agree(&most, element + 1, depth, values)) continue;
        snprintf(why, JR_REASON_BYTES,
                 "its %s is %.17g at element %llu, the estimate's %.17g: further apart than rounding explains", op,
                 values[1], element, values[0]);
        return false;
    }
    return true;
}

/* ---- what is expected ---- */

enum { PART_BYTES = 4 << 20 };

/* Results that lie in a part. */
static uint64_t part_count(const jr_arena *arena) {
    const uint64_t most = PART_BYTES / arena->reduction->output_bytes;
    return arena->result_count < most ? arena->result_count : most;
}

jr_status jr_expected_take(const jr_arena *arena, const jr_plan *plan, jr_expected *expected) {
    const size_t bytes = arena->reduction->output_bytes;
    *expected = (jr_expected){.arena = arena,
                              .depth = jr_verify_depth(plan, arena->count),
                              .results = calloc((size_t)arena->result_count, bytes),
                              .part = calloc((size_t)part_count(arena), bytes)};
    if (expected->results == NULL || expected->part == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu results of %zu bytes",
                       (unsigned long long)arena->result_count, bytes);
    return jr_memory_download(arena->device, expected->results, arena->out, arena->result_count * bytes, NULL);
}

void jr_expected_free(jr_expected *expected) {
    free(expected->results);
    free(expected->part);
    *expected = (jr_expected){0};
}

jr_status jr_expected_check(const jr_expected *expected, const jr_plan *plan, char why[JR_REASON_BYTES]) {
    const jr_arena *arena = expected->arena;
    const size_t bytes = arena->reduction->output_bytes;
    const double depth = expected->depth + jr_verify_depth(plan, arena->count);
    const bool scan = plan->kind == &jr_plan_scan;
    bool same = true;
    jr_verify_part part = {.count = part_count(arena)};
    for (; same && part.first < arena->result_count; part.first += part.count) {
        const uint64_t left = arena->result_count - part.first, at = part.first * bytes;
        if (left < part.count) part.count = left;
        JR_TRY(jr_memory_download(arena->device, expected->part, arena->out + at, part.count * bytes, NULL));
        part.results[0] = expected->results + at;
        part.results[1] = expected->part;
        same = scan ? jr_verify_scan(arena->reduction, depth, &part, why)
                    : jr_verify_results(arena->reduction, arena->count, depth, part.results, why);
    }
    return JR_OK;
}
