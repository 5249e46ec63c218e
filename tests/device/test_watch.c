/* Watched kernels: a file or header that changes gives a new kernel, and what does not compile leaves the old one. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/cases/watch_case.h"

static const char of_header[] = "#include \"answer.cuh\"\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n";

/* ---- changes ---- */

TEST_BETWEEN(a_file_that_changes_gives_a_new_kernel_and_the_old_one_still_runs, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel, *first;
    watch_write(1);
    jr_watch *watch = watch_file(device, &kernel);
    first = kernel;
    watch_stays(device, watch, kernel, 1);
    watch_write(2);
    watch_wait_for_answer(device, watch, &kernel, 2);
    assert_int_equal(kernel_answer(device, first), 1);
    watch_write(1);
    watch_wait_for_answer(device, watch, &kernel, 1);
    assert_ptr_equal(kernel, first); /* compiled before */
    jr_watch_end(watch);
    assert_int_equal(kernel_answer(device, kernel), 1);
    assert_int_equal(watch_warnings(), 0);
}

TEST_BETWEEN(a_file_that_is_replaced_by_a_rename_and_a_link_that_is_turned_are_seen, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel;
    char first[SCRATCH_BYTES];
    watch_write(3);
    snprintf(first, sizeof first, "%s", scratch_path(scratch_own, "first.cu"));
    assert_int_equal(rename(watch_path, first), 0);
    assert_int_equal(symlink(first, watch_path), 0);
    jr_watch *watch = watch_file(device, &kernel);
    assert_int_equal(kernel_answer(device, kernel), 3);
    scratch_text(scratch_path(scratch_own, "next.cu"), "extern \"C\" __global__ void k(int *o) { *o = 4; }\n");
    assert_int_equal(rename(scratch_path(scratch_own, "next.cu"), first), 0);
    watch_wait_for_answer(device, watch, &kernel, 4);
    scratch_text(scratch_path(scratch_own, "other.cu"), "extern \"C\" __global__ void k(int *o) { *o = 5; }\n");
    assert_int_equal(unlink(watch_path), 0);
    assert_int_equal(symlink(scratch_path(scratch_own, "other.cu"), watch_path), 0);
    watch_wait_for_answer(device, watch, &kernel, 5);
    jr_watch_end(watch);
}

TEST_BETWEEN(a_file_that_is_written_in_pieces_becomes_what_it_is_in_the_end, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel;
    watch_write(6);
    jr_watch *watch = watch_file(device, &kernel);
    static const char text[] = "extern \"C\" __global__ void k(int *o) { *o = 7; }\n";
    FILE *file = fopen(watch_path, "we");
    assert_non_null(file);
    for (const char *at = text; *at != '\0'; at++) {
        fputc(*at, file);
        fflush(file);
        if ((at - text) % 8 == 0) watch_pause();
    }
    assert_int_equal(fclose(file), 0);
    watch_wait_for_answer(device, watch, &kernel, 7);
    jr_watch_end(watch);
}

/* ---- what stays ---- */

TEST_BETWEEN(what_does_not_compile_leaves_the_kernel_and_is_logged_once, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel;
    watch_write(8);
    jr_watch *watch = watch_file(device, &kernel);
    scratch_text(watch_path, "extern \"C\" __global__ void k(int *o) { *o = wrong; }\n");
    watch_wait_for_warning(1, "answer.cu has changed, and its kernel stays as it was: ");
    watch_stays(device, watch, kernel, 8);
    scratch_text(watch_path, "extern \"C\" __global__ void other(int *o) { *o = 9; }\n");
    watch_wait_for_warning(2, "k");
    watch_stays(device, watch, kernel, 8);
    scratch_write(watch_path, "a\0b", 3);
    watch_wait_for_warning(3, "has a byte that is 0");
    watch_stays(device, watch, kernel, 8);
    assert_int_equal(unlink(watch_path), 0);
    watch_wait_for_warning(4, "answer.cu");
    watch_stays(device, watch, kernel, 8);
    watch_write(9);
    watch_wait_for_answer(device, watch, &kernel, 9);
    assert_int_equal(watch_warnings(), 4);
    jr_watch_end(watch);
}

/* ---- headers ---- */

