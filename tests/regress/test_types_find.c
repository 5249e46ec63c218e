/* jr_type_find and its like said "unknown element type 'f32'" of a known name when the place for the answer was NULL.
 * Types were not found by the names that C and NumPy have for them: int, long, <f4. */
#include <stdbool.h>
#include <string.h>

#include "jitreduce/types.h"
#include "support/fixtures/check.h"

static void says(jr_status status, const char *wanted) {
    assert_int_equal(status, JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(jr_last_error()->message, wanted);
}

TEST(a_missing_place_for_the_answer_is_named) {
    says(jr_type_find("f32", NULL), "the pointer for the element type is NULL");
    says(jr_op_find("sum", NULL), "the pointer for the operator is NULL");
    says(jr_algorithm_find("two_pass", NULL), "the pointer for the algorithm is NULL");
}

/* What a compiler says of C's own names is asked of it. */
#define OF_C(c_type)                                                                                                   \
    { #c_type, sizeof(c_type), (c_type)-1 < (c_type)1 }

TEST(names_of_c_are_the_types_that_a_compiler_has) {
    static const struct {
        const char *name;
        size_t bytes;
        bool is_signed;
    } names[] = {OF_C(int),           OF_C(signed),         OF_C(long),      OF_C(long long),
                 OF_C(short),         OF_C(signed char),    OF_C(int8_t),    OF_C(int16_t),
                 OF_C(int32_t),       OF_C(int64_t),        OF_C(ptrdiff_t), OF_C(unsigned),
                 OF_C(unsigned char), OF_C(unsigned short), OF_C(uint8_t),   OF_C(unsigned long long),
                 OF_C(uint16_t),      OF_C(uint32_t),       OF_C(uint64_t),  OF_C(unsigned long),
                 OF_C(size_t),        OF_C(unsigned int)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jr_type type = JR_TYPE_NONE;
        assert_int_equal(jr_type_find(names[i].name, &type), JR_OK);
        assert_int_equal(jr_type_size(type), names[i].bytes);
        assert_int_equal(jr_type_class_of(type), names[i].is_signed ? JR_CLASS_SIGNED : JR_CLASS_UNSIGNED);
    }
}

/* The letter is NumPy's kind, the number bytes. */
TEST(names_of_numpy_are_types_of_so_many_bytes) {
    static const char *const names[] = {"<i1", "|i1", "<i2", "<i4", "=i8", "|u1", "<u2", "=u4",
                                        "<u8", "<f2", "=f2", "<f4", "f4",  "<f8", "f8",  "|b1"};
    static const char kinds[] = {[JR_CLASS_SIGNED] = 'i', 'u', [JR_CLASS_FLOAT] = 'f', [JR_CLASS_BOOLEAN] = 'b'};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *end = names[i] + strlen(names[i]);
        jr_type type = JR_TYPE_NONE;
        assert_int_equal(jr_type_find(names[i], &type), JR_OK);
        assert_int_equal(jr_type_size(type), end[-1] - '0');
        assert_int_equal(kinds[jr_type_class_of(type)], end[-2]);
    }
}

TEST(floats_have_names_of_c_cuda_and_numpy) {
    static const struct {
        const char *name;
        jr_type type;
    } names[] = {{"float", JR_F32},   {"double", JR_F64},    {"half", JR_F16},
                 {"single", JR_F32},  {"float16", JR_F16},   {"float32", JR_F32},
                 {"float64", JR_F64}, {"bfloat16", JR_BF16}, {"float8_e4m3fn", JR_E4M3},
                 {"__half", JR_F16},  {"bool_", JR_BOOL},    {"float8_e5m2", JR_E5M2},
                 {"i8", JR_I8},       {"u8", JR_U8}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jr_type type = JR_TYPE_NONE;
        assert_int_equal(jr_type_find(names[i].name, &type), JR_OK);
        assert_int_equal(type, names[i].type);
    }
}

/* Names that mean several types, bytes in another order, and no names at all. */
TEST(names_that_mean_no_one_type_are_unknown) {
    static const char *const names[] = {"i4", "u1", "uint", "char", "byte", ">f4", ">i8",  "<f1",        "<i3",
                                        "f",  "",   ",",    "int,", "<",    "Int", " int", "int,signed", "float8_e4m3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jr_type type = JR_F64;
        assert_int_equal(jr_type_find(names[i], &type), JR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(type, JR_F64);
    }
}

RUN_TESTS(NULL, NULL)
