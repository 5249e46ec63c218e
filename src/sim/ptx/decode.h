/* Statements to instructions. */
#ifndef JRS_PTX_DECODE_H
#define JRS_PTX_DECODE_H

#include "rows.h"

/* Emits the instruction of a statement whose opcode was matched. */
void jrs_decode(jrs_parser *parser, jrs_match *match);

#endif
