/* Packs: what is written is found again; one that could be somebody else's is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fixtures/check.h"
#include "support/fixtures/pack_file_case.h"

/* ---- what is found ---- */

TEST_BETWEEN(a_device_gets_the_image_that_suits_it_best, pack_file_begin, pack_file_end) {
    static const struct {
        int capability;
        const char *architecture;
    } cases[] = {{75, ""},      {80, "sm_80"},  {86, "sm_86"}, {87, "sm_86"},
                 {89, "sm_86"}, {90, "sm_90a"}, {91, "sm_90"}, {100, "sm_90"}};
    for (int plain = 0; plain <= 1; plain++) {
        const char *path = pack_file_of("a.jrpack", pack_file_architectures, PACK_FILE_ARCHITECTURES, plain);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            jr_packs *packs = pack_file_opened(path, cases[i].capability);
            assert_int_equal(jr_packs_any(packs), cases[i].architecture[0] != '\0');
            for (int number = 1; number <= PACK_FILE_IMAGES; number++)
                assert_string_equal(pack_file_found(packs, number), cases[i].architecture);
            assert_string_equal(pack_file_found(packs, PACK_FILE_IMAGES + 1), "");
            assert_string_equal(pack_file_found(packs, 0), "");
            assert_int_equal(jr_packs_failures(packs), 0);
            jr_packs_close(packs);
        }
    }
}

TEST_BETWEEN(files_and_folders_are_named_in_a_list_and_by_the_setting, pack_file_begin, pack_file_end) {
    char list[4 * SCRATCH_BYTES];
    pack_file_of("80.jrpack", pack_file_architectures + 1, 1, true);
    pack_file_of("90.jrpack", pack_file_architectures + 3, 1, true);
    scratch_write(scratch_path(pack_file_folder, "no pack at all.txt"), "x", 1);
    jr_packs *packs = pack_file_opened(pack_file_folder, 90);
    assert_string_equal(pack_file_found(packs, 1), "sm_90");
    jr_packs_close(packs);
    snprintf(list, sizeof list, ":%s/80.jrpack::%s/90.jrpack:", pack_file_folder, pack_file_folder);
    packs = pack_file_opened(list, 86);
    assert_string_equal(pack_file_found(packs, 1), "sm_80");
    jr_packs_close(packs);
    setenv("JITREDUCE_PACKS", list, 1);
    packs = pack_file_opened(NULL, 90);
    assert_string_equal(pack_file_found(packs, 1), "sm_90");
    jr_packs_close(packs);
    packs = pack_file_opened("", 90);
    assert_false(jr_packs_any(packs));
    jr_packs_close(packs);
    setenv("JITREDUCE_PACKS", "", 1);
    packs = pack_file_opened(NULL, 90);
    assert_false(jr_packs_any(packs));
    jr_packs_close(packs);
    unsetenv("JITREDUCE_PACKS");
}

TEST_BETWEEN(a_pack_of_nothing_has_nothing, pack_file_begin, pack_file_end) {
    uint64_t bytes = 0;
    const jr_pack_content content = {
        .architectures = pack_file_architectures, .architecture_count = 1, .compiler = "c"};
    assert_int_equal(jr_pack_content_write(&content, pack_file_folder, "none.jrpack", &bytes), JR_OK);
    jr_packs *packs = pack_file_opened(scratch_path(pack_file_folder, "none.jrpack"), 90);
    assert_string_equal(pack_file_found(packs, 1), "");
    jr_packs_close(packs);
}

/* ---- whose it is ---- */

