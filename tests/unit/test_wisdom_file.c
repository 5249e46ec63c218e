/* The wisdom file: where it lies, whose it must be, and what writers leave of each other's. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "support/cases/wisdom_case.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"
#include "wisdom/wisdom_file.h"
#include "wisdom/wisdom_text.h"

static char folder[SCRATCH_BYTES], path[2 * SCRATCH_BYTES];

static int begin(void **state) {
    (void)state;
    scratch_make(folder);
    snprintf(path, sizeof path, "%s/deep/down/wisdom", folder);
    return 0;
}

static jr_status put(const char *work, uint64_t count) {
    jr_wisdom wisdom = {0};
    wisdom_put(&wisdom, "NVIDIA H200", work, count);
    const jr_status status = jr_wisdom_write(path, &wisdom);
    jr_wisdom_free(&wisdom);
    return status;
}

/* How many entries there are in the file. */
static size_t stored(void) {
    jr_wisdom wisdom = {0};
    bool missing = true;
    assert_int_equal(jr_wisdom_read(path, &wisdom, &missing), JR_OK);
    assert_false(missing);
    const size_t count = wisdom_count(&wisdom);
    jr_wisdom_free(&wisdom);
    return count;
}

static void read_fails(jr_status status, const char *why) {
    jr_wisdom wisdom = {0};
    bool missing = false;
    assert_int_equal(jr_wisdom_read(path, &wisdom, &missing), status);
    assert_told(why);
    assert_non_null(strstr(jr_last_error()->message, path));
    assert_null(wisdom.parts);
}

static void write_fails(const char *why) {
    assert_int_equal(put("sum f32", 1024), JR_ERROR_FILE);
    assert_told(why);
}

TEST_BETWEEN(a_file_that_others_can_write_to_is_refused, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_int_equal(chmod(path, 0620), 0);
    read_fails(JR_ERROR_FILE, "others can write to it (mode 620)");
    write_fails("others can write to it (mode 620)");
    assert_int_equal(chmod(path, 0602), 0);
    read_fails(JR_ERROR_FILE, "others can write to it (mode 602)");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(stored(), 1);
}

TEST_BETWEEN(a_file_of_somebody_else_is_refused, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    if (chown(path, 65534, (gid_t)-1) != 0) skip_because("only root can give a file away\n");
    read_fails(JR_ERROR_FILE, "it belongs to user 65534, not to us");
    write_fails("it belongs to user 65534, not to us");
}

TEST_BETWEEN(a_symbolic_link_and_a_folder_are_refused, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_int_equal(rename(path, scratch_path(folder, "moved")), 0);
    assert_int_equal(symlink(scratch_path(folder, "moved"), path), 0);
    read_fails(JR_ERROR_FILE, "it is a symbolic link");
    write_fails("it is a symbolic link");
    assert_int_equal(unlink(path), 0);
    scratch_folder(path);
    read_fails(JR_ERROR_FILE, "is not a regular file");
}

TEST_BETWEEN(a_file_that_is_no_wisdom_is_left_alone, begin, NULL) {
    size_t count;
    scratch_text(path, "export PATH=/bin\n");
    read_fails(JR_ERROR_WISDOM, "it is not a wisdom file");
    write_fails("is left as it is: it is not a wisdom file; name another file");
    char *text = scratch_read(path, &count);
    assert_string_equal(text, "export PATH=/bin\n");
}

TEST_BETWEEN(a_file_of_another_format_is_left_alone, begin, NULL) {
    scratch_text(path, "jitreduce wisdom 4\nwhatever it may be\n");
    read_fails(JR_ERROR_WISDOM, "its format is '4', and this library reads 1 to 3");
    write_fails("is left as it is: its format is '4'");
    scratch_text(path, "jitreduce wisdom 12\n");
    write_fails("is left as it is: its format is '12'");
}

TEST_BETWEEN(a_file_beyond_all_measure_is_refused, begin, NULL) {
    scratch_text(path, "jitreduce wisdom 1\n");
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    read_fails(JR_ERROR_FILE, "more than the 1048576 allowed");
    write_fails("more than the 1048576 allowed");
}

TEST_BETWEEN(a_path_without_a_name_is_refused, begin, NULL) {
    snprintf(path, sizeof path, "%s/", folder);
    write_fails("is not the path of a file");
}

TEST_BETWEEN(a_folder_that_cannot_be_made_is_told, begin, NULL) {
    scratch_text(scratch_path(folder, "deep"), "a file");
    write_fails("cannot make folder");
}

TEST_BETWEEN(a_damaged_file_is_refused_and_replaced, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_int_equal(truncate(path, 100), 0);
    read_fails(JR_ERROR_WISDOM, "its checksum does not match");
    assert_int_equal(put("sum f32", 4096), JR_OK);
    assert_int_equal(stored(), 1);
}

