/* Include folders and headers that cannot be used: the error names both, and the next call works. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static char top[SCRATCH_BYTES], folder[2 * SCRATCH_BYTES], header[3 * SCRATCH_BYTES];
static const char *const folders[] = {folder};
static const char source[] = "#include <answer.h>\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n";

static int make_top(void **state) {
    (void)state;
    scratch_make(top);
    snprintf(folder, sizeof folder, "%s/a", top);
    snprintf(header, sizeof header, "%s/answer.h", folder);
    scratch_folder(folder);
    return 0;
}

static jr_program program_of(const char *const *paths, size_t count) {
    return JR_INIT(jr_program, .name = "refused", .source = source, .entry = "k", .include_folders = paths,
                   .include_folder_count = count);
}

/* The call fails, names the folder, and works once the header is as it should be. */
static void header_fails(void **state, jr_status status, const char *why) {
    const opened *device = *state;
    const jr_program program = program_of(folders, 1);
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, &program, &kernel), status, why);
    if (strstr(jr_last_error()->message, folder) == NULL || strstr(jr_last_error()->message, "answer.h") == NULL)
        fail_msg("neither folder nor header: %s", jr_last_error()->message);
    assert_null(kernel);
    if (access(header, F_OK) == 0) assert_int_equal(unlink(header), 0);
    scratch_text(header, "#define ANSWER 9\n");
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 9);
}

TEST_BETWEEN(a_missing_header_is_named_with_the_folders, make_top, NULL) {
    header_fails(state, JR_ERROR_COMPILE, "includes answer.h, which is in none of its folders");
}

TEST_BETWEEN(a_header_that_is_no_regular_file_is_refused_at_once, make_top, NULL) {
    assert_int_equal(mkfifo(header, 0600), 0); /* reading it would wait for ever */
    header_fails(state, JR_ERROR_FILE, "it is not a regular file");
}

TEST_BETWEEN(a_link_that_leads_in_a_circle_is_refused, make_top, NULL) {
    assert_int_equal(symlink("answer.h", header), 0);
    const opened *device = *state;
    const jr_program program = program_of(folders, 1);
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_FILE, "Too many levels of symbolic links");
}

TEST_BETWEEN(a_folder_of_a_headers_name_is_no_header, make_top, NULL) {
    const opened *device = *state;
    char second[2 * SCRATCH_BYTES];
    snprintf(second, sizeof second, "%s/b", top);
    const char *const both[] = {folder, second};
    const jr_program program = program_of(both, 2);
    scratch_folder(header);
    scratch_text(scratch_path(second, "answer.h"), "#define ANSWER 4\n");
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 4);
}

TEST_BETWEEN(a_huge_header_is_refused_before_it_is_read, make_top, NULL) {
    const int file = open(header, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)1 << 40), 0); /* a hole */
    close(file);
    header_fails(state, JR_ERROR_FILE, "larger than the 64 MiB");
}

TEST_BETWEEN(a_header_with_a_zero_byte_is_refused, make_top, NULL) {
    scratch_write(header, "#define ANSWER 1\n\0int x;\n", 25);
    header_fails(state, JR_ERROR_FILE, "it has a byte 0");
}

TEST_BETWEEN(a_header_that_includes_itself_for_ever_ends, make_top, NULL) {
    const opened *device = *state;
    const jr_program program = program_of(folders, 1);
    jr_kernel *kernel = NULL;
    scratch_text(header, "#include \"answer.h\"\n");
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "refused");
    assert_non_null(strstr(jr_last_error()->log, "includes itself"));
    scratch_text(header, "#include \"other.h\"\n");
    scratch_text(scratch_path(folder, "other.h"), "#include \"answer.h\"\n");
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "refused");
    scratch_text(scratch_path(folder, "other.h"), "#define ANSWER 2\n");
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 2);
}

