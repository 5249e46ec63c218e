/* The group: the devices of this process, and what is known of those of the other ranks. */
#ifndef JR_GROUP_GROUP_H
#define JR_GROUP_GROUP_H

#include <stdbool.h>

#include "exchange.h"

struct jr_group {
    jr_context *contexts[JR_GROUP_DEVICES_MAX];
    size_t local_count;
    bool own_contexts; /* opened by the group */
    jr_exchange exchange;
    struct jr_communicators *communicators; /* NCCL's; NULL: none were asked for */
    void (*communicators_free)(struct jr_communicators *all);
    struct jr_launchers *launchers; /* NULL: none were begun */
    void (*launchers_free)(struct jr_launchers *all);
    double launch_look_us; /* how long launchers poll; 0: no launchers */
    double limit_ms;       /* jr_group_options.wait_limit_ms */
    size_t *counts;        /* devices of each rank */
    size_t most_count;     /* of these */
    size_t size, first;    /* devices of all ranks; of those before this one */
    jr_stats stats;        /* of the last call on host memory */
};

/* The public functions of the same names. options: whole, with the number of ranks. */
jr_status jr_group_make(const jr_group_options *options, jr_group **group);
void jr_group_free(jr_group *group);

/* Whether this process is the only rank. */
static inline bool jr_group_is_alone(const jr_group *group) {
    return group->exchange.ranks == 1;
}

#endif
