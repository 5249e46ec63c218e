/* Writes the contract's constants. */
#include "constants.h"

#include <stdio.h>

#include "operator.h"

static void add_text(jr_constants *constants, const char *name, const char *text) {
    constants->items[constants->count++] = (jr_named_text){name, text};
}

static void add_number(jr_constants *constants, const char *name, int number) {
    char *text = constants->numbers[constants->count];
    snprintf(text, JR_CONSTANT_BYTES, "%d", number);
    add_text(constants, name, text);
}

void jr_constants_of(const jr_spec *spec, const jr_tuning *tuning, jr_type accumulator, jr_constants *constants) {
    constants->count = 0;
    add_text(constants, "JR_ELEMENT", jr_dtype_find(spec->type)->c_name);
    add_text(constants, "JR_ACCUMULATOR", jr_dtype_find(accumulator)->c_name);
    add_text(constants, "JR_RESULT", jr_dtype_find(accumulator)->c_name);
    add_text(constants, "JR_OPERATOR", jr_operator_find(spec->op)->c_name);
    add_number(constants, "JR_UNROLL", tuning->unroll);
    add_number(constants, "JR_BLOCK", tuning->block);
    add_number(constants, "JR_SHARED_DYNAMIC", tuning->shared_dynamic);
    add_number(constants, "JR_INITIAL", spec->initial != NULL);
}
