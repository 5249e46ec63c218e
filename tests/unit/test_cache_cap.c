/* The disk cache's cap, its choice of a folder, and many users at once. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/check.h"

/* ---- the cap ---- */

/* Makes a file as old as so many seconds. */
static void age(const char *path, int seconds) {
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(int number) {
    return access(cache_entry_path(number), F_OK) == 0;
}

TEST_BETWEEN(the_least_recently_used_entries_go_first, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 3500); /* three of 1000 and something */
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(cache_store(cache, i, 1000), JR_OK);
        age(cache_entry_path(i), 100 - i);
    }
    assert_true(cache_hits(cache, 1)); /* now the newest */
    assert_int_equal(cache_store(cache, 4, 1000), JR_OK);
    assert_true(is_there(1));
    assert_false(is_there(2));
    assert_true(is_there(3));
    assert_true(is_there(4));
    assert_int_equal(cache_store(cache, 5, 2000), JR_OK);
    assert_true(is_there(5));
    assert_false(is_there(3));
    assert_int_equal(jr_cache_failures(cache), 0);
    jr_cache_close(cache);
}

TEST_BETWEEN(the_new_entry_stays_even_when_the_others_come_from_the_future, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 3500);
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(cache_store(cache, i, 900), JR_OK);
        age(cache_entry_path(i), -1000 + i); /* a clock that was wrong */
    }
    assert_int_equal(cache_store(cache, 4, 900), JR_OK);
    assert_true(is_there(4));
    assert_false(is_there(3));
    jr_cache_close(cache);
}

TEST_BETWEEN(the_folder_stays_below_the_cap, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 10000);
    for (int i = 1; i <= 60; i++) {
        jr_folder_entry *entries = NULL;
        size_t count = 0;
        uint64_t total = 0;
        assert_int_equal(cache_store(cache, i, (size_t)(i * 97 % 3000)), JR_OK);
        assert_int_equal(jr_folder_list(cache_folder, &entries, &count), JR_OK);
        for (size_t k = 0; k < count; k++) total += entries[k].bytes;
        free(entries);
        assert_true(total <= 10000);
        assert_true(cache_hits(cache, i)); /* what was just written is never what goes */
    }
    jr_cache_close(cache);
}

TEST_BETWEEN(an_image_larger_than_the_cap_is_not_stored_and_pushes_nothing_out, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 3000);
    assert_int_equal(cache_store(cache, 1, 1000), JR_OK);
    assert_int_equal(cache_store(cache, 2, 5000), JR_ERROR_CACHE);
    cache_assert_logged("larger than the limit of the cache, 3000 bytes");
    assert_true(is_there(1));
    assert_false(is_there(2));
    jr_cache_close(cache);
}

TEST_BETWEEN(files_that_are_not_ours_stay_and_old_leftovers_go, cache_case_begin, cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 2000);
    scratch_text(scratch_path(cache_folder, "letter.txt"), "mine");
    scratch_text(scratch_path(cache_folder, "0123.jri"), "not a whole key");
    scratch_text(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "old"), "half");
    scratch_text(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "new"), "half");
    age(scratch_path(cache_folder, "letter.txt"), 1000000);
    age(scratch_path(cache_folder, "0123.jri"), 1000000);
    age(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "old"), 4000);
    for (int i = 1; i <= 4; i++) assert_int_equal(cache_store(cache, i, 1000), JR_OK);
    assert_int_equal(access(scratch_path(cache_folder, "letter.txt"), F_OK), 0);
    assert_int_equal(access(scratch_path(cache_folder, "0123.jri"), F_OK), 0);
    assert_int_equal(access(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "new"), F_OK), 0);
    assert_int_not_equal(access(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "old"), F_OK), 0);
    assert_int_equal(scratch_count(cache_folder), 4);
    jr_cache_close(cache);
}

TEST_BETWEEN(far_below_the_cap_the_folder_is_listed_again_after_a_sixteenth_of_the_room, cache_case_begin,
             cache_case_end) {
    jr_cache *cache = cache_open(cache_folder, 200000);
    assert_int_equal(cache_store(cache, 0, 100), JR_OK); /* some 12400 bytes may come before the folder is listed */
    const char *leftover = scratch_path(cache_folder, JR_TEMPORARY_PREFIX "old");
    int written = 0;
    scratch_text(leftover, "half");
    age(leftover, 4000);
    while (access(scratch_path(cache_folder, JR_TEMPORARY_PREFIX "old"), F_OK) == 0 && written < 20)
        assert_int_equal(cache_store(cache, ++written, 1000), JR_OK);
    assert_in_range(written, 6, 13);
    jr_cache_close(cache);
}

