/* Statements to instructions: what the opcode is, its operands, and what the family adds. */
#include "rows.h"

enum { THREE_TARGET = 100 };

static void choose_three(jrs_parser *parser, jrs_match *match) {
    if (match->statement->operand_count != 4) {
        if (!match->form) jrs_match_refuse(parser, match);
        return;
    }
    if (parser->module->target < THREE_TARGET)
        jrs_parse_fail(parser, "'%s' of three sources needs .target sm_%d", match->statement->opcode, THREE_TARGET);
    match->form = match->three;
}

static void make_form(const jrs_match *match, jrs_instruction *made) {
    const jrs_arithmetic *modifiers = &match->modifiers;
    bool adjusted = modifiers->ftz || modifiers->sat || modifiers->rounding > JRS_ROUND_NEAREST;
    made->run = adjusted ? jrs_op_adjust : match->form->run;
    made->arithmetic = *modifiers;
    made->arithmetic.inner = match->form->run;
}

void jrs_decode(jrs_parser *parser, jrs_match *match) {
    const jrs_operand *guard = match->statement->guard;
    jrs_instruction made = {.guarded = guard != NULL, .operation = match->operation};
    if (match->types[0] != JRS_TYPE_COUNT) made.type = (uint8_t)match->types[0];
    if (guard) made.guard = jrs_slot_source(parser, guard, 0);
    made.guard_negated = match->statement->guard_negated;
    if (match->three) choose_three(parser, match);
    jrs_operands_take(parser, match, &made);
    if (match->form) {
        make_form(match, &made);
    } else {
        made.run = match->row->run;
        if (match->row->make) match->row->make(parser, match, &made);
    }
    jrs_emit(parser, &made);
}
