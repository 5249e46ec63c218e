/* Compiles texts by NVRTC without the library, for start_bench. */
#ifndef JR_BENCH_START_TEXT_H
#define JR_BENCH_START_TEXT_H

#include "bench.h"

enum { FOLDERS_MAX = 8 };

/* NVRTC's time with the options that the library gives it for any program of this context: what the library times of
 * its own programs. Ends the program with NVRTC's log if the text does not compile. */
double start_text_ms(jr_context *context, const char *source, bool minimal, char *const *folders, int folder_count);

#endif
