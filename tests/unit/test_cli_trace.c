/* The simulator's record as `trace` reads it: events, rounds, and lines that are neither. */
#include <stdio.h>
#include <string.h>

#include "support/fixtures/check.h"
#include "trace/trace_rounds.h"

#define LAUNCH "launch k 1 1 1 2 1 1\n"

static cli_exit read_text(const char *text, cli_trace_record *record, cli_error *error) {
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    const cli_exit code = cli_trace_record_read(file, record, error);
    fclose(file);
    return code;
}

static cli_trace_record record_of(const char *text) {
    cli_trace_record record = {.count = 0};
    cli_error error = {.message = ""};
    if (read_text(text, &record, &error) != CLI_OK) fail_msg("%s", error.message);
    return record;
}

TEST(events_are_read) {
    cli_trace_record record =
        record_of(LAUNCH "GS 7 1 22 7f00 16 f32 3f800000\nX 0 1 23 b32 a b\nM 0 8 u64 ff\nA 0 0 1 4 "
                         "s64 ffffffffffffffff0000000000000001\nW 0 9\nE 0\n");
    assert_int_equal(record.count, 1);
    const cli_trace_launch *launch = &record.launches[0];
    assert_string_equal(launch->kernel, "k");
    assert_int_equal(launch->count, 6);
    const cli_trace_event *e = launch->events;
    assert_true(e[0].kind == CLI_TRACE_STORE && e[0].global && e[0].block == 7 && e[0].thread == 1 && e[0].line == 22);
    assert_true(e[0].range == 0x7f00 && e[0].offset == 16 && e[0].bytes == 4 && e[0].bits == 0x3f800000);
    assert_true(e[1].kind == CLI_TRACE_SHUFFLE && e[1].bits == 10 && e[1].got == 11);
    assert_true(e[2].kind == CLI_TRACE_HELD && e[2].offset == 8 && e[2].bytes == 8 && e[2].bits == 255);
    assert_true(e[3].kind == CLI_TRACE_ATOMIC && !e[3].global && e[3].bits == 1);
    assert_true(e[4].kind == CLI_TRACE_BARRIER && e[4].line == 9);
    assert_true(e[5].kind == CLI_TRACE_END);
    cli_trace_record_free(&record);
}

TEST(lines_that_are_none_are_refused) {
    static const char *const lines[] = {"E 0\n",
                                        "launch k 1 1 1 2 1\n",
                                        LAUNCH "\n",
                                        LAUNCH "Q 0 0 0 0 u32 1\n",
                                        LAUNCH "S 0 0 0 0 u32\n",
                                        LAUNCH "S 0 0 0 0 u32 1 2\n",
                                        LAUNCH "S 0 x 0 0 u32 1\n",
                                        LAUNCH "S 0 0 0 0 u32 g\n",
                                        LAUNCH "S 0 99999999999 0 0 u32 1\n",
                                        LAUNCH "S 0 0 0 0 verylongtype 1\n",
                                        LAUNCH "GS 0 0 0 0 u32 1\n",
                                        LAUNCH "W\n",
                                        LAUNCH "W 0\n",
                                        LAUNCH "E 0 1\n",
                                        LAUNCH "M 0 0 u32\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_trace_record record = {.count = 0};
        cli_error error = {.message = ""};
        if (read_text(lines[i], &record, &error) != CLI_FAILURE) fail_msg("'%s' was read", lines[i]);
        assert_non_null(strstr(error.message, "cannot be read"));
        assert_int_equal(record.count, 0);
        assert_null(record.launches);
    }
}

static cli_trace_interval next(cli_trace_walk *walk, bool expected) {
    cli_trace_interval interval;
    cli_error error = {.message = ""};
    bool more = !expected;
    assert_int_equal(cli_trace_interval_next(walk, &interval, &more, &error), CLI_OK);
    assert_int_equal(more, expected);
    return interval;
}

/* Two threads whose lines are mixed, and another block's. */
TEST(the_kth_gift_of_each_thread_is_the_kth_round) {
    cli_trace_record record = record_of(
        LAUNCH "L 0 0 5 0 u32 1\nL 0 0 5 4 u32 2\nS 0 0 6 0 u32 3\nS 0 0 7 0 u32 4\nS 1 0 6 0 u32 9\nS 0 1 6 4 u32 "
               "5\nM 0 0 u32 4\nM 0 4 u32 5\nW 0 8\nE 1\nE 0\n");
    cli_trace_walk walk = {.launch = &record.launches[0]};
    cli_trace_interval interval = next(&walk, true);
    assert_int_equal(interval.rounds, 2);
    assert_int_equal(interval.count, 3);
    assert_int_equal(interval.held_count, 2);
    assert_int_equal(interval.steps[0].load_count, 2);
    assert_int_equal(interval.steps[0].loads[1].bits, 2);
    assert_int_equal(interval.steps[1].thread, 1);
    assert_int_equal(interval.steps[1].round, 0);
    assert_int_equal(interval.steps[2].given.bits, 4);
    assert_int_equal(interval.steps[2].round, 1);
    cli_trace_interval_free(&interval);
    interval = next(&walk, true);
    assert_int_equal(interval.count, 0);
    assert_int_equal(interval.end->kind, CLI_TRACE_END);
    cli_trace_interval_free(&interval);
    interval = next(&walk, false);
    cli_trace_interval_free(&interval);
    cli_trace_record_free(&record);
}

TEST(halves_of_a_value_are_joined) {
    cli_trace_record record =
        record_of(LAUNCH "X 0 0 5 b32 1 3\nX 0 1 5 b32 7 7\nX 0 0 6 b32 2 4\nX 0 1 6 b32 0 0\nX 0 0 5 "
                         "b32 8 8\nX 0 0 6 b32 9 9\nE 0\n");
    cli_trace_walk walk = {.launch = &record.launches[0], .joined = 8};
    cli_trace_interval interval = next(&walk, true);
    assert_int_equal(interval.count, 3);
    assert_int_equal(interval.steps[0].given.bits, UINT64_C(0x200000001));
    assert_int_equal(interval.steps[0].given.got, UINT64_C(0x400000003));
    assert_int_equal(interval.steps[1].given.bits, 7);
    assert_int_equal(interval.steps[2].given.bits, UINT64_C(0x900000008));
    cli_trace_interval_free(&interval);
    cli_trace_record_free(&record);
}

RUN_TESTS(NULL, NULL)
