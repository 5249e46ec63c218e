/* What fuzz targets share. A target reads what others wrote: it may refuse it, and nothing else may happen.
 *
 * libFuzzer calls LLVMFuzzerTestOneInput with inputs of its own making (`make fuzz`); replay.c calls it with the files
 * of the corpus (`make check`). Returns 0. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process when a target finds that something is wrong that is no crash: the fuzzer keeps the input. */
#define fuzz_demand(condition) ((condition) ? (void)0 : fuzz_stop(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_stop(const char *condition, const char *file, int line);

/* A copy of the input with a NUL after it; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Writes the input into a file of the process's own, always the same one. Returns its path. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
