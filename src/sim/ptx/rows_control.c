/* Rows of branches, calls and ends. */
#include <string.h>

#include "rows.h"

static void make_bra(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)made;
    const char *label = match->statement->operands[0].name;
    jrs_operands_expect(parser, match->statement, 1, 1);
    if (!label) jrs_parse_fail(parser, "a label is needed");
    jrs_builder_fixup(parser, label, NULL);
}

static void make_brx(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    jrs_operands_expect(parser, match->statement, 2, 2);
    const jrs_symbol *list = match->statement->operands[1].symbol;
    if (!list || !list->targets) jrs_parse_fail(parser, "a .branchtargets list is needed");
    made->s[0] = jrs_slot_source(parser, &match->statement->operands[0], 4);
    uint32_t *targets = jrs_parse_take(parser, list->targets->count * sizeof *targets);
    made->branch = (jrs_branch){.targets = targets, .count = list->targets->count};
    for (uint32_t i = 0; i < list->targets->count; i++) jrs_builder_fixup(parser, list->targets->names[i], &targets[i]);
}

/* ---- calls ---- */

/* What a call hands over: its arguments, or its results. */
typedef struct handed {
    const jrs_operand *list; /* NULL: nothing */
    bool results;
    uint32_t first; /* the number of its first value among those of the call */
    const jrs_parameter *formals;
    uint32_t formal_count;
} handed;

static jrs_parameter place_of(jrs_parser *parser, const handed *values, uint32_t k) {
    const jrs_operand *item = &values->list->items[k];
    const jrs_parameter *formal = k < values->formal_count ? &values->formals[k] : NULL;
    if (item->kind == JRS_OPERAND_VARIABLE && item->symbol->space == JRS_SPACE_FRAME)
        return (jrs_parameter){item->symbol->offset, item->symbol->bytes, NULL};
    return values->results ? jrs_pass_result(parser, item, values->first + k, formal)
                           : jrs_pass_argument(parser, item, values->first + k, formal);
}

static const jrs_parameter *places_of(jrs_parser *parser, const handed *values, uint32_t *count) {
    *count = values->list ? values->list->count : 0;
    jrs_parameter *found = jrs_parse_take(parser, *count * sizeof *found);
    for (uint32_t k = 0; k < *count; k++) found[k] = place_of(parser, values, k);
    return found;
}

static jrs_handler *builtin(const jrs_function *function) {
    static const struct {
        const char *name;
        jrs_handler *run;
    } known[] = {{"vprintf", jrs_op_print}, {"__assertfail", jrs_op_assert_fail}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, function->name) == 0) return known[i].run;
    return NULL;
}

/* A call's operands. */
typedef struct call_operands {
    const jrs_operand *results, *target, *arguments; /* NULL: there are none */
} call_operands;

static call_operands read_operands(jrs_parser *parser, const jrs_statement *statement) {
    call_operands found = {0};
    unsigned at = 0;
    jrs_operands_expect(parser, statement, 1, 4);
    if (statement->operands[0].kind == JRS_OPERAND_LIST) found.results = &statement->operands[at++];
    if (at < statement->operand_count) found.target = &statement->operands[at++];
    if (at < statement->operand_count && statement->operands[at].kind == JRS_OPERAND_LIST)
        found.arguments = &statement->operands[at];
    return found;
}

static void take_target(jrs_parser *parser, const jrs_operand *target, jrs_call_site *call, jrs_instruction *made) {
    if (target && target->kind == JRS_OPERAND_FUNCTION)
        call->callee = target->symbol->function;
    else if (target && target->kind == JRS_OPERAND_REGISTER)
        made->s[0] = jrs_slot_source(parser, target, 8);
    else
        jrs_parse_fail(parser, "'%s' is no function", target && target->name ? target->name : "");
}

static void take_values(jrs_parser *parser, const call_operands *operands, jrs_call_site *call) {
    const jrs_function *callee = call->callee;
    handed results = {.list = operands->results, .results = true}, arguments = {.list = operands->arguments};
    if (callee) {
        results.formals = callee->results;
        results.formal_count = callee->result_count;
        arguments.formals = callee->parameters;
        arguments.formal_count = callee->parameter_count;
    }
    call->results = places_of(parser, &results, &call->result_count);
    arguments.first = call->result_count;
    call->arguments = places_of(parser, &arguments, &call->argument_count);
}

static void make_call(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const call_operands operands = read_operands(parser, match->statement);
    jrs_call_site *call = jrs_parse_take(parser, sizeof *call);
    take_target(parser, operands.target, call, made);
    take_values(parser, &operands, call);
    jrs_handler *own = call->callee ? builtin(call->callee) : NULL;
    if (own)
        made->run = own;
    else
        parser->builder->function->calls = true;
    if (call->callee && !own) jrs_builder_called(parser, match->statement, call);
    made->call = call;
    jrs_pass_results(parser, operands.results, call, made);
}

static void make_return(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)match, (void)made;
    jrs_pass_return(parser);
}

const jrs_row jrs_control_rows[] = {
    {"bra{.uni}", .run = jrs_op_bra, .make = make_bra},
    {"brx.idx{.uni}", .run = jrs_op_brx, .make = make_brx},
    {"call{.uni}", .run = jrs_op_call, .make = make_call},
    {"ret{.uni}", "", .run = jrs_op_ret, .make = make_return},
    {"exit", "", .run = jrs_op_exit},
    {"trap", "", .run = jrs_op_trap},
    {"brkpt", "", .run = jrs_op_trap},
    {"pmevent{.mask}", "#", .run = jrs_op_nothing},
    {.syntax = NULL},
};
