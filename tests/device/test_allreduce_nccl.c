/* All-reduces by NCCL, with a stand-in library that is missing, too old, fails, hangs or is late. They use devices of
 * the simulator, since the stand-in works only with these. */
#include <stdlib.h>
#include <string.h>

#include "support/fakes/fake_library.h"
#include "support/fakes/stand_in.h"
#include "support/fixtures/allreduce_case.h"
#include "support/fixtures/scratch.h"

static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};

/* Ones on two devices. */
static void open_ones(const opened *device, dealt *of) {
    static int32_t ones[GROUP_COUNT];
    if (!device->info.simulated) skip_because("the stand-in of NCCL is for the simulator's devices\n");
    for (int i = 0; i < GROUP_COUNT; i++) ones[i] = 1;
    stand_in_fails(NULL);
    dealt_open(device, 2, of);
    dealt_give(ones, sizeof *ones, of);
}

static void close_ones(dealt *of) {
    stand_in_fails(NULL);
    dealt_close(of);
}

/* The limit for a stand-in that first works and then hangs. Its working part takes a thousandth of that, also on a busy
 * machine. */
enum { LIMIT_MS = 3000 };

static jr_status try(const dealt *of, const char *path, double limit_ms, jr_allreduce **made) {
    const jr_allreduce_options options =
        JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_NCCL, .wait_limit_ms = limit_ms, .nccl = path);
    return jr_work_allreduce_create(of->group, WORK(&sum), &options, made);
}

static void assert_works(const dealt *of) {
    const int64_t count = GROUP_COUNT;
    stand_in_fails(NULL);
    dealt_assert_all_get(of, &sum, JR_ALLREDUCE_NCCL, &count, sizeof count);
}

TEST(a_library_that_cannot_be_used_is_told_why) {
    char folder[SCRATCH_BYTES];
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    fails(try(&of, "/nowhere/libnccl.so.2", 0, &made), JR_ERROR_NOT_APPLICABLE, "/nowhere/libnccl.so.2");
    scratch_make(folder);
    const char *lacking = scratch_path(folder, "libnccl.so.2");
    assert_true(fake_library(lacking, "int ncclGetVersion(int *v) { *v = 22809; return 0; }\n"
                                      "const char *ncclGetErrorString(int e) { return \"\"; }\n"));
    fails(try(&of, lacking, 0, &made), JR_ERROR_NOT_APPLICABLE, "lacks the function ncclGetUniqueId");
    scratch_remove(folder);
    stand_in_fails("old");
    fails(try(&of, NULL, 0, &made), JR_ERROR_NOT_APPLICABLE, "version 21304: 2.14 (21400) or later is needed");
    assert_null(made);
    assert_works(&of);
    close_ones(&of);
}

TEST(devices_of_the_simulator_need_a_library_by_name) {
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    assert_int_equal(unsetenv("JITREDUCE_NCCL"), 0);
    fails(try(&of, NULL, 0, &made), JR_ERROR_NOT_APPLICABLE, "the simulator's");
    works(try(&of, stand_in_path(), 0, &made));
    assert_int_equal(jr_allreduce_way_of(made), JR_ALLREDUCE_NCCL);
    jr_allreduce_destroy(made);
    assert_int_equal(setenv("JITREDUCE_NCCL", stand_in_path(), 1), 0);
    close_ones(&of);
}

TEST(communicators_that_fail_or_hang_are_told_and_the_group_goes_on) {
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    stand_in_fails("fail");
    fails(try(&of, NULL, 0, &made), JR_ERROR_TRANSPORT, "unhandled system error; told by the stand-in");
    stand_in_fails("hang");
    fails(try(&of, NULL, 30, &made), JR_ERROR_TRANSPORT, "making communicators within 30 ms");
    assert_null(made);
    assert_works(&of);
    close_ones(&of);
}

TEST(a_gathering_that_fails_spoils_what_there_is_and_no_more) {
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    works(try(&of, NULL, 0, &made));
    stand_in_fails("fail-run");
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_TRANSPORT, "ncclAllGather: 3: internal error");
    stand_in_fails(NULL);
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_TRANSPORT, "are closed");
    fails(jr_allreduce_wait(made), JR_ERROR_TRANSPORT, "are closed");
    jr_allreduce_destroy(made);
    assert_works(&of);
    close_ones(&of);
}

TEST(a_gathering_that_hangs_is_ended_after_the_limit) {
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    works(try(&of, NULL, LIMIT_MS, &made));
    stand_in_fails("hang-run");
    works(jr_allreduce_run(made, &of.parts, of.d_out));
    fails(jr_allreduce_wait(made), JR_ERROR_TRANSPORT, "ncclAllGather within 3000 ms");
    for (size_t i = 0; i < of.count; i++) works(jr_stream_wait(jr_group_context(of.group, i), NULL));
    fails(jr_allreduce_run(made, &of.parts, of.d_out), JR_ERROR_TRANSPORT, "are closed");
    jr_allreduce_destroy(made);
    assert_works(&of);
    close_ones(&of);
}

/* An all-reduce that says nothing waits as long as its group does for a rank. */
TEST(the_limit_of_the_group_holds_where_there_is_no_other) {
    const jr_group_options options = JR_INIT(jr_group_options, .devices = "sim:2", .wait_limit_ms = LIMIT_MS);
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    jr_group *limited = group_held(&options);
    works(
        jr_work_allreduce_create(limited, WORK(&sum), &JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_NCCL), &made));
    stand_in_fails("hang-run");
    works(jr_allreduce_run(made, &of.parts, of.d_out));
    fails(jr_allreduce_wait(made), JR_ERROR_TRANSPORT, "ncclAllGather within 3000 ms");
    jr_allreduce_destroy(made);
    stand_in_fails("hang");
    fails(
        jr_work_allreduce_create(limited, WORK(&sum), &JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_NCCL), &made),
        JR_ERROR_TRANSPORT, "making communicators within 3000 ms");
    assert_works(&of);
    close_ones(&of);
}

TEST(what_is_late_is_waited_for) {
    const int64_t count = GROUP_COUNT;
    jr_allreduce *made = NULL;
    dealt of;
    open_ones(*state, &of);
    stand_in_fails("late");
    works(try(&of, NULL, 10000, &made));
    for (int run = 0; run < 3; run++) works(jr_allreduce_run(made, &of.parts, of.d_out));
    works(jr_allreduce_wait(made));
    dealt_assert(&of, &count, sizeof count);
    jr_allreduce_destroy(made);
    close_ones(&of);
}

RUN_TESTS(stand_in_open_devices, stand_in_close_devices)
