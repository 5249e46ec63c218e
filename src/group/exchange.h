/* Exchanges: in one, each rank of a group sends its status and some bytes to all others. */
#ifndef JR_GROUP_EXCHANGE_H
#define JR_GROUP_EXCHANGE_H

#include <stdint.h>

#include "transport.h"

/* What is exchanged; ranks that are at different steps make different calls. */
#define JR_STEPS(XX)                                                                                                   \
    XX(OPEN, 1, "opening a group")                                                                                     \
    XX(MEANING, 2, "making a plan")                                                                                    \
    XX(COUNTS, 3, "counting elements")                                                                                 \
    XX(STATES, 4, "reducing")                                                                                          \
    XX(RESULTS, 5, "scanning")                                                                                         \
    XX(WAY, 6, "making an all-reduce")
typedef enum jr_step {
#define JR_STEP(name, number, text) JR_STEP_##name = (number),
    JR_STEPS(JR_STEP)
#undef JR_STEP
} jr_step;

typedef struct jr_exchange {
    jr_transport *transport; /* NULL: there is one rank */
    int rank, ranks;
    uint64_t number;          /* of the next exchange */
    const unsigned char *all; /* of the last one: what rank 0 gave */
    size_t stride;            /* from there to what the next rank gave */
} jr_exchange;

/* Of a rank alone no transport is made. payload_bytes: of what a rank gives at a time, to begin with. */
jr_status jr_exchange_open(const jr_group_options *options, size_t payload_bytes, jr_exchange *exchange);
void jr_exchange_close(jr_exchange *exchange); /* one that was zeroed is fine */

/* Makes room for larger payloads. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_exchange_reserve(jr_exchange *exchange, size_t payload_bytes);

/* Tells all ranks this one's status and payload (which stays where it is until the next exchange, and is not looked at
 * after a failure), and finds out theirs. own: of what this rank did since the last exchange; if it failed, its error
 * is the recorded one, and is what this call returns. Errors: JR_ERROR_RANK (another one failed), JR_ERROR_RANKS_DIFFER
 * (they are at different steps), JR_ERROR_TRANSPORT. */
typedef struct jr_payload {
    jr_step step;
    const void *bytes;
    size_t count;
} jr_payload;
jr_status jr_exchange_run(jr_exchange *exchange, jr_status own, const jr_payload *payload);

/* What a rank gave in the last exchange, which went well. */
const void *jr_exchange_of(const jr_exchange *exchange, int rank);

#endif
