/* C to machine code, by the system's C compiler. */
#ifndef JRS_NATIVE_COMPILE_H
#define JRS_NATIVE_COMPILE_H

#include <stddef.h>

#include "base/digest.h"
#include "sim/exec/native_abi.h"

enum { JRS_NATIVE_WHY_BYTES = 512 };

/* The path of the compiler: the setting JRSIM_CC, else the first that is there; NULL if neither exists. */
const char *jrs_native_compiler(void);

/* What else the code depends on but the text: the compiler, its options, this processor. */
void jrs_native_digest_compiler(jr_digest *digest, const char *compiler);

/* Compiles a text to the bytes of a library, malloc'd; NULL: why says the reason. It takes seconds; jrs_native_stop,
 * by another thread, ends it. */
void *jrs_native_compile(const char *compiler, const char *text, size_t *bytes, char why[JRS_NATIVE_WHY_BYTES]);
void jrs_native_stop(void);

/* Loads the bytes of a library, which stays. NULL: why says the reason. */
jrs_native_run *jrs_native_load(const void *bytes, size_t count, char why[JRS_NATIVE_WHY_BYTES]);

#endif
