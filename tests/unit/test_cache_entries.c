/* Entries of the disk cache: good ones, damaged ones, and a failure of every single call. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/check.h"

/* ---- damaged entries ---- */

TEST_BETWEEN(every_flipped_byte_of_an_entry_is_a_miss_and_removes_it, cache_case_begin, cache_case_end) {
    size_t count = 0;
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    char *good = scratch_read(cache_entry_path(1), &count);
    for (size_t at = 0; at < count; at++) {
        good[at] ^= 0x10;
        scratch_write(cache_entry_path(1), good, count);
        assert_false(cache_hits(cache, 1));
        assert_int_not_equal(access(cache_entry_path(1), F_OK), 0);
        assert_int_equal(jr_cache_failures(cache), at + 1);
        good[at] ^= 0x10;
    }
    cache_assert_logged("dropping a damaged entry");
    scratch_write(cache_entry_path(1), good, count);
    assert_true(cache_hits(cache, 1));
    jr_cache_close(cache);
}

TEST_BETWEEN(every_truncation_of_an_entry_is_a_miss_and_removes_it, cache_case_begin, cache_case_end) {
    size_t count = 0;
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    char *good = scratch_read(cache_entry_path(1), &count);
    for (size_t size = 0; size < count; size++) {
        scratch_write(cache_entry_path(1), good, size);
        assert_false(cache_hits(cache, 1));
        assert_int_not_equal(access(cache_entry_path(1), F_OK), 0);
    }
    assert_int_equal(cache_store(cache, 1, 20), JR_OK); /* replaced by a new one */
    assert_true(cache_hits(cache, 1));
    jr_cache_close(cache);
}

TEST_BETWEEN(an_entry_under_another_name_is_a_miss, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    assert_int_equal(rename(cache_entry_path(1), cache_entry_path(2)), 0);
    assert_false(cache_hits(cache, 2));
    cache_assert_logged("under another key");
    jr_cache_close(cache);
}

TEST_BETWEEN(an_entry_that_is_a_link_is_a_miss_and_is_replaced, cache_case_begin, cache_case_end) {
    char aside[3 * SCRATCH_BYTES];
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    snprintf(aside, sizeof aside, "%s/aside", cache_top);
    assert_int_equal(rename(cache_entry_path(1), aside), 0);
    assert_int_equal(symlink(aside, cache_entry_path(1)), 0);
    assert_false(cache_hits(cache, 1));
    cache_assert_logged("it is a symbolic link");
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    assert_true(cache_hits(cache, 1));
    jr_cache_close(cache);
}

/* ---- every call failing ---- */

static jr_status use_cache(void *unused) {
    (void)unused;
    uint8_t key[JR_DIGEST_BYTES];
    jr_cache *cache = NULL;
    jr_image *image = NULL, *found = NULL;
    const jr_image_parts parts = {
        .key = key, .entry = "reduce_f32", .architecture = "sm_90", .ptx = "x", .ptx_bytes = 1};
    sample_key(key, 1);
    jr_status status = jr_image_make(&parts, &image);
    if (!status) status = jr_cache_open(cache_folder, 0, &cache);
    if (!status) {
        jr_cache_read(cache, key, &found);
        jr_image_free(found);
        bool written = *jr_cache_folder(cache) && !jr_cache_write(cache, image);
        bool hit = jr_cache_read(cache, key, &found);
        assert_true(!hit || written); /* a hit is never more than what was written */
        jr_image_free(found);
        jr_cache_drop(cache, key);
    }
    jr_cache_close(cache);
    jr_image_free(image);
    fail_nth_pause();
    unlink(cache_entry_path(1));
    if (access(cache_folder, F_OK) == 0)
        assert_int_equal(scratch_count(cache_folder), 0); /* nothing half-written stays */
    rmdir(cache_folder);
    return status;
}

TEST_BETWEEN(the_cache_copes_with_a_failure_of_every_single_call, cache_case_begin, cache_case_end) {
    int rounds = fail_nth_walk(FAIL_ALL, use_cache, NULL);
    assert_true(rounds >= 25);
    jr_fail(JR_OK, "untouched");
}

/* ---- good entries ---- */

TEST_BETWEEN(a_stored_image_is_found_by_its_key_alone, cache_case_begin, cache_case_end) {
    struct stat status;
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_false(cache_hits(cache, 1));
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    assert_true(cache_hits(cache, 1));
    assert_false(cache_hits(cache, 2));
    assert_int_equal(stat(cache_entry_path(1), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(jr_cache_failures(cache), 0);
    jr_cache_close(cache);
}

TEST_BETWEEN(the_next_cache_on_the_same_folder_finds_it_too, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    jr_cache_close(cache);
    cache = cache_open(cache_folder, 0);
    assert_string_equal(jr_cache_folder(cache), cache_folder);
    assert_true(cache_hits(cache, 1));
    jr_cache_close(cache);
}

TEST_BETWEEN(a_dropped_entry_is_gone, cache_case_begin, cache_case_end) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    sample_key(key, 1);
    jr_cache_drop(cache, key);
    jr_cache_drop(cache, key);
    assert_false(cache_hits(cache, 1));
    assert_int_equal(jr_cache_failures(cache), 0);
    jr_cache_close(cache);
}

RUN_TESTS(NULL, NULL)
