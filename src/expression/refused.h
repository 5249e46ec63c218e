/* Refused words and signs: what an expression of an untrusted user may not hold, each with the reason. */
#ifndef JR_EXPRESSION_REFUSED_H
#define JR_EXPRESSION_REFUSED_H

#include "token.h"

/* The reason why a word or sign is refused anywhere in an expression, for a message after "...: "; NULL when it is not
 * refused. */
const char *jr_refused_reason(jr_token token);

#endif
