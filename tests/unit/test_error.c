/* The error record, statuses and the log. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "support/fixtures/check.h"

enum { MESSAGE_BYTES = 1024, LOG_BYTES = 16 * 1024 };

static void *look_in_new_thread(void *unused) {
    (void)unused;
    const jr_error *error = jr_last_error();
    int good = error->status == JR_OK && !*error->message && !*error->driver_name && !*error->log && !*error->stage;
    jr_fail(JR_ERROR_LOAD, "of the other thread");
    return good ? (void *)"yes" : NULL;
}

TEST(a_thread_without_failures_has_an_empty_record) {
    pthread_t thread;
    void *good = NULL;
    jr_fail(JR_ERROR_COMPILE, "of this thread");
    assert_int_equal(pthread_create(&thread, NULL, look_in_new_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, &good), 0);
    assert_non_null(good);
    assert_int_equal(jr_last_error()->status, JR_ERROR_COMPILE);
    assert_string_equal(jr_last_error()->message, "of this thread");
}

TEST(fail_records_status_stage_and_formatted_message) {
    assert_int_equal(jr_fail(JR_ERROR_FILE, "cannot open %s: %d", "x", 7), JR_ERROR_FILE);
    const jr_error *error = jr_last_error();
    assert_int_equal(error->status, JR_ERROR_FILE);
    assert_string_equal(error->stage, "base");
    assert_string_equal(error->message, "cannot open x: 7");
    assert_string_equal(error->driver_name, "");
    assert_string_equal(error->log, "");
}

TEST(fail_clears_driver_name_and_log_of_an_older_failure) {
    jr_fail_with(JR_ERROR_DRIVER, "CUDA_ERROR_UNKNOWN", "a log", "first");
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_UNKNOWN");
    assert_string_equal(jr_last_error()->log, "a log");
    jr_fail(JR_ERROR_FILE, "second");
    assert_string_equal(jr_last_error()->driver_name, "");
    assert_string_equal(jr_last_error()->log, "");
}

TEST(stage_follows_the_hundreds_of_every_status) {
    static const char *const stages[] = {"base",   "loader", "program", "image", "device",
                                         "kernel", "reduce", "tune",    "group"};
    static const int numbers[] = {
#define NUMBER(name, number, text) (number),
        JR_STATUSES(NUMBER)
#undef NUMBER
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        jr_fail((jr_status)numbers[i], "x");
        const char *wanted = numbers[i] ? stages[-numbers[i] / 100 - 1] : "";
        assert_string_equal(jr_last_error()->stage, wanted);
    }
    jr_fail((jr_status)-4200, "x");
    assert_string_equal(jr_last_error()->stage, "");
    jr_fail((jr_status)300, "x");
    assert_string_equal(jr_last_error()->stage, "");
}

TEST(every_status_has_its_own_name_number_and_meaning) {
    static const jr_status all[] = {
#define STATUS(name, number, text) name,
        JR_STATUSES(STATUS)
#undef STATUS
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(jr_status_name(all[i]), "JR_ERROR_UNKNOWN");
        assert_string_not_equal(jr_status_text(all[i]), "unknown status");
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(jr_status_name(all[i]), jr_status_name(all[k]));
            assert_string_not_equal(jr_status_text(all[i]), jr_status_text(all[k]));
        }
    }
    assert_string_equal(jr_status_name(JR_ERROR_COMPILE), "JR_ERROR_COMPILE");
    assert_string_equal(jr_status_name((jr_status)-1), "JR_ERROR_UNKNOWN");
    assert_string_equal(jr_status_text((jr_status)1), "unknown status");
}

TEST(a_message_of_just_the_size_is_kept_whole) {
    char text[MESSAGE_BYTES];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    jr_fail(JR_ERROR_FILE, "%s", text);
    assert_string_equal(jr_last_error()->message, text);
}

TEST(a_message_that_is_too_long_is_cut_with_dots) {
    char text[3 * MESSAGE_BYTES];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    jr_fail(JR_ERROR_FILE, "%s", text);
    const char *message = jr_last_error()->message;
    assert_int_equal(strlen(message), MESSAGE_BYTES - 1);
    assert_string_equal(message + MESSAGE_BYTES - 5, "a...");
}

TEST(a_message_is_never_cut_inside_a_character) {
    for (int shift = 0; shift < 4; shift++) {
        char text[4 * MESSAGE_BYTES] = "xxx";
        size_t length = (size_t)shift;
        for (; length + 3 < sizeof text; length += 3) memcpy(text + length, "\xE2\x82\xAC", 3); /* the euro sign */
        text[length] = '\0';
        jr_fail(JR_ERROR_FILE, "%s", text);
        const char *message = jr_last_error()->message;
        size_t kept = strlen(message) - 3;
        assert_string_equal(message + kept, "...");
        assert_int_equal((kept - (size_t)shift) % 3, 0);
        assert_memory_equal(message, text, kept);
    }
}

