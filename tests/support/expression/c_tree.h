/* Expressions as trees: what C makes of them, and how they are written. */
#ifndef TESTS_SUPPORT_C_TREE_H
#define TESTS_SUPPORT_C_TREE_H

#include <stddef.h>

#include "c_function.h"

enum { C_NODES_MAX = 240, C_TEXT_BYTES = 2048, C_NAME_BYTES = 16 };

typedef enum c_node_kind {
    C_VARIABLE,
    C_LITERAL,
    C_UNARY,  /* sign */
    C_BINARY, /* sign of c_binary, or a (&&), o (||) */
    C_CHOICE, /* ?: */
    C_CAST,
    C_CALL
} c_node_kind;

typedef struct c_node {
    c_node_kind kind;
    c_type type; /* of the value */
    char sign;   /* of a cast 's': its type's second spelling */
    int number;  /* of a variable; how a cast is written */
    bool single; /* the form of a function with f */
    const c_function *function;
    c_number value; /* of a literal */
    char text[32];  /* of a literal */
    int operands[C_ARGUMENTS_MAX];
} c_node;

typedef struct c_variable {
    char name[C_NAME_BYTES];
    c_type type;
} c_variable;

enum { C_VARIABLES_MAX = 12 };

/* A tree over its variables. Operands stand before what they are operands of. */
typedef struct c_tree {
    c_variable variables[C_VARIABLES_MAX];
    int variable_count;
    c_node nodes[C_NODES_MAX];
    int node_count;
    int root;
    int rounding_left; /* how many more functions that round a random tree may have */
} c_tree;

/* Adds a node, with its type found; returns its number. */
int c_tree_add(c_tree *tree, c_node node);

/* True of a bool, and of what may be an element of type bool; of what & | ^ and ?: make of two. */
bool c_tree_is_truth(const c_tree *tree, int number);
/* True of what has no variable. */
bool c_tree_is_constant(const c_tree *tree, int number);

/* Finds all types again, of variables that have other ones. False: it is refused, by C as % of floats, or as a slip:
 * ~ of a truth value, a number as a condition, constants that do not fit their type. */
bool c_tree_type_again(c_tree *tree);

/* Its value by C's rules, with operands unevaluated as in C. values: one for each variable, of its type. */
c_number c_tree_value(const c_tree *tree, const c_number *values, c_notes *notes);

/* Writes it with the brackets that it needs, and with further ones and blanks where the seed says so; 0: nowhere. */
void c_tree_print(const c_tree *tree, uint64_t seed, char text[C_TEXT_BYTES]);

/* Adds an expression over the tree's variables of at most so many operators one in another, as the root. Most are
 * defined for most values of the variables; the caller leaves out those that are not. Returns its number. */
int c_random_tree(c_tree *tree, int depth, uint64_t *seed);

/* A number as it is written in C, in any of the ways that there are. */
int c_random_literal(c_tree *tree, uint64_t *seed);

#endif
