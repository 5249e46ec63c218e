/* Keys of programs, and the names of their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/kernel_names.h"
#include "program/key.h"
#include "program/sources.h"
#include "support/fixtures/check.h"

/* The key: everything that can change what a program compiles to changes it, and nothing else does. */
static const jr_named_text constants[] = {{"A", "1"}, {"B", "2"}};
static const jr_named_text headers[] = {{"a.h", "one"}, {"b.h", "two"}};
static const char *const options[] = {"--fmad=false", "-lineinfo"};
static const jr_program whole = {.size = sizeof(jr_program),
                                 .name = "p",
                                 .source = "source",
                                 .entry = "k",
                                 .constants = constants,
                                 .constant_count = 2,
                                 .headers = headers,
                                 .header_count = 2,
                                 .options = options,
                                 .option_count = 2};
static const jr_key_surroundings here = {"sm_90", 13, 0, "13.0.88", NULL};

static jr_key key_of(const jr_program *program, const jr_key_surroundings *surroundings) {
    jr_program_text text = {0};
    jr_key text_key, key;
    assert_int_equal(jr_program_text_make(program, &text), JR_OK);
    jr_key_of_text(&text, &text_key);
    jr_key_of(&text, &text_key, surroundings, &key);
    jr_program_text_free(&text);
    return key;
}

static void same(const jr_key *a, const jr_key *b) {
    assert_memory_equal(a->bytes, b->bytes, sizeof a->bytes);
}

static void differs(const jr_program *program, const jr_key_surroundings *surroundings) {
    const jr_key one = key_of(&whole, &here), other = key_of(program, surroundings);
    assert_memory_not_equal(one.bytes, other.bytes, sizeof one.bytes);
}

TEST(equal_programs_have_equal_keys_wherever_their_texts_lie) {
    char source[] = "source", name[] = "p", architecture[] = "sm_90";
    jr_program copy = whole;
    jr_key_surroundings surroundings = here;
    copy.source = source;
    copy.name = name;
    surroundings.architecture = architecture;
    const jr_key one = key_of(&whole, &here), other = key_of(&copy, &surroundings);
    same(&one, &other);
}

TEST(an_embedded_header_has_the_key_of_a_copy_of_it) {
    const char *text = jr_sources_find("core/types.cuh");
    char *copied = strdup(text), *changed = strdup(text);
    assert_non_null(copied);
    assert_non_null(changed);
    changed[strlen(changed) - 1] = ' ';
    jr_program program = whole;
    program.header_count = 1;
    program.headers = &(jr_named_text){"core/types.cuh", text};
    const jr_key embedded = key_of(&program, &here);
    program.headers = &(jr_named_text){"core/types.cuh", copied};
    const jr_key copy = key_of(&program, &here);
    program.headers = &(jr_named_text){"core/types.cuh", changed};
    const jr_key other = key_of(&program, &here);
    same(&embedded, &copy);
    assert_memory_not_equal(embedded.bytes, other.bytes, sizeof other.bytes);
    free(copied);
    free(changed);
}

/* A key held all headers of kernels_src: to change one made every cache cold. */
TEST(the_key_of_a_kernel_changes_with_the_headers_that_it_includes_alone) {
    static const char kernel[] = "reduce/single_pass.cu";
    jr_named_text list[JR_SOURCE_HEADERS_MAX];
    const size_t count = jr_sources_headers(kernel, list);
    const jr_program program = JR_INIT(jr_program, .name = "single_pass.cu", .source = jr_sources_find(kernel),
                                       .entry = "k", .headers = list, .header_count = count);
    const jr_key before = key_of(&program, &here);
    size_t included = 0;
    for (size_t i = 0; i < jr_embedded_source_count; i++) {
        jr_named_text *found = NULL;
        for (size_t h = 0; h < count && found == NULL; h++)
            if (strcmp(list[h].name, jr_embedded_sources[i].name) == 0) found = &list[h];
        if (found == NULL) continue;
        found->text = "changed";
        const jr_key after = key_of(&program, &here);
        assert_memory_not_equal(before.bytes, after.bytes, sizeof after.bytes);
        found->text = jr_embedded_sources[i].text;
        included++;
    }
    assert_int_equal(included, count);
    assert_in_range(count, 10, jr_embedded_source_count / 2);
}

TEST(each_part_of_a_program_counts) {
    const jr_named_text other_constant[] = {{"A", "1"}, {"B", "3"}};
    const jr_named_text other_header[] = {{"a.h", "one"}, {"b.h", "twO"}};
    const jr_named_text other_header_name[] = {{"a.h", "one"}, {"c.h", "two"}};
    const jr_named_text swapped_headers[] = {{"b.h", "two"}, {"a.h", "one"}};
    const char *const other_options[] = {"--fmad=true", "-lineinfo"};
    jr_program changed[11];
    for (size_t i = 0; i < 11; i++) changed[i] = whole;
    changed[0].name = "q";
    changed[1].source = "source ";
    changed[2].entry = "k2";
    changed[3].constants = other_constant;
    changed[4].constant_count = 1;
    changed[5].headers = other_header;
    changed[6].headers = other_header_name;
    changed[7].headers = swapped_headers;
    changed[8].header_count = 1;
    changed[9].options = other_options;
    changed[10].option_count = 1;
    for (size_t i = 0; i < 11; i++) differs(&changed[i], &here);
}

