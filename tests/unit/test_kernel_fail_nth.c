/* Every call that a kernel makes of the system may fail: locks, waiting for the compile of another process, several
 * kernels of a program, recorded packs. The kernel is the right one or an error, and the folder has nothing torn. */
/* link: fail_nth */
/* cache: own */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "image/claim.h"
#include "jitreduce/pack.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/kernel_case.h"

/* For the stand-in of NVRTC, whose compiles cost nothing, and for a real one. */
static const char source[] = "extern \"C\" __global__ void k(int *out) { *out = N; }\n"
                             "extern \"C\" __global__ void m(int *out) { *out = -N; }\n";

typedef jr_status get_kernels(jr_context *context, const jr_program *program, int answer);

/* One task. Each round has a program and a folder of its own. */
static struct {
    const opened *device;
    get_kernels *get;
    double wait_ms;
    bool one_folder;
    int round;
    char nvrtc[SCRATCH_BYTES], folder[SCRATCH_BYTES + 32];
} task;

static jr_status open_and_get(void) {
    char text[12];
    const jr_options options =
        JR_INIT(jr_options, .nvrtc = task.nvrtc, .cache_dir = task.folder, .wait_ms = task.wait_ms);
    const jr_named_text constant = {"N", text};
    const jr_program program = JR_INIT(jr_program, .name = "walked", .source = source, .entry = "k",
                                       .constants = &constant, .constant_count = 1);
    jr_context *context = NULL;
    snprintf(text, sizeof text, "%d", task.round);
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = task.get(context, &program, task.round);
    jr_context_close(context);
    return status;
}

static void assert_nothing_torn(const char *folder) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    if (jr_folder_list(folder, &entries, &count) != JR_OK) return; /* it was not made */
    for (size_t i = 0; i < count; i++)
        if (strncmp(entries[i].name, JR_TEMPORARY_PREFIX, sizeof JR_TEMPORARY_PREFIX - 1) == 0)
            fail_msg("a half-written file stays: %s", entries[i].name);
    free(entries);
}

static void choose_folder(void) {
    snprintf(task.folder, sizeof task.folder, "%s/%d", scratch_own, task.one_folder ? 0 : task.round);
}

/* The program is in order, and no failure may blame it; after the failure all is right, whatever was stored. */
static jr_status get_new(void *user) {
    (void)user;
    task.round++;
    choose_folder();
    const jr_status status = open_and_get();
    fail_nth_pause();
    if (status == JR_ERROR_COMPILE) fail_msg("a program in order is blamed: %s", jr_last_error()->message);
    jr_error_saved *why = jr_error_save();
    assert_nothing_torn(task.folder);
    assert_int_equal(open_and_get(), JR_OK);
    jr_error_restore(why);
    if (!task.one_folder) scratch_remove(task.folder);
    return status;
}

static int walk(int kinds, get_kernels *get) {
    task.get = get;
    task.round = 0;
    choose_folder();
    assert_int_equal(open_and_get(), JR_OK); /* what a process opens once is open from now on */
    return fail_nth_walk(kinds, get_new, NULL);
}

/* ---- one kernel ---- */

static jr_status get_one(jr_context *context, const jr_program *program, int answer) {
    jr_kernel *kernel = NULL;
    const jr_status status = jr_kernel_get(context, program, &kernel);
    fail_nth_pause();
    if (status == JR_OK) assert_int_equal(kernel_answer(task.device, kernel), answer);
    return status;
}

TEST_BETWEEN(a_kernel_that_is_claimed_and_compiled_is_right_or_an_error, scratch_begin, NULL) {
    assert_true(walk(FAIL_EVERY, get_one) > 100);
}

/* ---- waiting for others ---- */

TEST_BETWEEN(a_kernel_whose_claim_another_process_keeps_is_right_or_an_error, scratch_begin, NULL) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char folder[SCRATCH_BYTES + 8];
    snprintf(folder, sizeof folder, "%s/0", scratch_own);
    scratch_folder(folder);
    const int claims = open(scratch_path(folder, ".jitreduce-claims"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(claims >= 0);
    assert_int_equal(fcntl(claims, F_OFD_SETLK, &all), 0);
    task.one_folder = true;
    task.wait_ms = 1;
    assert_true(walk(FAIL_MEMORY | FAIL_FILES | FAIL_LOCKS, get_one) > 50);
    task.one_folder = false;
    task.wait_ms = 0;
    close(claims);
}

/* The other process has stored the entry meanwhile. */
static jr_status claim_what_is_there(void *cache) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_key_lock claim;
    sample_key(key, 1);
    const bool found = jr_claim_begin(cache, key, 0, 1, &claim);
    assert_true(!found || claim.file < 0);
    jr_key_lock_close(&claim);
    assert_int_equal(claim.file, -1);
    return JR_OK;
}