TEST_BETWEEN(an_empty_file_is_filled, begin, NULL) {
    scratch_text(path, "");
    assert_int_equal(put("sum f32", 4096), JR_OK);
    assert_int_equal(stored(), 1);
}

TEST_BETWEEN(no_file_is_no_failure, begin, NULL) {
    jr_wisdom wisdom = {0};
    bool missing = false;
    assert_int_equal(jr_wisdom_read(path, &wisdom, &missing), JR_OK);
    assert_true(missing);
}

TEST_BETWEEN(what_was_there_stays, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_int_equal(put("min f32", 1024), JR_OK);
    assert_int_equal(put("sum f32", 4096), JR_OK);
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_int_equal(stored(), 3);
    assert_int_equal(scratch_count(scratch_path(folder, "deep/down")), 1);
}

/* Writes entries of its own, one after the other; the child's exit code is how many failed. */
static pid_t start_writer(int writer, int entries) {
    const pid_t child = fork();
    char work[16];
    int failed = 0;
    if (child != 0) return child;
    snprintf(work, sizeof work, "writer%d", writer);
    for (int i = 1; i <= entries; i++) failed += put(work, (uint64_t)i) != JR_OK;
    _exit(failed);
}

TEST_BETWEEN(writers_at_once_lose_nothing, begin, NULL) {
    enum { WRITERS = 4, ENTRIES = 25 };
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) children[i] = start_writer(i, ENTRIES);
    for (int i = 0; i < WRITERS; i++) {
        int code = -1;
        assert_int_equal(waitpid(children[i], &code, 0), children[i]);
        assert_int_equal(code, 0);
    }
    assert_int_equal(stored(), WRITERS * ENTRIES);
}

TEST_BETWEEN(a_lock_that_is_held_for_ever_is_no_failure, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    const int lock = jr_folder_lock(scratch_path(folder, "deep/down"), 0);
    assert_true(lock >= 0);
    assert_int_equal(jr_folder_lock(scratch_path(folder, "deep/down"), 20), -1);
    jr_folder_unlock(lock);
    const int again = jr_folder_lock(scratch_path(folder, "deep/down"), 0);
    assert_true(again >= 0);
    jr_folder_unlock(again);
    jr_folder_unlock(-1);
    assert_int_equal(jr_folder_lock(scratch_path(folder, "nowhere"), 20), -1);
}

static jr_status read_and_write(void *user) {
    jr_wisdom wisdom = {0};
    bool missing;
    (void)user;
    jr_status status = jr_wisdom_read(path, &wisdom, &missing);
    if (status == JR_OK) status = jr_wisdom_write(path, &wisdom);
    jr_wisdom_free(&wisdom);
    return status;
}

TEST_BETWEEN(every_failure_leaves_the_file_whole, begin, NULL) {
    assert_int_equal(put("sum f32", 1024), JR_OK);
    assert_true(fail_nth_walk(FAIL_MEMORY | FAIL_FILES, read_and_write, NULL) >= 10);
    assert_int_equal(stored(), 1);
    assert_int_equal(scratch_count(scratch_path(folder, "deep/down")), 1);
}

/* Last: it changes the environment. */
TEST_BETWEEN(the_file_comes_from_wish_setting_xdg_and_home_in_this_order, begin, NULL) {
    static const struct {
        const char *wish, *setting, *xdg, *home, *origin, *wanted;
    } rows[] = {
        {"/w", "/s", "/x", "/h", "option", "/w"},
        {"", "/s", "/x", "/h", "option", ""},
        {NULL, "/s", "/x", "/h", "setting JITREDUCE_WISDOM", "/s"},
        {NULL, "", "/x", "/h", "setting JITREDUCE_WISDOM", ""},
        {NULL, NULL, "/x", "/h", "XDG_DATA_HOME", "/x/jitreduce/wisdom"},
        {NULL, NULL, "relative", "/h", "HOME", "/h/.local/share/jitreduce/wisdom"},
        {NULL, NULL, NULL, NULL, "none", ""},
    };
    const char *const names[] = {"JITREDUCE_WISDOM", "XDG_DATA_HOME", "HOME"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const values[] = {rows[i].setting, rows[i].xdg, rows[i].home};
        jr_place place;
        for (int k = 0; k < 3; k++)
            assert_int_equal(values[k] ? setenv(names[k], values[k], 1) : unsetenv(names[k]), 0);
        jr_wisdom_place_of(rows[i].wish, &place);
        assert_string_equal(place.origin, rows[i].origin);
        assert_string_equal(place.path, rows[i].wanted);
    }
}

RUN_TESTS(NULL, NULL)
