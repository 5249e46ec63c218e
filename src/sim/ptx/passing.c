/* Parameters in registers: a call puts them into .param memory of the caller's frame, and the callee takes them from
 * its own, so that what executes calls knows memory only. */
#include "builder.h"
#include "handlers.h"

enum { ROOM_BYTES = 16 /* of one value: the widest register */ };

/* Moves between a register (or, to be stored, a constant) and the frame. */
static jrs_instruction move(jrs_parser *parser, jrs_slot slot, jrs_parameter place, bool load) {
    const uint64_t zero = 0;
    jrs_slot *slots = jrs_parse_take(parser, sizeof *slots);
    *slots = slot;
    return (jrs_instruction){.run = load ? jrs_op_load : jrs_op_store,
                             .width = (uint8_t)place.bytes,
                             .memory = {.at = {.slot = jrs_slot_constant(parser, &zero, 8),
                                               .bytes = 8,
                                               .space = JRS_SPACE_FRAME,
                                               .offset = place.offset},
                                        .slots = slots,
                                        .count = 1,
                                        .bytes = (uint8_t)place.bytes}};
}

/* ---- the caller ---- */

/* Room for the call's value number `index`. Calls share it: it is used only right before and after each. */
static jrs_parameter room(jrs_parser *parser, uint32_t index, uint32_t bytes) {
    jrs_builder *builder = parser->builder;
    for (; builder->room_count <= index; builder->room_count++)
        builder->rooms[builder->room_count] = jrs_frame_reserve(parser, ROOM_BYTES);
    return (jrs_parameter){builder->rooms[index], bytes, NULL};
}

static uint32_t argument_bytes(jrs_parser *parser, const jrs_operand *item, const jrs_parameter *formal) {
    if (item->kind == JRS_OPERAND_REGISTER && item->symbol->bytes == 0)
        jrs_parse_refuse(parser, "a predicate as a parameter is not supported");
    if (item->kind == JRS_OPERAND_REGISTER) return item->symbol->bytes;
    if (!formal) jrs_parse_refuse(parser, "a constant as an argument of a call by address is not supported");
    if (formal->bytes > 8) jrs_parse_fail(parser, "a constant as a parameter of %u bytes", formal->bytes);
    return formal->bytes;
}

jrs_parameter jrs_pass_argument(jrs_parser *parser, const jrs_operand *item, uint32_t index,
                                const jrs_parameter *formal) {
    const uint32_t bytes = argument_bytes(parser, item, formal);
    const jrs_parameter place = room(parser, index, bytes);
    const jrs_slot slot = jrs_slot_source(parser, item, bytes);
    const jrs_instruction store = move(parser, slot, place, false);
    jrs_emit_before(parser, &store, item->kind == JRS_OPERAND_REGISTER);
    return place;
}

jrs_parameter jrs_pass_result(jrs_parser *parser, const jrs_operand *item, uint32_t index,
                              const jrs_parameter *formal) {
    if (item->kind == JRS_OPERAND_SINK && formal) return room(parser, index, formal->bytes);
    if (item->kind != JRS_OPERAND_REGISTER)
        jrs_parse_fail(parser, "'%s' is not a register to write to", item->name ? item->name : "the operand");
    return room(parser, index, argument_bytes(parser, item, formal));
}

void jrs_pass_results(jrs_parser *parser, const jrs_operand *list, const jrs_call_site *call, jrs_instruction *made) {
    for (uint32_t k = 0; list && k < list->count; k++) {
        const jrs_operand *item = &list->items[k];
        if (item->kind != JRS_OPERAND_REGISTER) continue;
        jrs_instruction load = {0};
        jrs_emit(parser, made);
        const jrs_slot slot = jrs_slot_destination(parser, item, item->symbol->bytes);
        load = move(parser, slot, call->results[k], true);
        load.guarded = made->guarded;
        load.guard_negated = made->guard_negated;
        if (load.guarded) load.guard = jrs_slot_source(parser, parser->statement->guard, 0);
        *made = load;
    }
}

/* ---- the callee ---- */

static jrs_operand operand_of(const jrs_parameter *parameter) {
    return (jrs_operand){.kind = JRS_OPERAND_REGISTER, .name = parameter->symbol->name, .symbol = parameter->symbol};
}

void jrs_pass_begin(jrs_parser *parser) {
    const jrs_function *function = parser->builder->function;
    for (uint32_t k = 0; k < function->parameter_count; k++) {
        const jrs_parameter *parameter = &function->parameters[k];
        if (!parameter->symbol) continue;
        const jrs_operand item = operand_of(parameter);
        const jrs_instruction load =
            move(parser, jrs_slot_destination(parser, &item, parameter->bytes), *parameter, true);
        jrs_emit(parser, &load);
    }
}

void jrs_pass_return(jrs_parser *parser) {
    const jrs_function *function = parser->builder->function;
    for (uint32_t k = 0; k < function->result_count; k++) {
        const jrs_parameter *result = &function->results[k];
        if (!result->symbol) continue;
        const jrs_operand item = operand_of(result);
        const jrs_instruction store = move(parser, jrs_slot_source(parser, &item, result->bytes), *result, false);
        jrs_emit_before(parser, &store, 1);
    }
}
