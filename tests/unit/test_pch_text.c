/* The text that a precompiled header needs: where the includes end, and what follows them. */
#include <stdio.h>

#include "pch/pch_text.h"
#include "support/fixtures/check.h"

static char large[300 << 10];

/* The text made of a source with one constant; NULL: none. */
static char *made_of(const char *source, const char *const *options, size_t option_count) {
    static const jr_named_text constant = {"C", "4"};
    const char *const texts[] = {large};
    char joined[2048];
    snprintf(joined, sizeof joined, "#define C 4\n#line 1 \"p\"\n%s", source);
    const jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .constants = &constant,
                                       .constant_count = 1, .options = options, .option_count = option_count);
    const jr_program_text text = {.program = &program};
    const char *names[] = {"x.h"};
    const char *copies[] = {texts[0]};
    const jr_headers headers = {.source = joined, .names = names, .texts = copies, .count = 1};
    jr_pch_text made = {0};
    if (!jr_pch_text_make(&text, &headers, &made)) return NULL;
    assert_true(strncmp(made.text + made.prefix_bytes, "#pragma nv_hdrstop\n", 19) == 0);
    return made.text;
}

static void begin_large(const char *text) {
    for (size_t i = 0; text[i] != '\0'; i++) large[i] = text[i];
}

static int fill(void **state) {
    (void)state;
    memset(large, ' ', sizeof large - 1);
    begin_large("int x;");
    return 0;
}

static void becomes(const char *source, const char *wanted) {
    char *made = made_of(source, NULL, 0);
    assert_non_null(made);
    assert_string_equal(made, wanted);
    free(made);
}

static void becomes_none(const char *source) {
    char *made = made_of(source, NULL, 0);
    if (made != NULL) fail_msg("made of %s: %s", source, made);
}

TEST(constants_and_line_numbers_follow_the_last_include_before_code) {
    becomes("#include \"x.h\"\nint a;\n", "#include \"x.h\"\n#pragma nv_hdrstop\n#define C 4\n#line 2 \"p\"\nint a;\n");
    becomes("// why\n\n#define A 1\n#include \"x.h\" /* a\n b */\n#define B C\nint a;\n#include \"x.h\"\n",
            "// why\n\n#define A 1\n#include \"x.h\" /* a\n b */\n#pragma nv_hdrstop\n#define C 4\n#line 6 \"p\"\n"
            "#define B C\nint a;\n#include \"x.h\"\n");
    becomes("#include \\\n\"x.h\"\n  #  include <x.h>\nint a;",
            "#include \\\n\"x.h\"\n  #  include <x.h>\n#pragma nv_hdrstop\n#define C 4\n#line 4 \"p\"\nint a;");
}

TEST(an_include_in_a_condition_is_not_the_last_one) {
    becomes("#ifdef A\n#include <a.h>\n#endif\n#include \"x.h\"\n#if 1\n#include <b.h>\n#endif\nint a;\n",
            "#ifdef A\n#include <a.h>\n#endif\n#include \"x.h\"\n#pragma nv_hdrstop\n#define C 4\n#line 5 \"p\"\n"
            "#if 1\n#include <b.h>\n#endif\nint a;\n");
    becomes_none("#ifndef A\n#define A\n#include \"x.h\"\nint a;\n#endif\n");
}

TEST(without_an_include_before_code_there_is_none) {
    becomes_none("int a;\n#include \"x.h\"\n");
    becomes_none("/* #include \"x.h\"\n */ int a;\n");
    becomes_none("#line 7\n#include \"x.h\"\nint a;\n");
    becomes_none("#include \"x.h\"");
    becomes_none("");
}

TEST(what_might_compile_otherwise_gets_none) {
    becomes_none("#define A C\n#include \"x.h\"\nint a;\n");
    begin_large("int C;");
    becomes_none("#include \"x.h\"\nint a;\n");
    begin_large("CC C_x");
    char *made = made_of("#include \"x.h\"\nint a;\n", NULL, 0);
    assert_non_null(made);
    free(made);
    static const char *const joined[] = {"C\\\n ", "\\\r\nC"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        begin_large("               ");
        begin_large(joined[i]);
        becomes_none("#include \"x.h\"\nint a;\n");
    }
    begin_large("__BASE_FILE__");
    becomes_none("#include \"x.h\"\nint a;\n");
}

TEST(options_that_define_macros_get_none) {
    static const char *const options[] = {"-DA=1", "--define-macro=A", "-UA", "--undefine-macro=A"};
    static const char *const fine[] = {"--use_fast_math"};
    memset(large, ' ', 16);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_null(made_of("#include \"x.h\"\nint a;\n", options + i, 1));
    char *made = made_of("#include \"x.h\"\nint a;\n", fine, 1);
    assert_non_null(made);
    free(made);
}

TEST(small_headers_get_none) {
    large[100 << 10] = '\0';
    becomes_none("#include \"x.h\"\nint a;\n");
    large[100 << 10] = ' ';
}

RUN_TESTS(fill, NULL)
