/* Reading ld.so.cache: the running system's against ldconfig, made-up and damaged ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/linker_cache.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

enum { HEADER = 48, ENTRY = 24, ENTRIES = 3, STRINGS_BYTES = 64, NEW_BYTES = HEADER + ENTRIES * ENTRY + STRINGS_BYTES };

static const char magic[20] = {'g', 'l', 'i', 'b', 'c', '-', 'l', 'd', '.', 's',
                               'o', '.', 'c', 'a', 'c', 'h', 'e', '1', '.', '1'};

static char seen[4096];

static void keep(void *user, const char *name, const char *path) {
    (void)user;
    size_t length = strlen(seen);
    snprintf(seen + length, sizeof seen - length, "%s=%s ", name, path);
}

static const char *found_in(const void *bytes, size_t count, const char *prefix) {
    const char *path = scratch_path(scratch_own, "cache");
    scratch_write(path, bytes, count);
    *seen = '\0';
    jr_linker_cache_find(path, prefix, keep, NULL);
    return seen;
}

static void number_at(uint8_t *bytes, size_t at, uint32_t number) {
    memcpy(bytes + at, &number, sizeof number);
}

/* A new-format cache with libx.so.1, libx.so.2 and other.so. */
static void build(uint8_t cache[NEW_BYTES]) {
    static const char strings[] = "libx.so.1\0/a/libx.so.1\0libx.so.2\0/b/libx.so.2\0other.so\0/o";
    static const uint32_t offsets[ENTRIES][2] = {{0, 10}, {23, 33}, {46, 55}};
    const uint32_t base = HEADER + ENTRIES * ENTRY;
    memset(cache, 0, NEW_BYTES);
    memcpy(cache, magic, sizeof magic);
    number_at(cache, 20, ENTRIES);
    number_at(cache, 24, STRINGS_BYTES);
    for (size_t i = 0; i < ENTRIES; i++) {
        number_at(cache, HEADER + i * ENTRY, 0x303);
        number_at(cache, HEADER + i * ENTRY + 4, base + offsets[i][0]);
        number_at(cache, HEADER + i * ENTRY + 8, base + offsets[i][1]);
    }
    memcpy(cache + base, strings, sizeof strings);
}

static const char both[] = "libx.so.1=/a/libx.so.1 libx.so.2=/b/libx.so.2 ";

TEST_BETWEEN(a_missing_or_foreign_file_has_no_libraries, scratch_begin, NULL) {
    *seen = '\0';
    jr_linker_cache_find(scratch_path(scratch_own, "none"), "", keep, NULL);
    jr_linker_cache_find(scratch_own, "", keep, NULL);
    assert_string_equal(seen, "");
    assert_string_equal(found_in("", 0, ""), "");
    assert_string_equal(found_in("glibc-ld.so.cache1.1", 20, ""), "");
    assert_string_equal(found_in("something else that is longer than a header of the cache", 56, ""), "");
}

TEST_BETWEEN(libraries_are_found_by_prefix_in_the_files_order, scratch_begin, NULL) {
    uint8_t cache[NEW_BYTES];
    build(cache);
    assert_string_equal(found_in(cache, sizeof cache, "libx.so."), both);
    assert_string_equal(found_in(cache, sizeof cache, "other"), "other.so=/o ");
    assert_string_equal(found_in(cache, sizeof cache, "none"), "");
}

TEST_BETWEEN(a_cache_behind_an_older_one_is_found, scratch_begin, NULL) {
    uint8_t cache[16 + 12 + 4 + NEW_BYTES] = "ld.so-1.7.0"; /* one old entry, padded to a multiple of 8 */
    number_at(cache, 12, 1);
    build(cache + 32);
    assert_string_equal(found_in(cache, sizeof cache, "libx.so."), both);
    number_at(cache, 12, UINT32_MAX);
    assert_string_equal(found_in(cache, sizeof cache, "libx.so."), "");
}

TEST_BETWEEN(a_cache_that_lies_about_its_size_has_no_libraries, scratch_begin, NULL) {
    uint8_t cache[NEW_BYTES];
    build(cache);
    number_at(cache, 20, UINT32_MAX);
    assert_string_equal(found_in(cache, sizeof cache, ""), "");
    number_at(cache, 20, (NEW_BYTES - HEADER) / ENTRY + 1);
    assert_string_equal(found_in(cache, sizeof cache, ""), "");
}

TEST_BETWEEN(a_string_outside_the_file_is_passed_over, scratch_begin, NULL) {
    uint8_t cache[NEW_BYTES];
    build(cache);
    number_at(cache, HEADER + 4, UINT32_MAX);
    assert_string_equal(found_in(cache, sizeof cache, "libx"), "libx.so.2=/b/libx.so.2 ");
    build(cache);
    memset(cache + NEW_BYTES - 8, 'x', 8); /* no NUL up to the end */
    number_at(cache, HEADER + 8, NEW_BYTES - 8);
    assert_string_equal(found_in(cache, sizeof cache, "libx"), "libx.so.2=/b/libx.so.2 ");
}

TEST_BETWEEN(no_truncation_or_flipped_byte_reads_outside, scratch_begin, NULL) {
    uint8_t cache[NEW_BYTES];
    build(cache);
    for (size_t size = 0; size < sizeof cache; size++) {
        const char *found = found_in(cache, size, "libx.so.");
        assert_true(strlen(found) <= strlen(both));
    }
    for (size_t at = 0; at < sizeof cache; at++) {
        cache[at] ^= 0xFF;
        const char *found = found_in(cache, sizeof cache, "libx.so.");
        assert_true(strlen(found) < sizeof seen - 1); /* the address sanitizer watches the rest */
        cache[at] ^= 0xFF;
    }
}

TEST_BETWEEN(the_systems_cache_says_what_ldconfig_says, scratch_begin, NULL) {
    char line[8192], wanted[4096] = "";
    const char *const ldconfig[] = {"/sbin/ldconfig", "-p", NULL};
    const char *output = scratch_path(scratch_own, "output");
    scratch_text(output, "");
    scratch_run(ldconfig, output);
    FILE *lines = fopen(output, "r");
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines)) {
        char name[256], path[1024];
        const char *arrow = strstr(line, " => ");
        if (!arrow || sscanf(line, " %255s", name) != 1 || strncmp(name, "libm.so.6", 9) != 0) continue;
        if (sscanf(arrow, " => %1023s", path) != 1) continue;
        size_t length = strlen(wanted);
        snprintf(wanted + length, sizeof wanted - length, "%s=%s ", name, path);
    }
    fclose(lines);
    if (!*wanted) {
        print_message("skipped: ldconfig -p names no libm.so.6 here\n");
        skip();
    }
    *seen = '\0';
    jr_linker_cache_find("/etc/ld.so.cache", "libm.so.6", keep, NULL);
    assert_string_equal(seen, wanted);
}

RUN_TESTS(NULL, NULL)
