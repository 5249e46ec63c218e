/* The recorded form of results, as tests/support/ptx/recorded keeps it: lines of text, in the order of a family's rows.
 *
 * An exact row is one line: the digest (FNV-1a over the bytes of all results), the opcode and the types. A row with a
 * bound is a line with its opcode and type, then its results in hexadecimal digits, 32 values a line. Lines that begin
 * with # are for people. */
#ifndef TESTS_SUPPORT_FORM_RECORD_H
#define TESTS_SUPPORT_FORM_RECORD_H

#include "ptx_forms.h"

#include "base/text.h"

/* Appends what is recorded of a row's results (form_run). */
void form_record_print(const form_row *row, const uint64_t *results, jr_text *out);

/* Compares results with the next row of a recorded text and moves *at past that row, but where an exact row is not in
 * the text. False: they differ, or the text holds another row; *why, which has 256 bytes, says what. */
bool form_record_compare(const form_row *row, const uint64_t *results, const char **at, char why[256]);

#endif
