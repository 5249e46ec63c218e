/* A function to the text of a C program that does the same, 32 lanes at a time. */
#ifndef JRS_NATIVE_TRANSLATE_H
#define JRS_NATIVE_TRANSLATE_H

#include "base/text.h"
#include "sim/ptx/code.h"

/* What there was to translate. */
typedef struct jrs_native_counts {
    uint32_t computed, accesses, handled; /* instructions: in lanes, loads and stores, by handlers */
} jrs_native_counts;

/* Appends the program, whose one symbol is jrs_native_kernel, a jrs_native_run. The text depends on the function's
 * instructions alone. False: it is too large, or there is no memory. */
bool jrs_native_translate(jr_text *text, const jrs_function *function, jrs_native_counts *counts);

#endif
