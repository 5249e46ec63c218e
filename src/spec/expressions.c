/* Writes the headers of expressions. Each expression is on a line of its own after `#line 1 "<its name>"`, so that the
 * compiler's messages name it. All names around it begin with jr_, which no expression may name. */
#include "expressions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "dtype.h"
#include "expression/expression_log.h"
#include "expression_text.h"
#include "spec_expressions.h"

/* What a person expects to know without a header, in expressions and in the text of a struct. */
static const char constants[] = "#pragma once\n"
                                "#define INFINITY __int_as_float(0x7f800000)\n"
                                "#define NAN __int_as_float(0x7fffffff)\n";

/* Checks that a struct is as the host believes. The compiler's message of a template says which number is the true one:
 * jr_expressions_explain reads it there. */
static void append_size(jr_text *text, const char *name, const char *member, const char *measure, size_t said) {
    jr_text_append(text,
                   "template <unsigned long long Is, unsigned long long Said> struct jr_%s_of_struct {\n"
                   "    static_assert(Is == Said, \"struct %s does not have the %s that spec.structure says\");\n};\n"
                   "template struct jr_%s_of_struct<%s(%s), %zu>;\n",
                   member, name, member, member, measure, name, said);
}

/* The struct, and a check that it is as large as the host believes. */
static char *write_declarations(const jr_spec *spec) {
    jr_text text = {0};
    const jr_structure *structure = spec->structure;
    jr_text_append_bytes(&text, constants, sizeof constants - 1);
    if (structure == NULL) return jr_text_take(&text);
    jr_text_append(&text, "#line 1 \"structure\"\n%s\n", structure->source);
    jr_text_append(&text, "#line 1 \"declarations.cuh\"\n");
    append_size(&text, structure->name, "bytes", "sizeof", structure->bytes);
    append_size(&text, structure->name, "alignment", "alignof", structure->alignment);
    return jr_text_take(&text);
}

/* What the kernel asserts of a value, so that host and compiler agree on its type (value_type.h). omitted: the spec's
 * member that left the type open. */
static void append_assertion(jr_text *text, const char *name, jr_value_rest rest, const char *omitted) {
    const char *wanted = rest == JR_RESTS_ON_INTEGER ? "< 2" : rest == JR_RESTS_ON_FLOAT ? "== 2" : ">= 2";
    const char *found = rest == JR_RESTS_ON_INTEGER ? "a float, which would become an integer"
                                                    : "not the float that the library takes it for";
    jr_text_append(
        text,
        "#line 1 \"%s\"\nstatic_assert(jr_number_kind<decltype(jr_value)>::is %s, \"the value is %s: set %s\");"
        "\n#line 1 \"expressions.cuh\"\n",
        name, wanted, found, omitted);
}

/* The value of an expression, by the rule of all conversions (core/convert.cuh). */
static void append_converted(jr_text *text, const char *name, const char *type, const char *expression,
                             jr_value_rest rest) {
    static const char *const omitted[][2] = {
        {"map", "map_type"}, {"combine", "accumulate"}, {"finish", "the type of the result"}};
    char conversion[JR_TYPE_TEXT_BYTES + 16];
    snprintf(conversion, sizeof conversion, "jr_to<%s>::of", type);
    if (rest == JR_RESTS_ON_NOTHING) {
        jr_expression_text_return(text, name, conversion, expression);
        return;
    }
    jr_text_append(text, "    auto jr_value = ((\n#line 1 \"%s\"\n", name);
    jr_expression_text_expression(text, expression);
    jr_text_append(text, "));\n");
    for (size_t i = 0; i < sizeof omitted / sizeof *omitted; i++)
        if (strcmp(omitted[i][0], name) == 0) append_assertion(text, name, rest, omitted[i][1]);
    jr_text_append(text, "    return %s(jr_value);\n}\n", conversion);
}

/* What expressions may weigh (expression.h) at all places of a kernel together, if each place is to have them for
 * itself; heavier ones are compiled once and called. With an unroll factor of 16 over 1-byte elements sinf, 28000 at
 * 256 places, compiled for 11 s so, called for 0.7 s. */
