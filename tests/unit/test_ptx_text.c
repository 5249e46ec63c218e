/* PTX text as a caller brings it: images of it, and the parameters of its kernels. No driver. */
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"

#define HEAD ".version 9.0\n.target sm_90a, debug\n.address_size 64\n"

static jr_image *image_of(const char *ptx, const char *entry) {
    jr_image *image = NULL;
    if (jr_image_read_ptx(ptx, entry, &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return image;
}

static void is_refused(const char *ptx, const char *entry, const char *words) {
    jr_image *image = NULL;
    assert_int_equal(jr_image_read_ptx(ptx, entry, &image), JR_ERROR_INVALID_ARGUMENT);
    assert_null(image);
    if (strstr(jr_last_error()->message, words) == NULL)
        fail_msg("'%s' is not in '%s'", words, jr_last_error()->message);
}

TEST(a_byte_order_mark_before_a_text_is_passed_over) {
    jr_image *image = image_of("\xef\xbb\xbf" HEAD ".visible .entry k()\n{\n\tret;\n}\n", NULL);
    assert_true(strncmp(jr_image_ptx(image), ".version", 8) == 0);
    jr_image_destroy(image);
}

TEST(parameters_have_sizes_alignments_and_types) {
    static const struct {
        size_t bytes, alignment;
        const char *type;
    } expected[] = {{4, 4, "u32"}, {4, 4, "f32"}, {8, 8, "u64"},  {8, 8, "u64"},
                    {1, 1, "s8"},  {16, 8, "b8"}, {24, 8, "b64"}, {16, 16, "b128"}};
    enum { COUNT = sizeof expected / sizeof *expected };
    jr_kernel_parameter found[COUNT + 1];
    size_t count = 0;
    jr_image *image =
        image_of(HEAD "// .entry none()\n/* .entry none() */ .file 1 \".entry none()\"\n"
                      ".func f(.param .u64 a) { ret; }\n"
                      ".visible .entry k(.param .u32 a, .param .f32 b,\n\t.param .u64 c, .param .u64 .ptr "
                      ".global .align 4 d, .param .s8 e,.param .align 8 .b8 g[16], .param .b64 h [ 3 ] , "
                      ".param .b128 i)\n.maxntid 128\n{ ret; }\n",
                 NULL);
    assert_int_equal(jr_image_parameters(image, found, COUNT + 1, &count), JR_OK);
    assert_int_equal(count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(found[i].bytes, expected[i].bytes);
        assert_int_equal(found[i].alignment, expected[i].alignment);
        assert_string_equal(found[i].type, expected[i].type);
    }
    memset(found, 0x5a, sizeof found);
    assert_int_equal(jr_image_parameters(image, found, 1, &count), JR_OK);
    assert_int_equal(count, COUNT);
    assert_string_equal(found[0].type, "u32");
    assert_int_equal(found[1].type[0], 0x5a);
    jr_image_destroy(image);
}

TEST(a_kernel_may_have_no_parameters) {
    static const char *const texts[] = {HEAD ".entry k() { ret; }", HEAD ".entry k { ret; }", HEAD ".entry k( ) ;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t count = 99;
        jr_image *image = image_of(texts[i], "k");
        assert_int_equal(jr_image_parameters(image, NULL, 0, &count), JR_OK);
        assert_int_equal(count, 0);
        jr_image_destroy(image);
    }
}

TEST(the_only_kernel_needs_no_name) {
    is_refused(HEAD ".entry one() { ret; } .entry two() { ret; }", NULL, "several kernels: name one of: one two");
    is_refused(HEAD ".entry one() { ret; } .entry two() { ret; }", "tw", "no kernel 'tw': it has one two");
    is_refused(HEAD ".func one() { ret; }", NULL, "no kernel: .entry is missing");
    jr_image_destroy(image_of(HEAD ".entry one() { ret; } .entry two() { ret; }", "two"));
}

TEST(what_is_no_ptx_is_refused) {
    static const char *const texts[] = {"",   "int main() {}", ".target", ".target x", "/* .target sm_90",
                                        "\"", "\177ELF"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) is_refused(texts[i], NULL, "this is not PTX");
    is_refused(HEAD, NULL, "no kernel");
    is_refused(HEAD ".entry", NULL, "no kernel");
    is_refused(HEAD ".entry ;", NULL, "no kernel");
}

TEST(parameters_that_cannot_be_read_are_told) {
    static const char *const lists[] = {"(.param",
                                        "(.param .u64",
                                        "(.param .u64 a",
                                        "(.param .u64 a,",
                                        "(.param a)",
                                        "(.param .u64 a[)",
                                        "(.param .b8 a[0])",
                                        "(.param .b8 a[99999999999999999999999])",
                                        "(.param .b8 a[-1])",
                                        "(.param .align x .b8 a[1])",
                                        "(.param .u7 a)",
                                        "(.param .u64 a,)"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char ptx[256];
        size_t count = 99;
        snprintf(ptx, sizeof ptx, "%s.entry k%s", HEAD, lists[i]);
        jr_image *image = image_of(ptx, "k");
        assert_int_equal(jr_image_parameters(image, NULL, 0, &count), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, "of the kernel k cannot be read"));
        assert_int_equal(count, 99);
        jr_image_destroy(image);
    }
}

TEST(an_image_of_ptx_can_be_stored) {
    size_t bytes = 0;
    jr_image *image = image_of(HEAD ".entry k(.param .u64 p) { ret; }", NULL), *again = NULL;
    const void *stored = jr_image_data(image, &bytes);
    assert_int_equal(jr_image_read(stored, bytes, &again), JR_OK);
    assert_string_equal(jr_image_ptx(again), jr_image_ptx(image));
    jr_image_destroy(image);
    jr_image_destroy(again);
}

RUN_TESTS(NULL, NULL)
