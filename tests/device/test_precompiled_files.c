/* Files of precompiled headers: how many there are, and that a program is compiled whatever is wrong with one. */
/* cache: own */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cases/pch_case.h"

TEST_BETWEEN(a_file_beyond_the_setting_is_not_kept, pch_begin, pch_end) {
    pch_compiled *self = pch_asked(0, pch_source);
    self->bytes = "1000";
    pch_assert_none(self);
}

TEST_BETWEEN(the_least_recently_used_file_goes_first, pch_begin, pch_end) {
    char path[2 * SCRATCH_BYTES], bytes[32];
    struct stat status;
    pch_make_one();
    assert_int_equal(pch_files(path), 1);
    assert_int_equal(stat(path, &status), 0);
    pch_compiled *second = pch_asked(1, "#include \"big.h\"\n__global__ void k(int *o) { *o = big(1); }\n");
    snprintf(bytes, sizeof bytes, "%lld", (long long)status.st_size * 3 / 2);
    second->bytes = bytes;
    pch_run(second);
    assert_int_equal(second->made, 1);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(pch_files(path), 1);
}

/* 180 MB of CUB: to read them all takes as long as to compile a small kernel. */
TEST_BETWEEN(a_file_is_read_whole_again_only_after_it_may_have_changed, pch_begin, pch_end) {
    char path[2 * SCRATCH_BYTES];
    pch_make_one();
    assert_int_equal(pch_files(path), 1);
    const int expected[] = {0, 0, 1, 0};
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "// a kernel\n#include \"big.h\"\n__global__ void k(int *o) { *o = %d; }\n", i);
        if (i == 2) assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0); /* as a write does */
        pch_compiled *next = pch_asked(1, text);
        next->read = 0;
        pch_run(next);
        assert_int_equal(next->begun, 1);
        assert_int_equal(next->read, expected[i]);
    }
}

static int compile_there(void *folder) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_path(folder, "cache"));
    jr_image *image = NULL;
    const jr_status status = jr_image_compile(&options, &pch_asked(0, pch_source)->program, "sm_90", &image);
    if (status != JR_OK) print_message("%s\n%s\n", jr_last_error()->message, jr_last_error()->log);
    jr_image_destroy(image);
    return status != JR_OK;
}

TEST_BETWEEN(a_full_disk_costs_the_file_alone, pch_begin, pch_end) {
    const int sizes[] = {16, 512, 2048}; /* KiB: too little for all, for what NVRTC writes, for a part of it */
    for (int i = 0; i < 3; i++) {
        const int result = scratch_in_small_file_system(scratch_own, sizes[i], compile_there, scratch_own);
        if (result < 0) skip();
        assert_int_equal(result, 0);
    }
}

/* ---- files that are damaged, or another's ---- */

static void damage(const char *path, off_t at, const char *bytes) {
    const int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, bytes, strlen(bytes), at), (ssize_t)strlen(bytes));
    close(file);
}

static void is_replaced(void) {
    pch_compiled *second = pch_asked(1, pch_other);
    pch_run(second);
    assert_int_equal(second->dropped, 1);
    assert_int_equal(second->begun, 0);
    assert_int_equal(second->made, 1);
    pch_assert_same_image(second);
    second = pch_asked(1, "// a kernel\n#include \"big.h\"\n__global__ void k(int *o) { *o = 3; }\n");
    pch_run(second);
    assert_int_equal(second->begun, 1);
}

TEST_BETWEEN(a_damaged_file_is_thrown_away, pch_begin, pch_end) {
    char path[2 * SCRATCH_BYTES];
    struct stat status;
    pch_make_one();
    assert_int_equal(pch_files(path), 1);
    assert_int_equal(stat(path, &status), 0);
    damage(path, status.st_size / 2, "damaged");
    is_replaced();
}

TEST_BETWEEN(a_file_that_was_cut_is_thrown_away, pch_begin, pch_end) {
    char path[2 * SCRATCH_BYTES];
    struct stat status;
    pch_make_one();
    assert_int_equal(pch_files(path), 1);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(truncate(path, status.st_size / 2), 0);
    is_replaced();
}

/* One that is whole, by its name, and not NVRTC's. */
TEST_BETWEEN(a_foreign_file_is_thrown_away, pch_begin, pch_end) {
    char path[2 * SCRATCH_BYTES], name[2 * SCRATCH_BYTES];
    pch_make_one();
    assert_int_equal(pch_files(path), 1);
    scratch_text(path, "");
    memcpy(name, path, sizeof name);
    pch_put(name + strlen(name) - strlen(".pch") - 16, "f9f6211122f49b2a"); /* the sum of no bytes */
    assert_int_equal(rename(path, name), 0);
    pch_compiled *second = pch_asked(1, pch_other);
    pch_run(second);
    assert_int_equal(second->begun + second->dropped, 0);
    pch_assert_same_image(second);
    assert_int_not_equal(access(name, F_OK), 0);
}

TEST_BETWEEN(a_folder_that_others_can_write_in_is_not_used, pch_begin, pch_end) {
    pch_compiled *first = pch_run(pch_asked(0, pch_source));
    assert_int_equal(first->status, JR_OK);
    if (!first->ready) skip();
    assert_int_equal(chmod(scratch_path(scratch_own, "pch"), 0777), 0);
    pch_compiled *second = pch_asked(1, pch_other);
    pch_run(second);
    assert_int_equal(second->made + second->begun, 0);
    pch_assert_same_image(second);
    assert_int_equal(chmod(scratch_path(scratch_own, "pch"), 0700), 0);
}

RUN_TESTS(NULL, NULL)
