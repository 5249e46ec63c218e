/* Numbers and constant expressions in PTX. */
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"
#include "support/cases/sim_case.h"

/* Numbers in PTX were read without bounds: `.version 99999999999999999999.0` overflowed (and was old enough), and
 * others were cut, wrapped, or divided by. Each is bounded where it is read, and the message names the line. */

#define HUGE_NUMBER "99999999999999999999"

static int load(const char *image) {
    jr_cu_module module = NULL;
    int error = cuModuleLoadData(&module, image);
    if (!error) good(cuModuleUnload(module));
    return error;
}

TEST_BETWEEN(versions_and_targets_of_any_length_are_compared, sim_open, sim_close) {
    fails(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, load(".version " HUGE_NUMBER ".0\n.target sm_90\n.address_size 64\n"));
    fails(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, load(".version 9." HUGE_NUMBER "\n.target sm_90\n.address_size 64\n"));
    fails(CUDA_ERROR_NO_BINARY_FOR_GPU, load(".version 9.0\n.target sm_" HUGE_NUMBER "\n.address_size 64\n"));
    fails(CUDA_ERROR_INVALID_PTX, load(".version -9.0\n.target sm_90\n.address_size 64\n"));
    fails(CUDA_ERROR_INVALID_PTX, load(".version 9.-1\n.target sm_90\n.address_size 64\n"));
    fails(CUDA_ERROR_INVALID_PTX, load(".version 9.0\n.target sm_-90\n.address_size 64\n"));
    good(load(".version 0009.0\n.target sm_0090\n.address_size 64\n"));
}

TEST(literals_have_64_bits) {
    machine_refuses(KERNEL " mov.u64 %d1, " HUGE_NUMBER ";\n ret;\n}\n", "has more than 64 bits");
    machine_refuses(KERNEL " mov.u64 %d1, 0x1ffffffffffffffff;\n ret;\n}\n", "has more than 64 bits");

    machine_refuses(PTX ".global .u32 a[" HUGE_NUMBER "];\n", "line 4: '" HUGE_NUMBER "' has more than 64 bits");
}

TEST(offsets_wrap_as_addresses_do) {
    machine_case test = {.ptx = KERNEL " st.global.u32 [%w+9223372036854775807+9223372036854775807+6], 7;\n"
                                       " st.global.u32 [%w+-9223372036854775808+-9223372036854775808], 8;\n ret;\n}\n"};
    machine_good(&test);
    assert_int_equal(test.words[1], 7);
    assert_int_equal(test.words[0], 8);
}

/* The bits of a 0f literal were taken for the low half of an .f64 variable. */
TEST(a_float_literal_takes_the_variables_width) {
    machine_case test = {
        .ptx =
            PTX ".global .f64 g[2] = {0f3FC00000, -0f3FC00000};\n.global .f32 h = 0d3FF8000000000000;\n"
                ".visible .entry k(.param .u64 words)\n{\n .reg .b64 %w, %d; .reg .b32 %r; ld.param.u64 %w, [words];\n"
                " ld.global.b64 %d, [g]; st.global.b64 [%w], %d; ld.global.b64 %d, [g+8]; st.global.b64 [%w+8], %d;\n"
                " ld.global.b32 %r, [h]; st.global.b32 [%w+16], %r;\n ret;\n}\n"};
    machine_good(&test);
    assert_int_equal(test.words[0], 0);
    assert_int_equal(test.words[1], 0x3ff80000);
    assert_int_equal(test.words[2], 0);
    assert_int_equal(test.words[3], 0xbff80000);
    assert_int_equal(test.words[4], 0x3fc00000);
    machine_refuses(PTX ".global .b16 a = 0f3FC00000;\n", "does not fit a 2-byte operand");
}

