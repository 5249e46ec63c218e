/* One small kernel for every form of an instruction that the simulator knows, inputs that hit its corners, and lists.
 *
 * The same texts run on the simulator and on a GPU; tests/support/ptx/recorded holds what a GPU made of them. */
#ifndef TESTS_SUPPORT_PTX_FORMS_H
#define TESTS_SUPPORT_PTX_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Threads of the one block that runs a form, sources at most, 8-byte words of result for a thread at most. */
enum { FORM_ELEMENTS = 1024, FORM_SOURCES = 4, FORM_WORDS = 4, FORM_TYPES = 10 };

/* How far the simulator may be from the recorded value of an approximation: the sum of both terms. */
typedef struct form_bound {
    double ulps;     /* units in the recorded value's last place */
    double absolute; /* of values */
    double domain;   /* sources of a larger magnitude are not compared; 0: all are */
} form_bound;

/* One form for several types. In opcode, %s stands for the type. In a body, $ stands for the type and # for its bits;
 * its registers are declared in form_make. */
typedef struct form_row {
    const char *opcode;      /* the instruction; with a body: the row's name */
    const char *types;       /* separated by blanks, FORM_TYPES at most */
    const char *operands;    /* types of destination and sources; T: the row's type */
    const char *tail;        /* further operands, as text */
    const char *body;        /* instructions; NULL: the opcode alone */
    const form_bound *bound; /* of an approximation: values are recorded, not a digest; else NULL */
} form_row;

#define FORM(opcode, types, operands)                                                                                  \
    { opcode, types, operands, "", NULL, NULL }
#define FORM_TAIL(opcode, types, operands, tail)                                                                       \
    { opcode, types, operands, tail, NULL, NULL }
#define FORM_BODY(name, types, operands, body)                                                                         \
    { name, types, operands, "", body, NULL }

/* Rows of one kind, and the file of tests/support/ptx/recorded, without ".txt", that holds what a GPU gave for them. */
typedef struct form_family {
    const char *name;
    const form_row *rows;
    const size_t *count;
} form_family;

#define FORM_FAMILIES(XX)                                                                                              \
    XX(arithmetic)                                                                                                     \
    XX(further)                                                                                                        \
    XX(carry)                                                                                                          \
    XX(approximate)                                                                                                    \
    XX(warp)                                                                                                           \
    XX(atomic)                                                                                                         \
    XX(copy)

#define FORM_FAMILY_DECLARATION(name)                                                                                  \
    extern const form_row form_##name[];                                                                               \
    extern const size_t form_##name##_count;
FORM_FAMILIES(FORM_FAMILY_DECLARATION)
#undef FORM_FAMILY_DECLARATION

extern const form_family form_families[];
extern const size_t form_family_count;

/* One form of a row: its opcode, and its kernel's text (name: form; parameters: results, FORM_SOURCES sources). */
typedef struct form_case {
    char opcode[80];
    char ptx[8192];
    size_t used; /* of ptx */
} form_case;
size_t form_type_count(const form_row *row);
/* The type of an operand (0: the destination) of a row's type; false when there is no such operand. */
bool form_operand_type(const form_row *row, size_t type, size_t operand, char out[16]);
void form_make(const form_row *row, size_t type, form_case *out);
/* Bytes of the destination's type, whose values the results hold. */
unsigned form_result_bytes(const form_row *row, size_t type);
/* Words of 8 bytes that a kernel of the row writes: one for each thread, or FORM_WORDS with a body. */
size_t form_result_count(const form_row *row);
/* FORM_ELEMENTS values of 8 bytes for source k of a form; the low bytes count. */
void form_input(const form_row *row, size_t type, unsigned k, uint64_t out[FORM_ELEMENTS]);

#endif
