/* Whether an f64 holds what a text says. */
#ifndef CLI_NUMBER_EXACT_H
#define CLI_NUMBER_EXACT_H

#include <stdbool.h>

/* Whether [begin, end), which cli_number_parse takes for f64 and finds to be `number`, is told by it from all texts
 * with as many digits: the f64, printed with as many, is the same. Of the words inf and nan it is. */
bool cli_number_is_held(const char *begin, const char *end, double number);

#endif