enum { INLINE_WEIGHT_MAX = 4096 };

static bool are_inline(const jr_reduction *reduction, int unroll) {
    const size_t bytes = reduction->inputs[0].bytes;
    const size_t places = (size_t)unroll * (bytes < 16 ? 16 / bytes : 1); /* loads, and the elements of one */
    return reduction->expressions_weight * places <= INLINE_WEIGHT_MAX;
}

/* How a function of an item begins: map or where. */
#define ITEM_FUNCTION "JR_EXPRESSION %s jr_%s(const jr_item &jr_the_item, const jr_call &jr_the_call) {\n"

/* Are all inputs? */
static bool is_of_integers(const jr_reduction *reduction) {
    for (int i = 0; i < reduction->input_count; i++)
        if (reduction->inputs[i].type == JR_STRUCT || jr_dtype_is_float(jr_dtype_find(reduction->inputs[i].type)))
            return false;
    return true;
}

/* What only a function of products has, on one line. */
#define BEGIN_RETURN "    return ("
#define TIMES_Y      ")x * ("

static void append_map(jr_text *text, const jr_spec *spec, const jr_reduction *reduction) {
    const jr_dtype *mapped = jr_dtype_find(spec->map_type != JR_TYPE_NONE ? spec->map_type : spec->type);
    const char *type = reduction->mapped_name;
    jr_text_append(text, ITEM_FUNCTION, type, "map");
    jr_expression_text_items(text, reduction);
    if (spec->map != NULL)
        append_converted(text, "map", mapped != NULL ? mapped->c_name : type, spec->map, reduction->map_rest);
    else if (spec->op == JR_OP_DOT && spec->accuracy == JR_ACCURACY_EXACT)
        jr_text_append(text, "    return {x, y};\n}\n");
    else if (spec->op == JR_OP_DOT) /* integers have no -0, but as doubles -2 times 0 is */
        jr_text_append(text, BEGIN_RETURN "%s" TIMES_Y "%s)y%s;\n}\n", type, type,
                       is_of_integers(reduction) ? " + 0.0" : "");
    else
        jr_text_append(text, "    return (%s)x;\n}\n", type);
}

static void append_where(jr_text *text, const jr_spec *spec, const jr_reduction *reduction) {
    jr_text_append(text, "#define jr_selects %s\n", spec->where != NULL ? "true" : "false");
    if (spec->where == NULL) {
        jr_text_append(text, "JR_EXPRESSION bool jr_where(const jr_item &, const jr_call &) "
                             "{ return true; }\n");
        return;
    }
    jr_text_append(text, ITEM_FUNCTION, "bool", "where");
    jr_expression_text_items(text, reduction);
    jr_expression_text_return(text, "where", "(bool)", spec->where);
}

static void append_finish(jr_text *text, const jr_spec *spec, const jr_reduction *reduction) {
    jr_text_append(text, "template <class jr_total> JR_EXPRESSION auto jr_finished(const jr_total &a, jr_u64 jr_count, "
                         "const jr_call &jr_the_call) {\n");
    if (spec->finish == NULL) {
        jr_text_append(text, "    return a;\n}\n");
        return;
    }
    jr_text_append(text, "    const long long n = (long long)jr_count;\n");
    jr_expression_text_parameters(text, spec);
    append_converted(text, "finish", reduction->result_name, spec->finish, reduction->finish_rest);
}

/* The operator of combine and identity. Each is a function outside of the struct, whose members an expression could
 * name: combine that calls combine would never end. */
