/* MPFR as a second judge of exact sums: it adds up, divides, takes roots and rounds by itself, and every result must be
 * its. The cases are those of tests/device/test_exact_cases.c, of another seed. */
#include <math.h>
#include <stdlib.h>

#include <mpfr.h>

#include "support/oracle/exact_cases.h"

enum { PRECISION = 9000 }; /* holds sums of squares of f64 as they are, and roots beyond what may be near a middle */

/* A case's elements and their products, exactly. */
typedef struct numbers {
    mpfr_t terms[EXACT_CASE_MAX], squares[EXACT_CASE_MAX];
    mpfr_ptr term_of[EXACT_CASE_MAX], square_of[EXACT_CASE_MAX];
    mpfr_t sum, spare;
    unsigned long count;
} numbers;

static void numbers_open(numbers *n) {
    for (int i = 0; i < EXACT_CASE_MAX; i++) {
        mpfr_init2(n->terms[i], 128);
        mpfr_init2(n->squares[i], 128);
        n->term_of[i] = n->terms[i];
        n->square_of[i] = n->squares[i];
    }
    mpfr_init2(n->sum, PRECISION);
    mpfr_init2(n->spare, PRECISION);
}

static void numbers_close(numbers *n) {
    for (int i = 0; i < EXACT_CASE_MAX; i++) mpfr_clears(n->terms[i], n->squares[i], (mpfr_ptr)0);
    mpfr_clears(n->sum, n->spare, (mpfr_ptr)0);
}

static double number_of(const exact_format *format, uint64_t bits) {
    const exact_float x = exact_take_apart(format, bits);
    const double size = x.kind == EXACT_NAN        ? (double)NAN
                        : x.kind == EXACT_INFINITE ? (double)INFINITY
                                                   : ldexp((double)x.magnitude, x.exponent);
    return x.negative ? -size : size;
}

static void take(numbers *n, const exact_cases *cases, uint64_t which, jr_op op) {
    n->count = (unsigned long)(cases->offsets[which + 1] - cases->offsets[which]);
    for (unsigned long i = 0; i < n->count; i++) {
        const uint64_t at = cases->offsets[which] + i;
        const double x = number_of(cases->format, exact_element(cases->format, cases->x, at));
        const double y = number_of(cases->format, exact_element(cases->format, cases->y, at));
        mpfr_set_d(n->terms[i], op == JR_OP_NORM1 ? fabs(x) : x, MPFR_RNDN);
        mpfr_mul_d(n->squares[i], n->terms[i], op == JR_OP_DOT ? y : x, MPFR_RNDN);
    }
}

/* n * sum of squares - square of the sum, which nothing is rounded of; then what it is divided by. */
static int variance(mpfr_t result, numbers *n, const jr_spec *spec) {
    mpfr_sum(n->sum, n->term_of, n->count, MPFR_RNDN);
    mpfr_sum(n->spare, n->square_of, n->count, MPFR_RNDN);
    mpfr_sqr(n->sum, n->sum, MPFR_RNDN);
    mpfr_mul_ui(n->spare, n->spare, n->count, MPFR_RNDN);
    mpfr_sub(n->sum, n->spare, n->sum, MPFR_RNDN);
    const long divisor = (long)n->count * ((long)n->count - (long)spec->ddof);
    if (spec->op == JR_OP_VAR) return mpfr_div_si(result, n->sum, divisor, MPFR_RNDN);
    mpfr_mul_si(n->sum, n->sum, divisor, MPFR_RNDN);
    mpfr_sqrt(n->sum, n->sum, MPFR_RNDN);
    return mpfr_div_si(result, n->sum, divisor, MPFR_RNDN);
}

/* The rounded result, and which way it was rounded. */
static int rounded(mpfr_t result, numbers *n, const jr_spec *spec) {
    switch (spec->op) {
    case JR_OP_MEAN:
        mpfr_sum(n->sum, n->term_of, n->count, MPFR_RNDN);
        return mpfr_div_ui(result, n->sum, n->count, MPFR_RNDN);
    case JR_OP_SUMSQ:
    case JR_OP_DOT: return mpfr_sum(result, n->square_of, n->count, MPFR_RNDN);
    case JR_OP_NORM2: mpfr_sum(n->sum, n->square_of, n->count, MPFR_RNDN); return mpfr_sqrt(result, n->sum, MPFR_RNDN);
    case JR_OP_VAR:
    case JR_OP_STD: return variance(result, n, spec);
    default: return mpfr_sum(result, n->term_of, n->count, MPFR_RNDN);
    }
}

/* In the range of a format, whose small numbers are subnormal. */
static double expected(numbers *n, const jr_spec *spec) {
    const exact_format *format = exact_format_of(spec->result);
    const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
    const long greatest = 1L << (format->exponent_bits - 1);
    mpfr_t result;
    mpfr_init2(result, format->fraction_bits + 1);
    int way = rounded(result, n, spec);
    mpfr_set_emax(greatest);
    mpfr_set_emin(3 - greatest - format->fraction_bits);
    way = mpfr_check_range(result, way, MPFR_RNDN);
    mpfr_subnormalize(result, way, MPFR_RNDN);
    const double value = mpfr_get_d(result, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(most);
    mpfr_clear(result);
    return value;
}

static bool same(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

static uint64_t judge(const opened *device, const jr_spec *spec, uint64_t count, uint64_t *seed) {
    exact_cases cases = exact_cases_new(spec->type, count, seed);
    const exact_format *format = exact_format_of(spec->result);
    void *results = exact_cases_results(device, spec, &cases);
    uint64_t wrong = 0;
    numbers n;
    numbers_open(&n);
    for (uint64_t c = 0; c < count; c++) {
        take(&n, &cases, c, spec->op);
        const double wanted = expected(&n, spec), got = number_of(format, exact_element(format, results, c));
        if (same(got, wanted)) continue;
        wrong++;
        print_message("%s of %s to %s, case %llu: %a, and MPFR has %a\n", jr_op_name(spec->op),
                      jr_type_name(spec->type), jr_type_name(spec->result), (unsigned long long)c, got, wanted);
    }
    numbers_close(&n);
    return wrong;
}

/* usage: judge CASES   (of each operator and type) */
static uint64_t cases_each;

static void every_result_is_that_of_mpfr(void **state) {
    static const jr_op ops[] = {JR_OP_SUM,   JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUMSQ,
                                JR_OP_NORM2, JR_OP_DOT,  JR_OP_VAR,   JR_OP_STD};
    static const jr_type types[] = {JR_F32, JR_F64, JR_F16, JR_BF16};
    uint64_t seed = 77, wrong = 0;
    for (int o = 0; o < 8; o++) { /* each operator over two types, into one of four */
        for (int k = 0; k < 2; k++) {
            if (!tests_take(o + k, 2)) continue; /* of the sample over one */
            const jr_spec spec = exact_cases_spec(ops[o], types[(2 * k + o / 4) % 4], types[(o + k) % 4]);
            wrong += judge(*state, &spec, cases_each, &seed);
        }
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
    cases_each = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (cases_each == 0) return 2;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_result_is_that_of_mpfr)};
    const int failed = cmocka_run_group_tests(tests, open_context, close_context);
    mpfr_free_cache();
    return failed;
}
