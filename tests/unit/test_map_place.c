/* Mappings that are steered: a large one goes to the place that was chosen, a small one where it would have gone. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/map_place.h"
#include "support/fixtures/check.h"

enum { ROOM_BYTES = 256 << 20 };

typedef struct mapping {
    size_t bytes;
    void *at;
    int calls;
} mapping;

static void map(void *opaque) {
    mapping *self = opaque;
    self->calls++;
    self->at = mmap(NULL, self->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static bool is_within(const mapping *self, uintptr_t place) {
    const uintptr_t at = (uintptr_t)self->at;
    return at >= place && at + self->bytes <= place + ROOM_BYTES;
}

/* A place that is free, and that another mapping would not get. */
static uintptr_t choose(void) {
    const uintptr_t place = jr_map_place_choose();
    assert_true(place != 0 && place % (2 << 20) == 0);
    return place;
}

TEST(a_large_mapping_goes_to_its_place) {
    const uintptr_t place = choose();
    mapping self = {.bytes = (size_t)128 << 20};
    assert_int_equal(jr_map_place_find(place, ROOM_BYTES, self.bytes), 0);
    assert_true(jr_map_place_run(place, ROOM_BYTES, map, &self));
    assert_int_equal(self.calls, 1);
    assert_true(is_within(&self, place));
    assert_int_equal(jr_map_place_find(place, ROOM_BYTES, self.bytes), (uintptr_t)self.at);
    assert_int_equal(jr_map_place_find(place, ROOM_BYTES, self.bytes * 2), 0);
    munmap(self.at, self.bytes);
}

TEST(a_small_mapping_goes_where_others_go) {
    const uintptr_t place = choose();
    mapping self = {.bytes = (size_t)1 << 20};
    assert_true(jr_map_place_run(place, ROOM_BYTES, map, &self));
    assert_true(self.at != MAP_FAILED);
    assert_false(is_within(&self, place));
    munmap(self.at, self.bytes);
}

TEST(nothing_is_taken_for_longer_than_the_call) {
    const uintptr_t place = choose();
    mapping first = {.bytes = (size_t)128 << 20}, second = first;
    assert_true(jr_map_place_run(place, ROOM_BYTES, map, &first));
    munmap(first.at, first.bytes);
    map(&second);
    assert_true(second.at != MAP_FAILED);
    assert_false(is_within(&second, place));
    munmap(second.at, second.bytes);
    assert_true(jr_map_place_run(place, ROOM_BYTES, map, &second));
    assert_ptr_equal(second.at, first.at);
    munmap(second.at, second.bytes);
}

TEST(a_place_that_is_taken_is_left_alone) {
    const uintptr_t place = choose();
    mapping first = {.bytes = (size_t)128 << 20}, second = first;
    assert_true(jr_map_place_run(place, ROOM_BYTES, map, &first));
    *(char *)first.at = 'x';
    assert_false(jr_map_place_run(place, ROOM_BYTES, map, &second));
    assert_int_equal(second.calls, 0);
    assert_int_equal(*(char *)first.at, 'x');
    munmap(first.at, first.bytes);
}

TEST(under_a_limit_nothing_is_steered) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {(rlim_t)8 << 30, (rlim_t)8 << 30};
        mapping self = {.bytes = (size_t)128 << 20};
        setrlimit(RLIMIT_AS, &limit);
        _exit(jr_map_place_run(jr_map_place_choose(), ROOM_BYTES, map, &self) || self.calls > 0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

RUN_TESTS(NULL, NULL)
