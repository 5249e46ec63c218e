/* Stored tunings used by many threads of one context. */
#include "support/cases/tuning_case.h"

#include <pthread.h>
#include <string.h>

#include "wisdom/advice.h"

static jr_wisdom_entry sample(uint64_t count) {
    return (jr_wisdom_entry){.work = "sum u32",
                             .count = count,
                             .algorithm = JR_ALGORITHM_TWO_PASS,
                             .unroll = 3,
                             .block = 96,
                             .time_ns = 1000,
                             .estimate_ns = 2000};
}

/* Takes advice again and again; the number of plans that were not as they should be. */
static void *make_plans(void *user) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .capacity = 1024);
    intptr_t wrong = 0;
    for (int i = 0; i < 30; i++) {
        jr_plan *plan = NULL;
        jr_stats stats = JR_INIT(jr_stats);
        wrong += jr_work_plan_create(user, WORK(&spec), &plan) != JR_OK || jr_plan_stats(plan, &stats) != JR_OK ||
                 strcmp(stats.tuned_by, "wisdom of 2^10") != 0;
        jr_plan_destroy(plan);
    }
    return (void *)wrong;
}

TEST_BETWEEN(threads_take_advice_while_another_adds_to_it, tuning_begin, tuning_end) {
    enum { THREADS = 3 };
    const jr_wisdom_entry entry = sample(1024);
    pthread_t threads[THREADS];
    works(jr_advice_add(tuning_context, &entry));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_plans, tuning_context), 0);
    for (uint64_t count = 1; count <= 10; count++) {
        const jr_wisdom_entry more = sample(count);
        works(jr_advice_add(tuning_context, &more));
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

RUN_TESTS(NULL, NULL)
