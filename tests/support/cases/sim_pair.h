/* Contexts of two simulated devices for each test, of the four that the program asks for. */
#ifndef TESTS_SUPPORT_SIM_PAIR_H
#define TESTS_SUPPORT_SIM_PAIR_H

#include "sim_case.h"

typedef struct sim_pair {
    sim_case on[2]; /* of device 0 and device 1; each test begins with the first one current */
    jr_cu_stream streams[2];
} sim_pair;

/* CMocka's group setup: requests four devices, before cuInit. */
int sim_four_devices(void **state);

/* CMocka's fixtures: *state is a sim_pair; teardown demands that nothing else is left alive. */
int sim_pair_open(void **state);
int sim_pair_close(void **state);

/* Makes the context of one of the two current, instead of the one that is. */
void sim_use(const sim_pair *pair, int which);
/* Zeroed memory of one of the two; the first one is current after it. */
jr_cu_deviceptr sim_alloc_on(const sim_pair *pair, int which, size_t bytes);
/* Gives a context of the two up, and what it owns, as one does that has faulted. */
void sim_abandon(sim_pair *pair, int which);
/* The first may touch the second's memory; current stays. */
void sim_permit(const sim_pair *pair, int which, int whose);

void sim_sleep_ms(long ms);

#endif
