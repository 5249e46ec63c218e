/* Building one function's decoded code: instructions, slots, constants, and who reads and writes which register. */
#ifndef JRS_PTX_BUILDER_H
#define JRS_PTX_BUILDER_H

#include <stdio.h>

#include "parser.h"

/* A branch whose label may stand further down. */
typedef struct jrs_fixup {
    const char *name;
    uint32_t instruction;
    uint32_t *into; /* NULL: the instruction's target */
} jrs_fixup;

/* A constant slot, by its value. */
typedef struct jrs_constant {
    uint64_t bits[2];
    uint32_t bytes; /* 0: an empty place in the table */
    jrs_slot slot;
} jrs_constant;

typedef struct jrs_builder {
    jrs_function *function;
    jrs_instruction *code;
    uint32_t code_count, code_capacity;
    uint32_t frame_bytes;
    uint8_t *constants;
    uint32_t constant_bytes, constant_capacity;
    jrs_constant *known; /* open addressing, at most half full; known_capacity is a power of 2 */
    uint32_t known_count, known_capacity;
    jrs_mention *mentions;
    uint32_t mention_count, mention_capacity;
    jrs_fixup *fixups; /* those of the innermost scope last */
    uint32_t fixup_count, fixup_capacity;
    uint32_t register_count;
    bool own_shared;
    uint32_t rooms[2 * JRS_LIST_OPERANDS]; /* in the frame, of a call's results and arguments that are registers */
    uint32_t room_count;
} jrs_builder;

/* A call, whose callee must be defined at the end of the module. */
typedef struct jrs_called {
    struct jrs_called *next, *next_of_callee;
    jrs_function *caller;
    const jrs_call_site *call;
    jrs_statement statement;
} jrs_called;

/* ---- slots (ptx_slots.c) ---- */
enum { JRS_FRAME_MAX = 1 << 28 }; /* bytes of registers, and of constants */

/* Appends an instruction, as the statement's being decoded. */
void jrs_emit(jrs_parser *parser, const jrs_instruction *made);
/* The same of one that must stand in front: the last `own` mentions are its, those before them the next one's. */
void jrs_emit_before(jrs_parser *parser, const jrs_instruction *made, uint32_t own);
jrs_slot jrs_slot_constant(jrs_parser *parser, const void *value, unsigned bytes);       /* ptx_constants.c */
jrs_slot jrs_slot_constant_apart(jrs_parser *parser, const void *value, unsigned bytes); /* shared with nobody */
/* A source or destination of a given width (bytes a lane; 0: predicate). Special registers and addresses of shared or
 * local variables emit an instruction of their own: take all operands' slots before jrs_emit. */
jrs_slot jrs_slot_source(jrs_parser *parser, const jrs_operand *operand, unsigned bytes);
jrs_slot jrs_slot_destination(jrs_parser *parser, const jrs_operand *operand, unsigned bytes);
/* The width of an operand that may be wider: a register's own, at least `least`; else that. */
unsigned jrs_slot_wide(jrs_parser *parser, const jrs_operand *operand, unsigned least);
/* Slots of {a, b, c, d}, each of one such width; a lone operand is a vector of one. */
jrs_elements jrs_slot_vector(jrs_parser *parser, const jrs_operand *operand, unsigned least, bool destination);
/* The address in an operand's brackets. space: of the opcode, GENERIC when it names none. */
jrs_location jrs_location_take(jrs_parser *parser, const jrs_operand *operand, jrs_space space);
int64_t jrs_operand_constant(jrs_parser *parser, const jrs_operand *operand);
/* The value of a number, as a float literal is rounded for an operand of 4 or 8 bytes. */
uint64_t jrs_literal_bits(jrs_parser *parser, const jrs_operand *operand, unsigned bytes);
uint64_t jrs_function_address(const jrs_function *function);

/* ---- parameters in registers (passing.c) ---- */
/* The place in the frame of a call's value number index, an argument that was put there or a result. formal: what the
 * callee takes or gives, NULL: that is not known. */
jrs_parameter jrs_pass_argument(jrs_parser *parser, const jrs_operand *item, uint32_t index,
                                const jrs_parameter *formal);
jrs_parameter jrs_pass_result(jrs_parser *parser, const jrs_operand *item, uint32_t index, const jrs_parameter *formal);
/* Emits the call *made when some of its results are registers; *made is then what loads the last of them. */
void jrs_pass_results(jrs_parser *parser, const jrs_operand *list, const jrs_call_site *call, jrs_instruction *made);
void jrs_pass_begin(jrs_parser *parser);  /* a function takes its parameters */
void jrs_pass_return(jrs_parser *parser); /* before a return: it gives its results */

/* ---- code (builder.c) ---- */
jrs_slot jrs_builder_slot(unsigned base, uint32_t offset);
void jrs_builder_begin(jrs_parser *parser, jrs_function *function);
void jrs_builder_label(jrs_parser *parser, const char *name);
/* Registers a branch to a label: once the label is known, its instruction's index is stored in *into, or, with NULL, in
 * the target of the next instruction. */
void jrs_builder_fixup(jrs_parser *parser, const char *name, uint32_t *into);
void jrs_builder_leave(jrs_parser *parser);      /* resolves the branches of the scope that ends */
void jrs_builder_leave_last(jrs_parser *parser); /* of the outermost one: none may be left */
void jrs_builder_called(jrs_parser *parser, const jrs_statement *statement, jrs_call_site *call);
/* Makes room for one more in an array of the builder. */
void *jrs_builder_room(jrs_parser *parser, void *array, uint32_t count, uint32_t *capacity, size_t bytes);

/* ---- the end (liveness.c) ---- */
uint32_t jrs_liveness_peak(jrs_parser *parser);

#endif