TEST(counts_have_bounds) {
    machine_refuses(PTX ".visible .entry k()\n{ .reg .b32 %r<2147483648>; ret; }\n", "2147483648 registers: 1 to");
    machine_refuses(PTX ".visible .entry k()\n{ .reg .b32 %r<48577>, %q<1000000>; ret; }\n",
                    "more than 1048576 registers");
    machine_refuses(PTX ".visible .entry k()\n{ .reg .b32 %r<0>; ret; }\n", "0 registers");
    machine_refuses(PTX ".visible .entry k()\n.minnctapersm 134217728\n{ ret; }\n", "134217728 blocks");
    machine_refuses(PTX ".visible .entry k()\n.maxntid 4294967296, 4294967296, 4294967296\n{ ret; }\n",
                    "threads: 1 to");
    machine_refuses(PTX ".visible .entry k()\n.maxntid 2, 2, 2, 2\n{ ret; }\n", "more than three extents");
    machine_refuses(PTX ".visible .entry k()\n.maxnreg -1\n{ ret; }\n", "-1 registers");
    machine_refuses(PTX ".visible .entry k(.param .b8 a[4294967295], .param .b8 b[4294967295])\n{ ret; }\n",
                    "has more than 32764 bytes");
    machine_refuses(PTX ".visible .entry k(.param .b8 a[30000], .param .b8 b[30000])\n{ ret; }\n",
                    "with 'b' the total is more");
    machine_refuses(PTX ".visible .entry k()\n{ .shared .b8 s[400000]; ret; }\n", "more than the 232448 bytes");
    machine_refuses(PTX ".visible .entry k()\n{ .local .b64 s[500000000]; ret; }\n", "more than the 524288 bytes");
    machine_refuses(PTX ".const .b8 c[65536];\n.const .b8 d;\n", "line 5: more than 65536 bytes of .const");
    machine_refuses(PTX ".global .b64 a[4294967295][4294967295][4294967295];\n", "more than 4 GiB");
    machine_refuses(PTX ".global .align 3 .b8 a;\n", "an alignment of 3");
}

/* Constants may be expressions, as in C: the simulator took literals alone and called the module invalid. What is
 * expected is what ptxas makes of the same text. */

/* Thread 0 stores the constant as 64 bits. */
static uint64_t value_of(const char *type, const char *expression) {
    static char ptx[4096];
    static machine_case test;
    snprintf(ptx, sizeof ptx,
             "%s .reg .b64 %%v; mov.b64 %%v, 0; mov.%s %%v, %s; setp.eq.u32 %%p1, %%t, 0; @%%p1 st.global.b64 [%%w], "
             "%%v;" END,
             KERNEL, type, expression);
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    return test.words[0] | (uint64_t)test.words[1] << 32;
}

static void refuses(const char *expression, const char *words) {
    static char ptx[4096];
    snprintf(ptx, sizeof ptx, "%s .reg .b64 %%v; mov.b64 %%v, %s;" END, KERNEL, expression);
    machine_refuses(ptx, words);
}

TEST(integers_are_as_in_c) {
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"1<<4", 16},
                 {"(1<<4)+2", 18},
                 {"1<<4|2", 18},
                 {"7/2", 3},
                 {"-7/2", (uint64_t)-3},
                 {"7 % 4", 3},
                 {"-7 % 4", (uint64_t)-3},
                 {"7>3?1:2", 1},
                 {"0 ? 1 : 2", 2},
                 {"1?0?4:5:3", 5},
                 {"(1?2:3)+1", 3},
                 {"!3", 0},
                 {"!0", 1},
                 {"~3&0xff", 0xfc},
                 {"3^1", 2},
                 {"1 | 2", 3},
                 {"3 && 0", 0},
                 {"3||0", 1},
                 {"5==5", 1},
                 {"5!=5", 0},
                 {"10-3-2", 5},
                 {"2+3*4", 14},
                 {"(2+3)*4", 20},
                 {"-(4)", (uint64_t)-4},
                 {"--3", 3},
                 {"+3", 3},
                 {"WARP_SZ*2-1", 63},
                 {"-WARP_SZ", (uint64_t)-32},
                 {"(.s64)-3", (uint64_t)-3},
                 {"0b101+1", 6},
                 {"1<<63", UINT64_C(1) << 63},
                 {"1<<64", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (value_of("b64", cases[k].text) != cases[k].value) fail_msg("%s", cases[k].text);
}

