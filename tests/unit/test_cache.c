/* The disk cache in folders that cannot be used, or no longer, or only to read. */
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/check.h"

/* ---- folders that cannot be used ---- */

/* A cache that is off: for the reason given, logged once, and every call is harmless. */
static void assert_off(const char *path, const char *reason) {
    jr_cache *cache = cache_open(path, 0);
    assert_string_equal(jr_cache_folder(cache), "");
    cache_assert_logged("the disk cache is off: ");
    cache_assert_logged(reason);
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    assert_false(cache_hits(cache, 1));
    jr_cache_close(cache);
}

TEST_BETWEEN(a_folder_that_is_a_symbolic_link_turns_the_cache_off, cache_case_begin, cache_case_end) {
    char link[3 * SCRATCH_BYTES];
    scratch_folder(cache_folder);
    snprintf(link, sizeof link, "%s/link", cache_top);
    assert_int_equal(symlink("cache", link), 0);
    assert_off(link, "it is a symbolic link");
    cache_assert_logged("the disk cache is off: cannot use folder");
    assert_int_equal(scratch_count(cache_folder), 0);
}

TEST_BETWEEN(a_folder_of_somebody_else_turns_the_cache_off, cache_case_begin, cache_case_end) {
    if (geteuid() != 0) skip_because("skipped: only root can give a folder away\n");
    scratch_folder(cache_folder);
    scratch_give(cache_folder);
    assert_off(cache_folder, "belongs to user 65534, not to us (user 0)");
    assert_int_equal(scratch_count(cache_folder), 0);
}

TEST_BETWEEN(a_file_in_the_folders_place_turns_the_cache_off, cache_case_begin, cache_case_end) {
    scratch_text(cache_folder, "x");
    assert_off(cache_folder, "it is not a folder");
}

TEST_BETWEEN(a_folder_that_cannot_be_made_turns_the_cache_off, cache_case_begin, cache_case_end) {
    assert_off("/proc/none/cache", "cannot make folder /proc/none");
}

/* What a child does in a folder whose entries it may read but not write. 0: all is well. */
static int use_read_only(void *unused) {
    (void)unused;
    uint8_t key[JR_DIGEST_BYTES];
    jr_image *image = NULL;
    jr_cache *cache = NULL;
    sample_key(key, 1);
    if (jr_cache_open(cache_folder, 0, &cache) || !*jr_cache_folder(cache)) return 1;
    if (!jr_cache_read(cache, key, &image)) return 2;
    if (jr_cache_write(cache, image) != JR_ERROR_CACHE) return 3;
    if (jr_cache_failures(cache) != 1) return 4;
    if (!strstr(cache_log, "Permission denied") && !strstr(cache_log, "Read-only file system")) return 5;
    jr_image_free(image);
    jr_cache_close(cache);
    return 0;
}

TEST_BETWEEN(a_read_only_folder_still_hits_and_only_counts_failed_writes, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    jr_cache_close(cache);
    scratch_give(cache_top);
    scratch_give(cache_folder);
    scratch_give(cache_entry_path(1));
    assert_int_equal(chmod(cache_folder, 0500), 0);
    assert_int_equal(scratch_unprivileged(use_read_only, NULL), 0);
    struct stat status;
    assert_int_equal(stat(cache_folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0500);
}

static int use_read_only_mount(void *unused) {
    (void)unused;
    jr_cache *cache = NULL;
    if (jr_cache_open(cache_folder, 0, &cache) || cache_store(cache, 1, 10)) return 100;
    jr_cache_close(cache);
    if (mount(NULL, cache_top, NULL, MS_REMOUNT | MS_RDONLY, NULL)) return 101;
    return use_read_only(NULL);
}

TEST_BETWEEN(a_read_only_file_system_still_hits, cache_case_begin, cache_case_end) {
    int result = scratch_in_small_file_system(cache_top, 256, use_read_only_mount, NULL);
    if (result < 0) skip_because("skipped: no file system can be mounted here (not root, or a closed container)\n");
    assert_int_equal(result, 0);
}

static int fill_the_file_system(void *unused) {
    (void)unused;
    jr_cache *cache = NULL;
    if (jr_cache_open(cache_folder, 0, &cache)) return 1;
    if (cache_store(cache, 1, 8 * 1024)) return 2;
    if (cache_store(cache, 2, 256 * 1024) != JR_ERROR_CACHE) return 3;
    if (jr_cache_failures(cache) != 1 || !strstr(cache_log, "No space left")) return 4;
    if (!cache_hits(cache, 1) || cache_hits(cache, 2)) return 5;
    if (scratch_count(cache_folder) != 1) return 6; /* no half-written file */
    jr_cache_close(cache);
    return 0;
}

TEST_BETWEEN(a_full_file_system_costs_the_entry_and_nothing_else, cache_case_begin, cache_case_end) {
    int result = scratch_in_small_file_system(cache_top, 128, fill_the_file_system, NULL);
    if (result < 0) skip_because("skipped: no file system can be mounted here (not root, or a closed container)\n");
    assert_int_equal(result, 0);
}

TEST_BETWEEN(a_folder_that_disappears_is_made_again, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    scratch_remove(cache_folder);
    assert_false(cache_hits(cache, 1));
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    assert_true(cache_hits(cache, 1));
    assert_int_equal(jr_cache_failures(cache), 0);
    jr_cache_close(cache);
}

TEST_BETWEEN(a_folder_replaced_by_a_link_is_not_followed, cache_case_begin, cache_case_end) {
    char aside[3 * SCRATCH_BYTES];
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    snprintf(aside, sizeof aside, "%s/aside", cache_top);
    assert_int_equal(rename(cache_folder, aside), 0);
    assert_int_equal(symlink("aside", cache_folder), 0);
    assert_false(cache_hits(cache, 1));
    assert_int_equal(cache_store(cache, 2, 10), JR_ERROR_CACHE);
    assert_int_equal(jr_cache_failures(cache), 2);
    assert_int_equal(scratch_count(aside), 1);
    jr_cache_close(cache);
}

TEST_BETWEEN(a_folder_that_others_may_write_in_is_not_read, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 10), JR_OK);
    assert_int_equal(chmod(cache_folder, 0777), 0);
    assert_false(cache_hits(cache, 1));
    cache_assert_logged("others can write in it");
    jr_cache_close(cache);
}

RUN_TESTS(NULL, NULL)
