/* The list of candidates and the places that fill it, in made-up surroundings. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "loader/places.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static char root[SCRATCH_BYTES];

static int begin(void **state) {
    (void)state;
    scratch_make(root);
    return 0;
}

static void put(const char *name) {
    scratch_elf(scratch_path(root, name));
}

/* All candidates as "origin:path below the root", separated by spaces. */
static const char *listed(const jr_candidates *list) {
    static char text[8192];
    *text = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const char *path = list->items[i].path;
        size_t length = strlen(text);
        if (!strncmp(path, root, strlen(root))) path += strlen(root);
        snprintf(text + length, sizeof text - length, "%s%s:%s", i ? " " : "", list->items[i].origin, path);
    }
    return text;
}

static void assert_nvrtc(const jr_places *places, const char *option, const char *wanted) {
    jr_candidates list = {0};
    const bool wished = jr_places_nvrtc_wish(places, option, &list);
    for (size_t stage = 0; !wished && jr_places_nvrtc(places, stage, &list); stage++) continue;
    assert_string_equal(listed(&list), wanted);
    jr_candidates_free(&list);
}

/* ---- the list ---- */

TEST_BETWEEN(the_text_has_a_line_for_each_that_lost, begin, NULL) {
    jr_candidates list = {0};
    for (int i = 0; i < 40; i++) { /* more than one growth */
        char path[16];
        snprintf(path, sizeof path, "/p%d", i);
        jr_candidates_add(&list, "linker", path);
    }
    for (size_t i = 2; i < 40; i++) jr_candidates_explain(&list, i, true, "chosen");
    jr_candidates_explain(&list, 0, false, "no %s", "file");
    char *text = jr_candidates_text(&list);
    assert_string_equal(text, "/p0 (linker): no file\n/p1 (linker): not looked at");
    free(text);
    jr_candidates_explain(&list, 0, true, "found after all");
    assert_true(list.items[0].chosen);
    assert_string_equal(list.items[0].detail, "found after all");
    jr_candidates_free(&list);
    assert_int_equal(list.count, 0);
    jr_candidates_free(&list);
}

static jr_status fill_a_list(void *places) {
    jr_candidates list = {0};
    jr_places_driver(places, NULL, &list);
    jr_places_simulator(places, NULL, &list);
    for (size_t stage = 0; jr_places_nvrtc(places, stage, &list); stage++) continue;
    bool failed = list.failed;
    free(jr_candidates_text(&list));
    jr_candidates_free(&list);
    return failed ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "the list is cut short") : JR_OK;
}

TEST_BETWEEN(a_search_fails_cleanly_at_every_call, begin, NULL) {
    jr_places places = {.root = root, .cuda_home = root, .virtual_env = root, .linker_path = root, .loaded = true};
    put("usr/local/cuda-13.0/lib64/libnvrtc.so.13");
    put("lib/libnvrtc.so.13");
    assert_true(fail_nth_walk(FAIL_ALL, fill_a_list, &places) > 20);
}

/* ---- NVRTC ---- */

TEST_BETWEEN(where_nothing_is_nothing_is_listed, begin, NULL) {
    assert_nvrtc(&(jr_places){.root = root}, NULL, "");
    assert_nvrtc(&(jr_places){0}, NULL, "");
}

TEST_BETWEEN(a_wish_is_the_only_candidate, begin, NULL) {
    put("usr/local/cuda/lib64/libnvrtc.so.13");
    jr_places places = {.root = root, .nvrtc = "/of/setting", .loaded = true};
    assert_nvrtc(&places, "/of/option", "option:/of/option");
    assert_nvrtc(&places, NULL, "setting JITREDUCE_NVRTC:/of/setting");
    assert_nvrtc(&places, "", "setting JITREDUCE_NVRTC:/of/setting");
    places.nvrtc = "";
    places.loaded = false;
    assert_nvrtc(&places, NULL, "toolkit folder:/usr/local/cuda/lib64/libnvrtc.so.13");
}

TEST_BETWEEN(a_wish_that_is_a_bare_name_is_the_linkers_to_find, begin, NULL) {
    put("a/libnvrtc.so.12");
    put("b/libnvrtc.so.13");
    jr_places places = {.linker_path = scratch_path(root, "a")};
    assert_nvrtc(&places, "libnvrtc.so.12", "option:/a/libnvrtc.so.12");
    assert_nvrtc(&places, "libnvrtc.so.13", "option:libnvrtc.so.13");
}