TEST_BETWEEN(a_claim_ends_in_an_entry_or_a_compile, scratch_begin, NULL) {
    jr_cache *cache = cache_open(scratch_own, 0);
    assert_int_equal(cache_store(cache, 1, 20), JR_OK);
    assert_int_equal(fail_nth_walk(FAIL_EVERY, claim_what_is_there, cache), 5);
    jr_cache_close(cache);
}

/* ---- several kernels ---- */

static jr_status get_both(jr_context *context, const jr_program *program, int answer) {
    static const char *const names[] = {"m", "k"};
    jr_kernel *kernels[2] = {NULL};
    const jr_status status = jr_kernels_of(context, program, names, 2, kernels);
    fail_nth_pause();
    for (int i = 0; status == JR_OK && i < 2; i++)
        assert_int_equal(kernel_answer(task.device, kernels[i]), i == 0 ? -answer : answer);
    assert_int_equal(kernels[0] != NULL && kernels[1] != NULL, status == JR_OK);
    return status;
}

TEST_BETWEEN(kernels_of_a_program_are_all_there_or_none, scratch_begin, NULL) {
    assert_true(walk(FAIL_EVERY, get_both) > 100);
}

/* ---- recorded packs ---- */

static struct {
    char path[SCRATCH_BYTES], *before;
    size_t bytes;
    uint64_t images; /* of the last round */
} pack;

/* No launch, so that the context closes, and records, among the calls that fail. */
static jr_status get_only(jr_context *context, const jr_program *program, int answer) {
    jr_kernel *kernel = NULL;
    (void)answer;
    unsetenv("JITREDUCE_PACK_RECORD"); /* was read when the context opened; the next one records nothing */
    return jr_kernel_get(context, program, &kernel);
}

/* The pack, which had one image, has it still, and may have the new one. */
static jr_status get_and_record(void *user) {
    jr_pack_info info = JR_INIT(jr_pack_info);
    setenv("JITREDUCE_PACK_RECORD", pack.path, 1);
    const jr_status status = get_new(user);
    works(jr_pack_look(pack.path, &info));
    assert_in_range(info.image_count, 1, 2);
    pack.images = info.image_count;
    assert_nothing_torn(scratch_own);
    scratch_write(pack.path, pack.before, pack.bytes);
    return status;
}

TEST_BETWEEN(a_recorded_pack_keeps_what_it_has, scratch_begin, NULL) {
    snprintf(pack.path, sizeof pack.path, "%s", scratch_path(scratch_own, "used.jrpack"));
    assert_int_equal(setenv("JITREDUCE_PACK_RECORD", pack.path, 1), 0);
    task.get = get_only;
    task.round = 0;
    choose_folder();
    works(open_and_get());
    pack.before = scratch_read(pack.path, &pack.bytes);
    const int step = tests_are_whole() ? 1 : 48, step_of_few = tests_are_whole() ? 1 : 6; /* zstd takes 0.1 s a pack */
    assert_true(fail_nth_walk_by(FAIL_PATHS | FAIL_LOCKS, step_of_few, get_and_record, NULL) * step_of_few > 20);
    assert_int_equal(pack.images, 2);
    assert_true(fail_nth_walk_by(FAIL_ALL, step, get_and_record, NULL) * step > 100);
    assert_int_equal(pack.images, 2);
}

static int begin(void **state) {
    char folder[SCRATCH_BYTES];
    size_t count;
    if (open_context(state) != 0) return -1;
    task.device = *state;
    scratch_make(folder);
    snprintf(task.nvrtc, sizeof task.nvrtc, "%s", scratch_path(folder, "libnvrtc.so.13"));
    fake_library_make(task.nvrtc, scratch_read("tests/faults/answer_nvrtc.c", &count));
    return 0;
}

RUN_TESTS(begin, close_context)