TEST_BETWEEN(the_cap_comes_from_option_then_setting_then_256_mib, cache_case_begin, cache_case_end) {
    static const struct {
        const char *setting;
        uint64_t option;
        const char *refused; /* what is logged of an image of 5000 bytes and more; NULL: it is stored */
    } cases[] = {{NULL, 0, NULL},
                 {"", 0, NULL},
                 {"4096", 0, "is larger than the limit of the cache, 4096 bytes"},
                 {"4096", 7, "is larger than the limit of the cache, 7 bytes"},
                 {"-1", 0, NULL},
                 {"4k", 0, NULL},
                 {" 4096", 0, NULL},
                 {"99999999999999999999", 0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].setting)
            setenv("JITREDUCE_CACHE_BYTES", cases[i].setting, 1);
        else
            unsetenv("JITREDUCE_CACHE_BYTES");
        jr_cache *cache = cache_open(cache_folder, cases[i].option);
        assert_int_equal(cache_store(cache, 1, 5000), cases[i].refused ? JR_ERROR_CACHE : JR_OK);
        if (cases[i].refused) cache_assert_logged(cases[i].refused);
        jr_cache_close(cache);
    }
    cache_assert_logged("JITREDUCE_CACHE_BYTES is '4k', which is not a number of bytes: using 268435456");
    setenv("JITREDUCE_CACHE_BYTES", "0", 1);
    jr_cache *cache = cache_open(cache_folder, 0);
    assert_string_equal(jr_cache_folder(cache), "");
    jr_cache_close(cache);
    unsetenv("JITREDUCE_CACHE_BYTES");
}

/* ---- the folder ---- */

static void assert_place(const char *option, const char *origin, const char *folder, const char *reason) {
    jr_place place;
    jr_cache_place_of(option, &place);
    assert_string_equal(place.origin, origin);
    assert_string_equal(place.path, folder);
    if (!strstr(place.reason, reason)) fail_msg("'%s' lacks '%s'", place.reason, reason);
    if (!*reason) assert_string_equal(place.reason, "");
}

TEST_BETWEEN(the_folder_comes_from_option_setting_xdg_and_home_in_this_order, cache_case_begin, cache_case_end) {
    char current[SCRATCH_BYTES], wanted[2 * SCRATCH_BYTES];
    setenv("JITREDUCE_CACHE_DIR", "/setting", 1);
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    setenv("HOME", "/home/me", 1);
    assert_place("/option", "option", "/option", "");
    assert_place("", "option", "", "turned off");
    assert_place(NULL, "setting JITREDUCE_CACHE_DIR", "/setting", "");
    setenv("JITREDUCE_CACHE_DIR", "", 1);
    assert_place(NULL, "setting JITREDUCE_CACHE_DIR", "", "turned off");
    unsetenv("JITREDUCE_CACHE_DIR");
    assert_place(NULL, "XDG_CACHE_HOME", "/xdg/jitreduce", "");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_place(NULL, "HOME", "/home/me/.cache/jitreduce", "");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_place(NULL, "none", "", "name a folder in JITREDUCE_CACHE_DIR");
    assert_non_null(getcwd(current, sizeof current));
    snprintf(wanted, sizeof wanted, "%s/here", current);
    assert_place("here", "option", wanted, "");
}

TEST_BETWEEN(choosing_a_place_makes_nothing, cache_case_begin, cache_case_end) {
    jr_place place;
    jr_cache_place_of(cache_folder, &place);
    assert_string_equal(place.path, cache_folder);
    assert_int_equal(scratch_count(cache_top), 0);
}

/* ---- many users ---- */

enum { USERS = 4, ROUNDS = 40, KEYS = 3 };

/* Writes and reads the same few keys as everybody else; the number of things that went wrong. */
static intptr_t use_shared(jr_cache *cache) {
    intptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t key[JR_DIGEST_BYTES];
        jr_image *image = sample_image(1 + i % KEYS, 3000), *read = NULL;
        sample_key(key, 1 + i % KEYS);
        wrong += jr_cache_write(cache, image) != JR_OK;
        wrong += !jr_cache_read(cache, key, &read);
        wrong += read && memcmp(read->stored, image->stored, image->stored_bytes) != 0;
        jr_image_free(read);
        jr_image_free(image);
    }
    return wrong + (jr_cache_failures(cache) != 0);
}

static void *use_in_thread(void *cache) {
    return (void *)use_shared(cache);
}

TEST_BETWEEN(threads_may_share_a_cache, cache_case_begin, cache_case_end) {
    pthread_t threads[USERS];
    jr_cache *cache = cache_open(cache_folder, 0);
    for (int i = 0; i < USERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, cache), 0);
    for (int i = 0; i < USERS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(scratch_count(cache_folder), KEYS);
    jr_cache_close(cache);
}

TEST_BETWEEN(processes_may_write_the_same_keys_at_once, cache_case_begin, cache_case_end) {
    pid_t children[USERS];
    for (int i = 0; i < USERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            jr_cache *cache = NULL;
            _exit(jr_cache_open(cache_folder, 0, &cache) ? 99 : (int)use_shared(cache));
        }
    }
    for (int i = 0; i < USERS; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(scratch_count(cache_folder), KEYS);
}

RUN_TESTS(NULL, NULL)
