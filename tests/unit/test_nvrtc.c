/* Locating and opening NVRTC: made-up ones, and the machine's own where there is one. */
/* link: fail_nth */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "loader/elf_file.h"
#include "loader/nvrtc.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static const char *build(const char *name, const char *without) {
    const char *path = scratch_path(scratch_own, name);
    fake_library_make(path, fake_nvrtc_source(without));
    return path;
}

/* ---- locating ---- */

static void assert_not_located(const jr_places *places, const char *option, const char *why) {
    char path[JR_PATH_BYTES] = "untouched";
    assert_int_equal(jr_nvrtc_locate(places, option, NULL, path), JR_ERROR_NVRTC_NOT_FOUND);
    assert_string_equal(path, "untouched");
    assert_told(why);
}

TEST_BETWEEN(an_absent_nvrtc_is_an_error_that_says_what_to_do, scratch_begin, NULL) {
    jr_places places = {.root = scratch_own, .cuda_home = scratch_own};
    assert_not_located(&places, NULL, "no NVRTC was found in 1 places: `python3 -m venv");
    assert_told("bin/pip install nvidia-cuda-nvrtc");
    assert_told("JITREDUCE_NVRTC");
    assert_told("/lib64/libnvrtc.so.* (CUDA_HOME): No such file or directory");
}

TEST_BETWEEN(a_wish_that_cannot_be_met_is_an_error_with_its_reason, scratch_begin, NULL) {
    char good[2 * SCRATCH_BYTES];
    snprintf(good, sizeof good, "%s/usr/local/cuda/lib64/libnvrtc.so.13", scratch_own);
    scratch_elf(good);
    jr_places places = {.root = scratch_own};
    scratch_text(scratch_path(scratch_own, "libnvrtc.so.1"), "text");
    scratch_elf(scratch_path(scratch_own, "libm.so.6"));
    assert_not_located(&places, "/none/libnvrtc.so.13", "/none/libnvrtc.so.13 (option) cannot be used: No such file");
    assert_not_located(&places, scratch_own, "not a regular file");
    assert_not_located(&places, scratch_path(scratch_own, "libnvrtc.so.1"), "not an ELF file");
    assert_not_located(&places, scratch_path(scratch_own, "libm.so.6"), "its name does not begin with 'libnvrtc.'");
    places.nvrtc = "/none";
    assert_not_located(&places, NULL, "NVRTC /none (setting JITREDUCE_NVRTC) cannot be used");
}

TEST_BETWEEN(elf_files_that_cannot_be_loaded_are_told_apart, scratch_begin, NULL) {
    Elf64_Ehdr good, header;
    const char *path = scratch_path(scratch_own, "file");
    size_t count = 0;
    scratch_elf(path);
    assert_null(jr_elf_file_refusal(path));
    char *bytes = scratch_read(path, &count);
    memcpy(&good, bytes, sizeof good);
    scratch_write(path, &good, sizeof good - 1);
    assert_string_equal(jr_elf_file_refusal(path), "not an ELF file (too short)");
    header = good;
    header.e_ident[EI_CLASS] = ELFCLASS32;
    scratch_write(path, &header, sizeof header);
    assert_string_equal(jr_elf_file_refusal(path), "not a 64-bit library");
    header = good;
    header.e_machine = EM_S390;
    scratch_write(path, &header, sizeof header);
    assert_string_equal(jr_elf_file_refusal(path), "a library for another processor");
    header = good;
    header.e_type = ET_REL;
    scratch_write(path, &header, sizeof header);
    assert_string_equal(jr_elf_file_refusal(path), "not a shared library");
    assert_string_equal(jr_elf_file_refusal(scratch_path(scratch_own, "none")), "No such file or directory");
}

TEST_BETWEEN(a_bad_candidate_is_passed_over_and_a_search_for_all_lists_the_rest, scratch_begin, NULL) {
    char path[JR_PATH_BYTES];
    jr_candidates findings = {0};
    jr_places places = {.root = scratch_own};
    scratch_text(scratch_path(scratch_own, "usr/local/cuda-13.1/lib64/libnvrtc.so.13"), "broken");
    scratch_elf(scratch_path(scratch_own, "usr/local/cuda-13.0/lib64/libnvrtc.so.13"));
    scratch_elf(scratch_path(scratch_own, "usr/local/cuda-12.0/lib64/libnvrtc.so.12"));
    assert_int_equal(jr_nvrtc_locate(&places, NULL, &findings, path), JR_OK);
    assert_string_equal(path, scratch_path(scratch_own, "usr/local/cuda-13.0/lib64/libnvrtc.so.13"));
    assert_int_equal(findings.count, 3);
    assert_string_equal(findings.items[0].detail, "not an ELF file (too short)");
    assert_true(findings.items[1].chosen);
    assert_string_equal(findings.items[2].detail, "not needed: an earlier place has one");
    jr_candidates_free(&findings);
}

