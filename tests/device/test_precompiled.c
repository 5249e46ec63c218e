/* Precompiled headers: another program with the same includes begins with what an earlier one left in the cache's
 * folder, in this process or in another, and the image is the same as without. */
/* cache: own */
#include "support/cases/pch_case.h"

/* ---- what they give ---- */

TEST_BETWEEN(another_process_begins_with_them, pch_begin, pch_end) {
    pch_make_one();
    pch_compiled *second = pch_asked(1, pch_other);
    second->moved_bytes = (size_t)300 << 20;
    pch_run(second);
    assert_int_equal(second->begun, 1);
    assert_int_equal(second->made, 0);
    pch_assert_same_image(second);
}

TEST_BETWEEN(the_compile_that_makes_them_gives_the_same_image, pch_begin, pch_end) {
    const pch_compiled *first = pch_run(pch_asked(0, pch_source));
    pch_assert_same_image(first);
}

TEST_BETWEEN(one_process_makes_them_once, pch_begin, pch_end) {
    pch_make_one();
    pch_compiled *second = pch_asked(1, pch_other);
    second->more = 2;
    pch_run(second);
    assert_int_equal(second->begun, 3);
}

TEST_BETWEEN(a_program_of_another_name_and_constant_shares_them, pch_begin, pch_end) {
    static const jr_named_text constant = {"A_VALUE", "(2 + 3)"};
    pch_make_one();
    pch_compiled *second = pch_asked(1, pch_other);
    second->program.name = "else";
    second->program.constants = &constant;
    pch_run(second);
    assert_int_equal(second->begun, 1);
    pch_assert_same_image(second);
}

TEST_BETWEEN(processes_that_begin_at_once_make_one_file, pch_begin, pch_end) {
    static const char *const texts[] = {pch_source, pch_other,
                                        "#include \"big.h\"\n__global__ void k(int *o) { *o = big(1); }"};
    pid_t children[3];
    char path[2 * SCRATCH_BYTES];
    for (int i = 0; i < 3; i++) children[i] = pch_process_begin(pch_asked(i, texts[i]), scratch_own);
    for (int i = 0; i < 3; i++) pch_process_end(children[i]);
    for (int i = 0; i < 3; i++) assert_int_equal(pch_shared[i].status, JR_OK);
    if (!pch_shared[0].ready) skip();
    assert_int_equal(pch_files(path), 2); /* of two prefixes */
    assert_int_equal(pch_shared[0].made + pch_shared[1].made + pch_shared[2].made, 2);
}

/* ---- what they depend on ---- */

TEST_BETWEEN(a_header_that_changed_is_compiled_again, pch_begin, pch_end) {
    pch_make_one();
    pch_compiled *second = pch_asked(1, pch_other);
    *strstr(pch_header, "42") = '3';
    pch_run(second);
    assert_int_equal(second->begun, 0);
    pch_assert_same_image(second);
}

TEST_BETWEEN(an_option_has_a_file_of_its_own, pch_begin, pch_end) {
    static const char *const options[] = {"--use_fast_math"};
    pch_make_one();
    pch_compiled *second = pch_asked(1, pch_other);
    second->program.options = options;
    second->program.option_count = 1;
    pch_run(second);
    assert_int_equal(second->begun, 0);
    assert_int_equal(second->made, 1);
    pch_assert_same_image(second);
}

/* The constant follows the mark, where the header no longer finds it. */
TEST_BETWEEN(a_constant_whose_name_a_header_pastes_gets_none, pch_begin, pch_end) {
    pch_put(strstr(pch_header, "/*") + 2, " */\n#define JOIN(a, b) a##b\n#if JOIN(A_, VALUE) == 7\n"
                                          "#define big(x) ((x) + 100)\n#endif\n/*");
    pch_assert_none(pch_asked(0, pch_source));
    pch_assert_same_image(&pch_shared[0]);
}

TEST_BETWEEN(a_constant_that_a_header_mentions_gets_none, pch_begin, pch_end) {
    pch_put(strstr(pch_header, "/*") + 2, " A_VALUE ");
    pch_assert_none(pch_asked(0, pch_source));
}

TEST_BETWEEN(an_option_that_defines_a_macro_gets_none, pch_begin, pch_end) {
    static const char *const options[] = {"-DB_VALUE=4"};
    pch_compiled *self = pch_asked(0, pch_source);
    self->program.options = options;
    self->program.option_count = 1;
    pch_assert_none(self);
}

TEST_BETWEEN(small_headers_get_none, pch_begin, pch_end) {
    strcpy(strstr(pch_header, "/*"), "\n");
    pch_assert_none(pch_asked(0, pch_source));
}

TEST_BETWEEN(a_setting_of_0_turns_them_off, pch_begin, pch_end) {
    pch_compiled *self = pch_asked(0, pch_source);
    self->bytes = "0";
    pch_assert_none(self);
}

TEST_BETWEEN(a_limit_on_address_space_turns_them_off, pch_begin, pch_end) {
    pch_compiled *self = pch_asked(0, pch_source);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("SKIP: a sanitizer takes more addresses than the limit\n");
#endif
    self->limited = true;
    pch_assert_none(self);
}

/* ---- programs that are wrong ---- */

TEST_BETWEEN(an_error_is_told_in_the_same_words, pch_begin, pch_end) {
    static const char wrong[] =
        "// a kernel\n#include \"big.h\"\n\n__global__ void k(int *o) {\n  *o = biig(A_VALUE);\n}\n";
    char message[512], log[4096];
    pch_compiled *plain = pch_asked(0, wrong);
    plain->bytes = "0";
    pch_run(plain);
    assert_int_equal(plain->status, JR_ERROR_COMPILE);
    memcpy(message, plain->message, sizeof message);
    memcpy(log, plain->log, sizeof log);
    assert_non_null(strstr(log, "precompiled(5)"));
    const pch_compiled *making = pch_run(pch_asked(0, wrong));
    assert_string_equal(making->message, message);
    assert_string_equal(making->log, log);
    pch_make_one();
    const pch_compiled *using = pch_run(pch_asked(0, wrong));
    assert_string_equal(using->message, message);
    assert_string_equal(using->log, log);
}

RUN_TESTS(NULL, NULL)