/* A literal is signed unless it has a U or does not fit; what it meets becomes unsigned, too. */
TEST(signs_are_as_in_c) {
    assert_int_equal(value_of("b64", "-1>>28"), UINT64_MAX);
    assert_int_equal(value_of("b64", "(.u64)-1>>28"), UINT64_C(0xfffffffff));
    assert_int_equal(value_of("b64", "0xffffffffffffffff>>60"), 15);
    assert_int_equal(value_of("b64", "-1 < 1"), 1);
    assert_int_equal(value_of("b64", "-1 < 1U"), 0);
    assert_int_equal(value_of("b64", "-1 < 0xffffffffffffffff"), 0);
    assert_int_equal(value_of("b64", "0x8000000000000000/2"), UINT64_C(1) << 62);
    assert_int_equal(value_of("b64", "-7 % 4U"), 1);
    assert_int_equal(value_of("b64", "(.s64)(1U-2)/2"), 0);
    assert_int_equal(value_of("b64", "(-9223372036854775807-1)/-1"), UINT64_C(1) << 63);
    assert_int_equal(value_of("b64", "(-9223372036854775807-1)%-1"), 0);
}

TEST(floats_are_doubles) {
    assert_int_equal(value_of("f64", "1.5+2.5"), UINT64_C(0x4010000000000000));
    assert_int_equal(value_of("f64", "3.0*2.5-(1.0/4.0)"), UINT64_C(0x401d000000000000));
    assert_int_equal(value_of("f64", "-0.0"), UINT64_C(1) << 63);
    assert_int_equal(value_of("b64", "1.5>1.0"), 1);
    refuses("1.5+2", "an integer and a float in one expression");
    refuses("!1.5", "an integer is needed");
    refuses("1.5|2.5", "an integer is needed");
    refuses("0f3f800000+1.0", "0f");
}

TEST(what_is_no_constant_is_told) {
    static char deep[3000];
    refuses("5/0", "division by zero");
    refuses("5 % 0", "division by zero");
    refuses("(5", "')' expected");
    refuses("1 ? 2", "':' expected");
    refuses("1 +", "a constant expected");
    refuses("1 + %d1", "a constant expected");
    refuses("-%d1", "a constant expected");
    for (size_t k = 0; k < sizeof deep - 1; k++) deep[k] = '(';
    refuses(deep, "inside each other");
    for (size_t k = 0; k < sizeof deep - 1; k++) deep[k] = '~';
    refuses(deep, "inside each other");
}

/* Wherever a constant may stand: offsets, vectors, masks, initial values, arguments. */
TEST(expressions_stand_where_constants_do) {
    static machine_case test;
    test = (machine_case){
        .ptx =
            PTX ".global .align 8 .u32 g[7] = {1+2, (3<<2)|1, ~0, -(4), 7/2, WARP_SZ*2, 0}; .global .u32 h[WARP_SZ];\n"
                ".global .u64 a[2] = {g+4*2, generic(g)+(8)};\n"
                ".visible .entry k(.param .u64 words) { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p;\n"
                " ld.param.u64 %d1, [words+1-1]; ld.global.u32 %r1, [g+4*2-4]; st.global.u32 [%d1], %r1;\n"
                " ld.global.u32 %r1, [g+2*4]; st.global.u32 [%d1+4|0], %r1; mov.u64 %d2, g; add.s64 %d2, %d2, 16;\n"
                " ld.global.v2.u32 {%r1, %r2}, [%d2+-(16)+(1?8:4)]; st.global.v2.u32 [%d1+1<<3], {%r2, 2+3};\n"
                " shfl.sync.idx.b32 %r3, %r2, 0, WARP_SZ-1, ~0; st.global.u32 [%d1+16], %r3;\n"
                " ld.global.u64 %d3, [a+8]; ld.global.u64 %d4, [a]; sub.s64 %d3, %d3, %d4; ld.global.u32 %r4, [%d4];\n"
                " cvt.u32.u64 %r5, %d3; st.global.v2.u32 [%d1+24], {%r4, %r5}; bar.sync 1+1, 32*1;\n"
                " mov.b64 %d5, {1+2, 3*3}; st.global.u64 [%d1+32], %d5; st.global.u32 [%d1+40], 20/4;" END};
    machine_good(&test);
    static const uint32_t expected[] = {13, UINT32_MAX, (uint32_t)-4, 5, (uint32_t)-4, 0, UINT32_MAX, 0, 3, 9, 5};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) assert_int_equal(test.words[k], expected[k]);
}

RUN_TESTS(NULL, NULL)
