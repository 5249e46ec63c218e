/* Words of constants and of expressions. The table says of each constant what a caller calls it; a constant without a
 * row fails test_contract. */
#include "request_words.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "spec/expressions.h"
#include "spec/operator.h"

typedef struct request_row request_row;

/* Writes a constant's text in the words of a caller. */
typedef void write_value(const jr_program *program, const request_row *row, const char *constant, jr_text *value);

struct request_row {
    const char *constant, *words;
    write_value *write;
    const char *const *names; /* of the values 0, 1, ..., ended by NULL */
    bool follows;
};

static const char *find_constant(const jr_program *program, const char *name) {
    for (size_t i = 0; i < program->constant_count; i++)
        if (strcmp(program->constants[i].name, name) == 0) return program->constants[i].text;
    return NULL;
}

static void write_text(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    (void)program, (void)row;
    jr_text_append(value, "%s", constant);
}

/* "f32" for "float"; the name of a struct as it is. */
static void append_type(jr_text *value, const char *c_name, size_t length) {
    const jr_dtype *dtype = jr_dtype_find_c_name(c_name, length);
    if (dtype != NULL)
        jr_text_append(value, "%s", dtype->name);
    else
        jr_text_append_bytes(value, c_name, length);
}

static void write_type(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    (void)program, (void)row;
    append_type(value, constant, strlen(constant));
}

static void write_name(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    (void)program;
    for (int i = 0; row->names[i] != NULL; i++)
        if (constant[0] == '0' + i && constant[1] == '\0') {
            jr_text_append(value, "%s", row->names[i]);
            return;
        }
    jr_text_append(value, "%s", constant);
}

/* ---- operators ---- */

static bool is_template(const char *name, const char *at, size_t length) {
    return name != NULL && strlen(name) == length && memcmp(name, at, length) == 0;
}

/* The operator whose template has this name ("jr_min"); NULL: no operator's has. */
static const jr_operator *find_template(const char *at, size_t length) {
#define JR_TEMPLATE(name, number, text) JR_OP_##name,
    static const jr_op ops[] = {JR_OPS(JR_TEMPLATE)};
#undef JR_TEMPLATE
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const jr_operator *row = jr_operator_find(ops[i]);
        if (is_template(row->c_name, at, length) || is_template(row->number, at, length) ||
            is_template(row->exact, at, length))
            return row;
    }
    return NULL;
}

/* Finds the next operator of a text like "jr_both<jr_min<float, float, float>, ...>"; NULL: none is left. The search
 * begins at *at, which is then the end of the name of the operator's template. */
static const jr_operator *next_operator(const char **at) {
    while ((*at = strstr(*at, "jr_")) != NULL) {
        const size_t length = strcspn(*at, "<>, ");
        const jr_operator *row = find_template(*at, length);
        *at += length;
        if (row != NULL) return row;
    }
    return NULL;
}

static const char *find_header(const jr_program *program, const char *name) {
    for (size_t i = 0; i < program->header_count; i++)
        if (strcmp(program->headers[i].name, name) == 0) return program->headers[i].text;
    return "";
}

static void write_operators(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    const char *at = constant;
    const bool of_products = jr_expressions_multiply(find_header(program, JR_EXPRESSIONS_HEADER));
    const jr_operator *found;
    (void)row;
    while ((found = next_operator(&at)) != NULL)
        jr_text_append(value, "%s%s", value->length > 0 ? "," : "",
                       of_products && found->op == JR_OP_SUM ? "dot" : found->name);
}

/* The accumulator's type is the second argument of the first operator's template; of an exact sum that argument is a
 * template itself. */
static void write_accumulate(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    const char *at = constant;
    const jr_operator *found = next_operator(&at);
    const char *comma = found != NULL ? strchr(at, ',') : NULL;
    (void)program, (void)row;
    if (comma == NULL) return;
    const char *type = comma + 2;
    const size_t length = strcspn(type, "<,>");
    if (type[length] == '<')
        jr_text_append(value, "exact");
    else
        append_type(value, type, length);
}

static void write_nan(const jr_program *program, const request_row *row, const char *constant, jr_text *value) {
    const char *operators = find_constant(program, "JR_OPERATOR"), *at = operators;
    bool ignores = strcmp(constant, "0") != 0 || strstr(operators, "jr_numbers<") != NULL;
    (void)row;
    for (const jr_operator *found; !ignores && (found = next_operator(&at)) != NULL;)
        ignores =
            found->number != NULL && is_template(found->number, at - strlen(found->number), strlen(found->number));
    jr_text_append(value, "%s", ignores ? "ignore" : "propagate");
}

/* ---- the table ---- */

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const accuracies[] = {"fast", "exact", NULL};
static const char *const given[] = {"none", "given", NULL};
static const char *const outputs[] = {"results", "states", "states with the initial value", "states of a group", NULL};
static const char *const scans[] = {"inclusive", "exclusive", NULL};
static const char *const heads[] = {"none", "of equal length", "by offsets", "", "by keys", NULL};

/* A constant that a caller's option decides, by the name that the option has in C, in the command and in Python. */
#define REQUESTED(NAME, said, ...)                                                                                     \
    { .constant = NAME, .words = said, .write = __VA_ARGS__ }
/* A constant that follows from others. */
#define FOLLOWS(NAME, said, ...)                                                                                       \
    { .constant = NAME, .words = said, .follows = true, .write = __VA_ARGS__ }

