/* A context of the simulator for each test, and short words for what tests do with it. Linked in, not loaded. */
#ifndef TESTS_SUPPORT_SIM_CASE_H
#define TESTS_SUPPORT_SIM_CASE_H

#include "sim/driver/jrsim.h"
#include "support/fixtures/check.h"

extern const char sim_ptx[]; /* seven kernels and two variables: see sim_ptx.c */

/* The call succeeds; the call returns this error. */
#define good(call)         assert_int_equal((call), JR_CUDA_SUCCESS)
#define fails(error, call) assert_int_equal((call), JR_##error)

typedef struct sim_case {
    jr_cu_context context; /* current */
    jr_cu_module module;   /* of sim_ptx */
} sim_case;

/* CMocka's fixtures: *state is a sim_case; teardown demands that nothing else is left alive. */
int sim_open(void **state);
int sim_close(void **state);

jr_cu_function sim_function(const sim_case *sim, const char *name);
/* Launches a kernel of one pointer on one thread. */
int sim_launch(jr_cu_function function, jr_cu_stream stream, jr_cu_deviceptr pointer);
/* fill(target, count, value) with one block of 256 threads for each 256 elements. */
int sim_fill(const sim_case *sim, jr_cu_stream stream, jr_cu_deviceptr target, unsigned count, unsigned value);

jr_cu_deviceptr sim_alloc(size_t bytes);
unsigned sim_read(jr_cu_deviceptr address); /* one u32, by cuMemcpyDtoH */

/* A stream kept busy until sim_let_go: a kernel that polls mapped host memory. */
typedef struct sim_busy {
    volatile unsigned *words; /* [0]: the flag, [1]: set to 1 by the kernel after it */
    jr_cu_stream stream;
} sim_busy;
void sim_hold(const sim_case *sim, sim_busy *busy, jr_cu_stream stream);
void sim_let_go(sim_busy *busy);

#endif
