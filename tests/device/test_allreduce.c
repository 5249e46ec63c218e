/* All-reduces: every device of a group gets what the whole makes, by each way; and what becomes of runs that fail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fakes/stand_in.h"
#include "support/fixtures/allreduce_case.h"

DEVICE_TEST(every_device_gets_what_the_whole_makes) {
    jr_spec specs[GROUP_SPECS];
    int32_t *data = group_numbers();
    group_specs(specs);
    for (size_t count = 1; count <= dealt_devices(device); count++) {
        dealt of;
        dealt_open(device, count, &of);
        dealt_give(data, sizeof *data, &of);
        for (int s = 0; s < GROUP_SPECS; s++) { /* of the sample each on one of these numbers of devices */
            if (!tests_take(s + (int)count, 4)) continue;
            unsigned char wanted[DEALT_BYTES];
            const size_t bytes = dealt_whole(device, &specs[s], data, GROUP_COUNT * sizeof *data, wanted);
            for (int w = 0; w < DEALT_WAYS; w++) dealt_assert_all_get(&of, &specs[s], dealt_ways[w], wanted, bytes);
        }
        dealt_close(&of);
    }
}

/* ---- bits ---- */

DEVICE_TEST(sums_that_round_have_the_bits_of_the_group) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_VAR, JR_OP_NORM2, JR_OP_LOGSUMEXP};
    float *data = test_bytes(GROUP_COUNT * sizeof *data);
    for (int i = 0; i < GROUP_COUNT; i++) data[i] = sinf((float)i) * 3;
    for (size_t count = 2; count <= dealt_devices(device); count++) {
        dealt of;
        dealt_open(device, count, &of);
        dealt_give(data, sizeof *data, &of);
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = ops[k], .type = JR_F32);
            jr_group_plan *plan = NULL;
            jr_value value;
            works(jr_work_group_plan_create(of.group, WORK(&spec), &plan));
            works(group_values(plan, of.parts, &value));
            jr_group_plan_destroy(plan);
            const size_t bytes = value.type == JR_F64 ? 8 : 4;
            for (int w = 0; w < DEALT_WAYS; w++) dealt_assert_all_get(&of, &spec, dealt_ways[w], value.as.bytes, bytes);
        }
        dealt_close(&of);
    }
}

/* ---- streams and graphs ---- */

DEVICE_TEST(runs_by_peers_can_be_captured_and_replayed) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    int32_t *data = group_numbers();
    int64_t wanted;
    jr_stream streams[DEALT_DEVICES];
    jr_graph graphs[DEALT_DEVICES];
    dealt of;
    dealt_open(device, 2, &of);
    dealt_give(data, sizeof *data, &of);
    dealt_whole(device, &spec, data, GROUP_COUNT * sizeof *data, &wanted);
    of.parts.streams = streams;
    jr_allreduce *made = dealt_allreduce(&of, &spec, JR_ALLREDUCE_PEERS);
    for (size_t i = 0; i < of.count; i++) {
        works(jr_stream_create(jr_group_context(of.group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
        works(jr_capture_begin(jr_group_context(of.group, i), streams[i]));
    }
    works(jr_allreduce_run(made, &of.parts, of.d_out));
    fails(jr_allreduce_wait(made), JR_ERROR_INVALID_ARGUMENT, "being captured");
    for (size_t i = 0; i < of.count; i++) works(jr_capture_end(jr_group_context(of.group, i), streams[i], &graphs[i]));
    dealt_clear(&of);
    for (int run = 0; run < 3; run++)
        for (size_t i = 0; i < of.count; i++)
            works(jr_graph_launch(jr_group_context(of.group, i), graphs[i], streams[i]));
    works(jr_allreduce_wait(made));
    dealt_assert(&of, &wanted, sizeof wanted);
    dealt_clear(&of);
    works(jr_allreduce_run(made, &of.parts, of.d_out));
    works(jr_allreduce_wait(made));
    dealt_assert(&of, &wanted, sizeof wanted);
    jr_allreduce_destroy(made);
    for (size_t i = 0; i < of.count; i++) {
        works(jr_graph_destroy(jr_group_context(of.group, i), graphs[i]));
        works(jr_stream_destroy(jr_group_context(of.group, i), streams[i]));
    }
    dealt_close(&of);
}

/* ---- what is refused, and what fails ---- */

TEST(a_device_that_is_named_twice_is_no_peer_of_itself) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_group *group = group_new(*state, 2);
    jr_allreduce *made = NULL;
    fails(
        jr_work_allreduce_create(group, WORK(&spec), &JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS), &made),
        JR_ERROR_NOT_APPLICABLE, "are one device");
    assert_null(made);
    works(jr_work_allreduce_create(group, WORK(&spec), NULL, &made));
    assert_int_not_equal(jr_allreduce_way_of(made), JR_ALLREDUCE_PEERS);
    jr_allreduce_destroy(made);
}

DEVICE_TEST(no_elements_are_what_nothing_is) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F64);
    static const double data[GROUP_COUNT + 1], zero = 0;
    dealt of;
    dealt_open(device, 2, &of);
    dealt_give(data, sizeof *data, &of);
    memset(of.counts, 0, sizeof of.counts);
    for (int w = 0; w < DEALT_WAYS; w++) {
        if (dealt_ways[w] == JR_ALLREDUCE_NCCL && !dealt_has_nccl(&of)) continue;
        dealt_assert_all_get(&of, &sum, dealt_ways[w], &zero, sizeof zero);
        jr_allreduce *made = dealt_allreduce(&of, &least, dealt_ways[w]);
        fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_EMPTY_INPUT, "min");
        jr_allreduce_destroy(made);
    }
    dealt_close(&of);
}