static void append_custom(jr_text *text, const jr_spec *spec, const jr_reduction *reduction) {
    const char *type = reduction->accumulator_name;
    const char *result = spec->finish != NULL ? type : reduction->result_name;
    jr_text_append(text,
                   "struct jr_custom {\n    typedef %s accumulator;\n"
                   "    static __device__ %s lift(const %s &x, jr_u64) { return jr_to<%s>::of(x); }\n"
                   "    static __device__ %s finish(const %s &a, jr_u64, double) { return jr_to<%s>::of(a); }\n};\n",
                   type, type, reduction->mapped_name, type, result, type, result);
    jr_text_append(text, "JR_EXPRESSION %s jr_custom_identity(const jr_call &jr_the_call) {\n", type);
    jr_expression_text_parameters(text, spec);
    append_converted(text, "identity", type, spec->identity, JR_RESTS_ON_NOTHING);
    jr_text_append(text,
                   "JR_EXPRESSION %s jr_custom_combine(const %s &a, const %s &b, "
                   "const jr_call &jr_the_call) {\n",
                   type, type, type);
    jr_expression_text_parameters(text, spec);
    append_converted(text, "combine", type, spec->combine, reduction->combine_rest);
    jr_text_append(
        text,
        "#if !JR_KEPT\nstruct jr_combiner : jr_custom {\n    const jr_call &call;\n"
        "    __device__ %s identity() const { return jr_custom_identity(call); }\n"
        "    __device__ %s combine(const %s &a, const %s &b) const { return jr_custom_combine(a, b, call); }\n"
        "};\n#endif\n",
        type, type, type, type);
}

static char *write_functions(const jr_spec *spec, const jr_reduction *reduction, bool are_inlined) {
    jr_text text = {0};
    const bool asserts = reduction->map_rest != JR_RESTS_ON_NOTHING || reduction->combine_rest != JR_RESTS_ON_NOTHING ||
                         reduction->finish_rest != JR_RESTS_ON_NOTHING;
    jr_text_append(&text, "#pragma once\n%s%s#define JR_EXPRESSION __device__ %s\n",
                   jr_spec_expressions_call(spec) ? "#include \"operators/functions.cuh\"\n" : "",
                   asserts ? "#include \"operators/kinds.cuh\"\n" : "",
                   are_inlined ? "__forceinline__" : "__noinline__");
    if (jr_expression_text_has_least(spec)) jr_text_append(&text, "%s", jr_expression_text_least);
    append_map(&text, spec, reduction);
    append_where(&text, spec, reduction);
    append_finish(&text, spec, reduction);
    if (spec->op == JR_OP_CUSTOM) append_custom(&text, spec, reduction);
    if (spec->apply != NULL) jr_expression_text_apply(&text, reduction);
    return jr_text_take(&text);
}

jr_status jr_expressions_make(const jr_reduction *reduction, int unroll, jr_expressions *expressions) {
    jr_expressions made = {NULL, NULL};
    if (reduction->has_expressions) {
        made.declarations = write_declarations(&reduction->spec);
        made.functions = write_functions(&reduction->spec, reduction, are_inline(reduction, unroll));
        if (made.declarations == NULL || made.functions == NULL) {
            jr_expressions_free(&made);
            return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the text of the expressions");
        }
    }
    *expressions = made;
    return JR_OK;
}

jr_status jr_expressions_explain(const jr_reduction *reduction, jr_status status) {
    jr_expression present[JR_EXPRESSIONS_MAX];
    return jr_expression_explain(status, present, jr_spec_expressions_list(&reduction->spec, present));
}

void jr_expressions_free(jr_expressions *expressions) {
    free(expressions->declarations);
    free(expressions->functions);
    *expressions = (jr_expressions){NULL, NULL};
}

/* ---- reading what was written ---- */

const char *jr_expressions_find(const char *functions, const char *name, size_t *length) {
    char mark[64];
    snprintf(mark, sizeof mark, "\n#line 1 \"%s\"\n", name);
    const char *at = strstr(functions, mark);
    if (at == NULL) return NULL;
    at += strlen(mark);
    const size_t line = strcspn(at, "\n"), brackets = sizeof "));" - 1; /* they stand on the expression's line */
    *length = line > brackets ? line - brackets : 0;
    return at;
}

bool jr_expressions_multiply(const char *functions) {
    for (const char *line = functions; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *times = strstr(line, TIMES_Y);
        if (strncmp(line, BEGIN_RETURN, sizeof BEGIN_RETURN - 1) == 0 && times != NULL && times < line + length)
            return true;
        line += length + (line[length] == '\n');
    }
    return false;
}
