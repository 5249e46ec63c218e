/* Folders into which launches cannot be captured: the launch works, the failure is logged, and no part of a file
 * remains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

enum { MANY = 1 << 18 }; /* floats of one buffer, of which no two are alike */

static const char mix[] = "extern \"C\" __global__ void mix(unsigned *x, int n) {\n"
                          "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "    if (i < n) x[i] = (x[i] + i) * 2654435761u ^ i << 7;\n"
                          "}\n";
static char folder[SCRATCH_BYTES], last[512];
static int told; /* launches that the log says were not captured */

static void listen(void *user, jr_log_level level, const char *text) {
    (void)user;
    if (level != JR_LOG_WARNING || strstr(text, "captured") == NULL) return;
    told++;
    snprintf(last, sizeof last, "%s", text);
}

static const char *captures(void) {
    return scratch_path(folder, "launches");
}

/* In a context of its own; 0 when the launch did what it should. No assertions: it runs in children, too. */
static int launch(void *user) {
    static unsigned x[MANY];
    const jr_program program = JR_INIT(jr_program, .name = "mix.cu", .source = mix, .entry = "mix");
    const jr_launch where = JR_INIT(jr_launch, .grid = {MANY / 256}, .block = {256});
    jr_context *context = NULL;
    jr_kernel *kernel = NULL;
    void *d_x = NULL;
    int n = MANY;
    (void)user;
    told = 0;
    jr_log_set(listen, NULL);
    bool good = jr_context_open(NULL, &context) == JR_OK && jr_kernel_get(context, &program, &kernel) == JR_OK &&
                jr_memory_new(context, sizeof x, &d_x) == JR_OK;
    memset(x, 0, sizeof x);
    good = good && jr_memory_write(context, d_x, x, sizeof x) == JR_OK &&
           jr_kernel_launch(kernel, &where, (void *[]){&d_x, &n}) == JR_OK &&
           jr_memory_read(context, x, d_x, sizeof x) == JR_OK;
    for (unsigned i = 0; good && i < MANY; i++) good = x[i] == (i * 2654435761U ^ i << 7);
    jr_memory_free(context, d_x);
    jr_context_close(context);
    jr_log_set(NULL, NULL);
    return good ? 0 : 1;
}

static void is_told_and_leaves_nothing(const char *words) {
    assert_int_equal(launch(NULL), 0);
    if (told != 1 || strstr(last, words) == NULL) fail_msg("told %d times; '%s' is not in '%s'", told, words, last);
    assert_int_equal(scratch_count(captures()), 0);
}

static int begin(void **state) {
    (void)state;
    scratch_make(folder);
    scratch_folder(captures());
    return setenv("JITREDUCE_CAPTURE", captures(), 1);
}

static int end(void **state) {
    (void)state;
    unsetenv("JITREDUCE_CAPTURE");
    scratch_remove(folder);
    return 0;
}

static int launch_where_it_is_full(void *user) {
    (void)user;
    return launch(NULL) != 0 ? 1 : told != 1 ? 2 : scratch_count(captures()) != 0 ? 3 : 0;
}

/* The first one: it is in a child, which no context of the parent's goes along with. */
TEST_BETWEEN(a_full_disk_leaves_no_half_file, begin, end) {
    const int result = scratch_in_small_file_system(captures(), 64, launch_where_it_is_full, NULL);
    if (result < 0) skip_because("no file system of a test's own can be had here\n");
    assert_int_equal(result, 0);
}

TEST_BETWEEN(a_folder_that_is_ours_takes_a_capture, begin, end) {
    assert_int_equal(launch(NULL), 0);
    assert_int_equal(told, 0);
    assert_int_equal(scratch_count(captures()), 1);
}

TEST_BETWEEN(a_folder_in_which_others_may_write_is_not_used, begin, end) {
    assert_int_equal(chmod(captures(), 0777), 0);
    is_told_and_leaves_nothing("others can write in it");
}

TEST_BETWEEN(a_folder_of_another_user_is_not_used, begin, end) {
    if (geteuid() != 0) skip_because("only root can give a folder away\n");
    assert_int_equal(chown(captures(), 12345, 0), 0);
    is_told_and_leaves_nothing("12345");
}

TEST_BETWEEN(a_link_to_a_folder_is_not_used, begin, end) {
    char link[2 * SCRATCH_BYTES];
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink(captures(), link), 0);
    assert_int_equal(setenv("JITREDUCE_CAPTURE", link, 1), 0);
    is_told_and_leaves_nothing("symbolic link");
}

TEST_BETWEEN(a_limit_on_the_size_of_files_leaves_no_half_of_one, begin, end) {
    struct rlimit before;
    assert_int_equal(launch(NULL), 0); /* compiled and cached */
    scratch_remove(captures());
    scratch_folder(captures());
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {.rlim_cur = 4096, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int result = launch(NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(result, 0);
    assert_int_equal(told, 1);
    assert_int_equal(scratch_count(captures()), 0);
}

RUN_TESTS(NULL, NULL)
