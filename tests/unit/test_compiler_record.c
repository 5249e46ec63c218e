/* Compiler records: kept, found again, and refused when anything at all has changed. */
/* link: fail_nth */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/error.h"
#include "image/compiler_record.h"
#include "loader/elf_file.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static char folder[SCRATCH_BYTES], library[2 * SCRATCH_BYTES], cache[2 * SCRATCH_BYTES];

static int begin(void **state) {
    (void)state;
    scratch_make(folder);
    snprintf(library, sizeof library, "%s/libnvrtc.so.13", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    scratch_folder(cache);
    scratch_elf(library);
    jr_fail(JR_OK, "untouched");
    return 0;
}

static int end(void **state) {
    (void)state;
    assert_string_equal(jr_last_error()->message, "untouched");
    scratch_remove(folder);
    return 0;
}

static void sample(jr_nvrtc_about *record) {
    *record = (jr_nvrtc_about){.major = 13,
                               .minor = 1,
                               .build = "13.1.7",
                               .architectures = {75, 90, 121},
                               .architecture_count = 3,
                               .place = 0x7e8000000000};
    memcpy(record->path, library, strlen(library) + 1);
}

static void write_sample(void) {
    jr_nvrtc_about record;
    sample(&record);
    assert_true(jr_compiler_record_write(cache, &record));
}

static bool found(const char *in, const char *path) {
    jr_nvrtc_about record, wanted;
    memset(&record, 0x5A, sizeof record);
    if (!jr_compiler_record_read(in, path, &record)) {
        assert_int_equal(record.path[0], 0x5A);
        return false;
    }
    sample(&wanted);
    assert_string_equal(record.path, wanted.path);
    assert_string_equal(record.build, wanted.build);
    assert_int_equal(record.major, 13);
    assert_int_equal(record.minor, 1);
    assert_int_equal(record.architecture_count, 3);
    assert_true(record.place == 0x7e8000000000);
    assert_memory_equal(record.architectures, wanted.architectures, 3 * sizeof(int));
    return true;
}

/* The path of the only file in the cache folder. */
static const char *record_path(void) {
    static char path[3 * SCRATCH_BYTES + 256];
    DIR *stream = opendir(cache);
    assert_non_null(stream);
    for (const struct dirent *item = readdir(stream); item; item = readdir(stream))
        if (*item->d_name != '.') snprintf(path, sizeof path, "%s/%s", cache, item->d_name);
    closedir(stream);
    return path;
}

TEST_BETWEEN(where_no_record_is_none_is_found, begin, end) {
    assert_false(found(cache, library));
    assert_false(found("", library));
    assert_false(found("/none", library));
    jr_nvrtc_about record;
    sample(&record);
    assert_false(jr_compiler_record_write("", &record));
    assert_false(jr_compiler_record_write("/none", &record));
}

TEST_BETWEEN(a_record_is_of_one_path, begin, end) {
    char other[3 * SCRATCH_BYTES];
    write_sample();
    assert_true(found(cache, library));
    snprintf(other, sizeof other, "%s/other.so", folder);
    assert_int_equal(link(library, other), 0); /* the same file under another name */
    assert_false(found(cache, other));
}

TEST_BETWEEN(any_change_of_the_file_makes_the_record_void, begin, end) {
    struct stat status;
    size_t count = 0;
    write_sample();
    assert_int_equal(stat(library, &status), 0);
    char *bytes = scratch_read(library, &count);
    const struct timespec times[2] = {status.st_atim, status.st_mtim};
    const struct timespec later[2] = {status.st_atim,
                                      {status.st_mtim.tv_sec, (status.st_mtim.tv_nsec + 1) % 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, library, later, 0), 0);
    assert_false(found(cache, library));
    assert_int_equal(utimensat(AT_FDCWD, library, times, 0), 0);
    assert_true(found(cache, library));
    scratch_write(library, bytes, count - 1);
    assert_int_equal(utimensat(AT_FDCWD, library, times, 0), 0);
    assert_false(found(cache, library));
    char aside[3 * SCRATCH_BYTES];
    snprintf(aside, sizeof aside, "%s/aside", folder); /* keeps the old inode taken */
    assert_int_equal(rename(library, aside), 0);
    assert_false(found(cache, library));
    scratch_write(library, bytes, count);
    assert_int_equal(utimensat(AT_FDCWD, library, times, 0), 0);
    assert_false(found(cache, library)); /* all the same, but another inode */
}

TEST_BETWEEN(another_build_id_alone_makes_the_record_void, begin, end) {
    struct stat status;
    size_t count = 0, at = 0;
    char id[65] = "", two[3];
    uint8_t first[4];
    if (!fake_library(library, "int x;") || !jr_elf_build_id(library, id, sizeof id))
        skip_because("skipped: no C compiler here, or its linker writes no build id\n");
    write_sample();
    assert_int_equal(stat(library, &status), 0);
    const struct timespec times[2] = {status.st_atim, status.st_mtim};
    for (size_t i = 0; i < sizeof first; i++) {
        snprintf(two, sizeof two, "%.2s", id + 2 * i);
        first[i] = (uint8_t)strtol(two, NULL, 16);
    }
    char *bytes = scratch_read(library, &count);
    while (at + sizeof first < count && memcmp(bytes + at, first, sizeof first) != 0) at++;
    assert_true(at + sizeof first < count);
    bytes[at] ^= 1;
    scratch_write(library, bytes, count);                        /* same inode and size, */
    assert_int_equal(utimensat(AT_FDCWD, library, times, 0), 0); /* and time */
    assert_false(found(cache, library));
    bytes[at] ^= 1;
    scratch_write(library, bytes, count);
    assert_int_equal(utimensat(AT_FDCWD, library, times, 0), 0);
    assert_true(found(cache, library));
}

TEST_BETWEEN(every_flipped_byte_and_every_truncation_is_a_miss, begin, end) {
    size_t count = 0;
    write_sample();
    char *good = scratch_read(record_path(), &count);
    for (size_t at = 0; at < count; at++) {
        good[at] ^= 1;
        scratch_write(record_path(), good, count);
        assert_false(found(cache, library));
        good[at] ^= 1;
        scratch_write(record_path(), good, at);
        assert_false(found(cache, library));
    }
    scratch_write(record_path(), good, count);
    assert_true(found(cache, library));
}

/* Writes a record with other last lines under a right checksum. */
static void forge(const char *lines) {
    size_t count = 0;
    uint8_t digest[JR_DIGEST_BYTES];
    char hex[JR_DIGEST_HEX_BYTES], text[8192];
    char *good = scratch_read(record_path(), &count);
    strchr(strstr(good, "\nid ") + 1, '\n')[1] = '\0'; /* the last line of the identity */
    int length = snprintf(text, sizeof text, "%s%s", good, lines);
    jr_digest_of(text, (size_t)length, digest);
    jr_digest_hex(digest, hex);
    snprintf(text + length, sizeof text - (size_t)length, "sha256 %s\n", hex);
    scratch_text(record_path(), text);
}

static const char long_build[] =
    "version 13.1\nbuild 0123456789012345678901234567890123456789012345678901234567890123\nplace "
    "7e8000000000\narchitectures 75\n";
static const char too_many[] =
    "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "
    "21 22 23 24 25 26 27 "
    "28 "
    "29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65\n";

TEST_BETWEEN(lies_under_a_right_checksum_are_a_miss, begin, end) {
    static const char *const lies[] = {
        "",
        "version 13\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75\n",
        "version 13.1\nbuild \nplace 7e8000000000\narchitectures 75\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 90 75\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75 75\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures -1\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75 99999999999999999999\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75x\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75\nmore\n",
        "version 13.1\nbuild 13.1.7\narchitectures 75\n",
        "version 13.1\nbuild 13.1.7\nplace \narchitectures 75\n",
        "version 13.1\nbuild 13.1.7\nplace -1\narchitectures 75\n",
        "version 13.1\nbuild 13.1.7\nplace 7e8000000001\narchitectures 75\n",
        "version 13.1\nbuild 13.1.7\nplace 1007e8000000000\narchitectures 75\n",
        long_build,
        too_many,
    };
    write_sample();
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        jr_nvrtc_about record;
        forge("version 13.1\nbuild 13.1.7\nplace 7e8000000000\narchitectures 75 90 121\n");
        assert_true(found(cache, library)); /* the forger knows the trade */
        forge(lies[i]);
        assert_false(jr_compiler_record_read(cache, library, &record));
    }
}

TEST_BETWEEN(a_folder_that_others_may_write_in_is_not_believed, begin, end) {
    jr_nvrtc_about record;
    write_sample();
    assert_int_equal(chmod(cache, 0777), 0);
    assert_false(found(cache, library));
    sample(&record);
    assert_false(jr_compiler_record_write(cache, &record));
}

static jr_status write_and_read(void *unused) {
    (void)unused;
    jr_nvrtc_about record, read;
    sample(&record);
    bool written = jr_compiler_record_write(cache, &record);
    bool hit = jr_compiler_record_read(cache, library, &read);
    fail_nth_pause();
    if (hit) assert_true(written);
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    assert_int_equal(jr_folder_list(cache, &entries, &count), JR_OK);
    assert_int_equal(count, written ? 1 : 0); /* nothing half-written */
    free(entries);
    unlink(record_path());
    return JR_OK;
}

TEST_BETWEEN(records_cope_with_a_failure_of_every_single_call, begin, end) {
    assert_true(fail_nth_walk(FAIL_ALL, write_and_read, NULL) >= 15);
    jr_fail(JR_OK, "untouched");
}

RUN_TESTS(NULL, NULL)
