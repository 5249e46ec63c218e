/* Random expressions. */
#ifndef TESTS_SUPPORT_C_RANDOM_H
#define TESTS_SUPPORT_C_RANDOM_H

#include "c_tree.h"

/* Adds an expression over the tree's variables of at most so many operators one in another, as the root. Most are
 * defined for most values of the variables; the caller leaves out those that are not. Returns its number. */
int c_random_tree(c_tree *tree, int depth, uint64_t *seed);

/* A number as it is written in C, in any of the ways that there are. */
int c_random_literal(c_tree *tree, uint64_t *seed);

#endif
