/* The C++ standard library's headers for kernels: NVRTC has none, and the CUDA toolkit has them below cuda/std. */
#ifndef JR_HEADERS_STANDARD_HEADERS_H
#define JR_HEADERS_STANDARD_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct jr_standard_header {
    const char *name;   /* "stdint.h" */
    const char *target; /* "cuda/std/cstdint": it is there only where the toolkit has this */
    const char *text;   /* what follows the include of the target */
} jr_standard_header;

enum { JR_STANDARD_HEADERS_MAX = 64 };
extern const jr_standard_header jr_standard_headers[];
extern const size_t jr_standard_header_count;

/* The index of a standard header; jr_standard_header_count for any other name. */
size_t jr_standard_header_find(const char *name);

/* Is this a header of C++ or C for host code alone, as <iostream>? */
bool jr_standard_header_is_for_hosts(const char *name);

#endif