TEST_BETWEEN(the_located_path_is_free_of_links, scratch_begin, NULL) {
    char path[JR_PATH_BYTES], link[2 * SCRATCH_BYTES];
    scratch_elf(scratch_path(scratch_own, "real/libnvrtc.so.13.0.88"));
    assert_int_equal(symlink("real/libnvrtc.so.13.0.88", scratch_path(scratch_own, "libnvrtc.so.13")), 0);
    snprintf(link, sizeof link, "%s/libnvrtc.so.13", scratch_own);
    assert_int_equal(jr_nvrtc_locate(&(jr_places){0}, link, NULL, path), JR_OK);
    assert_string_equal(path, scratch_path(scratch_own, "real/libnvrtc.so.13.0.88"));
}

/* ---- builtins ---- */

TEST_BETWEEN(builtins_of_the_same_version_and_folder_are_found, scratch_begin, NULL) {
    char path[JR_PATH_BYTES] = "untouched";
    const char *exact = scratch_path(scratch_own, "a/libnvrtc.so.13.0.88");
    scratch_elf(exact);
    assert_false(jr_nvrtc_builtins_find(exact, 13, 0, path));
    assert_string_equal(path, "untouched");
    scratch_elf(scratch_path(scratch_own, "a/libnvrtc-builtins.so.12.9"));
    scratch_elf(scratch_path(scratch_own, "a/libnvrtc-builtins.so.13.1"));
    scratch_elf(scratch_path(scratch_own, "a/libnvrtc-builtins.alt.so.13.0"));
    scratch_text(scratch_path(scratch_own, "a/libnvrtc-builtins.so.13.0"), "broken");
    exact = scratch_path(scratch_own, "a/libnvrtc.so.13.0.88");
    assert_false(jr_nvrtc_builtins_find(exact, 13, 0, path));
    scratch_elf(scratch_path(scratch_own, "a/libnvrtc-builtins.so.13.0"));
    exact = scratch_path(scratch_own, "a/libnvrtc.so.13.0.88");
    assert_true(jr_nvrtc_builtins_find(exact, 13, 0, path));
    assert_string_equal(path, scratch_path(scratch_own, "a/libnvrtc-builtins.so.13.0"));
    scratch_elf(scratch_path(scratch_own, "a/libnvrtc.so.13")); /* a wheel's name */
    assert_true(jr_nvrtc_builtins_find(scratch_path(scratch_own, "a/libnvrtc.so.13"), 13, 1, path));
    assert_string_equal(path, scratch_path(scratch_own, "a/libnvrtc-builtins.so.13.1"));
    assert_false(jr_nvrtc_builtins_find(scratch_path(scratch_own, "a/none"), 13, 0, path));
}

/* ---- opening ---- */

TEST_BETWEEN(a_function_that_is_missing_is_named, scratch_begin, NULL) {
    jr_nvrtc nvrtc = {.about.major = 42};
    const char *path = build("libnvrtc.so.13", "nvrtcGetCUBIN");
    assert_int_equal(jr_nvrtc_open(path, &nvrtc), JR_ERROR_MISSING_FUNCTION);
    assert_told("lacks the function nvrtcGetCUBIN");
    assert_told(path);
    assert_int_equal(nvrtc.about.major, 42);
}

TEST_BETWEEN(a_file_that_cannot_be_loaded_is_an_error_with_the_linkers_reason, scratch_begin, NULL) {
    jr_nvrtc nvrtc;
    scratch_elf(scratch_path(scratch_own, "libnvrtc.so.13")); /* looks right, and is nothing more than a header */
    assert_int_equal(jr_nvrtc_open(scratch_path(scratch_own, "libnvrtc.so.13"), &nvrtc), JR_ERROR_NVRTC_NOT_FOUND);
    assert_told("cannot be loaded: ");
    assert_int_equal(jr_nvrtc_open("/none/libnvrtc.so.13", &nvrtc), JR_ERROR_NVRTC_NOT_FOUND);
    assert_told("NVRTC /none/libnvrtc.so.13 cannot be loaded: cannot open shared object file");
}

