/* Every allocation of packs and of tuning may fail. */
/* link: fail_nth */
#include <string.h>

#include "base/error.h"
#include "jitreduce/tune.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/pack_file_case.h"

/* Packs with every single call failing: allocations, files, libraries. */
static const char *const architectures[] = {"compute_80", "sm_90"};

/* Looks for every image, of which some may be lost and none another than it was. */
static jr_status read_all(void *user) {
    jr_packs *packs = NULL;
    const jr_status status = jr_packs_open(user, 90, &packs);
    if (status != JR_OK) {
        assert_null(packs);
        return status;
    }
    for (int number = 1; number <= PACK_FILE_IMAGES; number++) pack_file_found(packs, number);
    jr_packs_close(packs);
    return JR_OK;
}

/* Walks through calls that take long: a sample of them; returns how many there are about. */
static int walk_sample(int kinds, int one_in, jr_status (*task)(void *user), void *user) {
    const int step = tests_are_whole() ? 1 : one_in;
    return step * fail_nth_walk_by(kinds, step, task, user);
}

TEST_BETWEEN(reading_copes_with_a_failure_of_every_single_call, pack_file_begin, pack_file_end) {
    for (int plain = 0; plain <= 1; plain++) {
        const char *path = pack_file_of("a.jrpack", architectures, 2, plain);
        assert_true(fail_nth_walk(FAIL_ALL, read_all, (void *)(uintptr_t)path) >= 20);
    }
}

/* What a context makes of a folder, in which no pack has to be good. */
TEST_BETWEEN(a_folder_of_packs_is_left_out_at_worst, pack_file_begin, pack_file_end) {
    pack_file_of("a.jrpack", architectures, 2, false);
    pack_file_of("b.jrpack", architectures, 1, true);
    assert_true(fail_nth_walk(FAIL_FILES | FAIL_LIBRARY, read_all, pack_file_folder) >= 20);
}

typedef struct writing {
    jr_pack_item *items;
    bool plain;
} writing;

static jr_status write_again(void *user) {
    const writing *what = user;
    uint64_t bytes = 0;
    const jr_pack_content content = {.architectures = architectures,
                                     .architecture_count = 2,
                                     .items = what->items,
                                     .item_count = 2,
                                     .compiler = "c",
                                     .plain = what->plain};
    return jr_pack_content_write(&content, pack_file_folder, "a.jrpack", &bytes);
}

/* The file is the old one or the new one, and no half-written file remains next to it. */
TEST_BETWEEN(writing_copes_with_a_failure_of_every_single_call, pack_file_begin, pack_file_end) {
    jr_pack_item items[] = {{.section = 1, .image = sample_image(1, 20)}, {.section = 0, .image = sample_image(2, 20)}};
    writing what = {.items = items};
    assert_true(walk_sample(FAIL_ALL, 3, write_again, &what) >= 10); /* zstd takes 0.1 s each time */
    what.plain = true;
    assert_true(fail_nth_walk(FAIL_ALL, write_again, &what) >= 5);
    assert_int_equal(scratch_count(pack_file_folder), 1);
    for (int i = 0; i < 2; i++) jr_image_free(items[i].image);
}

/* A tuning whose n-th allocation fails: it reports that, and leaks nothing. */
static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

/* The first few candidates; their kernels are there after the first walk. */
static jr_status tune(void *user) {
    const opened *device = user;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop);
    jr_tuned tuned = JR_INIT(jr_tuned);
    return jr_work_tune(device->context, WORK(&spec), 64, &options, &tuned);
}

static jr_status tune_scan(void *user) {
    const opened *device = user;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop);
    jr_tuned tuned = JR_INIT(jr_tuned);
    return jr_work_tune(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE), 64, &options, &tuned);
}

TEST(every_failed_allocation_is_an_error_that_leaves_nothing) {
    works(tune(*state));
    assert_true(walk_sample(FAIL_MEMORY, 5, tune, *state) >= 20);
}

TEST(so_it_is_of_scans) {
    works(tune_scan(*state));
    assert_true(walk_sample(FAIL_MEMORY, 5, tune_scan, *state) >= 20);
}

RUN_TESTS(open_context, close_context)