TEST_BETWEEN(a_named_toolkit_comes_first_and_is_listed_even_when_empty, begin, NULL) {
    char home[2 * SCRATCH_BYTES], path[2 * SCRATCH_BYTES];
    put("home/lib/libnvrtc.so.12");
    put("usr/local/cuda-13.0/lib64/libnvrtc.so.13");
    scratch_folder(scratch_path(root, "empty"));
    snprintf(home, sizeof home, "%s/home", root);
    snprintf(path, sizeof path, "%s/empty", root);
    jr_places places = {.root = root, .cuda_home = home, .cuda_path = path};
    assert_nvrtc(&places, NULL,
                 "CUDA_HOME:/home/lib/libnvrtc.so.12 CUDA_PATH:/empty/lib64/libnvrtc.so.* "
                 "toolkit folder:/usr/local/cuda-13.0/lib64/libnvrtc.so.13");
}

TEST_BETWEEN(toolkits_stand_newest_first_by_number_not_by_letter, begin, NULL) {
    put("usr/local/cuda-9.2/lib64/libnvrtc.so.9.2");
    put("usr/local/cuda-12.4/lib64/libnvrtc.so.12");
    put("usr/local/cuda-12.10/targets/x86_64-linux/lib/libnvrtc.so.12");
    put("usr/local/cuda-13.0/lib/libnvrtc.so.13.0.88");
    put("opt/cuda/lib64/libnvrtc.so.13");
    assert_int_equal(symlink("libnvrtc.so.13.0.88", scratch_path(root, "usr/local/cuda-13.0/lib/libnvrtc.so.13")), 0);
    assert_int_equal(symlink("cuda-12.4", scratch_path(root, "usr/local/cuda")), 0);
    assert_nvrtc(&(jr_places){.root = root}, NULL,
                 "toolkit folder:/usr/local/cuda-13.0/lib/libnvrtc.so.13.0.88 "
                 "toolkit folder:/usr/local/cuda-12.10/targets/x86_64-linux/lib/libnvrtc.so.12 "
                 "toolkit folder:/usr/local/cuda-12.4/lib64/libnvrtc.so.12 "
                 "toolkit folder:/usr/local/cuda-9.2/lib64/libnvrtc.so.9.2 "
                 "toolkit folder:/opt/cuda/lib64/libnvrtc.so.13");
}

TEST_BETWEEN(builtins_alternate_builds_and_backups_are_not_taken_for_nvrtc, begin, NULL) {
    put("usr/local/cuda/lib64/libnvrtc-builtins.so.13.0");
    put("usr/local/cuda/lib64/libnvrtc.alt.so.13");
    put("usr/local/cuda/lib64/libnvrtc.so.13.old");
    put("usr/local/cuda/lib64/libnvrtc.so.");
    put("usr/local/cuda/lib64/libnvrtc.so");
    assert_nvrtc(&(jr_places){.root = root}, NULL, "");
}

TEST_BETWEEN(the_linkers_newest_major_wins_and_its_order_within_one, begin, NULL) {
    char path[6 * SCRATCH_BYTES];
    put("a/libnvrtc.so.12");
    put("b/libnvrtc.so.13");
    put("c/libnvrtc.so.13.2.1");
    snprintf(path, sizeof path, "%s/a::%s/none:%s/b;%s/c", root, root, root, root);
    assert_nvrtc(&(jr_places){.linker_path = path}, NULL,
                 "linker:/b/libnvrtc.so.13 linker:/c/libnvrtc.so.13.2.1 linker:/a/libnvrtc.so.12");
}

