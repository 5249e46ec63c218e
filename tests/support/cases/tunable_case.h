/* Two tunable kernels of the field, a tiled matrix product and a stencil, and memory to run them on. */
#ifndef TESTS_SUPPORT_TUNABLE_CASE_H
#define TESTS_SUPPORT_TUNABLE_CASE_H

#include "tuning_case.h"

#include "jitreduce/tunable.h"

/* c = a * b, of n x n each. TILE, ROWS; size N. */
extern const jr_tunable tunable_product;
/* out[i] = (in[i - RADIUS] + ... + in[i + RADIUS]) / (2 * RADIUS + 1), edges repeated. BLOCK, EACH, STAGED; size N. */
extern const jr_tunable tunable_stencil;

enum { TUNABLE_ARGUMENTS = 4 };

/* A problem with its memory; zeroed output. Its problem's pointers are into itself. */
typedef struct tunable_case {
    int64_t sizes[1];
    int n;
    uint64_t count;                  /* elements of each array */
    float *inputs[2], *expected;     /* of the host */
    void *device_inputs[2], *result; /* of the device */
    void *args[TUNABLE_ARGUMENTS];
    jr_tunable_output output;
    jr_tunable_problem problem;
} tunable_case;

/* Makes a problem of a product or a stencil in tuning_context, with what the host computes as what is expected. */
void tunable_case_product(tunable_case *made, int n);
void tunable_case_stencil(tunable_case *made, int n);
void tunable_case_free(tunable_case *freed);

/* Is the output as it was made? */
bool tunable_case_is_untouched(const tunable_case *on);

/* A kernel whose MODE is right (0, 6), or wrong (1), faults (2), never ends (3), does not compile (4), needs too much
 * shared memory (5); its output is 32 times 1 more. */
typedef struct tunable_modes {
    jr_program program;
    jr_named_text parameter;
    jr_tunable tunable;
    void *d_out, *args[1];
    jr_tunable_output output;
    jr_tunable_problem problem;
} tunable_modes;
void tunable_modes_make(tunable_modes *made, const char *values);

#endif
