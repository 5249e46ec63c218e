/* Inclusive and exclusive scans are programs of one text that differ by a constant; what both launch is one program. */
#include <stdlib.h>
#include <string.h>

#include "plan/needed.h"
#include "support/fixtures/check.h"

enum { SEEN_MAX = 2048 };

typedef struct seen_program {
    const char *entry;
    bool exclusive;
} seen_program;

typedef struct seen {
    seen_program programs[SEEN_MAX];
    size_t count;
} seen;

static jr_status look(void *user, const jr_program *program) {
    seen *all = user;
    assert_in_range(all->count, 0, SEEN_MAX - 1);
    for (size_t i = 0; i < program->constant_count; i++)
        if (strcmp(program->constants[i].name, "JR_EXCLUSIVE") == 0)
            all->programs[all->count++] =
                (seen_program){.entry = program->entry, .exclusive = strcmp(program->constants[i].text, "1") == 0};
    return JR_OK;
}

static seen programs_of(const jr_needed *asked, bool exclusive) {
    seen all = {.count = 0};
    jr_needed needed = *asked;
    needed.job.exclusive = exclusive;
    assert_int_equal(jr_needed_each(&needed, 90, look, &all), JR_OK);
    assert_int_not_equal(all.count, 0);
    return all;
}

static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static bool is_of_both(const char *entry) {
    return ends_with(entry, "_sums") || ends_with(entry, "_starts");
}

/* Returns how many programs both share. */
static size_t check_kinds(const jr_needed *needed) {
    const seen inclusive = programs_of(needed, false), exclusive = programs_of(needed, true);
    size_t shared = 0;
    assert_int_equal(inclusive.count, exclusive.count);
    for (size_t i = 0; i < inclusive.count; i++) {
        assert_string_equal(inclusive.programs[i].entry, exclusive.programs[i].entry);
        assert_false(inclusive.programs[i].exclusive);
        assert_int_equal(exclusive.programs[i].exclusive, !is_of_both(exclusive.programs[i].entry));
        shared += is_of_both(exclusive.programs[i].entry);
    }
    return shared;
}

TEST(kinds_of_scans_of_all_elements_differ_by_a_constant) {
    const jr_spec any = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  rows = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_THREE_PASS);
    assert_int_equal(check_kinds(&(jr_needed){.spec = &any, .job = {.kind = JR_JOB_SCAN}}), 0);
    assert_int_not_equal(check_kinds(&(jr_needed){.spec = &rows, .job = {.kind = JR_JOB_SCAN}}), 0);
}

TEST(kinds_of_scans_of_segments_differ_by_a_constant) {
    const jr_segment_layout layouts[] = {
        {.size = sizeof layouts[0], .kind = JR_SEGMENTS_EQUAL, .length = 1000},
        {.size = sizeof layouts[0], .kind = JR_SEGMENTS_OFFSETS},
        {.size = sizeof layouts[0], .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32},
        {.size = sizeof layouts[0], .kind = JR_SEGMENTS_STRIDED, .length = 1000, .inner = 300}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const size_t shared =
            check_kinds(&(jr_needed){.spec = &spec, .job = {.kind = JR_JOB_SCAN, .layout = layouts[i]}});
        assert_int_equal(shared > 0, layouts[i].kind == JR_SEGMENTS_STRIDED);
    }
}

RUN_TESTS(NULL, NULL)
