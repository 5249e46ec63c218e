/* Writes the contract's constants. */
#include "constants.h"

#include <stdio.h>

#include "spec/operator.h"

_Static_assert((int)JR_ARRAYS_MAX == (int)JR_INPUTS_MAX, "abi.h and the public header differ: inputs");
_Static_assert((int)JR_CALL_PARAMETERS == (int)JR_PARAMETERS_MAX, "abi.h and the public header differ: parameters");
_Static_assert(JR_HEADS_EQUAL == JR_SEGMENTS_EQUAL && JR_HEADS_OFFSETS == JR_SEGMENTS_OFFSETS &&
                   JR_HEADS_KEYS == JR_SEGMENTS_KEYS,
               "abi.h and the public header differ: segments");
_Static_assert(JR_CALL_INITIAL * sizeof(jr_u64) == JR_STRUCT_BYTES_MAX, "abi.h and the public header differ: structs");

static void add_text(jr_constants *constants, const char *name, const char *text) {
    constants->items[constants->count++] = (jr_named_text){name, text};
}

static void add_number(jr_constants *constants, const char *name, int number) {
    char *text = constants->numbers[constants->count];
    snprintf(text, JR_CONSTANT_BYTES, "%d", number);
    add_text(constants, name, text);
}

static void add_inputs(const jr_reduction *reduction, jr_constants *constants) {
    static const char *const names[JR_INPUTS_MAX][2] = {
        {"JR_X", "JR_X_VALUE"}, {"JR_Y", "JR_Y_VALUE"}, {"JR_Z", "JR_Z_VALUE"}, {"JR_W", "JR_W_VALUE"}};
    add_number(constants, "JR_INPUTS", reduction->input_count);
    for (int i = 0; i < reduction->input_count; i++) {
        add_text(constants, names[i][0], reduction->inputs[i].c_name);
        add_text(constants, names[i][1], reduction->inputs[i].value_name);
    }
}

/* Of an element; 0 where it is no integer. */
static int integer_bytes(const jr_input *input) {
    const jr_dtype *dtype = jr_dtype_find(input->type);
    const bool integer = dtype != NULL && (dtype->class == JR_CLASS_SIGNED || dtype->class == JR_CLASS_UNSIGNED);
    return integer ? (int)dtype->bytes : 0;
}

/* All loads of a thread are in registers at once, 4 for each and 12 others; of the 65536 of a multiprocessor a thread
 * gets its share in steps of 8. Other kernels keep less and need none in memory. */
static bool has_registers_for_words(const jr_tuning *tuning) {
    return 4 * tuning->unroll + 12 <= 65536 / tuning->block / 8 * 8;
}

/* Its shared memory is static. */
static void add_word_operator(const jr_reduction *reduction, const jr_tuning *tuning, jr_constants *constants) {
    const bool words = reduction->word != NULL && reduction->input_count == 1 && reduction->spec.initial == NULL &&
                       !reduction->has_expressions && !reduction->skips_nan && !tuning->shared_dynamic &&
                       !tuning->to_state && !tuning->to_all && has_registers_for_words(tuning);
    add_number(constants, "JR_WORDS", words);
    if (!words) return;
    char *text = constants->numbers[constants->count];
    snprintf(text, JR_CONSTANT_BYTES, "%s_%s", reduction->word, jr_dtype_find(reduction->inputs[0].type)->name);
    add_text(constants, "JR_WORD_OPERATOR", text);
}

bool jr_constants_placed(const jr_reduction *reduction) {
    return reduction->sees_index || reduction->spec.finish != NULL ||
           (reduction->operator_files & JR_OPERATORS_STATISTICS) != 0;
}

static void add_heads(const jr_reduction *reduction, const jr_segment_layout *heads, jr_constants *constants) {
    add_number(constants, "JR_HEADS", heads != NULL ? (int)heads->kind : 0);
    add_number(constants, "JR_PLACED", heads != NULL && jr_constants_placed(reduction));
    if (heads == NULL || heads->kind != JR_SEGMENTS_KEYS) return;
    const jr_dtype *dtype = jr_dtype_find(heads->key_type);
    add_text(constants, "JR_KEY", dtype->c_name);
    add_text(constants, "JR_KEY_VALUE", jr_dtype_value(heads->key_type)->c_name);
}

void jr_constants_of(const jr_reduction *reduction, const jr_tuning *tuning, const jr_segment_layout *heads,
                     jr_constants *constants) {
    constants->count = 0;
    add_inputs(reduction, constants);
    add_number(constants, "JR_INTEGER_BYTES", integer_bytes(&reduction->inputs[0]));
    add_word_operator(reduction, tuning, constants);
    add_text(constants, "JR_OPERATOR", reduction->operator_text);
    add_text(constants, "JR_MAPPED", reduction->mapped_name);
    add_number(constants, "JR_ACCUMULATOR_BYTES", (int)reduction->accumulator_bytes);
#define ADD_FILE(name, bit) add_number(constants, "JR_OPERATORS_" #name, (reduction->operator_files & (bit)) != 0);
    JR_OPERATOR_FILES(ADD_FILE)
#undef ADD_FILE
    add_number(constants, "JR_EXPRESSIONS", reduction->has_expressions);
    add_number(constants, "JR_COMBINE", reduction->spec.op == JR_OP_CUSTOM);
    add_number(constants, "JR_COMMUTATIVE", reduction->commutative);
    add_number(constants, "JR_SKIP_NAN", reduction->skips_nan);
    add_number(constants, "JR_ADDS_FLOATS", reduction->adds_floats && !tuning->to_state && !tuning->to_all);
    add_number(constants, "JR_KEPT", reduction->kept_offset > 0);
    add_number(constants, "JR_ALL_ENDS", reduction->inputs[0].type == JR_STRUCT);
    add_number(constants, "JR_STATE", tuning->to_all ? 3 : tuning->to_state ? 1 + tuning->from_initial : 0);
    add_number(constants, "JR_INITIAL", reduction->spec.initial != NULL);
    add_text(constants, "JR_INITIAL_TYPE", reduction->initial_name);
    add_number(constants, "JR_UNROLL", tuning->unroll);
    add_number(constants, "JR_BLOCK", tuning->block);
    add_number(constants, "JR_SHARED_DYNAMIC", tuning->shared_dynamic);
    add_heads(reduction, heads, constants);
    add_number(constants, "JR_EXCLUSIVE", tuning->exclusive);
    add_number(constants, "JR_STAGES", tuning->stages);
}
