/* Numbers in PTX were read without bounds: `.version 99999999999999999999.0` overflowed (and was old enough), and
 * others were cut, wrapped, or divided by. Each is bounded where it is read, and the message names the line. */
#include <string.h>

#include "support/cases/machine_case.h"
#include "support/cases/sim_case.h"

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
    machine_refuses(PTX ".visible .entry k()\n{ .reg .b32 %r<1000000>, %q<1000000>; ret; }\n",
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

RUN_TESTS(NULL, NULL)
