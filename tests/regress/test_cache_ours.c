/* An entry of the disk cache is code. What others had put into the folder, or could still write to, was loaded once the
 * folder was ours alone again. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/compiler_record.h"
#include "support/fixtures/cache_case.h"
#include "support/fixtures/check.h"

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

RUN_TESTS(NULL, NULL)
