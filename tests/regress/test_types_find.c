/* jr_type_find and its like said "unknown element type 'f32'" of a known name when the place for the answer was NULL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "jitreduce/types.h"

static void says(jr_status status, const char *wanted) {
    assert_int_equal(status, JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(jr_last_error()->message, wanted);
}

static void a_missing_place_for_the_answer_is_named(void **state) {
    (void)state;
    says(jr_type_find("f32", NULL), "the pointer for the element type is NULL");
    says(jr_op_find("sum", NULL), "the pointer for the operator is NULL");
    says(jr_algorithm_find("two_pass", NULL), "the pointer for the algorithm is NULL");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_place_for_the_answer_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
