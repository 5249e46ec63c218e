/* What the tests that let calls fail share: the simulator's switches, and calls of the library that may fail once. */
#ifndef TESTS_SUPPORT_SIM_FAULTS_H
#define TESTS_SUPPORT_SIM_FAULTS_H

#include <stdbool.h>

#include "support/fixtures/open_context.h"

/* The switches of a loaded simulator (src/sim/driver/jrsim.h). */
typedef struct sim_faults {
    int (*refuse)(const char *rule); /* lets driver calls fail; NULL: none any more */
    int (*live)(const char *kind);   /* how many things of a kind are alive */
} sim_faults;

/* Finds them in the library; asserts that they are there. */
sim_faults sim_faults_of(void *library);

/* How many things of each kind are alive; asserts that they are as many as before a call failed. */
enum { SIM_FAULTS_KINDS = 7 };
typedef struct sim_alive {
    int counts[SIM_FAULTS_KINDS];
} sim_alive;
sim_alive sim_faults_alive(const sim_faults *faults);
void sim_faults_compare(const sim_faults *faults, const sim_alive *before, const char *call);

/* Puts a reason into the error record that no call of the library gives. */
void sim_faults_forget(void);

/* Was it a failure? Then asserts that it has a reason of its own, not the one of sim_faults_forget, and calls that. */
bool sim_faults_failed(jr_status status, const char *call);

/* Makes a call that may fail once, which is counted; made again, it works. */
#define twice(call, failures)                                                                                          \
    do {                                                                                                               \
        if (sim_faults_failed((call), #call)) {                                                                        \
            (failures)++;                                                                                              \
            works(call);                                                                                               \
        }                                                                                                              \
    } while (0)

#endif
