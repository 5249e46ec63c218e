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

/* A function of the system, which no module defines. */
typedef struct builtin {
    const char *name;
    jrs_handler *run;
    bool heap;
    uint8_t arguments, results; /* of the heap's: how many of 8 bytes each */
} builtin;

static const builtin *find_builtin(const jrs_function *function) {
    static const builtin known[] = {{"vprintf", jrs_op_print, false, 0, 0},
                                    {"__assertfail", jrs_op_assert_fail, false, 0, 0},
                                    {"malloc", jrs_op_malloc, true, 1, 1},
                                    {"__cuda_syscall_aligned_malloc", jrs_op_malloc_aligned, true, 2, 1},
                                    {"free", jrs_op_free, true, 1, 0}};
    for (size_t i = 0; function && !function->defined && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, function->name) == 0) return &known[i];
    return NULL;
}

static bool all_words(const jrs_parameter *parameters, uint32_t count, uint32_t wanted) {
    bool good = count == wanted;
    for (uint32_t k = 0; good && k < count; k++) good = parameters[k].bytes == 8;
    return good;
}

/* Puts what executes a call into the instruction. */
static void take_callee(jrs_parser *parser, const jrs_statement *statement, jrs_call_site *call,
                        jrs_instruction *made) {
    static const char system[] = "__cuda_syscall";
    const builtin *own = find_builtin(call->callee);
    if (own && own->heap) {
        if (!all_words(call->arguments, call->argument_count, own->arguments) ||
            !all_words(call->results, call->result_count, own->results))
            jrs_parse_fail(parser, "the call does not match the parameters of '%s'", own->name);
        parser->module->uses_heap = true;
    }
    if (own) made->run = own->run;
    if (own) return;
    if (call->callee && !call->callee->defined && strncmp(call->callee->name, system, strlen(system)) == 0)
        jrs_parse_refuse(parser, "the function '%s' of the system is not supported", call->callee->name);
    parser->builder->function->calls = true;
    if (call->callee) jrs_builder_called(parser, statement, call);
}

/* A call's operands. */
typedef struct call_operands {
    const jrs_operand *results, *target, *arguments; /* NULL: the call has no such list */
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
        jrs_parse_fail(parser, "'%s' is not a function", target && target->name ? target->name : "");
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
    take_callee(parser, match->statement, call, made);
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
