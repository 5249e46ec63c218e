/* The simulator computed in its caller's floating-point environment: with subnormals made zeros or a rounding mode set
 * a kernel's sums were others, in threads started meanwhile, too; and with traps switched on a kernel's 1/0 ended the
 * process. */
#include <fenv.h>
#include <stdbool.h>
#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>

/* Flush-to-zero and denormals-are-zero. */
static bool make_zeros_of_subnormals(bool wanted) {
    _mm_setcsr(wanted ? _mm_getcsr() | 0x8040U : _mm_getcsr() & ~0x8040U);
    return true;
}
#else
static bool make_zeros_of_subnormals(bool wanted) {
    return !wanted;
}
#endif

#include "support/cases/machine_case.h"

enum { BLOCKS = 4, DIVISION = 8 };

/* Every block: words[ctaid] = the smallest subnormal + itself, words[8 + 2 * ctaid] = 1 / 3 (nearest even), then 1 / 0.
 */
#define SUBNORMAL_SUMS                                                                                                 \
    KERNEL " mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %w; .reg .f32 %f<4>; .reg .f64 %e<4>;" \
           " ld.global.f32 %f1, [%w+64]; add.f32 %f1, %f1, %f1; st.global.f32 [%d1], %f1;"                             \
           " mul.wide.u32 %d2, %r1, 8; add.s64 %d2, %d2, %w; mov.f64 %e1, 0d3FF0000000000000;"                         \
           " mov.f64 %e2, 0d4008000000000000; div.rn.f64 %e1, %e1, %e2; st.global.f64 [%d2+32], %e1;"                  \
           " mov.f64 %e2, 0d0000000000000000; div.rn.f64 %e1, %e1, %e2; ret;\n}\n"

/* What the caller's environment shows from outside: (1 / 3, the smallest subnormal doubled). */
typedef struct seen {
    double third;
    float doubled;
    int rounding;
} seen;

static seen look(void) {
    volatile double one = 1, three = 3;
    volatile float least = 0x1p-149F;
    return (seen){one / three, least + least, fegetround()};
}

static void run(void) {
    static machine_case test;
    const float least = 0x1p-149F;
    test = (machine_case){.ptx = SUBNORMAL_SUMS, .grid = BLOCKS, .resident = BLOCKS, .threads = 2, .block = 1};
    memcpy(&test.words[16], &least, sizeof least);
    machine_good(&test);
    for (unsigned b = 0; b < BLOCKS; b++) {
        uint64_t third;
        memcpy(&third, &test.words[DIVISION + 2 * b], sizeof third);
        assert_int_equal(test.words[b], 2); /* bits: the second subnormal */
        assert_int_equal(third, UINT64_C(0x3FD5555555555555));
    }
}

static void run_in_callers_environment(void) {
    const seen before = look();
    run();
    const seen after = look();
    assert_memory_equal(&before.third, &after.third, sizeof before.third);
    assert_memory_equal(&before.doubled, &after.doubled, sizeof before.doubled);
    assert_int_equal(before.rounding, after.rounding);
}

TEST(a_rounding_mode_of_the_caller_does_not_reach_a_kernel) {
    assert_int_equal(fesetround(FE_UPWARD), 0);
    run_in_callers_environment();
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
}

TEST(subnormals_count_whatever_the_caller_makes_of_them) {
    if (!make_zeros_of_subnormals(true)) {
        print_message("this processor's mode is not known here\n");
        skip();
    }
    assert_true(look().doubled == 0);
    run_in_callers_environment();
    make_zeros_of_subnormals(false);
}

TEST(a_division_by_zero_does_not_trap_though_the_caller_asked_for_traps) {
    assert_int_not_equal(feenableexcept(FE_DIVBYZERO | FE_INVALID), -1);
    run();
    assert_int_equal(fegetexcept(), FE_DIVBYZERO | FE_INVALID);
    assert_int_equal(fetestexcept(FE_DIVBYZERO), 0); /* the kernel's exception is not the caller's */
    fedisableexcept(FE_ALL_EXCEPT);
}

RUN_TESTS(NULL, NULL)
