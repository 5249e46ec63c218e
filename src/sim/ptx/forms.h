/* The tables of simple forms (one result from sources of fixed widths) that the execution files offer the decoder. */
#ifndef JRS_PTX_FORMS_H
#define JRS_PTX_FORMS_H

#include "code.h"

typedef struct jrs_form {
    const char *name; /* opcode with underscores for dots, without .rn/.rz/.rm/.rp, .ftz and .sat of floats */
    jrs_handler *run;
    uint8_t source_count;
    uint8_t bytes[1 + JRS_SOURCES]; /* of the destination and the sources; 0: predicate */
} jrs_form;

/* Each ends with a row without a name. */
#define JRS_FORM_TABLES(XX)                                                                                            \
    XX(integer)                                                                                                        \
    XX(pair)                                                                                                           \
    XX(bits)                                                                                                           \
    XX(multiply)                                                                                                       \
    XX(carry)                                                                                                          \
    XX(logic)                                                                                                          \
    XX(float)                                                                                                          \
    XX(math)                                                                                                           \
    XX(half)                                                                                                           \
    XX(compare)

#define JRS_FORM_TABLE(name) extern const jrs_form jrs_##name##_forms[];
JRS_FORM_TABLES(JRS_FORM_TABLE)
#undef JRS_FORM_TABLE

#endif