TEST_BETWEEN(wheels_are_found_in_every_kind_of_python_folder, begin, NULL) {
    char environment[2 * SCRATCH_BYTES], home[2 * SCRATCH_BYTES], conda[2 * SCRATCH_BYTES];
    put("env/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    put("env/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    put("conda/lib/libnvrtc.so.12");
    put("conda/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    put("prefix/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    put("me/.local/share/jitreduce/nvrtc/lib/python3.14/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    put("me/.local/lib/python3.9/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    put("usr/local/lib/python3.11/dist-packages/nvidia/cu14/lib/libnvrtc.so.14");
    put("usr/lib/python3/dist-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    snprintf(environment, sizeof environment, "%s/env", root);
    snprintf(home, sizeof home, "%s/me", root);
    snprintf(conda, sizeof conda, "%s/conda", root);
    jr_places places = {.root = root, .virtual_env = environment, .conda_prefix = conda, .home = home};
    snprintf(places.own_folder, sizeof places.own_folder, "%s/prefix/lib", root);
    assert_nvrtc(&places, NULL,
                 "wheel:/env/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                 "wheel:/env/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 "
                 "CONDA_PREFIX:/conda/lib/libnvrtc.so.12 "
                 "wheel:/conda/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                 "wheel:/prefix/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                 "wheel:/me/.local/share/jitreduce/nvrtc/lib/python3.14/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                 "wheel:/me/.local/lib/python3.9/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                 "wheel:/usr/local/lib/python3.11/dist-packages/nvidia/cu14/lib/libnvrtc.so.14 "
                 "wheel:/usr/lib/python3/dist-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
}

TEST_BETWEEN(stages_keep_their_order, begin, NULL) {
    char home[2 * SCRATCH_BYTES], linker[2 * SCRATCH_BYTES], environment[2 * SCRATCH_BYTES];
    put("home/lib64/libnvrtc.so.12");
    put("own/libnvrtc.so.12");
    put("own/jitreduce/libnvrtc.so.11"); /* a link that make install put there */
    put("linker/libnvrtc.so.13");
    put("usr/local/cuda/lib64/libnvrtc.so.14");
    put("env/lib/python3.11/site-packages/nvidia/cu15/lib/libnvrtc.so.15");
    snprintf(home, sizeof home, "%s/home", root);
    snprintf(linker, sizeof linker, "%s/linker", root);
    snprintf(environment, sizeof environment, "%s/env", root);
    jr_places places = {.root = root, .cuda_home = home, .linker_path = linker, .virtual_env = environment};
    snprintf(places.own_folder, sizeof places.own_folder, "%s/own", root);
    assert_nvrtc(&places, NULL,
                 "CUDA_HOME:/home/lib64/libnvrtc.so.12 next to jitreduce:/own/libnvrtc.so.12 "
                 "next to jitreduce:/own/jitreduce/libnvrtc.so.11 "
                 "linker:/linker/libnvrtc.so.13 toolkit folder:/usr/local/cuda/lib64/libnvrtc.so.14 "
                 "wheel:/env/lib/python3.11/site-packages/nvidia/cu15/lib/libnvrtc.so.15");
}

TEST_BETWEEN(a_folders_special_characters_are_ordinary, begin, NULL) {
    char home[2 * SCRATCH_BYTES];
    put("a[b]*?\\c/lib64/libnvrtc.so.13");
    put("ab/lib64/libnvrtc.so.12");
    snprintf(home, sizeof home, "%s/a[b]*?\\c", root);
    assert_nvrtc(&(jr_places){.cuda_home = home}, NULL, "CUDA_HOME:/a[b]*?\\c/lib64/libnvrtc.so.13");
}

/* ---- the driver and the simulator ---- */

TEST_BETWEEN(the_driver_is_looked_for_by_wish_linker_and_system_folders, begin, NULL) {
    char path[3 * SCRATCH_BYTES];
    jr_candidates list = {0};
    put("a/libcuda.so.1");
    put("a/libcuda.so");
    snprintf(path, sizeof path, "%s/a:%s/none", root, root);
    jr_places places = {.root = root, .linker_path = path, .bare_names = true};
    jr_places_driver(&places, NULL, &list);
    assert_string_equal(listed(&list), "linker:/a/libcuda.so.1 linker:libcuda.so.1 "
                                       "system folder:/usr/lib/x86_64-linux-gnu/libcuda.so.1 "
                                       "system folder:/usr/lib64/libcuda.so.1 "
                                       "system folder:/usr/lib/wsl/lib/libcuda.so.1 "
                                       "system folder:/usr/local/nvidia/lib64/libcuda.so.1 "
                                       "system folder:/run/opengl-driver/lib/libcuda.so.1");
    jr_candidates_free(&list);
    places.driver = "/of/setting";
    jr_places_driver(&places, NULL, &list);
    assert_string_equal(listed(&list), "setting JITREDUCE_DRIVER:/of/setting");
    jr_candidates_free(&list);
}

TEST_BETWEEN(the_simulator_lies_beside_us_or_in_lib_beside_us, begin, NULL) {
    jr_candidates list = {0};
    jr_places places = {.bare_names = true};
    put("bin/jitreduce");
    put("lib/libjrsim.so.0");
    snprintf(places.own_folder, sizeof places.own_folder, "%s/bin", root);
    jr_places_simulator(&places, NULL, &list);
    assert_string_equal(listed(&list), "next to jitreduce:/bin/libjrsim.so next to jitreduce:/bin/libjrsim.so.0 "
                                       "next to jitreduce:/bin/../lib/libjrsim.so "
                                       "next to jitreduce:/lib/libjrsim.so.0 linker:libjrsim.so");
    jr_candidates_free(&list);
    jr_places_simulator(&places, "/of/option", &list);
    assert_string_equal(listed(&list), "option:/of/option");
    jr_candidates_free(&list);
}

TEST_BETWEEN(our_own_folder_is_that_of_the_running_test, begin, NULL) {
    char self[JR_PATH_BYTES] = "";
    jr_places places;
    jr_places_of_process(&places);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    *strrchr(self, '/') = '\0';
    assert_string_equal(places.own_folder, self);
}

RUN_TESTS(NULL, NULL)
