/* With --Ofast-compile=min NVRTC 13.0 reads memory that it has freed where a kernel is as large as a reduction by key
 * of several operators: it ended one of some ten runs of device/test_runs, and one of six of the judge of exact sums;
 * and where the elements are structs, one of ten runs of such a reduction. */
#include <string.h>

#include "plan/needed.h"
#include "support/fixtures/check.h"

typedef struct seen {
    int fastest, faster, whole;
} seen;

static jr_status look(void *user, const jr_program *program) {
    seen *all = user;
    bool min = false, mid = false;
    for (size_t i = 0; i < program->option_count; i++) {
        min = min || strcmp(program->options[i], "--Ofast-compile=min") == 0;
        mid = mid || strcmp(program->options[i], "--Ofast-compile=mid") == 0;
    }
    all->fastest += min && !mid;
    all->faster += mid && !min;
    all->whole += !min && !mid;
    return JR_OK;
}

static seen programs_of(int op_count, jr_accuracy accuracy, jr_segment_layout layout) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_MEAN};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = op_count, .type = JR_F32, .accuracy = accuracy);
    const jr_needed needed = {.spec = &spec, .layout = layout};
    seen all = {0};
    assert_int_equal(jr_needed_each(&needed, 90, look, &all), JR_OK);
    return all;
}

TEST(reductions_by_key_and_exact_sums_are_not_compiled_in_the_way_that_fails) {
    const jr_segment_layout by_key = {.kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};
    const jr_segment_layout all = {0};
    const seen one = programs_of(1, 0, by_key), list = programs_of(3, 0, by_key), flat = programs_of(3, 0, all);
    const seen exact = programs_of(1, JR_ACCURACY_EXACT, all), exact_by_key = programs_of(3, JR_ACCURACY_EXACT, by_key);
    assert_true(one.fastest == 0 && one.whole > 0);
    assert_true(list.fastest == 0 && list.whole > 0); /* nor in the other, whose kernels take twice the time */
    assert_true(flat.fastest > 0 && flat.faster == 0);
    assert_true(exact.fastest == 0 && exact.faster + exact.whole > 0);
    assert_true(exact_by_key.fastest == 0 && exact_by_key.faster > 0 && exact_by_key.whole == 0);
}

TEST(accumulators_of_several_words_are_not_compiled_in_the_way_that_fails) {
    const jr_structure pair = {.size = sizeof(jr_structure),
                               .name = "pair",
                               .source = "struct pair { unsigned char a, b; };",
                               .bytes = 2,
                               .alignment = 1};
    const jr_spec specs[] = {JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair, .combine = "a",
                                     .identity = "pair()", .unroll = 1),
                             JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F32, .unroll = 1),
                             JR_INIT(jr_spec, .op = JR_OP_LOGSUMEXP, .type = JR_F32, .unroll = 1)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        const jr_needed needed = {.spec = &specs[s], .layout = {.kind = JR_SEGMENTS_KEYS, .key_type = JR_I32}};
        seen all = {0};
        if (jr_needed_each(&needed, 90, look, &all) != JR_OK) fail_msg("%s", jr_last_error()->message);
        assert_true(all.fastest == 0 && all.faster == 0 && all.whole > 0);
    }
}

RUN_TESTS(NULL, NULL)
