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

static const jrs_parameter *frame_parameters(jrs_parser *parser, const jrs_operand *list, uint32_t *count) {
    *count = list ? list->count : 0;
    jrs_parameter *found = jrs_parse_take(parser, *count * sizeof *found);
    for (uint32_t i = 0; i < *count; i++) {
        const jrs_operand *item = &list->items[i];
        if (item->kind != JRS_OPERAND_VARIABLE || item->symbol->space != JRS_SPACE_FRAME)
            jrs_parse_refuse(parser, "call operands other than .param variables are not supported");
        found[i] = (jrs_parameter){item->symbol->offset, item->symbol->bytes};
    }
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

static void make_call(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const jrs_statement *statement = match->statement;
    unsigned at = 0;
    jrs_operands_expect(parser, statement, 1, 4);
    const jrs_operand *results = NULL, *arguments = NULL;
    if (statement->operands[0].kind == JRS_OPERAND_LIST) results = &statement->operands[at++];
    const jrs_operand *target = at < statement->operand_count ? &statement->operands[at++] : NULL;
    if (at < statement->operand_count && statement->operands[at].kind == JRS_OPERAND_LIST)
        arguments = &statement->operands[at];
    jrs_call_site *call = jrs_parse_take(parser, sizeof *call);
    call->results = frame_parameters(parser, results, &call->result_count);
    call->arguments = frame_parameters(parser, arguments, &call->argument_count);
    if (target && target->kind == JRS_OPERAND_FUNCTION)
        call->callee = target->symbol->function;
    else if (target && target->kind == JRS_OPERAND_REGISTER)
        made->s[0] = jrs_slot_source(parser, target, 8);
    else
        jrs_parse_fail(parser, "'%s' is no function", target && target->name ? target->name : "");
    jrs_handler *own = call->callee ? builtin(call->callee) : NULL;
    if (own)
        made->run = own;
    else
        parser->builder->function->calls = true;
    if (call->callee && !own) jrs_builder_called(parser, statement, call);
    made->call = call;
}

const jrs_row jrs_control_rows[] = {
    {"bra{.uni}", .run = jrs_op_bra, .make = make_bra},
    {"brx.idx{.uni}", .run = jrs_op_brx, .make = make_brx},
    {"call{.uni}", .run = jrs_op_call, .make = make_call},
    {"ret{.uni}", "", .run = jrs_op_ret},
    {"exit", "", .run = jrs_op_exit},
    {"trap", "", .run = jrs_op_trap},
    {"brkpt", "", .run = jrs_op_trap},
    {"pmevent{.mask}", "#", .run = jrs_op_nothing},
    {.syntax = NULL},
};
