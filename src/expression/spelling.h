/* Spelling: what to write for signs, numbers and characters that C does not have, or takes in another way. */
#ifndef JR_EXPRESSION_SPELLING_H
#define JR_EXPRESSION_SPELLING_H

#include "token.h"

/* True if an operand may begin with a token. The signs & and * may, too, and are refused later. */
bool jr_spelling_begins_operand(jr_token token);

/* Why an assignment, a number or a character beyond ASCII is refused; NULL: nothing special is known of it. text: the
 * expression in which it stands. */
const char *jr_spelling_token(const char *text, jr_token token);

/* Why a sign is refused where an operand is due, or because none follows it; NULL: it may stand there. */
const char *jr_spelling_sign(const char *text, jr_token sign, bool operand_due);

/* Why a comma is refused outside of a call's brackets. */
const char *jr_spelling_comma(const char *text, jr_token comma);

#endif
