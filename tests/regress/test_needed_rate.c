/* A pack had the blocks of devices whose memory is slow alone: where it is fast, scans of f32 of 2.4 to 4.2 million
 * elements found no kernel in it. */
#include <stdlib.h>
#include <string.h>

#include "plan/needed.h"
#include "support/fixtures/check.h"

/* The blocks of bulk_copy that were seen. */
typedef struct seen {
    bool small, large;
} seen;

static jr_status look(void *user, const jr_program *program) {
    seen *all = user;
    if (strcmp(program->entry, "jr_scan_bulk_copy") != 0) return JR_OK;
    for (size_t i = 0; i < program->constant_count; i++) {
        if (strcmp(program->constants[i].name, "JR_BLOCK") != 0) continue;
        all->small = all->small || strcmp(program->constants[i].text, "640") == 0;
        all->large = all->large || strcmp(program->constants[i].text, "896") == 0;
    }
    return JR_OK;
}

TEST(what_fast_and_slow_memory_choose_is_needed) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_needed needed = {.spec = &spec, .scan = true, .kind = JR_SCAN_INCLUSIVE};
    seen all = {0};
    assert_int_equal(jr_needed_each(&needed, 90, look, &all), JR_OK);
    assert_true(all.small && all.large);
}

RUN_TESTS(NULL, NULL)