TEST(a_long_log_is_cut_at_16_kib_with_a_note) {
    char *log = test_bytes(3 * LOG_BYTES);
    memset(log, 'l', 3 * LOG_BYTES);
    log[3 * LOG_BYTES - 1] = '\0';
    jr_fail_with(JR_ERROR_COMPILE, NULL, log, "x");
    const char *kept = jr_last_error()->log;
    assert_int_equal(strlen(kept), LOG_BYTES - 1);
    assert_non_null(strstr(kept, "l\n[log cut at 16 KiB]"));
    log[LOG_BYTES - 1] = '\0';
    jr_fail_with(JR_ERROR_COMPILE, NULL, log, "x");
    assert_string_equal(jr_last_error()->log, log);
}

TEST(pieces_of_the_old_record_may_go_into_the_new_one) {
    jr_fail_with(JR_ERROR_DRIVER, "OLD_NAME", "old log", "old message");
    const jr_error *old = jr_last_error();
    jr_fail_with(JR_ERROR_LOAD, old->driver_name, old->log, "new %s %s", old->message, old->log);
    assert_string_equal(jr_last_error()->message, "new old message old log");
    assert_string_equal(jr_last_error()->driver_name, "OLD_NAME");
    assert_string_equal(jr_last_error()->log, "old log");
}

TEST(prefix_stands_in_front_and_keeps_all_else) {
    jr_fail_with(JR_ERROR_LOAD, "NAME", "log", "the reason");
    assert_int_equal(jr_fail_prefix("plan for %s: ", "min"), JR_ERROR_LOAD);
    assert_string_equal(jr_last_error()->message, "plan for min: the reason");
    assert_string_equal(jr_last_error()->driver_name, "NAME");
    assert_string_equal(jr_last_error()->log, "log");
}

TEST(a_prefix_that_pushes_the_message_out_cuts_it_with_dots) {
    char prefix[MESSAGE_BYTES - 10];
    memset(prefix, 'p', sizeof prefix);
    prefix[sizeof prefix - 1] = '\0';
    jr_fail(JR_ERROR_LOAD, "a reason that has no room");
    jr_fail_prefix("%s", prefix);
    const char *message = jr_last_error()->message;
    assert_int_equal(strlen(message), MESSAGE_BYTES - 1);
    assert_string_equal(message + MESSAGE_BYTES - 4, "...");
    assert_memory_equal(message, prefix, sizeof prefix - 1);
}

TEST(a_saved_record_comes_back_whole) {
    jr_fail_with(JR_ERROR_LOAD, "NAME", "log", "first");
    jr_error_saved *saved = jr_error_save();
    assert_non_null(saved);
    jr_fail(JR_ERROR_FILE, "second");
    jr_error_restore(saved);
    assert_int_equal(jr_last_error()->status, JR_ERROR_LOAD);
    assert_string_equal(jr_last_error()->stage, "device");
    assert_string_equal(jr_last_error()->message, "first");
    assert_string_equal(jr_last_error()->driver_name, "NAME");
    assert_string_equal(jr_last_error()->log, "log");
    jr_error_restore(NULL);
    assert_string_equal(jr_last_error()->message, "first");
}

TEST(fail_leaves_errno_alone) {
    errno = ENOSPC;
    jr_fail(JR_ERROR_FILE, "%s", strerror(EINVAL));
    assert_int_equal(errno, ENOSPC);
    jr_fail_prefix("more: ");
    assert_int_equal(errno, ENOSPC);
}

/* ---- the log ---- */

typedef struct log_seen {
    int lines;
    jr_log_level level;
    char last[4096];
} log_seen;

static void log_keep(void *user, jr_log_level level, const char *line) {
    log_seen *seen = user;
    seen->lines++;
    seen->level = level;
    snprintf(seen->last, sizeof seen->last, "%s", line);
    errno = EDOM;
}

TEST(the_log_is_silent_until_somebody_listens) {
    log_seen seen = {0};
    jr_log(JR_LOG_WARNING, "to nobody");
    jr_log_set(log_keep, &seen);
    jr_log(JR_LOG_INFO, "to %s", "us");
    assert_int_equal(seen.lines, 1);
    assert_int_equal(seen.level, JR_LOG_INFO);
    assert_string_equal(seen.last, "to us");
    jr_log_set(NULL, NULL);
    jr_log(JR_LOG_WARNING, "to nobody again");
    assert_int_equal(seen.lines, 1);
}

TEST(a_log_call_is_one_line_and_leaves_errno_alone) {
    log_seen seen = {0};
    jr_log_set(log_keep, &seen);
    errno = ENOENT;
    jr_log(JR_LOG_DEBUG, "one\ntwo\r\nthree");
    assert_int_equal(errno, ENOENT);
    jr_log_set(NULL, NULL);
    assert_int_equal(seen.lines, 1);
    assert_string_equal(seen.last, "one two  three");
}

RUN_TESTS(NULL, NULL)
