/* Which kernels a source declares, and which one a wrong name may mean. */
#include <string.h>

#include "program/kernel_names.h"
#include "support/fixtures/check.h"

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
