/* Private folders, their listing, and what is asked of single files. */
/* link: fail_nth */
#include <fcntl.h>
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

static unsigned mode_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

/* Both make_private and check refuse the folder and say why. */
static void assert_refused(const char *path, const char *why) {
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i ? jr_folder_check(path) : jr_folder_make_private(path), JR_ERROR_FILE);
        assert_told(why);
    }
}

TEST_BETWEEN(a_symbolic_link_is_refused_however_it_is_written, scratch_begin, NULL) {
    static const char *const ways[] = {"link", "link/", "link//", "link/.", "link/./", "./link/"};
    scratch_folder(scratch_path(scratch_own, "real"));
    assert_int_equal(symlink("real", scratch_path(scratch_own, "link")), 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_refused(scratch_path(scratch_own, ways[i]), "link: it is a symbolic link");
}

TEST_BETWEEN(what_is_no_folder_is_refused, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "file"), "x");
    assert_refused(scratch_path(scratch_own, "file"), "it is not a folder");
    assert_int_equal(jr_folder_make_private(scratch_path(scratch_own, "file/below")), JR_ERROR_FILE);
    assert_non_null(strstr(jr_last_error()->message, "file/below: Not a directory"));
}

TEST_BETWEEN(a_path_that_is_empty_or_too_long_is_refused, scratch_begin, NULL) {
    char path[JR_PATH_BYTES + 10];
    memset(path, 'a', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_refused("", "empty or too long");
    assert_refused(path, "empty or too long");
}

TEST_BETWEEN(a_folder_of_somebody_else_is_refused_with_both_users, scratch_begin, NULL) {
    char wanted[96];
    if (geteuid() != 0) {
        /* The root folder is root's: somebody else's for us. */
        snprintf(wanted, sizeof wanted, "belongs to user 0, not to us (user %u)", (unsigned)geteuid());
        assert_refused("/", wanted);
        return;
    }
    scratch_folder(scratch_path(scratch_own, "theirs"));
    scratch_give(scratch_path(scratch_own, "theirs"));
    assert_refused(scratch_path(scratch_own, "theirs"), "belongs to user 65534, not to us (user 0)");
}

static int make_below_closed_folder(void *path) {
    return jr_folder_make_private(path) == JR_ERROR_FILE &&
                   strstr(jr_last_error()->message, "closed/new: Permission denied")
               ? 0
               : 1;
}

TEST_BETWEEN(a_parent_that_cannot_be_written_is_named, scratch_begin, NULL) {
    char path[2 * SCRATCH_BYTES];
    scratch_folder(scratch_path(scratch_own, "closed"));
    scratch_give(scratch_own);
    scratch_give(scratch_path(scratch_own, "closed"));
    assert_int_equal(chmod(scratch_path(scratch_own, "closed"), 0500), 0);
    snprintf(path, sizeof path, "%s", scratch_path(scratch_own, "closed/new/er"));
    assert_int_equal(scratch_unprivileged(make_below_closed_folder, path), 0);
}

TEST_BETWEEN(check_refuses_a_folder_that_others_can_write_in, scratch_begin, NULL) {
    assert_int_equal(chmod(scratch_own, 0770), 0);
    assert_int_equal(jr_folder_check(scratch_own), JR_ERROR_FILE);
    assert_non_null(strstr(jr_last_error()->message, "others can write in it (mode 770)"));
    assert_int_equal(mode_of(scratch_own), 0770); /* it changes nothing */
}

TEST_BETWEEN(check_makes_no_folder, scratch_begin, NULL) {
    assert_int_equal(jr_folder_check(scratch_path(scratch_own, "new")), JR_ERROR_FILE);
    assert_non_null(strstr(jr_last_error()->message, "No such file"));
    assert_int_equal(scratch_count(scratch_own), 0);
}

TEST_BETWEEN(missing_parents_are_made_private_too, scratch_begin, NULL) {
    mode_t mask = umask(0);
    assert_int_equal(jr_folder_make_private(scratch_path(scratch_own, "a//b/./c/")), JR_OK);
    umask(mask);
    assert_int_equal(mode_of(scratch_path(scratch_own, "a")), 0700);
    assert_int_equal(mode_of(scratch_path(scratch_own, "a/b")), 0700);
    assert_int_equal(mode_of(scratch_path(scratch_own, "a/b/c")), 0700);
    assert_int_equal(jr_folder_make_private(scratch_path(scratch_own, "a/b/c")), JR_OK); /* again */
    assert_int_equal(jr_folder_check(scratch_path(scratch_own, "a/b/c")), JR_OK);
}

TEST_BETWEEN(a_folder_below_a_linked_parent_is_fine, scratch_begin, NULL) {
    scratch_folder(scratch_path(scratch_own, "real"));
    assert_int_equal(symlink("real", scratch_path(scratch_own, "link")), 0);
    assert_int_equal(jr_folder_make_private(scratch_path(scratch_own, "link/new")), JR_OK);
    assert_int_equal(mode_of(scratch_path(scratch_own, "real/new")), 0700);
}

TEST_BETWEEN(a_folder_that_exists_keeps_its_rights_and_is_refused_when_shared, scratch_begin, NULL) {
    static const unsigned modes[][2] = {{01777, 0}, {0777, 0}, {0770, 0}, {0755, 1}, {0700, 1}, {0555, 1}, {0500, 1}};
    const char *path = scratch_path(scratch_own, "wide");
    scratch_folder(path);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(path, modes[i][0]), 0);
        assert_int_equal(jr_folder_make_private(path), modes[i][1] ? JR_OK : JR_ERROR_FILE);
        if (!modes[i][1]) assert_non_null(strstr(jr_last_error()->message, "others can write in it"));
        assert_int_equal(mode_of(path), modes[i][0] & 0777);
    }
}

