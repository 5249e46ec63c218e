/* Adds and multiplies whole numbers exactly, to see whether i64 or u64 holds the result. */
#include "sums_note.h"

#include <stdio.h>
#include <string.h>

#include "io/ranks.h"

__extension__ typedef __int128 whole;

static whole element_at(const cli_inputs *inputs, uint64_t index) {
    const jr_type type = inputs->types[0];
    const size_t bytes = jr_type_size(type);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)inputs->arrays[0] + index * bytes, bytes);
    if (type == JR_U64 || type == JR_U32) return (whole)bits;
    return type == JR_I64 ? (whole)(int64_t)bits : (whole)(int32_t)(uint32_t)bits;
}

static bool fits(whole number, jr_type type) {
    switch (type) {
    case JR_U64: return number >= 0 && number <= UINT64_MAX;
    case JR_U32: return number >= 0 && number <= UINT32_MAX;
    case JR_I32: return number >= INT32_MIN && number <= INT32_MAX;
    default: return number >= INT64_MIN && number <= INT64_MAX;
    }
}

static bool is_whole(jr_type type) {
    return type == JR_I64 || type == JR_U64 || type == JR_I32 || type == JR_U32;
}

/* What is left of a product does not make it smaller, unless a 0 comes. */
static bool result_fits(const cli_inputs *inputs, jr_op op, jr_type type) {
    whole result = op == JR_OP_SUM ? 0 : 1;
    bool held = true;
    for (uint64_t i = 0; i < inputs->element_count; i++) {
        const whole element = element_at(inputs, i);
        if (op == JR_OP_PROD && element == 0) return true;
        if (op == JR_OP_SUM)
            result += element;
        else if (held)
            held = !__builtin_mul_overflow(result, element, &result);
    }
    return held && fits(result, type);
}

static bool may_not_fit(const cli_request *request, jr_op op, const cli_ranges *ranges) {
    unsigned flags = 0;
    jr_spec spec = request->spec;
    spec.op = op;
    spec.ops = NULL;
    spec.op_count = 0;
    spec.kept = 0;
    spec.ddof = 0;
    (void)jr_reduce_foresee(&spec, ranges->bounds, ranges->count, &flags, NULL, 0);
    return (flags & JR_MAY_WRAP) != 0;
}

void cli_sums_note(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                   const cli_ranges *ranges) {
    const jr_spec *spec = &request->spec;
    const bool plain = spec->map == NULL && spec->where == NULL && spec->initial == NULL && spec->input_count <= 1;
    const bool narrow = spec->result == JR_I32 || spec->result == JR_U32;
    if (spec->finish != NULL || options->ranks != NULL || !is_whole(spec->type)) return;
    for (int i = 0; (plain || narrow) && i < request->op_count; i++) {
        const jr_op op = request->ops[i];
        const jr_type type = request->results.types[i];
        const bool known = plain && inputs != NULL;
        if ((op != JR_OP_SUM && op != JR_OP_PROD) || !is_whole(type) || !may_not_fit(request, op, ranges)) continue;
        if (known && result_fits(inputs, op, type)) continue;
        fprintf(stderr, "jitreduce: note: %s %s fit %s, and is modulo 2^%d: %s gives it as a float\n", jr_op_name(op),
                known ? "does not" : "may not", jr_type_name(type), jr_type_size(type) == 8 ? 64 : 32,
                spec->result != JR_TYPE_NONE ? "--result f64 with --accumulate f64" : "--accumulate f64");
    }
}