DEVICE_TEST(calls_that_make_no_sense_are_told_why) {
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    const jr_spec none = JR_INIT(jr_spec), sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    static const int32_t data[GROUP_COUNT];
    const int64_t zero = 0;
    jr_allreduce *made = NULL;
    dealt of;
    dealt_open(device, 2, &of);
    dealt_give(data, sizeof *data, &of);
    void *const nowhere[] = {of.d_out[0], NULL}, *const askew[] = {of.d_out[0], (char *)of.d_out[1] + 1};
    fails(jr_work_allreduce_create(NULL, WORK(&sum), NULL, &made), wrong, "NULL");
    fails(jr_work_allreduce_create(of.group, WORK(&none), NULL, &made), wrong, "unknown operator 0");
    fails(jr_work_allreduce_create(of.group, WORK(&sum), &JR_INIT(jr_allreduce_options, .way = (jr_allreduce_way)9),
                                   &made),
          wrong, "unknown way 9");
    fails(jr_work_allreduce_create(of.group, WORK(&sum), &JR_INIT(jr_allreduce_options, .wait_limit_ms = NAN), &made),
          wrong, "wait_limit_ms");
    assert_null(made);
    for (int w = 0; w < DEALT_WAYS; w++) {
        if (dealt_ways[w] == JR_ALLREDUCE_NCCL && !dealt_has_nccl(&of)) continue;
        made = dealt_allreduce(&of, &sum, dealt_ways[w]);
        fails(jr_allreduce_run(made, &of.parts, NULL), wrong, "NULL");
        fails(jr_allreduce_run(made, PARTS(), of.d_out), wrong, "NULL");
        fails(jr_allreduce_run(made, &of.parts, nowhere), wrong, "device 1 of the group: the output address");
        fails(jr_allreduce_run(made, &of.parts, askew), wrong, "not aligned");
        of.arrays[1] = (const char *)of.d_in[1] + 1;
        fails(jr_allreduce_run(made, &of.parts, of.d_out), wrong, "device 1 of the group");
        of.arrays[1] = of.d_in[1];
        jr_allreduce_destroy(made);
        dealt_assert_all_get(&of, &sum, dealt_ways[w], &zero, sizeof zero);
    }
    fails(jr_allreduce_run(NULL, &of.parts, of.d_out), wrong, "NULL");
    fails(jr_allreduce_wait(NULL), wrong, "NULL");
    assert_int_equal(jr_allreduce_way_of(NULL), JR_ALLREDUCE_AUTO);
    assert_int_equal(jr_allreduce_result_bytes(NULL), 0);
    jr_allreduce_destroy(NULL);
    dealt_close(&of);
}

/* The second device's stream belongs to the first one, so that its launch is refused when the first one waits. */
DEVICE_TEST(a_launch_that_fails_leaves_no_device_waiting) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    static const int32_t data[GROUP_COUNT];
    const int64_t zero = 0;
    jr_stream streams[DEALT_DEVICES] = {0};
    dealt of;
    dealt_open(device, 2, &of);
    dealt_give(data, sizeof *data, &of);
    jr_allreduce *made = dealt_allreduce(&of, &sum, JR_ALLREDUCE_PEERS);
    works(jr_stream_create(jr_group_context(of.group, 0), JR_STREAM_NON_BLOCKING, &streams[0]));
    for (size_t i = 1; i < of.count; i++) streams[i] = streams[0];
    of.parts.streams = streams;
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_WRONG_CONTEXT, "device 1 of the group");
    works(jr_stream_wait(jr_group_context(of.group, 0), streams[0]));
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_TRANSPORT, "make another");
    jr_allreduce_destroy(made);
    works(jr_stream_destroy(jr_group_context(of.group, 0), streams[0]));
    of.parts.streams = NULL;
    dealt_assert_all_get(&of, &sum, JR_ALLREDUCE_PEERS, &zero, sizeof zero);
    dealt_close(&of);
}

/* The second device's run is held back by one that is captured and not launched. */
DEVICE_TEST(a_device_that_does_not_come_is_told_after_the_limit) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    static const int32_t data[GROUP_COUNT];
    jr_stream streams[DEALT_DEVICES] = {0};
    jr_graph graph;
    jr_allreduce *made = NULL;
    dealt of;
    dealt_open(device, 2, &of);
    dealt_give(data, sizeof *data, &of);
    const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS, .wait_limit_ms = 30);
    works(jr_work_allreduce_create(of.group, WORK(&sum), &options, &made));
    for (size_t i = 0; i < of.count; i++)
        works(jr_stream_create(jr_group_context(of.group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
    of.parts.streams = streams;
    works(jr_capture_begin(jr_group_context(of.group, 1), streams[1]));
    works(jr_allreduce_run(made, &of.parts, of.d_out));
    works(jr_capture_end(jr_group_context(of.group, 1), streams[1], &graph));
    fails(jr_allreduce_wait(made), JR_ERROR_TRANSPORT, "for the state of device 1 in vain");
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_TRANSPORT, "waited 30 ms");
    works(jr_graph_destroy(jr_group_context(of.group, 1), graph));
    jr_allreduce_destroy(made);
    for (size_t i = 0; i < of.count; i++) works(jr_stream_destroy(jr_group_context(of.group, i), streams[i]));
    dealt_close(&of);
}

RUN_TESTS(stand_in_open_devices, stand_in_close_devices)
