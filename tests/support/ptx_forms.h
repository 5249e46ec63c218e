/* One small kernel for every arithmetic form the simulator knows, and inputs that hit its corners.
 *
 * The same texts run on the simulator (tests/unit/test_machine_forms.c) and, once, on a GPU: a recorder
 * prints the digests that the rows carry. */
#ifndef TESTS_SUPPORT_PTX_FORMS_H
#define TESTS_SUPPORT_PTX_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORM_ELEMENTS = 1024, FORM_SOURCES = 4, FORM_WIDTH = 8 };

typedef struct form_row {
    const char *opcode;   /* %s: each of types in turn */
    const char *types;    /* separated by blanks */
    const char *operands; /* types of destination and sources; T: the row's type */
    const char *tail;     /* further operands, as text */
    uint64_t digest;      /* FNV-1a of all results on a GPU (H200) */
} form_row;

extern const form_row form_rows[];
extern const size_t form_row_count;

/* One form of a row: its opcode, and its kernel's text (name: form). */
typedef struct form_case {
    char opcode[64];
    char ptx[4096];
} form_case;
size_t form_type_count(const form_row *row);
void form_make(const form_row *row, size_t type, form_case *out);
/* FORM_ELEMENTS values of 8 bytes for source k of a form; the low bytes count. */
void form_input(const form_row *row, size_t type, unsigned k, uint64_t out[FORM_ELEMENTS]);
uint64_t form_digest(uint64_t digest, const uint64_t results[FORM_ELEMENTS]); /* begin with FORM_DIGEST */
#define FORM_DIGEST UINT64_C(0xcbf29ce484222325)

#endif
