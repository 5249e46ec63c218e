/* Variables and parameters of expression cases. */
#include "expression_parts.h"

#include <stdio.h>

#include "support/oracle/element.h"

void expression_add_variable(c_tree *tree, const char *name, c_type type) {
    c_variable *variable = &tree->variables[tree->variable_count++];
    snprintf(variable->name, sizeof variable->name, "%s", name);
    variable->type = type;
}

void expression_add_parameters(const expression_case *of, c_tree *tree) {
    for (int i = 0; i < of->spec.parameter_count; i++)
        expression_add_variable(tree, of->parameters[i].name, c_element_type(of->parameters[i].value.type));
}

void expression_put_parameters(const expression_case *of, c_number *values) {
    for (int i = 0; i < of->spec.parameter_count; i++)
        values[i] = c_element_read(of->parameters[i].value.type, &of->parameters[i].value.as, 0);
}

/* Types that are not given. */

/* Bits of an element; a bool has one. */
static size_t bits_of(jr_type type) {
    return type == JR_BOOL ? 1 : 8 * element_bytes(type);
}

/* f32 holds every number of the type. */
static bool is_small(jr_type type) {
    return bits_of(type) <= (element_is_float(type) ? 32 : 16);
}

/* Of equally wide types the first; of different floats that are equally wide f32. */
static jr_type widest(const jr_type *types, int count, bool floats) {
    jr_type found = types[0];
    for (int i = 1; i < count; i++)
        if (bits_of(types[i]) > bits_of(found)) found = types[i];
    for (int i = 0; i < count && floats; i++)
        if (bits_of(types[i]) == bits_of(found) && types[i] != found) return JR_F32;
    return found;
}

jr_type expression_map_type(c_type value, const jr_type *inputs, int count) {
    bool small = true, all = true, any = false;
    for (int i = 0; i < count; i++) {
        small = small && is_small(inputs[i]);
        all = all && element_is_float(inputs[i]);
        any = any || element_is_float(inputs[i]);
    }
    if (all || !c_is_float(value)) return widest(inputs, count, all);
    return small && (any || value == C_FLOAT) ? JR_F32 : JR_F64;
}

jr_type expression_value_type(c_type value, jr_type before) {
    return expression_map_type(value, &before, 1);
}

jr_type expression_register_type(jr_type type) {
    if (element_bytes(type) >= 4) return type;
    return element_is_float(type) ? JR_F32 : JR_I32;
}
