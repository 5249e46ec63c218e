/* Works out the inputs of specs. */
#include "reduction_input.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dtype.h"
#include "expression/token.h"

/* The next word or sign of a struct's text; its line ends are no tokens of expressions. */
static jr_token next_of(jr_token token) {
    do token = jr_token_next(token.text + token.length);
    while (token.kind == JR_TOKEN_BYTE);
    return token;
}

/* The bracket that closes one that opens. */
static jr_token closing(jr_token open) {
    size_t depth = 0;
    for (jr_token at = open; at.kind != JR_TOKEN_END; at = next_of(at)) {
        depth += jr_token_is_one_of(at, "{");
        if (jr_token_is_one_of(at, "}") && --depth == 0) return at;
    }
    return open;
}

/* What the compiler would say of a header that no caller knows: a name that the text lacks, and "struct pair { ... }"
 * as its end. */
static jr_status check_source(const jr_structure *structure) {
    const jr_token begin = {JR_TOKEN_END, structure->source, 0};
    jr_token before = begin;
    bool declared = false;
    for (jr_token at = next_of(begin); at.kind != JR_TOKEN_END; before = at, at = next_of(at)) {
        if (!jr_token_is_one_of(at, structure->name)) continue;
        declared = true;
        const jr_token open = next_of(at), close = jr_token_is_one_of(open, "{") ? closing(open) : open;
        if (jr_token_is_one_of(before, "struct") && jr_token_is_one_of(close, "}") &&
            next_of(close).kind == JR_TOKEN_END)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "the source of struct %s ends with its }: write }; (spec.structure->source)",
                           structure->name);
    }
    if (declared) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "the source declares no struct %s: spec.structure->name and ->source must agree", structure->name);
}

static jr_status check_structure(const jr_structure *structure) {
    if (structure == NULL || structure->name == NULL || structure->source == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a type of the spec is a struct, or its structure is set: it needs "
                                                  "spec.structure with name and source");
    if (structure->bytes == 0 || structure->bytes > JR_STRUCT_BYTES_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "struct %s of %zu bytes: 1 to %d are allowed", structure->name,
                       structure->bytes, JR_STRUCT_BYTES_MAX);
    const size_t alignment = structure->alignment;
    if (alignment == 0 || alignment > 16 || (alignment & (alignment - 1)) != 0 || structure->bytes % alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "struct %s has %zu bytes and an alignment of %zu: 1, 2, 4, 8 or 16 that divides the size",
                       structure->name, structure->bytes, alignment);
    if (!jr_token_is_identifier(structure->name, JR_TYPE_TEXT_BYTES - 1))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "struct name '%s' is not an identifier of at most %d characters",
                       structure->name, JR_TYPE_TEXT_BYTES - 1);
    return check_source(structure);
}

static void fill_structure(const jr_structure *structure, jr_input *input) {
    *input = (jr_input){.type = JR_STRUCT, .bytes = structure->bytes, .alignment = structure->alignment};
    snprintf(input->c_name, sizeof input->c_name, "%s", structure->name);
    snprintf(input->value_name, sizeof input->value_name, "%s", structure->name);
}

/* Whether anything of the spec is a struct, or a struct is given. */
static bool has_structure(const jr_spec *spec, int input_count) {
    bool has = spec->structure != NULL || spec->type == JR_STRUCT || spec->map_type == JR_STRUCT;
    for (int i = 1; i < input_count; i++) has |= spec->more_types[i - 1] == JR_STRUCT;
    return has;
}

static jr_status fill_input(const jr_spec *spec, jr_type type, jr_input *input) {
    if (type == JR_STRUCT) {
        fill_structure(spec->structure, input);
        return JR_OK;
    }
    const jr_dtype *dtype = jr_dtype_find(type);
    if (dtype == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d: set spec.type to a jr_type", (int)type);
    *input = (jr_input){.type = type, .bytes = dtype->bytes, .alignment = dtype->bytes};
    snprintf(input->c_name, sizeof input->c_name, "%s", dtype->c_name);
    snprintf(input->value_name, sizeof input->value_name, "%s", jr_dtype_value(type)->c_name);
    return JR_OK;
}

jr_status jr_reduction_input_fill(const jr_spec *spec, jr_input inputs[JR_INPUTS_MAX], int *input_count) {
    const int wanted = spec->op == JR_OP_DOT ? 2 : 1;
    const int count = spec->input_count > 0 ? spec->input_count : wanted;
    if (spec->input_count < 0 || count > JR_INPUTS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d inputs: 1 to %d are allowed (spec.input_count)",
                       spec->input_count, JR_INPUTS_MAX);
    if (count < wanted) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator dot takes 2 inputs, not %d", count);
    for (int i = count; i < JR_INPUTS_MAX; i++)
        if (spec->more_types[i - 1] != JR_TYPE_NONE)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "spec.more_types[%d] is the type of input %d, and the spec has %d: set spec.input_count",
                           i - 1, i + 1, count);
    if (has_structure(spec, count)) {
        const jr_status status = check_structure(spec->structure);
        if (status != JR_OK) return status;
    }
    *input_count = count;
    for (int i = 0; i < count; i++) {
        const jr_type given = i == 0 ? spec->type : spec->more_types[i - 1];
        const jr_status status = fill_input(spec, given == JR_TYPE_NONE && i > 0 ? spec->type : given, &inputs[i]);
        if (status != JR_OK) return status;
    }
    return JR_OK;
}