static const request_row rows[] = {
    REQUESTED("JR_OPERATOR", JR_REQUEST_OPERATOR, write_operators),
    REQUESTED("JR_X", "element type", write_type),
    REQUESTED("JR_INPUTS", "number of arrays", write_text),
    REQUESTED("JR_Y", "element type of y", write_type),
    REQUESTED("JR_Z", "element type of z", write_type),
    REQUESTED("JR_W", "element type of w", write_type),
    REQUESTED("JR_KEY", "type of the keys", write_type),
    REQUESTED("JR_OPERATORS_EXACT", "accuracy", write_name, .names = accuracies),
    REQUESTED("JR_SKIP_NAN", "nan", write_nan),
    REQUESTED("JR_COMMUTATIVE", "commutative", write_name, .names = no_yes),
    REQUESTED("JR_INITIAL", "initial value", write_name, .names = given),
    REQUESTED("JR_HEADS", "segments", write_name, .names = heads),
    REQUESTED("JR_EXCLUSIVE", "scan", write_name, .names = scans),
    REQUESTED("JR_UNROLL", "unroll factor", write_text),
    REQUESTED("JR_BLOCK", "block size", write_text),
    REQUESTED("JR_STAGES", "tiles of the ring", write_text),
    REQUESTED("JR_STATE", "what the kernel writes", write_name, .names = outputs),
    FOLLOWS("JR_OPERATOR", "type of the accumulator", write_accumulate),
    FOLLOWS("JR_KEPT", "count of kept elements", write_name, .names = no_yes),
    FOLLOWS("JR_MAPPED", "type of the mapped value", write_type),
    FOLLOWS("JR_INITIAL_TYPE", "type of the result", write_type),
    FOLLOWS("JR_SHARED_DYNAMIC", "shared memory sized at launch", write_name, .names = no_yes),
    FOLLOWS("JR_X_VALUE", "type of an element in registers", write_type),
    FOLLOWS("JR_Y_VALUE", "type of an element of y in registers", write_type),
    FOLLOWS("JR_Z_VALUE", "type of an element of z in registers", write_type),
    FOLLOWS("JR_W_VALUE", "type of an element of w in registers", write_type),
    FOLLOWS("JR_KEY_VALUE", "type of a key in registers", write_type),
    FOLLOWS("JR_INTEGER_BYTES", "bytes of an integer element", write_text),
    FOLLOWS("JR_WORDS", "loop for operators that are one instruction", write_name, .names = no_yes),
    FOLLOWS("JR_WORD_OPERATOR", "operator that is one instruction", write_text),
    FOLLOWS("JR_ACCUMULATOR_BYTES", "bytes of the accumulator", write_text),
    FOLLOWS("JR_OPERATORS_BITS", "an operator of bits", write_name, .names = no_yes),
    FOLLOWS("JR_OPERATORS_ORDER", "an operator of order", write_name, .names = no_yes),
    FOLLOWS("JR_OPERATORS_INDEX", "an operator whose result is an index", write_name, .names = no_yes),
    FOLLOWS("JR_OPERATORS_STATISTICS", "a statistical operator", write_name, .names = no_yes),
    FOLLOWS("JR_EXPRESSIONS", "expressions", write_name, .names = no_yes),
    FOLLOWS("JR_COMBINE", "custom operator", write_name, .names = no_yes),
    FOLLOWS("JR_ADDS_FLOATS", "whether a sum adds all elements as floats", write_name, .names = no_yes),
    FOLLOWS("JR_ALL_ENDS", "arrays without an aligned element", write_name, .names = no_yes),
    FOLLOWS("JR_PLACED", "places of elements in their segments", write_name, .names = no_yes),
};
#undef REQUESTED
#undef FOLLOWS

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const char *jr_request_words_find(const char *constant) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].constant, constant) == 0) return rows[i].words;
    return NULL;
}

bool jr_request_words_known(const jr_program *program) {
    return find_constant(program, "JR_OPERATOR") != NULL && find_constant(program, "JR_X") != NULL &&
           find_constant(program, "JR_SKIP_NAN") != NULL;
}

/* ---- expressions ---- */

/* Visits a line, with "none" for an empty value, and frees the value. Without memory for the value, the line is
 * skipped. */
static void visit_line(const char *words, bool follows, jr_text *value, jr_request_visit *visit, void *user) {
    const jr_request_line line = {words, value->length > 0 ? jr_text_string(value) : "none", follows};
    if (!jr_text_failed(value)) visit(user, &line);
    jr_text_free(value);
}

static void visit_expressions(const jr_program *program, jr_request_visit *visit, void *user) {
    static const char *const names[] = {"map", "where", "combine", "identity", "finish"};
    const char *functions = find_header(program, JR_EXPRESSIONS_HEADER);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jr_text value = {0};
        size_t length;
        const char *text = jr_expressions_find(functions, names[i], &length);
        if (text != NULL) jr_text_append(&value, "'%.*s'", (int)length, text);
        visit_line(names[i], false, &value, visit, user);
    }
}

void jr_request_words_each(const jr_program *program, jr_request_visit *visit, void *user) {
    visit_expressions(program, visit, user);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        jr_text value = {0};
        const char *constant = find_constant(program, rows[i].constant);
        if (constant != NULL) rows[i].write(program, &rows[i], constant, &value);
        visit_line(rows[i].words, rows[i].follows, &value, visit, user);
    }
}
