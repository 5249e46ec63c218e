/* Variables and parameters of expression cases. */
#include "expression_parts.h"

#include <stdio.h>

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
