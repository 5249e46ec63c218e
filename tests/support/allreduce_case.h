/* What the tests of all-reduces share: groups of different devices, each of which has its part of some data. */
#ifndef TESTS_SUPPORT_ALLREDUCE_CASE_H
#define TESTS_SUPPORT_ALLREDUCE_CASE_H

#include <stdbool.h>

#include "support/group_case.h"

enum { DEALT_DEVICES = 4, DEALT_BYTES = 512, DEALT_WAYS = 3 };

extern const jr_allreduce_way dealt_ways[DEALT_WAYS];

typedef struct dealt {
    jr_group *group;
    size_t count;
    void *d_in[DEALT_DEVICES], *d_out[DEALT_DEVICES]; /* of each device; DEALT_BYTES */
    const void *arrays[DEALT_DEVICES];
    const void *const *in[DEALT_DEVICES];
    uint64_t counts[DEALT_DEVICES];
    jr_group_parts parts;
} dealt;

/* Different devices that there are, as far as these tests use them. */
size_t dealt_devices(const opened *device);

/* Opens a group of the first count devices; the test is skipped where there are fewer. It must not be moved. */
void dealt_open(const opened *device, size_t count, dealt *of);
void dealt_close(dealt *of);

/* Gives GROUP_COUNT elements to the devices, cut by group_cut. element: bytes of one. */
void dealt_give(const void *data, size_t element, dealt *of);

/* Overwrites the results; asserts that they are these on each device. */
void dealt_clear(const dealt *of);
void dealt_assert(const dealt *of, const void *wanted, size_t bytes);

/* Is there an NCCL? On a GPU there may be none, which is printed. */
bool dealt_has_nccl(const dealt *of);

/* An all-reduce that goes this way; asserts that there is one. */
jr_allreduce *dealt_allreduce(const dealt *of, const jr_spec *spec, jr_allreduce_way way);

/* Asserts that each device gets these results, in runs that follow one another with and without a wait between. */
void dealt_assert_all_get(const dealt *of, const jr_spec *spec, jr_allreduce_way way, const void *wanted, size_t bytes);

/* The results that one device makes of all, and how many bytes they take. */
size_t dealt_whole(const opened *device, const jr_spec *spec, const void *data, size_t bytes, void *wanted);

#endif
