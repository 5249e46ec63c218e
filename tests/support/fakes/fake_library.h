/* Shared libraries made up by a test: a driver or an NVRTC that does what the test says. */
#ifndef TESTS_SUPPORT_FAKE_LIBRARY_H
#define TESTS_SUPPORT_FAKE_LIBRARY_H

#include <stdbool.h>

#include "image/image.h"

/* Compiles C source text to a shared library at path, with its file name as its soname, with the compiler named by $CC
 * or cc. False when no compiler is installed.
 */
bool fake_library(const char *path, const char *source);

/* The same; skips the test, with the reason, where nothing can be built. */
void fake_library_make(const char *path, const char *source);

/* Source of a driver or an NVRTC with every function of our lists, but the one called `without` (NULL: all). Driver
 * functions return 0; this NVRTC is version 13.7 and supports 100, 75 and 90. */
char *fake_driver_source(const char *without, bool optional_too);
char *fake_nvrtc_source(const char *without);

/* An NVRTC 13.0 for sm_90 at path whose nvrtcCompileProgram(p, n, o) is the statements of `ending`; they may use the
 * counter `compiles`, the function has(n, o, "--option"), and set `log` (at first "log") and `size_result` (at first 0:
 * what is read of a compiled program is there). */
bool fake_nvrtc(const char *path, const char *ending);

/* Images for tests, made without a compiler. */
/* A key that is `number` all over. */
void sample_key(uint8_t key[JR_DIGEST_BYTES], int number);

/* An image with a cubin of so many bytes (0: none) and a short PTX, under sample_key(number). Asserts (CMocka). */
jr_image *sample_image(int number, size_t cubin_bytes);

#endif