TEST_BETWEEN(a_header_that_changes_vanishes_and_comes_back_is_seen, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel;
    scratch_text(watch_path, of_header);
    scratch_text(watch_header, "#define ANSWER 10\n");
    jr_watch *watch = watch_file(device, &kernel);
    assert_int_equal(kernel_answer(device, kernel), 10);
    scratch_text(watch_header, "#define ANSWER 11\n");
    watch_wait_for_answer(device, watch, &kernel, 11);
    assert_int_equal(unlink(watch_header), 0);
    watch_wait_for_warning(1, "answer.cuh");
    watch_stays(device, watch, kernel, 11);
    scratch_text(watch_header, "#define ANSWER 12\n");
    watch_wait_for_answer(device, watch, &kernel, 12);
    jr_watch_end(watch);
}

TEST_BETWEEN(a_header_that_is_included_later_is_found_when_it_is_made_and_watched_from_then_on, watch_begin,
             watch_end) {
    const opened *device = *state;
    jr_kernel *kernel;
    watch_write(13);
    jr_watch *watch = watch_file(device, &kernel);
    scratch_text(watch_path, of_header);
    watch_wait_for_warning(1, "answer.cuh");
    scratch_text(watch_header, "#define ANSWER 14\n");
    watch_wait_for_answer(device, watch, &kernel, 14);
    scratch_text(watch_header, "#define ANSWER 15\n");
    watch_wait_for_answer(device, watch, &kernel, 15);
    jr_watch_end(watch);
}

TEST_BETWEEN(a_header_that_appears_in_an_earlier_folder_hides_the_other, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel = NULL;
    jr_watch *watch = NULL;
    char folder[SCRATCH_BYTES], earlier[2 * SCRATCH_BYTES];
    const char *const folders[] = {folder};
    snprintf(folder, sizeof folder, "%s", scratch_path(scratch_own, "earlier"));
    snprintf(earlier, sizeof earlier, "%s/answer.cuh", folder);
    scratch_folder(folder);
    scratch_text(watch_path, "#include <answer.cuh>\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n");
    scratch_text(watch_header, "#define ANSWER 16\n");
    works(jr_kernel_watch(device->context, &JR_INIT(jr_program, .include_folders = folders, .include_folder_count = 1),
                          watch_path, &watch));
    works(jr_watch_kernel(watch, 0, &kernel));
    assert_int_equal(kernel_answer(device, kernel), 16);
    scratch_text(earlier, "#define ANSWER 17\n");
    watch_wait_for_answer(device, watch, &kernel, 17);
    assert_int_equal(unlink(earlier), 0);
    watch_wait_for_answer(device, watch, &kernel, 16);
    jr_watch_end(watch);
}

/* ---- what is wrong ---- */

TEST_BETWEEN(what_is_wrong_at_first_makes_no_watch, watch_begin, watch_end) {
    const opened *device = *state;
    jr_watch *watch = NULL;
    jr_kernel *kernel = NULL;
    jr_program program = JR_INIT(jr_program, .source = "");
    fails(jr_kernel_watch(device->context, &program, watch_path, &watch), JR_ERROR_INVALID_ARGUMENT,
          "is that of its file");
    program.source = NULL;
    fails(jr_kernel_watch(device->context, &program, watch_path, &watch), JR_ERROR_FILE, "answer.cu");
    scratch_text(watch_path, "nonsense");
    program.entry = "k";
    fails(jr_kernel_watch(device->context, &program, watch_path, &watch), JR_ERROR_COMPILE, "answer.cu");
    fails(jr_kernel_watch(device->context, &program, NULL, &watch), JR_ERROR_INVALID_ARGUMENT, "path is NULL");
    assert_null(watch);
    fails(jr_watch_kernel(NULL, 0, &kernel), JR_ERROR_INVALID_ARGUMENT, "watch is NULL");
    watch_write(1);
    watch = watch_file(device, &kernel);
    fails(jr_watch_kernel(watch, NAN, &kernel), JR_ERROR_INVALID_ARGUMENT, "wait_ms nan");
    fails(jr_watch_kernel(watch, 0, NULL), JR_ERROR_INVALID_ARGUMENT, "kernel is NULL");
    jr_watch_end(watch);
    jr_watch_end(NULL);
}

RUN_TESTS(open_context, close_context)
