/* Whether an f64 holds what a text says. */
#ifndef CLI_NUMBER_EXACT_H
#define CLI_NUMBER_EXACT_H

#include <stdbool.h>

/* True if `number`, to which cli_number_parse converts the text [begin, end) as f64, distinguishes it from all texts
 * with as many digits: printed with as many digits, the f64 is the same. True for the words inf and nan. */
bool cli_number_is_held(const char *begin, const char *end, double number);

#endif
