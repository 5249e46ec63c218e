/* Writes pieces of the functions of expressions. */
#include "expression_text.h"

#include <stdio.h>
#include <string.h>

#include "abi.h"
#include "dtype.h"
#include "expression/token.h"
#include "spec_expressions.h"

static const char input_letters[JR_INPUTS_MAX] = {'x', 'y', 'z', 'w'};

void jr_expression_text_parameters(jr_text *text, const jr_spec *spec) {
    for (int i = 0; i < spec->parameter_count; i++) {
        const char *type = jr_dtype_find(spec->parameters[i].value.type)->c_name;
        jr_text_append(text, "    const %s %s = *(const %s *)&jr_the_call.parameters[%d];\n", type,
                       spec->parameters[i].name, type, i);
    }
}

/* ---- the least i64 ---- */

/* -9223372036854775808 is a positive number to the compiler, to which 9223372036854775808 is unsigned. After a minus it
 * is written as this, of which the negative is the least i64, and which is that unsigned number in a difference. */
const char jr_expression_text_least[] =
    "struct jr_2_to_63 {\n"
    "    __device__ operator unsigned long long() const { return 1ull << 63; }\n"
    "    __device__ long long operator-() const { return -9223372036854775807ll - 1; }\n};\n";

/* The first digits after a minus that are to be written so; NULL: none. */
static const char *find_least(const char *expression) {
    jr_token before = {JR_TOKEN_END, expression, 0};
    for (jr_token token = jr_token_next(expression); token.kind != JR_TOKEN_END;
         before = token, token = jr_token_next(token.text + token.length))
        if (jr_token_is_one_of(token, JR_LITERAL_2_TO_63) && jr_token_is_one_of(before, "-")) return token.text;
    return NULL;
}

bool jr_expression_text_has_least(const jr_spec *spec) {
    jr_expression present[JR_EXPRESSIONS_MAX];
    const size_t count = jr_spec_expressions_list(spec, present);
    for (size_t i = 0; i < count; i++)
        if (find_least(present[i].text) != NULL) return true;
    return false;
}

void jr_expression_text_expression(jr_text *text, const char *expression) {
    for (const char *at; (at = find_least(expression)) != NULL;) {
        jr_text_append(text, "%.*sjr_2_to_63()", (int)(at - expression), expression);
        expression = at + sizeof JR_LITERAL_2_TO_63 - 1;
    }
    jr_text_append(text, "%s", expression);
}

/* The brackets that close stand on the expression's line, as the compiler finds the
 * end of an unfinished expression there. */
void jr_expression_text_return(jr_text *text, const char *name, const char *conversion, const char *expression) {
    jr_text_append(text, "    return %s((\n#line 1 \"%s\"\n", conversion, name);
    jr_expression_text_expression(text, expression);
    jr_text_append(text, "));\n#line 1 \"expressions.cuh\"\n}\n");
}

/* An element as C promotes it: what u8 u16 and bool are in registers is unsigned. */
static void append_element(jr_text *text, const jr_input *input, char letter) {
    const jr_dtype *row = jr_dtype_find(input->type);
    if (row != NULL && jr_dtype_promoted(row) != jr_dtype_value_type(row))
        jr_text_append(text, "    const int %c = (int)jr_the_item.%c;\n", letter, letter);
    else
        jr_text_append(text, "    const %s &%c = jr_the_item.%c;\n", input->value_name, letter, letter);
}

void jr_expression_text_items(jr_text *text, const jr_reduction *reduction) {
    for (int i = 0; i < reduction->input_count; i++) append_element(text, &reduction->inputs[i], input_letters[i]);
    jr_text_append(text, "    const long long i = (long long)jr_the_item.i;\n");
    jr_expression_text_parameters(text, &reduction->spec);
}

/* ---- the results of a row ---- */

/* Is it a logsumexp, which is kept as two numbers, a maximum and a logarithm (kernels_src/operators/log_sum.cuh)? */
static bool is_logarithm(const jr_reduction *reduction, int index) {
    const jr_spec *spec = &reduction->spec;
    return (spec->op_count > 0 ? spec->ops[index] : spec->op) == JR_OP_LOGSUMEXP && spec->finish == NULL;
}

static void append_total(jr_text *text, const jr_reduction *reduction, const char *named, int at, int index) {
    const jr_dtype *row = jr_dtype_find(reduction->totals[index]);
    const bool promoted = jr_dtype_promoted(row) != jr_dtype_value_type(row);
    const char *value = promoted ? "int" : jr_dtype_value(row->type)->c_name;
    char name[8], logarithm[32];
    snprintf(logarithm, sizeof logarithm, "jr_log_sum<%s>", jr_dtype_value(reduction->accumulators[index])->c_name);
    const char *held = is_logarithm(reduction, index) ? logarithm : row->c_name;
    snprintf(name, sizeof name, reduction->spec.op_count > 0 ? "%s%d" : "%s", named, index);
    jr_text_append(text, "    const %s %s = *(const %s *)(jr_the_results.place + %d);\n",
                   is_logarithm(reduction, index) ? logarithm : value, name, held, at + index * JR_RESULT_STRIDE);
}

static bool is_short_float(const jr_dtype *row) {
    return row != NULL && row->bytes == 2 && jr_dtype_is_float(row);
}

bool jr_expression_text_is_short(const jr_reduction *reduction) {
    return reduction->spec.apply != NULL && reduction->spec.accuracy == JR_ACCURACY_FAST &&
           is_short_float(jr_dtype_find(reduction->inputs[0].type)) &&
           is_short_float(jr_dtype_find(reduction->outputs[0].type));
}

void jr_expression_text_apply(jr_text *text, const jr_reduction *reduction) {
    const jr_spec *spec = &reduction->spec;
    const char *type = jr_dtype_find(reduction->outputs[0].type)->c_name;
    const bool takes_all = jr_spec_expressions_name_all(spec);
    const int all_at = reduction->total_count * JR_RESULT_STRIDE;
    char conversion[JR_TYPE_TEXT_BYTES + 16];
    snprintf(conversion, sizeof conversion, "jr_to<%s>::of", type);
    jr_text_append(text, "#define jr_total_bytes %d\n#define jr_takes_all %d\n#define jr_all_at %d\n",
                   (int)reduction->total_bytes, takes_all, all_at);
    jr_text_append(text, "#include \"operators/log_sum.cuh\"\n");
    if (jr_expression_text_is_short(reduction)) jr_text_append(text, "#define exp jr_short_exp\n");
    jr_text_append(text,
                   "#define jr_finishes %d\ntypedef %s jr_applied;\n"
                   "struct jr_results {\n    __align__(16) unsigned char place[%d];\n};\n"
                   "JR_EXPRESSION %s jr_apply(const jr_item &jr_the_item, const jr_results &jr_the_results, "
                   "const long long n, const jr_call &jr_the_call) {\n",
                   spec->finish != NULL, type, takes_all ? 2 * all_at : all_at, type);
    jr_expression_text_items(text, reduction);
    for (int t = 0; t < reduction->total_count; t++) append_total(text, reduction, "r", 0, t);
    for (int t = 0; takes_all && t < reduction->total_count; t++) append_total(text, reduction, "all", all_at, t);
    jr_expression_text_return(text, "apply", conversion, spec->apply);
    if (jr_expression_text_is_short(reduction)) jr_text_append(text, "#undef exp\n");
}
