/* Atomic writes of files. */
/* link: fail_nth */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static void assert_holds(const char *name, const char *text) {
    size_t count = 0;
    char *bytes = scratch_read(scratch_path(scratch_own, name), &count);
    assert_int_equal(count, strlen(text));
    assert_string_equal(bytes, text);
    held_forget(bytes); /* nothing may be left of a round */
    free(bytes);
}

TEST_BETWEEN(a_written_file_is_whole_and_private, scratch_begin, NULL) {
    struct stat status;
    mode_t mask = umask(0);
    assert_int_equal(jr_file_write(scratch_own, "new", "first", 5), JR_OK);
    umask(mask);
    assert_holds("new", "first");
    assert_int_equal(stat(scratch_path(scratch_own, "new"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(jr_file_write(scratch_own, "new", "", 0), JR_OK);
    assert_holds("new", "");
    assert_int_equal(scratch_count(scratch_own), 1);
}

TEST_BETWEEN(a_write_replaces_a_link_and_not_what_it_points_at, scratch_begin, NULL) {
    struct stat status;
    scratch_text(scratch_path(scratch_own, "target"), "untouched");
    assert_int_equal(symlink("target", scratch_path(scratch_own, "name")), 0);
    assert_int_equal(jr_file_write(scratch_own, "name", "new", 3), JR_OK);
    assert_holds("target", "untouched");
    assert_int_equal(lstat(scratch_path(scratch_own, "name"), &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

TEST_BETWEEN(a_name_that_leaves_the_folder_is_refused, scratch_begin, NULL) {
    static const char *const names[] = {"", ".", "..", "a/b", "../x", "/x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(jr_file_write(scratch_own, names[i], "x", 1), JR_ERROR_FILE);
        assert_told("is not a file name");
        assert_told(names[i]);
    }
    assert_int_equal(scratch_count(scratch_own), 0);
}

TEST_BETWEEN(a_folder_that_is_absent_or_a_link_takes_no_file, scratch_begin, NULL) {
    assert_int_equal(jr_file_write(scratch_path(scratch_own, "none"), "x", "x", 1), JR_ERROR_FILE);
    assert_told("/none");
    assert_told("No such file");
    scratch_folder(scratch_path(scratch_own, "real"));
    assert_int_equal(symlink("real", scratch_path(scratch_own, "link")), 0);
    assert_int_equal(jr_file_write(scratch_path(scratch_own, "link"), "x", "x", 1), JR_ERROR_FILE);
    assert_int_equal(scratch_count(scratch_path(scratch_own, "real")), 0);
}

TEST_BETWEEN(a_name_taken_by_a_folder_leaves_no_temporary_file, scratch_begin, NULL) {
    scratch_folder(scratch_path(scratch_own, "taken"));
    assert_int_equal(jr_file_write(scratch_own, "taken", "x", 1), JR_ERROR_FILE);
    assert_told("not a regular file");
    assert_told("taken");
    assert_int_equal(scratch_count(scratch_own), 1);
}

TEST_BETWEEN(a_pipe_or_device_keeps_its_name, scratch_begin, NULL) {
    struct stat status;
    assert_int_equal(mkfifo(scratch_path(scratch_own, "pipe"), 0600), 0);
    assert_int_equal(symlink("/dev/null", scratch_path(scratch_own, "null")), 0);
    assert_int_equal(jr_file_write(scratch_own, "pipe", "x", 1), JR_ERROR_FILE);
    assert_told("pipe");
    assert_told("not a regular file");
    assert_int_equal(jr_file_write(scratch_own, "null", "x", 1), JR_ERROR_FILE);
    assert_int_equal(lstat(scratch_path(scratch_own, "pipe"), &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_int_equal(lstat(scratch_path(scratch_own, "null"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(scratch_count(scratch_own), 2);
}

static jr_status write_new(void *unused) {
    (void)unused;
    jr_status status = jr_file_write(scratch_own, "file", "new content", 11);
    fail_nth_pause();
    assert_holds("file", status ? "old" : "new content");
    assert_int_equal(scratch_count(scratch_own), 1); /* no temporary file stays */
    return status;
}

TEST_BETWEEN(a_write_that_fails_anywhere_leaves_the_old_file, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "file"), "old");
    assert_int_equal(fail_nth_walk(FAIL_ALL, write_new, NULL),
                     7); /* folder, file, write, fsync, close, rename, close */
}

static int fill_the_file_system(void *unused) {
    (void)unused;
    static char large[256 * 1024];
    if (jr_file_write(scratch_own, "small", "fits", 4)) return 1;
    if (jr_file_write(scratch_own, "small", large, sizeof large) != JR_ERROR_FILE) return 2;
    if (!strstr(jr_last_error()->message, "No space left")) return 3;
    return scratch_count(scratch_own) == 1 ? 0 : 4;
}

TEST_BETWEEN(a_full_file_system_leaves_the_old_file, scratch_begin, NULL) {
    int result = scratch_in_small_file_system(scratch_own, 64, fill_the_file_system, NULL);
    if (result < 0) skip_because("skipped: no file system can be mounted here (not root, or a closed container)\n");
    assert_int_equal(result, 0);
}

static int exceed_the_size_limit(void *unused) {
    (void)unused;
    static char large[64 * 1024];
    struct rlimit limit = {16 * 1024, 16 * 1024};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit)) return 1;
    if (jr_file_write(scratch_own, "file", large, sizeof large) != JR_ERROR_FILE) return 2;
    if (!strstr(jr_last_error()->message, "too large")) return 3;
    return scratch_count(scratch_own) == 0 ? 0 : 4;
}

TEST_BETWEEN(a_short_write_is_continued_until_its_reason_is_known, scratch_begin, NULL) {
    scratch_give(scratch_own);
    assert_int_equal(scratch_unprivileged(exceed_the_size_limit, NULL), 0);
}

enum { WRITERS = 4, WRITES = 60, CONTENT_BYTES = 30000 };

static void *write_often(void *letter) {
    char *content = test_bytes(CONTENT_BYTES);
    intptr_t failures = 0;
    for (int i = 0; i < WRITES; i++) {
        memset(content, *(char *)letter, CONTENT_BYTES);
        failures += jr_file_write(scratch_own, "shared", content, CONTENT_BYTES) != JR_OK;
    }
    return (void *)failures;
}

TEST_BETWEEN(whoever_reads_while_others_write_sees_one_whole_file, scratch_begin, NULL) {
    pthread_t threads[WRITERS];
    char letters[WRITERS];
    assert_int_equal(jr_file_write(scratch_own, "shared", "", 0), JR_OK);
    for (int i = 0; i < WRITERS; i++) {
        letters[i] = (char)('a' + i);
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, &letters[i]), 0);
    }
    for (int i = 0; i < 200; i++) {
        void *bytes = NULL;
        size_t count = 0;
        bool missing = true;
        assert_int_equal(jr_file_read(scratch_path(scratch_own, "shared"), CONTENT_BYTES, &bytes, &count, &missing),
                         JR_OK);
        assert_false(missing);
        assert_true(count == 0 || count == CONTENT_BYTES);
        for (size_t k = 1; k < count; k++) assert_int_equal(((char *)bytes)[k], ((char *)bytes)[0]);
        free(bytes);
    }
    for (int i = 0; i < WRITERS; i++) {
        void *failures = NULL;
        pthread_join(threads[i], &failures);
        assert_null(failures);
    }
    assert_int_equal(scratch_count(scratch_own), 1);
}

RUN_TESTS(NULL, NULL)
