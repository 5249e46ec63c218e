/* Decoders: one per instruction family; each turns a statement into an instruction or fails. */
#ifndef JRS_PTX_DECODE_H
#define JRS_PTX_DECODE_H

#include "builder.h"
#include "forms.h"
#include "handlers.h"

typedef void jrs_decoder(jrs_parser *parser, jrs_statement *statement);

/* The family is the first part of the opcode; whatever is not here must be a simple form. */
#define JRS_DECODERS(XX)                                                                                               \
    XX(mov)                                                                                                            \
    XX(cvta)                                                                                                           \
    XX(isspacep)                                                                                                       \
    XX(setp)                                                                                                           \
    XX(set)                                                                                                            \
    XX(selp)                                                                                                           \
    XX(slct)                                                                                                           \
    XX(lop3)                                                                                                           \
    XX(prmt)                                                                                                           \
    XX(testp)                                                                                                          \
    XX(cvt)                                                                                                            \
    XX(ld)                                                                                                             \
    XX(ldu)                                                                                                            \
    XX(st)                                                                                                             \
    XX(atom)                                                                                                           \
    XX(red)                                                                                                            \
    XX(fence)                                                                                                          \
    XX(membar)                                                                                                         \
    XX(prefetch)                                                                                                       \
    XX(prefetchu)                                                                                                      \
    XX(griddepcontrol)                                                                                                 \
    XX(bra)                                                                                                            \
    XX(brx)                                                                                                            \
    XX(call)                                                                                                           \
    XX(ret)                                                                                                            \
    XX(exit)                                                                                                           \
    XX(trap)                                                                                                           \
    XX(brkpt)                                                                                                          \
    XX(bar)                                                                                                            \
    XX(barrier)                                                                                                        \
    XX(shfl)                                                                                                           \
    XX(vote)                                                                                                           \
    XX(match)                                                                                                          \
    XX(redux)                                                                                                          \
    XX(activemask)                                                                                                     \
    XX(elect)                                                                                                          \
    XX(nanosleep)                                                                                                      \
    XX(discard)                                                                                                        \
    XX(applypriority)                                                                                                  \
    XX(cp)                                                                                                             \
    XX(mbarrier)                                                                                                       \
    XX(createpolicy)                                                                                                   \
    XX(setmaxnreg)

#define JRS_DECODER_DECLARATION(name) jrs_decoder jrs_decode_##name;
JRS_DECODERS(JRS_DECODER_DECLARATION)
#undef JRS_DECODER_DECLARATION

/* Takes the opcode's next part when it is word. */
bool jrs_take(jrs_statement *statement, const char *word);
/* Takes the next part when it is one of count names; its index, or count. */
unsigned jrs_take_one(jrs_statement *statement, const char *const *names, unsigned count);
jrs_type jrs_take_type(jrs_parser *parser, jrs_statement *statement);  /* fails when there is none */
jrs_rounding jrs_take_rounding(jrs_statement *statement);              /* .rn .rz .rm .rp */
bool jrs_take_space(jrs_statement *statement, jrs_space *space);       /* .global, .shared::cta, ... */
void jrs_take_end(jrs_parser *parser, const jrs_statement *statement); /* nothing may be left */
/* The address in an operand's brackets. space: of the opcode, GENERIC when it names none. */
jrs_location jrs_take_location(jrs_parser *parser, const jrs_operand *operand, jrs_space space);
void jrs_expect_operands(jrs_parser *parser, const jrs_statement *statement, unsigned least, unsigned most);
const jrs_form *jrs_form_find(const jrs_parser *parser, const char *name);
/* The decoder of simple forms. */
void jrs_decode_form(jrs_parser *parser, jrs_statement *statement);

#endif
