/* Structs of callers are read and filled by the size that they say, whatever version of the header that was. */
#include <stdio.h>
#include <string.h>

#include "api/size.h"
#include "support/fixtures/open_context.h"

/* What some version knows: a struct that began as {size, first} and has grown by {second, third}. */
typedef struct grown {
    size_t size;
    uint64_t first, second, third;
} grown;

static const jr_sized today = {"grown", offsetof(grown, second), offsetof(grown, third)};

/* Members that came later begin where the first version ended. */
static size_t grew(const char *name) {
#define GREW(of, member)                                                                                               \
    if (strcmp(name, #of) == 0) return sizeof(of) - offsetof(of, member)
    GREW(jr_stats, compiled_because);
    GREW(jr_group_parts, values);
    GREW(jr_options, wait_ms);
    GREW(jr_launch, cooperative);
    GREW(jr_result_layout, state_bytes);
    GREW(jr_axis, strides);
    GREW(jr_spec, apply);
    GREW(jr_segment_layout, arrays);
#undef GREW
    return 0;
}

TEST(a_struct_has_no_padding_behind_its_last_member_where_a_new_one_could_lie) {
    assert_int_equal(grew("jr_stats"), JR_COMPILED_BECAUSE_BYTES + 3 * sizeof(double) + sizeof(uint64_t));
    assert_int_equal(grew("jr_group_parts"), 3 * sizeof(void *));
    assert_int_equal(grew("jr_options"), sizeof(double));
    assert_int_equal(grew("jr_launch"), 6 * sizeof(int) + sizeof(void *) + sizeof(size_t));
    assert_int_equal(grew("jr_result_layout"), sizeof(size_t));
    assert_int_equal(grew("jr_axis"), sizeof(void *));
    assert_int_equal(grew("jr_spec"), sizeof(void *) + 2 * sizeof(int));
    assert_int_equal(grew("jr_segment_layout"), sizeof(void *) + sizeof(uint64_t));
#define IS_TIGHT(name, last)                                                                                           \
    assert_int_equal(offsetof(name, last) + sizeof((name){0}.last), sizeof(name) - grew(#name));
    JR_SIZED_STRUCTS(IS_TIGHT) /* NOLINT(bugprone-sizeof-expression): the last member may be a pointer */
#undef IS_TIGHT
}

TEST(what_an_older_program_lacks_is_0) {
    const grown old = {.size = offsetof(grown, second), .first = 7, .second = 8};
    grown own = {.second = 99, .third = 99};
    works(jr_size_read(&today, &old, &own));
    assert_int_equal(own.first, 7);
    assert_int_equal(own.second, 0);
    assert_int_equal(own.third, 99); /* not of this version */
}

TEST(an_older_program_is_filled_as_far_as_its_struct_goes) {
    const grown own = {.size = 1000, .first = 1, .second = 2, .third = 3};
    grown old = {.size = offsetof(grown, second), .second = 77, .third = 77};
    works(jr_size_check(&today, &old));
    jr_size_write(&today, &own, &old);
    assert_int_equal(old.size, offsetof(grown, second));
    assert_int_equal(old.first, 1);
    assert_int_equal(old.second, 77);
    assert_int_equal(old.third, 77);
}

TEST(a_newer_program_is_understood_unless_it_sets_what_is_not_known) {
    grown newer = {.size = sizeof newer, .first = 1, .second = 2}, own = {.third = 99};
    works(jr_size_read(&today, &newer, &own));
    assert_int_equal(own.second, 2);
    assert_int_equal(own.third, 99);
    newer.third = UINT64_C(1) << 56;
    fails(jr_size_read(&today, &newer, &own), JR_ERROR_INVALID_ARGUMENT,
          "the grown of 32 bytes is made for a newer version, and byte 31 of it sets what this one (");
    fails(jr_size_read(&today, &newer, &own), JR_ERROR_INVALID_ARGUMENT, "update the library");
}

TEST(a_newer_program_finds_0_in_what_an_older_library_does_not_know) {
    const grown own = {.first = 1, .second = 2, .third = 3};
    grown newer[2] = {{.size = sizeof(grown), .third = 77}, {.size = 77}};
    works(jr_size_check(&today, &newer[0]));
    jr_size_write(&today, &own, &newer[0]);
    assert_int_equal(newer[0].size, sizeof(grown));
    assert_int_equal(newer[0].second, 2);
    assert_int_equal(newer[0].third, 0);
    assert_int_equal(newer[1].size, 77);
}

TEST(a_size_that_no_version_had_is_refused_by_name) {
    static const size_t sizes[] = {0, 1, offsetof(grown, second) - 1, SIZE_MAX, (size_t)1 << 40, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const grown wrong = {.size = sizes[i]};
        grown own = {.first = 99};
        char text[80];
        snprintf(text, sizeof text, "grown.size is %zu: set it to sizeof(grown)", sizes[i]);
        fails(jr_size_check(&today, &wrong), JR_ERROR_INVALID_ARGUMENT, text);
        fails(jr_size_read(&today, &wrong, &own), JR_ERROR_INVALID_ARGUMENT, text);
        assert_int_equal(own.first, 99);
    }
}

RUN_TESTS(NULL, NULL)
