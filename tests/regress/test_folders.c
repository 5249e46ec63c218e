/* Folders of others, and what is kept in the cache. */
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "image/compiler_record.h"
#include "jitreduce/status.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/check.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

/* An entry of the disk cache is code. What others had put into the folder, or could still write to, was loaded once the
 * folder was ours alone again. */
enum { NOBODY = 65534 };

/* What makes a file of our folder one that others could have written. */
static int others_of_our_group_may_write(const char *path) {
    return chmod(path, 0620);
}

static int anyone_may_write(const char *path) {
    return chmod(path, 0602);
}

static int it_has_a_second_name_elsewhere(const char *path) {
    return link(path, scratch_path(cache_top, "second name"));
}

static int it_belongs_to_another(const char *path) {
    return chown(path, NOBODY, NOBODY);
}

static const struct {
    int (*spoil)(const char *path);
    const char *why;
} ways[] = {{others_of_our_group_may_write, "others can write to it (mode 620)"},
            {anyone_may_write, "others can write to it (mode 602)"},
            {it_has_a_second_name_elsewhere, "it has 2 names"},
            {it_belongs_to_another, "it belongs to user 65534"}};
enum { WAYS = sizeof ways / sizeof *ways };

TEST_BETWEEN(a_cache_entry_that_others_could_have_written_is_no_hit_and_is_replaced, cache_case_begin, cache_case_end) {
    for (int i = 0; i < (geteuid() == 0 ? WAYS : WAYS - 1); i++) {
        jr_cache *cache = cache_open(cache_folder, 0);
        assert_int_equal(cache_store(cache, i, 20), JR_OK);
        assert_true(cache_hits(cache, i));
        assert_int_equal(ways[i].spoil(cache_entry_path(i)), 0);
        assert_false(cache_hits(cache, i));
        assert_int_equal(jr_cache_failures(cache), 1);
        cache_assert_logged(ways[i].why);
        assert_int_equal(cache_store(cache, i, 20), JR_OK);
        assert_true(cache_hits(cache, i));
        assert_int_equal(jr_cache_failures(cache), 1);
        jr_cache_close(cache);
    }
}

TEST_BETWEEN(a_compiler_record_that_others_could_have_written_is_not_believed, cache_case_begin, cache_case_end) {
    char library[2 * SCRATCH_BYTES], pattern[3 * SCRATCH_BYTES];
    glob_t paths;
    jr_nvrtc_about record = {.major = 13, .build = "13.0.1", .architectures = {75}, .architecture_count = 1}, found;
    snprintf(library, sizeof library, "%s/libnvrtc.so.13", cache_top);
    scratch_elf(library);
    memcpy(record.path, library, strlen(library) + 1);
    for (int i = 0; i < (geteuid() == 0 ? WAYS : WAYS - 1); i++) {
        scratch_folder(cache_folder);
        assert_int_equal(chmod(cache_folder, 0700), 0);
        assert_true(jr_compiler_record_write(cache_folder, &record));
        assert_true(jr_compiler_record_read(cache_folder, library, &found));
        snprintf(pattern, sizeof pattern, "%s/nvrtc-*.record", cache_folder);
        assert_int_equal(glob(pattern, 0, NULL, &paths), 0);
        assert_int_equal(paths.gl_pathc, 1);
        assert_int_equal(ways[i].spoil(paths.gl_pathv[0]), 0);
        globfree(&paths);
        assert_false(jr_compiler_record_read(cache_folder, library, &found));
        assert_true(jr_compiler_record_write(cache_folder, &record));
        assert_true(jr_compiler_record_read(cache_folder, library, &found));
    }
}

/* A cache folder of ours that we may not read was taken, and every read and write then failed in turn. */
static int check_is_refused(void *path) {
    return jr_folder_check(path) == JR_ERROR_FILE && strstr(jr_last_error()->message, "closed: Permission denied") ? 0
                                                                                                                   : 1;
}

TEST(a_folder_that_we_may_not_read_is_refused) {
    char folder[SCRATCH_BYTES], closed[SCRATCH_BYTES];
    scratch_make(folder);
    snprintf(closed, sizeof closed, "%s", scratch_path(folder, "closed"));
    scratch_folder(closed);
    scratch_give(folder);
    scratch_give(closed);
    assert_int_equal(chmod(closed, 0300), 0);
    assert_int_equal(scratch_unprivileged(check_is_refused, closed), 0);
}

