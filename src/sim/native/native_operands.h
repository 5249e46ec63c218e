/* What an instruction that is computed lane by lane reads and writes, and how, as text of C. */
#ifndef JRS_NATIVE_OPERANDS_H
#define JRS_NATIVE_OPERANDS_H

#include "base/text.h"
#include "sim/ptx/handlers.h"

enum { JRS_NATIVE_OPERANDS = 16 };

typedef struct jrs_native_operand {
    jrs_slot slot;
    uint8_t bytes; /* of a lane; 0: a predicate */
    bool defined;  /* it is written */
} jrs_native_operand;

typedef struct jrs_native_operands {
    jrs_native_operand of[JRS_NATIVE_OPERANDS];
    uint32_t count;
} jrs_native_operands;

static inline bool jrs_native_in_frame(jrs_slot slot) {
    return slot >> JRS_BASE_SHIFT == JRS_BASE_FRAME;
}

static inline uint32_t jrs_native_offset(jrs_slot slot) {
    return slot & ((1u << JRS_BASE_SHIFT) - 1);
}

/* Whether the lanes of the instruction compute each for itself what C says; then its operands. */
bool jrs_native_read(const jrs_function *function, const jrs_instruction *instruction, jrs_native_operands *operands);

/* The simple form of a handler; NULL: it has none, or its expression calls what compiled kernels do not have. */
const jrs_form *jrs_native_form(jrs_handler *run);
bool jrs_native_compares(const jrs_form *form); /* it is a comparison */
/* Whether it is a conversion that C makes by itself. */
bool jrs_native_is_conversion(const jrs_instruction *instruction);

/* Appends statements that do it for one lane. Registers are v<offset>, bits of their lane; predicates p<offset>, 0 or
 * 1; constants that only the launch knows c<offset>. */
void jrs_native_write(jr_text *text, const jrs_function *function, const jrs_instruction *instruction);

/* Whether the value of a constant is part of the text; else the code reads it when it runs. */
bool jrs_native_is_fixed(const jrs_function *function, jrs_slot slot);

#endif