TEST_BETWEEN(a_pack_that_others_could_have_written_is_refused, pack_file_begin, pack_file_end) {
    const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, false);
    assert_int_equal(chmod(path, 0644), 0);
    jr_packs_close(pack_file_opened(path, 90));
    assert_int_equal(chmod(path, 0664), 0);
    pack_file_refused(path, JR_ERROR_FILE, "others can write to it");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(symlink(path, scratch_path(pack_file_folder, "link.jrpack")), 0);
    pack_file_refused(scratch_path(pack_file_folder, "link.jrpack"), JR_ERROR_FILE, "it is a symbolic link");
    assert_int_equal(link(path, scratch_path(pack_file_folder, "twice")), 0);
    pack_file_refused(path, JR_ERROR_FILE, "hard links");
    assert_int_equal(unlink(scratch_path(pack_file_folder, "twice")), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
        pack_file_refused(path, JR_ERROR_FILE, "it belongs to user 12345");
    } else {
        print_message("not tried, as only root can: a pack of another user\n");
    }
}

TEST_BETWEEN(only_a_file_that_the_options_name_must_be_good, pack_file_begin, pack_file_end) {
    char list[4 * SCRATCH_BYTES];
    const char *bad = scratch_path(pack_file_folder, "0.jrpack");
    pack_file_of("1.jrpack", pack_file_architectures + 3, 1, false);
    scratch_write(bad, "no pack", 7);
    pack_file_refused(bad, JR_ERROR_PACK, "too short");
    pack_file_refused(scratch_path(pack_file_folder, "gone.jrpack"), JR_ERROR_FILE, "cannot open");
    jr_fail(JR_ERROR_FILE, "untouched");
    jr_packs *packs = pack_file_opened(pack_file_folder, 90); /* found in a folder */
    assert_string_equal(pack_file_found(packs, 2), "sm_90");
    jr_packs_close(packs);
    assert_non_null(strstr(pack_file_log, "a pack is not used: "));
    pack_file_log[0] = '\0';
    snprintf(list, sizeof list, "%s/gone.jrpack:%s/0.jrpack:%s/1.jrpack", pack_file_folder, pack_file_folder,
             pack_file_folder);
    setenv("JITREDUCE_PACKS", list, 1);
    packs = pack_file_opened(NULL, 90);
    unsetenv("JITREDUCE_PACKS");
    assert_string_equal(pack_file_found(packs, 2), "sm_90");
    jr_packs_close(packs);
    assert_non_null(strstr(pack_file_log, "gone.jrpack"));
    assert_string_equal(jr_last_error()->message, "untouched");
}

TEST_BETWEEN(a_pack_that_shrinks_while_it_is_open_is_told, pack_file_begin, pack_file_end) {
    const char *path = pack_file_of("a.jrpack", pack_file_architectures + 3, 1, true);
    jr_packs *packs = pack_file_opened(path, 90);
    assert_int_equal(truncate(path, (off_t)jr_pack_head_bytes(1, PACK_FILE_IMAGES) + 10), 0);
    jr_fail(JR_ERROR_FILE, "untouched");
    assert_string_equal(pack_file_found(packs, 1), "");
    assert_int_equal(jr_packs_failures(packs), 1);
    assert_non_null(strstr(pack_file_log, "it was truncated"));
    assert_string_equal(jr_last_error()->message, "untouched");
    jr_packs_close(packs);
}

TEST_BETWEEN(a_damaged_image_leaves_the_next_best_one, pack_file_begin, pack_file_end) {
    size_t count = 0;
    const char *path =
        pack_file_of("a.jrpack", pack_file_architectures + 1, 1, true); /* sm_80, whose images follow its head */
    char *bytes = scratch_read(path, &count);
    bytes[jr_pack_head_bytes(1, PACK_FILE_IMAGES) + 100] ^= 1;
    scratch_write(path, bytes, count);
    pack_file_of("b.jrpack", pack_file_architectures, 1, true); /* compute_80 */
    jr_packs *packs = pack_file_opened(pack_file_folder, 80);
    assert_string_equal(pack_file_found(packs, 1), "compute_80");
    assert_string_equal(pack_file_found(packs, 2), "sm_80");
    assert_int_equal(jr_packs_failures(packs), 1);
    jr_packs_close(packs);
}

RUN_TESTS(NULL, NULL)