static int unreadable(void *user) {
    const jr_program program = program_of(folders, 1);
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    jr_image *image = NULL;
    (void)user;
    const jr_status status = jr_image_compile(&options, &program, "sm_90", &image);
    jr_image_destroy(image);
    const char *message = jr_last_error()->message;
    return status == JR_ERROR_FILE && strstr(message, "answer.h") != NULL && strstr(message, folder) != NULL &&
                   strstr(message, "Permission denied") != NULL
               ? 7
               : 1;
}

TEST_BETWEEN(an_unreadable_header_and_an_unsearchable_folder_are_named, make_top, NULL) {
    scratch_text(header, "#define ANSWER 1\n");
    assert_int_equal(chmod(header, 0), 0);
    scratch_give(top);
    scratch_give(folder);
    scratch_give(header);
    assert_int_equal(scratch_unprivileged(unreadable, NULL), 7);
}

TEST_BETWEEN(folders_that_cannot_be_used_are_named, make_top, NULL) {
    const opened *device = *state;
    char absent[2 * SCRATCH_BYTES];
    snprintf(absent, sizeof absent, "%s/absent", top);
    const struct {
        const char *path;
        jr_status status;
        const char *why;
    } cases[] = {{absent, JR_ERROR_FILE, absent},
                 {header, JR_ERROR_FILE, "Not a directory"},
                 {"", JR_ERROR_INVALID_ARGUMENT, "include folder 1 of program refused is empty"},
                 {NULL, JR_ERROR_INVALID_ARGUMENT, "include folder 1 of program refused is NULL"}};
    scratch_text(header, "#define ANSWER 1\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const both[] = {folder, cases[i].path};
        const jr_program program = program_of(both, 2);
        jr_kernel *kernel = NULL;
        fails(jr_kernel_get(device->context, &program, &kernel), cases[i].status, cases[i].why);
    }
    const char *many[100];
    for (size_t i = 0; i < 100; i++) many[i] = folder;
    jr_program program = program_of(many, 100);
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "more than 64 include folders");
    program = program_of(NULL, 1);
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "their array is NULL");
    program = program_of(folders, 1);
    program.toolkit_headers = 2;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "toolkit_headers 2");
}

/* ---- a header that changes all the time ---- */

static atomic_bool ended;

static void *change(void *unused) {
    char path[4 * SCRATCH_BYTES], text[64];
    (void)unused;
    snprintf(path, sizeof path, "%s.new", header);
    for (int i = 0; !atomic_load(&ended); i++) {
        FILE *file = fopen(path, "w");
        if (file == NULL) break;
        snprintf(text, sizeof text, "#define ANSWER %d\n#define AGAIN %d\n", i % 7, i % 7);
        fputs(text, file);
        fclose(file);
        rename(path, header);
        usleep(300);
    }
    return NULL;
}

TEST_BETWEEN(a_header_that_changes_while_compiling_gives_one_of_its_states, make_top, NULL) {
    const opened *device = *state;
    jr_program program = program_of(folders, 1);
    pthread_t thread;
    program.source = "#include <answer.h>\n#undef ANSWER\n#include <./answer.h>\n"
                     "extern \"C\" __global__ void k(int *o) { *o = ANSWER == AGAIN ? ANSWER : -1; }\n";
    scratch_text(header, "#define ANSWER 0\n#define AGAIN 0\n");
    atomic_store(&ended, false);
    assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
    for (int i = 0; i < 30; i++) {
        const int answer = kernel_answer(device, kernel_new(device, &program));
        assert_in_range(answer, 0, 6);
    }
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    scratch_text(header, "#define ANSWER 3\n#define AGAIN 3\n");
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 3);
}

/* It was said to be short of memory. */
TEST_BETWEEN(a_relative_folder_below_a_removed_one_is_refused_with_the_reason, make_top, NULL) {
    static const char *const here[] = {"."};
    const opened *device = *state;
    const jr_program program = program_of(here, 1);
    jr_kernel *kernel = NULL;
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(rmdir(folder), 0);
    const jr_status status = jr_kernel_get(device->context, &program, &kernel);
    assert_int_equal(chdir("/"), 0);
    fails(status, JR_ERROR_FILE, "the include folder . of program refused cannot be used: No such file");
}

RUN_TESTS(open_context, close_context)