TEST_BETWEEN(opening_reads_version_build_and_sorted_architectures, scratch_begin, NULL) {
    jr_nvrtc nvrtc;
    assert_int_equal(jr_nvrtc_open(build("libnvrtc.so.13.7.42", NULL), &nvrtc), JR_OK);
    assert_int_equal(nvrtc.about.major, 13);
    assert_int_equal(nvrtc.about.minor, 7);
    assert_string_equal(nvrtc.about.build, "13.7.42");
    assert_int_equal(nvrtc.about.architecture_count, 3);
    assert_int_equal(nvrtc.about.architectures[0], 75);
    assert_int_equal(nvrtc.about.architectures[1], 90);
    assert_int_equal(nvrtc.about.architectures[2], 100);
    assert_null(nvrtc.builtins); /* no builtins are next to it */
    jr_nvrtc_close(&nvrtc);
    assert_null(nvrtc.library);
    jr_nvrtc_close(&nvrtc);
}

TEST_BETWEEN(builtins_beside_it_are_loaded_with_it, scratch_begin, NULL) {
    jr_nvrtc nvrtc;
    const char *path = build("libnvrtc.so.13.7.43", NULL);
    assert_true(fake_library(scratch_path(scratch_own, "libnvrtc-builtins.so.13.7"), "int jr_test_builtins;"));
    assert_int_equal(jr_nvrtc_open(path, &nvrtc), JR_OK);
    assert_non_null(nvrtc.builtins);
    jr_nvrtc_close(&nvrtc);
}

TEST_BETWEEN(a_name_without_a_build_number_is_told_by_its_elf_build_id, scratch_begin, NULL) {
    jr_nvrtc nvrtc;
    char id[65] = "", line[256], wanted[65] = "";
    const char *path = build("libnvrtc.so.13", NULL);
    if (!jr_elf_build_id(path, id, sizeof id)) skip_because("skipped: this compiler's linker writes no build id\n");
    assert_int_equal(jr_nvrtc_open(path, &nvrtc), JR_OK);
    assert_string_equal(nvrtc.about.build, id);
    jr_nvrtc_close(&nvrtc);
    const char *const readelf[] = {"readelf", "-n", path, NULL}, *output = scratch_path(scratch_own, "output");
    assert_true(scratch_run(readelf, output));
    FILE *lines = fopen(output, "r");
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines)) sscanf(line, " Build ID: %64s", wanted);
    fclose(lines);
    assert_string_equal(id, wanted); /* binutils is the judge */
}

static jr_status open_and_close(void *path) {
    jr_nvrtc nvrtc;
    jr_status status = jr_nvrtc_open(path, &nvrtc);
    if (!status) jr_nvrtc_close(&nvrtc);
    return status;
}

TEST_BETWEEN(opening_fails_cleanly_at_every_call, scratch_begin, NULL) {
    char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%s", build("libnvrtc.so.13", NULL));
    assert_true(fake_library(scratch_path(scratch_own, "libnvrtc-builtins.so.13.7"), "int jr_test_builtins;"));
    assert_true(fail_nth_walk(FAIL_ALL, open_and_close, path) > 20);
}

TEST_BETWEEN(the_machines_own_nvrtc_compiles_an_empty_program, scratch_begin, NULL) {
    char path[JR_PATH_BYTES], builtins[JR_PATH_BYTES];
    jr_nvrtc nvrtc;
    jr_nvrtc_program program = NULL;
    const char *const options[] = {"--gpu-architecture=sm_90"};
    if (jr_nvrtc_locate(NULL, NULL, NULL, path)) skip_because("skipped: %s\n", jr_last_error()->message);
    assert_int_equal(jr_nvrtc_open(path, &nvrtc), JR_OK);
    assert_true(nvrtc.about.major >= 11);
    assert_true(strlen(nvrtc.about.build) >= 5);
    assert_int_equal(jr_nvrtc_builtins_find(path, nvrtc.about.major, nvrtc.about.minor, builtins),
                     nvrtc.builtins != NULL);
    for (int i = 1; i < nvrtc.about.architecture_count; i++)
        assert_true(nvrtc.about.architectures[i - 1] < nvrtc.about.architectures[i]);
    assert_int_equal(nvrtc.nvrtcCreateProgram(&program, "__global__ void k() {}", "k", 0, NULL, NULL), 0);
    assert_int_equal(nvrtc.nvrtcCompileProgram(program, 1, options), 0);
    assert_int_equal(nvrtc.nvrtcDestroyProgram(&program), 0);
    jr_nvrtc_close(&nvrtc);
}

RUN_TESTS(NULL, NULL)
