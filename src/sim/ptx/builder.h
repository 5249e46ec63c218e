/* Building one function's decoded code: instructions, slots, constants, and who reads and writes which register. */
#ifndef JRS_PTX_BUILDER_H
#define JRS_PTX_BUILDER_H

#include <stdio.h>

#include "parser.h"

/* One mention of a register: the raw material of liveness. */
typedef struct jrs_mention {
    uint32_t instruction, id;
    uint8_t bytes;
    bool definition;
} jrs_mention;

typedef struct jrs_label {
    const char *name;
    uint32_t scope, instruction;
} jrs_label;

/* A branch whose label may stand further down. */
typedef struct jrs_fixup {
    const char *name;
    uint32_t instruction, line;
    uint32_t *into; /* NULL: the instruction's target */
    const jrs_scope *scope;
    const char *text;
    uint32_t text_bytes;
} jrs_fixup;

typedef struct jrs_builder {
    jrs_function *function;
    jrs_instruction *code;
    uint32_t code_count, code_capacity;
    uint32_t frame_bytes;
    uint8_t *constants;
    uint32_t constant_bytes, constant_capacity;
    jrs_mention *mentions;
    uint32_t mention_count, mention_capacity;
    jrs_label *labels;
    uint32_t label_count, label_capacity;
    jrs_fixup *fixups;
    uint32_t fixup_count, fixup_capacity;
    uint32_t register_count;
    bool own_shared;
} jrs_builder;

/* A function that is called: it must be defined at the end of the module. */
typedef struct jrs_called {
    struct jrs_called *next;
    const jrs_function *function;
    const jrs_call *call;
    jrs_statement statement;
} jrs_called;

/* ---- slots (slots.c) ---- */
/* Appends a zeroed instruction for the statement being decoded. The pointer is good until the next one. */
jrs_instruction *jrs_emit(jrs_parser *parser, jrs_handler *run);
jrs_slot jrs_slot_temporary(jrs_parser *parser, unsigned bytes);
jrs_slot jrs_slot_constant(jrs_parser *parser, const void *value, unsigned bytes);
/* A source or destination of a given width (bytes a lane; 0: predicate). Special registers and addresses of shared or
 * local variables emit an instruction of their own: take all operands' slots before jrs_emit. */
jrs_slot jrs_slot_source(jrs_parser *parser, const jrs_operand *operand, unsigned bytes);
jrs_slot jrs_slot_destination(jrs_parser *parser, const jrs_operand *operand, unsigned bytes);
/* As above with whatever width a register has, at least `least`; immediates take `least`. *bytes says which. */
jrs_slot jrs_slot_source_wide(jrs_parser *parser, const jrs_operand *operand, unsigned least, unsigned *bytes);
jrs_slot jrs_slot_destination_wide(jrs_parser *parser, const jrs_operand *operand, unsigned least, unsigned *bytes);
/* Slots of {a, b, c, d}, each of the width; a lone operand is a vector of one. */
jrs_slot *jrs_slot_vector(jrs_parser *parser, const jrs_operand *operand, unsigned least, unsigned *bytes,
                          bool destination, unsigned *count);
int64_t jrs_operand_constant(jrs_parser *parser, const jrs_operand *operand);
uint64_t jrs_function_address(const jrs_function *function);

/* ---- code (builder.c) ---- */
void jrs_builder_begin(jrs_parser *parser, jrs_function *function);
void jrs_builder_end(jrs_parser *parser);
void jrs_builder_label(jrs_parser *parser, const char *name);
void jrs_builder_fixup(jrs_parser *parser, const char *name, uint32_t instruction, uint32_t *into);
/* Makes room for one more in an array of the builder. */
void *jrs_builder_room(jrs_parser *parser, void *array, uint32_t count, uint32_t *capacity, size_t bytes);
uint32_t jrs_liveness_peak(jrs_parser *parser); /* liveness.c */

/* ---- decoding (decode.c) ---- */
void jrs_decode(jrs_parser *parser, jrs_statement *statement);

#endif
