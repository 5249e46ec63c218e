/* Whole reads of files. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

TEST_BETWEEN(a_missing_file_is_told_from_a_failure, scratch_begin, NULL) {
    void *bytes = &bytes;
    size_t count = 99;
    bool missing = false;
    assert_int_equal(jr_file_read(scratch_path(scratch_own, "none"), 10, &bytes, &count, &missing), JR_OK);
    assert_true(missing);
    assert_ptr_equal(bytes, &bytes);
    assert_int_equal(count, 99);
    scratch_text(scratch_path(scratch_own, "file"), "x");
    missing = false;
    assert_int_equal(jr_file_read(scratch_path(scratch_own, "file/below"), 10, &bytes, &count, &missing), JR_OK);
    assert_true(missing);
}

TEST_BETWEEN(a_missing_file_is_a_failure_for_who_does_not_ask, scratch_begin, NULL) {
    void *bytes = NULL;
    size_t count = 0;
    assert_int_equal(jr_file_read(scratch_path(scratch_own, "none"), 10, &bytes, &count, NULL), JR_ERROR_FILE);
    assert_told("/none");
    assert_told("No such file");
}

static void read_refuses(const char *name, const char *why) {
    void *bytes = &bytes;
    size_t count = 99;
    bool missing = true;
    assert_int_equal(jr_file_read(scratch_path(scratch_own, name), 10, &bytes, &count, &missing), JR_ERROR_FILE);
    assert_told(name);
    assert_told(why);
    assert_ptr_equal(bytes, &bytes);
    assert_int_equal(count, 99);
}

TEST_BETWEEN(what_is_no_regular_file_is_not_read, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "file"), "x");
    assert_int_equal(symlink("file", scratch_path(scratch_own, "link")), 0);
    assert_int_equal(symlink("nowhere", scratch_path(scratch_own, "dangling")), 0);
    assert_int_equal(mkfifo(scratch_path(scratch_own, "pipe"), 0600), 0);
    scratch_folder(scratch_path(scratch_own, "folder"));
    read_refuses("link", "symbolic link");
    read_refuses("dangling", "symbolic link");
    read_refuses("pipe", "not a regular file"); /* and does not wait for a writer */
    read_refuses("folder", "not a regular file");
}

TEST_BETWEEN(a_file_beyond_the_limit_is_not_read, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "large"), "0123456789a");
    read_refuses("large", "11 bytes, more than the 10 allowed");
}

TEST_BETWEEN(a_file_up_to_the_limit_is_read_whole, scratch_begin, NULL) {
    for (size_t size = 0; size <= 10; size += 5) {
        void *bytes = NULL;
        size_t count = 99;
        bool missing = true;
        scratch_write(scratch_path(scratch_own, "file"), "01\0003456789", size);
        assert_int_equal(jr_file_read(scratch_path(scratch_own, "file"), 10, &bytes, &count, &missing), JR_OK);
        assert_false(missing);
        assert_int_equal(count, size);
        assert_memory_equal(bytes, "01\0003456789", size);
        assert_int_equal(((char *)bytes)[size], 0);
        free(bytes);
    }
}

static int read_closed_file(void *path) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    jr_status status = jr_file_read(path, 10, &bytes, &count, &missing);
    return status == JR_ERROR_FILE && !missing && strstr(jr_last_error()->message, "Permission denied") ? 0 : 1;
}

TEST_BETWEEN(a_file_without_read_permission_is_a_failure_with_its_reason, scratch_begin, NULL) {
    char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%s", scratch_path(scratch_own, "closed"));
    scratch_text(path, "x");
    scratch_give(scratch_own);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(scratch_unprivileged(read_closed_file, path), 0);
}

static jr_status read_it(void *path) {
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    jr_status status = jr_file_read(path, 100, &bytes, &count, &missing);
    if (!status && !missing) assert_string_equal(bytes, "content");
    assert_false(missing);
    free(bytes);
    return status;
}

TEST_BETWEEN(a_read_that_fails_anywhere_fails_cleanly, scratch_begin, NULL) {
    char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%s", scratch_path(scratch_own, "file"));
    scratch_text(path, "content");
    assert_true(fail_nth_walk(FAIL_ALL, read_it, path) >= 5); /* open, fstat, malloc, reads, close */
}

RUN_TESTS(NULL, NULL)