TEST(each_part_of_the_surroundings_counts) {
    static const uint8_t files[JR_DIGEST_BYTES] = {1};
    const jr_key_surroundings changed[] = {
        {"sm_80", 13, 0, "13.0.88", NULL},  {"compute_90", 13, 0, "13.0.88", NULL}, {"sm_90", 12, 0, "13.0.88", NULL},
        {"sm_90", 13, 1, "13.0.88", NULL},  {"sm_90", 13, 0, "13.0.48", NULL},      {"sm_90", 13, 0, "", NULL},
        {"sm_90", 13, 0, "13.0.88", files},
    };
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) differs(&whole, &changed[i]);
}

/* Two programs whose texts run together to the same bytes must not be taken for each other. */
TEST(shifting_bytes_from_one_field_to_the_next_changes_the_key) {
    const jr_named_text ab_c[] = {{"ab", "c"}}, a_bc[] = {{"a", "bc"}};
    jr_program one = JR_INIT(jr_program, .name = "p", .source = "s", .entry = "k", .headers = ab_c, .header_count = 1),
               other = one;
    other.headers = a_bc;
    const jr_key first = key_of(&one, &here), second = key_of(&other, &here);
    assert_memory_not_equal(first.bytes, second.bytes, sizeof first.bytes);
    const char *const joined[] = {"-a-b"}, *const parted[] = {"-a", "-b"};
    one.options = joined;
    one.option_count = 1;
    other = one;
    other.options = parted;
    other.option_count = 2;
    const jr_key third = key_of(&one, &here), fourth = key_of(&other, &here);
    assert_memory_not_equal(third.bytes, fourth.bytes, sizeof third.bytes);
}

/* Which kernels a source declares, and which one a wrong name may mean. */
static void declares(const char *source, const char *expected) {
    jr_kernel_names names;
    jr_text list = {0};
    jr_kernel_names_find(source, 17, &names);
    jr_kernel_names_append(&names, &list);
    assert_string_equal(jr_text_string(&list), expected);
    jr_text_free(&list);
}

TEST(kernels_are_found_with_their_namespaces) {
    declares("", "");
    declares("extern \"C\" __global__ void k(int *o) { *o = 1; }", "k");
    declares("__global__ void a();\n__global__ void a() {}\nvoid __global__ b(int) {}\n", "a, b");
    declares("template <class T, int N = (3 > 2)> __global__ void k(T *o) {}\n__global__ void l() {}", "k<...>, l");
    declares("template <class T> __global__ void k(T *o) {}\ntemplate __global__ void k<int>(int *);", "k<...>");
    declares("__global__ void __launch_bounds__(256, 2) k(float *x) {}", "k");
    declares("__launch_bounds__(256) __global__ void k(float *x) {}", "k");
    declares("static __global__ __attribute__((used)) void k(float *x) {}", "k");
    declares("namespace a { namespace b::c { __global__ void k() { if (1) {} } } __global__ void l() {} }\n"
             "__global__ void m() {}",
             "a::b::c::k, a::l, m");
    declares("namespace { __global__ void k() {} }\nnamespace x = y; inline namespace z { __global__ void l() {} }",
             "k, z::l");
    declares("extern \"C\" {\n__global__ void k() {}\n__device__ int f() { return 0; }\n}", "k");
    declares("\xef\xbb\xbf__global__ void k() {}", "k");
}

TEST(comments_literals_and_directives_declare_none) {
    declares("// __global__ void a() {}\n/* __global__ void b() {} */\nconst char *s = \"__global__ void c()\";\n"
             "const char *r = R\"(__global__ void d() {})\";\n#define K __global__ void \\\n e()\n"
             "__device__ void f() {}\n__global__ void g() {}",
             "g");
}

static void nearest(const char *entry, const char *expected) {
    jr_kernel_names names;
    jr_kernel_names_find("namespace ours { __global__ void saxpy(int) {} }\n__global__ void scale() {}\n"
                         "template <class T> __global__ void add(T) {}\n",
                         17, &names);
    const jr_declared_kernel *found = jr_kernel_names_nearest(&names, entry);
    if (expected == NULL)
        assert_null(found);
    else
        assert_string_equal(found->text, expected);
}

TEST(a_wrong_name_means_the_nearest_kernel) {
    nearest("saxpy", "ours::saxpy");
    nearest("theirs::saxpy", "ours::saxpy");
    nearest("sacle", "scale");
    nearest("Scale", "scale");
    nearest("add", "add");
    nearest("add<double>", "add");
    nearest("multiply", NULL);
    nearest("x", NULL);
}

RUN_TESTS(NULL, NULL)