static jr_status make_deep(void *unused) {
    (void)unused;
    jr_status status = jr_folder_make_private(scratch_path(scratch_own, "x/y/z"));
    for (int i = 0; i < 3; i++) rmdir(scratch_path(scratch_own, i == 0 ? "x/y/z" : i == 1 ? "x/y" : "x"));
    return status;
}

TEST_BETWEEN(making_a_folder_fails_cleanly_at_every_call, scratch_begin, NULL) {
    assert_true(fail_nth_walk(FAIL_ALL, make_deep, NULL) >= 5); /* mkdirs, open, fstat, close */
}

/* ---- listing and single files ---- */

TEST_BETWEEN(list_names_regular_files_only_with_their_sizes, scratch_begin, NULL) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    scratch_text(scratch_path(scratch_own, "three"), "abc");
    scratch_text(scratch_path(scratch_own, ".empty"), "");
    scratch_folder(scratch_path(scratch_own, "below"));
    assert_int_equal(symlink("three", scratch_path(scratch_own, "link")), 0);
    assert_int_equal(jr_folder_list(scratch_own, &entries, &count), JR_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        bool three = !strcmp(entries[i].name, "three");
        assert_true(three || !strcmp(entries[i].name, ".empty"));
        assert_int_equal(entries[i].bytes, three ? 3 : 0);
        assert_true(entries[i].used_ns > (int64_t)1000000000 * 1000000000);
    }
    free(entries);
}

TEST_BETWEEN(an_empty_folder_has_an_empty_list_and_a_missing_one_none, scratch_begin, NULL) {
    jr_folder_entry *entries = NULL;
    size_t count = 99;
    assert_int_equal(jr_folder_list(scratch_own, &entries, &count), JR_OK);
    assert_int_equal(count, 0);
    assert_null(entries);
    count = 99;
    assert_int_equal(jr_folder_list(scratch_path(scratch_own, "none"), &entries, &count), JR_ERROR_FILE);
    assert_int_equal(count, 99);
}

static jr_status list_ten(void *unused) {
    (void)unused;
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    jr_status status = jr_folder_list(scratch_own, &entries, &count);
    if (!status) assert_int_equal(count, 10);
    free(entries);
    return status;
}

TEST_BETWEEN(listing_fails_cleanly_at_every_allocation, scratch_begin, NULL) {
    for (char name[] = "0"; *name <= '9'; ++*name) scratch_text(scratch_path(scratch_own, name), name);
    assert_int_equal(fail_nth_walk(FAIL_ALL, list_ten, NULL), 5); /* 1 2 4 8 16 */
}

TEST_BETWEEN(remove_is_content_when_there_is_nothing, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "file"), "x");
    assert_int_equal(jr_file_remove(scratch_path(scratch_own, "file")), JR_OK);
    assert_int_equal(jr_file_remove(scratch_path(scratch_own, "file")), JR_OK);
    assert_int_equal(jr_file_remove(scratch_path(scratch_own, "none/file")), JR_OK);
    scratch_folder(scratch_path(scratch_own, "below"));
    assert_int_equal(jr_file_remove(scratch_path(scratch_own, "below")), JR_ERROR_FILE);
}

TEST_BETWEEN(exists_means_a_regular_file, scratch_begin, NULL) {
    scratch_text(scratch_path(scratch_own, "file"), "x");
    assert_int_equal(symlink("file", scratch_path(scratch_own, "link")), 0);
    assert_true(jr_file_exists(scratch_path(scratch_own, "file")));
    assert_true(jr_file_exists(scratch_path(scratch_own, "link")));
    assert_false(jr_file_exists(scratch_own));
    assert_false(jr_file_exists(scratch_path(scratch_own, "none")));
}

TEST_BETWEEN(identity_changes_with_content_time_and_file, scratch_begin, NULL) {
    const char *path = scratch_path(scratch_own, "file");
    jr_file_identity first, again, touched, other;
    struct timespec old[2] = {{1000, 5}, {1000, 5}};
    scratch_text(path, "abc");
    utimensat(AT_FDCWD, path, old, 0);
    assert_true(jr_file_identify(path, &first));
    assert_int_equal(first.bytes, 3);
    assert_int_equal(first.modified_ns, 1000000000005);
    assert_true(jr_file_identify(path, &again));
    assert_memory_equal(&first, &again, sizeof first);
    jr_file_touch(path);
    assert_true(jr_file_identify(path, &touched));
    assert_true(touched.modified_ns > first.modified_ns);
    scratch_text(scratch_path(scratch_own, "other"), "abc");
    assert_true(jr_file_identify(scratch_path(scratch_own, "other"), &other));
    assert_int_not_equal(other.inode, first.inode);
    assert_false(jr_file_identify(scratch_path(scratch_own, "none"), &other));
    assert_false(jr_file_identify(scratch_own, &other));
}

TEST_BETWEEN(join_puts_one_slash_and_refuses_what_does_not_fit, scratch_begin, NULL) {
    char path[JR_PATH_BYTES], name[JR_PATH_BYTES];
    assert_true(jr_path_join(path, "/a", "b"));
    assert_string_equal(path, "/a/b");
    assert_true(jr_path_join(path, "/", "b"));
    assert_string_equal(path, "/b");
    memset(name, 'n', sizeof name);
    name[JR_PATH_BYTES - 3] = '\0'; /* with "a/": one too long, NUL counted */
    assert_true(jr_path_join(path, "/", name + 1));
    assert_false(jr_path_join(path, "aa", name));
}

RUN_TESTS(NULL, NULL)
