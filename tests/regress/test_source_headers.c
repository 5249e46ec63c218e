/* Headers of kernels_src beyond a fixed number were silently missing in every program: what was included last, of
 * segments by walks, did not compile. */
#include <stdbool.h>
#include <string.h>

#include "program/sources.h"
#include "support/fixtures/check.h"

static bool ends_in(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

TEST(every_header_goes_along_with_a_program) {
    jr_named_text headers[JR_SOURCE_HEADERS_MAX];
    const size_t count = jr_sources_headers(headers);
    size_t found = 0;
    for (size_t i = 0; i < jr_embedded_source_count; i++) {
        const char *const name = jr_embedded_sources[i].name;
        if (ends_in(name, ".cu") || strncmp(name, "jitreduce/", 10) == 0)
            continue; /* those are for callers' programs */
        if (found == count || strcmp(headers[found].name, name) != 0) fail_msg("%s is left out", name);
        found++;
    }
    assert_int_equal(found, count);
}

RUN_TESTS(NULL, NULL)
