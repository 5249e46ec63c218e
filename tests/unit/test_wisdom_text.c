/* Stored tunings as text. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "jitreduce/status.h"
#include "support/cases/wisdom_case.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"
#include "wisdom/wisdom_text.h"

/* Stored tunings as text: what is printed is read back, and nothing else is. */

/* Two machines, two works, three counts; one entry says that the estimate is best. */
static char *sample_text(void) {
    jr_wisdom wisdom = {0};
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    const jr_wisdom_entry best = {.work = "sum f32", .count = 4096, .time_ns = 3012, .estimate_ns = 3012};
    wisdom_put(&wisdom, "NVIDIA H200", "sum f32", 1048576);
    wisdom_put(&wisdom, "NVIDIA H200", "argmin f32", 1024);
    wisdom_put(&wisdom, "NVIDIA H100", "sum f32", 1024);
    assert_int_equal(jr_wisdom_add(&wisdom, &machine, &best), JR_OK);
    char *text = wisdom_text(&wisdom);
    jr_wisdom_free(&wisdom);
    return text;
}

/* Reads a copy of bytes in memory that ends with its NUL, so that a sanitizer sees reads beyond it. */
static jr_status parse(const void *bytes, size_t count, jr_wisdom *wisdom) {
    char *copy = malloc(count + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    copy[count] = '\0';
    const jr_status status = jr_wisdom_parse(copy, count, wisdom);
    free(copy);
    return status;
}

static void refuses(const char *text, const char *why) {
    jr_wisdom wisdom = {0};
    assert_int_equal(parse(text, strlen(text), &wisdom), JR_ERROR_WISDOM);
    assert_told(why);
    assert_null(wisdom.parts);
}

static void refuses_changed(const char *text, const char *from, const char *to, const char *why) {
    char *changed = wisdom_changed(text, from, to);
    refuses(changed, why);
    free(changed);
}

TEST(every_cut_text_is_refused) {
    char *text = sample_text();
    for (size_t length = strlen(text); length-- > 0;) {
        text[length] = '\0';
        refuses(text, length < strlen(JR_WISDOM_MAGIC) ? "not a wisdom file" : length < 18 ? "format" : "cut short");
    }
}

TEST(every_flipped_byte_is_refused) {
    char *text = sample_text();
    const size_t length = strlen(text);
    jr_wisdom wisdom = {0};
    for (size_t i = 0; i < length * 8; i++) {
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
        assert_int_equal(parse(text, length, &wisdom), JR_ERROR_WISDOM);
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
    }
    assert_int_equal(parse(text, length, &wisdom), JR_OK);
    jr_wisdom_free(&wisdom);
}

TEST(sealed_nonsense_is_refused_by_its_line) {
    static const struct {
        const char *from, *to, *why;
    } rows[] = {
        {"wisdom 1\n", "wisdom 2\n", "line 1 says format 2, and its entries are of format 1"},
        {"wisdom 1\n", "wisdom 3\n", "line 1 says format 3, and its entries are of format 1"},
        {"wisdom 1\n", "wisdom 4\n", "its format is '4', and this library reads 1 to 3"},
        {"wisdom 1\n", "wisdom 01\n", "format"},
        {"wisdom 1\n", "wisdom 99999999999999999999999999\n", "format"},
        {"wisdom 1\n", "wisdom 1 \n", "line 1 is not"},
        {"capability 9.0\n", "", "line 3 is not a valid description of a machine"},
        {"capability 9.0\n", "capability \n", "line 3 is not a valid description of a machine"},
        {"capability 9.0\n", "capability 9.0\ncapability 9.0\n", "line 4 is not a valid description of a machine"},
        {"sum f32, 1024", "sum f32, 01024", "line 8 is not a valid entry"},
        {"sum f32, 1024", "sum f32, 0", "line 8 is not a valid entry"},
        {"sum f32, 1024", "sum f32, -1", "line 8 is not a valid entry"},
        {"sum f32, 1024", "sum f32, 99999999999999999999", "line 8 is not a valid entry"},
        {"sum f32, 1024", "SUM f32, 1024", "line 8 is not a valid entry"},
        {"sum f32, 1024", ", 1024", "line 8 is not a valid entry"},
        {"two_pass", "three_pass", "line 8 is not a valid entry"},
        {"two_pass", "", "line 8 is not a valid entry"},
        {"unroll 4", "unroll 17", "line 8 is not a valid entry"},
        {"unroll 4", "unroll 0", "line 8 is not a valid entry"},
        {"block 256", "block 100", "line 8 is not a valid entry"},
        {"block 256", "block 2048", "line 8 is not a valid entry"},
        {", 2 blocks", ", 65 blocks", "line 8 is not a valid entry"},
        {", 2 blocks", ", 0 blocks", "line 8 is not a valid entry"},
        {"1.500 us", "1.5 us", "line 8 is not a valid entry"},
        {"1.500 us", "nan us", "line 8 is not a valid entry"},
        {"1.500 us", "1e300 us", "line 8 is not a valid entry"},
        {"2.250 us\n", "2.250 us \n", "line 8 is not a valid entry"},
        {"2.250 us\n", "2.250 us", "line 8 is not a valid entry"},
        {"2.250 us\n", "2.250 us\nrubbish", "line 9 is not a valid entry"},
        {"2.250 us\n", "2.250 us\n\n", "line 9 is not a valid entry"},
        {"H100", "H300", "line 9 is repeated or out of order"},
        {"H100", "H200", "line 9 is repeated or out of order"},
        {"argmin f32, 1024", "sum f32, 4096", "line 16 is repeated or out of order"},
        {"argmin f32, 1024", "sum f32, 8192", "line 16 is repeated or out of order"},
    };
    char *text = sample_text();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuses_changed(text, rows[i].from, rows[i].to, rows[i].why);
}

TEST(a_work_or_name_that_is_too_long_is_refused) {
    char *text = sample_text(), longer[JR_WORK_BYTES + 32];
    memset(longer, 'a', sizeof longer);
    snprintf(longer + JR_WORK_BYTES, 32, ", 1024");
    refuses_changed(text, "sum f32, 1024", longer, "line 8 is not a valid entry");
    memset(longer, 'a', sizeof longer);
    longer[JR_MACHINE_VALUE_BYTES] = '\0';
    refuses_changed(text, "NVIDIA H100", longer, "line 2 is not a valid description of a machine");
}

TEST(random_bytes_behind_the_first_line_are_refused) {
    uint64_t random = 1;
    for (int round = 0; round < 2000; round++) {
        jr_text text = {0};
        jr_wisdom wisdom = {0};
        jr_text_append(&text, JR_WISDOM_MAGIC "%d\n", JR_WISDOM_FORMAT);
        for (int i = 0; i < round % 200 + 1; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            jr_text_append_bytes(&text, &random, 1 + random % 7);
        }
        jr_seal_append(&text);
        assert_int_equal(parse(jr_text_string(&text), text.length, &wisdom), JR_ERROR_WISDOM);
        jr_text_free(&text);
    }
}

TEST(a_text_is_what_a_person_can_read) {
    char *text = sample_text();
    assert_non_null(strstr(text, "jitreduce wisdom 1\ndevice NVIDIA H100\ncapability 9.0\nmultiprocessors 132\n"
                                 "driver 13.0\nnvrtc 13.0.88\nlibrary 0.3.0\nsum f32, 1024 elements: two_pass, "
                                 "unroll 4, block 256, 2 blocks a multiprocessor; 1.500 us, estimate 2.250 us\n"
                                 "device NVIDIA H200\n"));
    assert_non_null(strstr(text, "\nargmin f32, 1024 elements: two_pass, "));
    assert_non_null(strstr(text, "\nsum f32, 4096 elements: estimate; 3.012 us, estimate 3.012 us\nsum f32, 1048576 "
                                 "elements: two_pass"));
}

/* As 0.1 wrote it; sealed by sha256sum. */
static const char of_an_older_library[] =
    "jitreduce wisdom 1\n"
    "device NVIDIA H200\n"
    "capability 9.0\n"
    "multiprocessors 132\n"
    "driver 13.0\n"
    "nvrtc 13.0.88\n"
    "library 0.1.0\n"
    "min,max f32, 4096 elements: estimate; 3.012 us, estimate 3.012 us\n"
    "sum f32, 1048576 elements: two_pass, unroll 4, block 256, 2 blocks a multiprocessor; 1.500 us, estimate 2.250 us\n"
    "sha256 b0a78e828208b415abd55030da85a06671bee419bdace95d6dfcf53ee44876bd\n";

TEST(a_file_of_an_older_library_is_read_and_stays_one) {
    jr_wisdom wisdom = {0};
    assert_int_equal(parse(of_an_older_library, strlen(of_an_older_library), &wisdom), JR_OK);
    assert_int_equal(wisdom_count(&wisdom), 2);
    char *again = wisdom_text(&wisdom);
    assert_string_equal(again, of_an_older_library);
    jr_wisdom_free(&wisdom);
}

/* The text of wisdom for a sum and its scan. */
static char *scan_text(void) {
    jr_wisdom wisdom = {0};
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    jr_wisdom_entry entry = wisdom_entry("inclusive scan sum f32", 1024);
    entry.algorithm = JR_ALGORITHM_THREE_PASS;
    wisdom_put(&wisdom, "NVIDIA H200", "sum f32", 1024);
    assert_int_equal(jr_wisdom_add(&wisdom, &machine, &entry), JR_OK);
    char *text = wisdom_text(&wisdom);
    jr_wisdom_free(&wisdom);
    return text;
}

TEST(a_text_with_scans_is_of_the_second_format) {
    jr_wisdom wisdom = {0};
    char *text = scan_text();
    assert_memory_equal(text, "jitreduce wisdom 2\ndevice ", 26);
    assert_non_null(strstr(text, "\ninclusive scan sum f32, 1024 elements: three_pass, unroll 4, block 256, 2 blocks a "
                                 "multiprocessor; 1.500 us, estimate 2.250 us\nsum f32, 1024 elements: two_pass"));
    assert_int_equal(parse(text, strlen(text), &wisdom), JR_OK);
    char *again = wisdom_text(&wisdom);
    assert_string_equal(again, text);
    assert_int_equal(wisdom.parts[0].entries[0].algorithm, JR_ALGORITHM_THREE_PASS);
    jr_wisdom_free(&wisdom);
}

TEST(algorithms_of_scans_and_of_reductions_are_told_apart) {
    char *text = scan_text();
    refuses_changed(text, "wisdom 2", "wisdom 1", "line 1 says format 1, and its entries are of format 2");
    refuses_changed(text, "three_pass", "two_pass", "line 8 is not a valid entry");
    refuses_changed(text, "two_pass", "three_pass", "line 9 is not a valid entry");
    refuses_changed(text, "inclusive scan sum", "reverse scan sum", "line 8 is not a valid entry");
}

TEST(what_is_printed_is_read_back) {
    jr_wisdom wisdom = {0};
    char *text = sample_text();
    assert_int_equal(parse(text, strlen(text), &wisdom), JR_OK);
    char *again = wisdom_text(&wisdom);
    assert_string_equal(again, text);
    assert_int_equal(wisdom_count(&wisdom), 4);
    assert_int_equal(wisdom.parts[1].entries[1].algorithm, JR_ALGORITHM_AUTO);
    assert_int_equal(wisdom.parts[1].entries[2].estimate_ns, 2250);
    jr_wisdom_free(&wisdom);
}

/* user: the text, of which each round reads a copy. */
static jr_status read_and_free(void *user) {
    char copy[4096];
    jr_wisdom wisdom = {0};
    snprintf(copy, sizeof copy, "%s", (const char *)user);
    const jr_status status = jr_wisdom_parse(copy, strlen(copy), &wisdom);
    jr_wisdom_free(&wisdom);
    return status;
}

TEST(reading_without_memory_leaves_nothing_behind) {
    char *text = sample_text();
    assert_true(fail_nth_walk(FAIL_MEMORY, read_and_free, text) >= 3);
}

/* Stored settings of tunables as text: of the third format, and read back as they are printed alone. */
TEST(a_text_with_settings_is_of_the_third_format) {
    jr_wisdom wisdom = {0};
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    const jr_wisdom_entry entry = {.work = "kernel my-kernel.v2 0123456789abcdef N=1024,M=7",
                                   .count = 1,
                                   .time_ns = 3012,
                                   .estimate_ns = 4101,
                                   .setting = "BLOCK=256,UF=-4"};
    wisdom_put(&wisdom, "NVIDIA H200", "sum f32", 1024);
    assert_int_equal(jr_wisdom_add(&wisdom, &machine, &entry), JR_OK);
    char *text = wisdom_text(&wisdom);
    jr_wisdom_free(&wisdom);
    assert_memory_equal(text, "jitreduce wisdom 3\ndevice ", 26);
    assert_non_null(strstr(text,
                           "\nkernel my-kernel.v2 0123456789abcdef N=1024,M=7: BLOCK=256,UF=-4; 3.012 us, preferred "
                           "4.101 us\nsum f32, 1024 elements: two_pass"));
    assert_int_equal(parse(text, strlen(text), &wisdom), JR_OK);
    char *again = wisdom_text(&wisdom);
    assert_string_equal(again, text);
    assert_string_equal(wisdom.parts[0].entries[0].setting, "BLOCK=256,UF=-4");
    jr_wisdom_free(&wisdom);
    refuses_changed(text, "wisdom 3", "wisdom 2", "line 1 says format 2, and its entries are of format 3");
    refuses_changed(text, "BLOCK=256,UF=-4; ", "; ", "line 8 is not a valid entry");
    refuses_changed(text, "preferred", "estimate", "line 8 is not a valid entry");
    refuses_changed(text, "M=7", "M=7:", "line 8 is not a valid entry");
}

RUN_TESTS(NULL, NULL)