/* An image that the driver refuses is reported with its own reason and not kept, and the recorded error is clear if a
 * second image is accepted; and a call that only inspects (jr_doctor) does not change the error record. */
static char cache[SCRATCH_BYTES];

static int begin(void **state) {
    (void)state;
    scratch_make(cache);
    return 0;
}

/* A performance counter is good PTX for a GPU, and nothing that a simulator could have. */
TEST_BETWEEN(an_unsupported_instruction_is_told_with_its_line_and_not_kept, begin, NULL) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = cache);
    const jr_program program =
        JR_INIT(jr_program, .name = "program",
                .source = "extern \"C\" __global__ void k(unsigned *p) {\n"
                          "    unsigned x; asm volatile(\"mov.u32 %0, %%pm0;\" : \"=r\"(x)); *p = x;\n"
                          "}\n",
                .entry = "k");
    jr_context *context;
    jr_kernel *kernel = NULL;
    works(jr_context_open(&options, &context));
    fails(jr_kernel_get(context, &program, &kernel), JR_ERROR_LOAD, "%pm0");
    assert_null(strstr(jr_last_error()->message, "do not fit together"));
    assert_null(kernel);
    jr_context_close(context);
    assert_int_equal(scratch_count(cache), 2); /* the compiler's record, the file of claims, and no entry */
}

static void doctor(void *user, const jr_finding *finding) {
    (void)finding;
    ++*(int *)user;
}

TEST_BETWEEN(a_doctor_that_succeeds_leaves_the_error_record_alone, begin, NULL) {
    int findings = 0;
    jr_type type;
    fails(jr_type_find("no type", &type), JR_ERROR_INVALID_ARGUMENT, "no type");
    works(jr_doctor(&JR_INIT(jr_options, .driver = "/nowhere", .nvrtc = "/nowhere"), doctor, &findings));
    assert_true(findings > 2);
    assert_non_null(strstr(jr_last_error()->message, "no type"));
}

static void find_cache(void *user, const jr_finding *finding) {
    if (strcmp(finding->component, "cache") == 0) *(int *)user = finding->chosen;
}

TEST_BETWEEN(a_doctor_does_not_choose_a_cache_folder_that_cannot_be_used, begin, NULL) {
    int chosen = -1;
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_path(cache, "file"));
    scratch_text(options.cache_dir, "a file");
    works(jr_doctor(&options, find_cache, &chosen));
    assert_int_equal(chosen, 0);
    works(jr_doctor(&JR_INIT(jr_options, .cache_dir = cache), find_cache, &chosen));
    assert_int_equal(chosen, 1);
}

/* A thread that opened NVRTC rewrote the compiler's record while others, who had found it on disk, were reading it for
 * their keys. The thread sanitizer finds that (make check-tsan); without it, only the values are checked. */
enum { THREADS = 8 };

typedef struct asker {
    jr_context *context;
    pthread_barrier_t *start;
    int number;
    jr_kernel *kernel;
} asker;

static jr_kernel *get(jr_context *context, int number) {
    char text[16];
    const jr_named_text constant = {"NUMBER", text};
    jr_kernel *kernel = NULL;
    const jr_program program =
        JR_INIT(jr_program, .name = "number", .source = "extern \"C\" __global__ void k(int *o) { *o = NUMBER; }\n",
                .entry = "k", .constants = &constant, .constant_count = 1);
    snprintf(text, sizeof text, "%d", number);
    return jr_kernel_get(context, &program, &kernel) == JR_OK ? kernel : NULL;
}

static void *ask(void *user) {
    asker *self = user;
    pthread_barrier_wait(self->start);
    self->kernel = get(self->context, self->number);
    return NULL;
}

/* A context that finds the record on disk and has something new to compile for every thread. */
static void race(const opened *device, const char *folder, int first_number) {
    asker askers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = folder), &context));
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (asker){.context = context, .start = &start, .number = first_number + i};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(askers[i].kernel);
        assert_int_equal(kernel_answer(device, askers[i].kernel), first_number + i);
    }
    jr_context_close(context);
}

DEVICE_TEST(threads_find_the_record_on_disk_while_one_opens_the_compiler) {
    char folder[SCRATCH_BYTES];
    jr_context *context = NULL;
    scratch_make(folder);
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = folder), &context));
    assert_non_null(get(context, -1)); /* leaves the record in the folder */
    jr_context_close(context);
    for (int round = 0; round < 6; round++) race(device, folder, 100 * round);
}

RUN_TESTS(open_context, close_context)
