/* Expression cases in words: for a person, and as lines that a script runs through other doors. */
#ifndef TESTS_SUPPORT_EXPRESSION_TEXT_H
#define TESTS_SUPPORT_EXPRESSION_TEXT_H

#include "expression_case.h"

/* Prints a number: integers in decimal, floats so that they read back. */
void expression_number_print(c_number number, char *text, size_t bytes);

/* Prints all of a case to standard error. */
void expression_case_tell(const expression_case *of);

/* Prints a case as one JSON object and a newline: its options, data and results as text. */
void expression_case_write(const expression_case *of);

/* Makes a failing expression case smaller, so that a person sees at once what is wrong. */
/* Leaves out expressions and puts operands in the place of operators as long as the case fails and has defined results.
 * It runs at most a few hundred cases. */
void expression_case_shrink(expression_case *of, bool (*still_fails)(const expression_case *of, void *user),
                            void *user);

#endif
