/* Scans of data that lies on the devices of several ranks: every part continues where the one before it ended. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_scan_case.h"
#include "support/fixtures/rank_case.h"

typedef struct data {
    const opened *device;
    const jr_spec *specs;
    const group_laid *of;
    unsigned char *wanted[GROUP_SCANS][2];
    size_t bytes[GROUP_SCANS];
    unsigned char *d_out[RANKS_MAX]; /* room of each rank for all results */
    unsigned char *found[RANKS_MAX];
} data;

/* Two devices a rank; the first rank has nothing, and so has the second device of the second one. */
static void begins_of(int rank, int ranks, uint64_t begins[3]) {
    const uint64_t first = rank <= 1       ? 0
                           : rank == ranks ? GROUP_COUNT
                                           : 20002,
                   end = rank + 1 <= 1       ? 0
                         : rank + 1 == ranks ? GROUP_COUNT
                                             : 20002;
    begins[0] = first;
    begins[1] = rank == 1 ? end : first + (end - first) / 3;
    begins[2] = end;
}

static int scan_spec(const jr_group_options *options, const data *of, jr_group *group, int s, int k) {
    const int rank = options->rank;
    unsigned char *found = of->found[rank];
    uint64_t begins[3];
    begins_of(rank, options->ranks, begins);
    const uint64_t counts[] = {begins[1] - begins[0], begins[2] - begins[1]};
    const void *const first[] = {of->of->d_data + begins[0]}, *const second[] = {of->of->d_data + begins[1]};
    const void *const *const in[] = {first, second};
    void *const out[] = {of->d_out[rank] + begins[0] * of->bytes[s], of->d_out[rank] + begins[1] * of->bytes[s]};
    jr_group_plan *plan = NULL;
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts), none = JR_INIT(jr_group_parts);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&of->specs[s], .kind = group_scan_kinds[k]), &plan) ==
                      JR_OK);
    const jr_status refused = group_scans(plan, rank == 1 ? none : parts, out);
    RANK_FAILS_UNLESS(refused == (rank == 1 ? JR_ERROR_INVALID_ARGUMENT : JR_ERROR_RANK));
    for (int run = 0; run < 2; run++) RANK_FAILS_UNLESS(group_scans(plan, parts, out) == JR_OK);
    RANK_FAILS_UNLESS(jr_stream_wait(of->device->context, NULL) == JR_OK);
    RANK_FAILS_UNLESS(jr_memory_read(of->device->context, found, of->d_out[rank], GROUP_COUNT * of->bytes[s]) == JR_OK);
    RANK_FAILS_UNLESS(memcmp(found + begins[0] * of->bytes[s], of->wanted[s][k] + begins[0] * of->bytes[s],
                             (begins[2] - begins[0]) * of->bytes[s]) == 0);
    jr_group_plan_destroy(plan);
    return 0;
}

static int scan_all(const jr_group_options *options, void *user) {
    const data *of = user;
    jr_context *const contexts[] = {of->device->context, of->device->context};
    jr_group_options own = *options;
    jr_group *group = NULL;
    int failed = 0;
    own.contexts = contexts;
    own.context_count = 2;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    for (int s = 0; s < GROUP_SCANS && !failed; s++)
        for (int k = 0; k < 2 && !failed; k++)
            if (group_scan_takes(s, k)) failed = scan_spec(options, of, group, s, k);
    jr_group_close(group);
    return failed;
}

TEST(ranks_continue_where_those_before_them_ended) {
    jr_spec specs[GROUP_SCANS];
    int32_t *numbers = group_numbers();
    group_laid laid_out;
    data of = {.device = *state, .specs = specs, .of = &laid_out};
    group_laid_make(*state, numbers, &laid_out);
    group_scan_specs(specs);
    for (int s = 0; s < GROUP_SCANS; s++) {
        of.bytes[s] = group_scan_bytes(&specs[s]);
        for (int k = 0; k < 2; k++)
            if (group_scan_takes(s, k))
                of.wanted[s][k] = group_scan_whole(*state, &specs[s], group_scan_kinds[k], numbers);
    }
    for (int r = 0; r < RANKS_MAX; r++) {
        of.d_out[r] = device_new(*state, GROUP_COUNT * GROUP_SCAN_BYTES);
        of.found[r] = test_bytes(GROUP_COUNT * GROUP_SCAN_BYTES);
    }
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) ranks_in_threads(ranks, scan_all, NULL, &of);
}

RUN_TESTS(open_context, close_context)
