/* Makes a failing expression case smaller, so that a person sees at once what is wrong. */
#ifndef TESTS_SUPPORT_EXPRESSION_SHRINK_H
#define TESTS_SUPPORT_EXPRESSION_SHRINK_H

#include "expression_case.h"

/* Leaves out expressions and puts operands in the place of operators as long as the case fails and has defined results.
 * It runs at most a few hundred cases. */
void expression_case_shrink(expression_case *of, bool (*still_fails)(const expression_case *of, void *user),
                            void *user);

#endif
