/* The names of types, operators, algorithms and statuses; result types; values as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"

TEST(every_type_is_found_by_its_name) {
#define CHECK_TYPE(id, number, text)                                                                                   \
    do {                                                                                                               \
        jr_type found = JR_TYPE_NONE;                                                                                  \
        assert_string_equal(jr_type_name(JR_##id), text);                                                              \
        assert_int_equal(jr_type_find(text, &found), JR_OK);                                                           \
        assert_int_equal(found, number);                                                                               \
        const char *bits = text[0] != 'e' ? strpbrk(text, "123468") : NULL; /* e4m3 has 8 */                           \
        assert_int_equal(jr_type_size(found), bits != NULL ? strtol(bits, NULL, 10) / 8 : 1);                          \
    } while (0);
    JR_TYPES(CHECK_TYPE)
#undef CHECK_TYPE
}

TEST(every_operator_and_algorithm_is_found_by_its_name) {
    jr_op op = JR_OP_NONE;
    jr_algorithm algorithm = JR_ALGORITHM_AUTO;
#define CHECK_OP(id, number, text)                                                                                     \
    assert_string_equal(jr_op_name(JR_OP_##id), text);                                                                 \
    assert_int_equal(jr_op_find(text, &op), JR_OK);                                                                    \
    assert_int_equal(op, number);
    JR_OPS(CHECK_OP)
#undef CHECK_OP
#define CHECK_ALGORITHM(id, number, text)                                                                              \
    assert_string_equal(jr_algorithm_name(JR_ALGORITHM_##id), text);                                                   \
    assert_int_equal(jr_algorithm_find(text, &algorithm), JR_OK);                                                      \
    assert_int_equal(algorithm, number);
    JR_ALGORITHMS(CHECK_ALGORITHM)
#undef CHECK_ALGORITHM
}

TEST(numbers_that_are_none_have_a_question_mark_for_a_name) {
    static const int wrong[] = {-1, 0, 99};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(jr_type_name((jr_type)wrong[i]), "?");
        assert_string_equal(jr_op_name((jr_op)wrong[i]), "?");
        assert_string_equal(jr_algorithm_name((jr_algorithm)wrong[i]), "?");
        assert_int_equal(jr_type_size((jr_type)wrong[i]), 0);
    }
}

TEST(an_unknown_name_is_told_with_the_known_ones) {
    jr_type type = JR_F64;
    jr_op op = JR_OP_XOR;
    jr_algorithm algorithm = JR_ALGORITHM_ONE_BLOCK;
    assert_int_equal(jr_type_find("f23", &type), JR_ERROR_INVALID_ARGUMENT);
    assert_told("'f23': known are i32 u32 i64 u64 f32 f64 i8 u8 i16 u16 f16 bf16 bool");
    assert_int_equal(jr_op_find("SUM", &op), JR_ERROR_INVALID_ARGUMENT);
    assert_told("'SUM': known are sum prod min max and or xor any all count_nonzero argmin argmax ");
    assert_int_equal(jr_algorithm_find("", &algorithm), JR_ERROR_INVALID_ARGUMENT);
    assert_told("'': known are single_pass two_pass one_block rows tournament tournament_serial strided atomic");
    assert_int_equal(jr_op_find(NULL, &op), JR_ERROR_INVALID_ARGUMENT);
    assert_told("operator's name is NULL");
    assert_int_equal(type, JR_F64);
    assert_int_equal(op, JR_OP_XOR);
    assert_int_equal(algorithm, JR_ALGORITHM_ONE_BLOCK);
}

TEST(sums_and_products_widen_and_the_others_do_not) {
    static const jr_type sums[] = {JR_TYPE_NONE, JR_I64, JR_U64, JR_I64, JR_U64, JR_F32, JR_F64};
    for (int type = JR_I32; type <= JR_F64; type++)
        for (int op = JR_OP_SUM; op <= JR_OP_XOR; op++) {
            const jr_type wanted = op == JR_OP_SUM || op == JR_OP_PROD ? sums[type] : (jr_type)type;
            const int refused = op >= JR_OP_AND && type >= JR_F32;
            jr_type result = JR_TYPE_NONE;
            assert_int_equal(jr_result_type((jr_op)op, (jr_type)type, &result),
                             refused ? JR_ERROR_UNSUPPORTED_TYPE : JR_OK);
            assert_int_equal(result, refused ? JR_TYPE_NONE : wanted);
        }
}

TEST(result_types_of_nothing_are_refused) {
    jr_type result = JR_TYPE_NONE;
    assert_int_equal(jr_result_type(JR_OP_NONE, JR_F32, &result), JR_ERROR_INVALID_ARGUMENT);
    assert_told("unknown operator 0");
    assert_int_equal(jr_result_type(JR_OP_SUM, (jr_type)99, &result), JR_ERROR_INVALID_ARGUMENT);
    assert_told("unknown element type 99");
    assert_int_equal(jr_result_type(JR_OP_SUM, JR_F32, NULL), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_result_type(JR_OP_AND, JR_F32, &result), JR_ERROR_UNSUPPORTED_TYPE);
    assert_told("operator and does not take f32");
    assert_int_equal(result, JR_TYPE_NONE);
}

static void prints(jr_value value, const char *wanted) {
    char text[32];
    assert_int_equal(jr_value_print(&value, text, sizeof text), JR_OK);
    assert_string_equal(text, wanted);
}

TEST(values_print_as_a_person_writes_them) {
    prints((jr_value){JR_I32, {.i32 = INT32_MIN}}, "-2147483648");
    prints((jr_value){JR_U32, {.u32 = UINT32_MAX}}, "4294967295");
    prints((jr_value){JR_I64, {.i64 = INT64_MIN}}, "-9223372036854775808");
    prints((jr_value){JR_U64, {.u64 = UINT64_MAX}}, "18446744073709551615");
    prints((jr_value){JR_F32, {.f32 = 0.1f}}, "0.1");
    prints((jr_value){JR_F64, {.f64 = 0.1}}, "0.1");
    prints((jr_value){JR_F64, {.f64 = (double)0.1f}}, "0.10000000149011612");
    prints((jr_value){JR_F32, {.f32 = -0.0f}}, "-0");
    prints((jr_value){JR_F64, {.f64 = -INFINITY}}, "-inf");
    prints((jr_value){JR_F32, {.f32 = INFINITY}}, "inf");
    prints((jr_value){JR_F32, {.f32 = -NAN}}, "nan");
    prints((jr_value){JR_F32, {.f32 = -7}}, "-7");
}

/* Bits that no short decimal form hits: the smallest and largest of both kinds, and a walk over many. */
TEST(floats_read_back_to_the_same_bits) {
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        double wide, wide_back;
        float narrow, narrow_back;
        char text[32];
        const uint32_t low = (uint32_t)bits;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &low, sizeof narrow);
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        if (isfinite(wide)) {
            jr_value_print(&(jr_value){JR_F64, {.f64 = wide}}, text, sizeof text);
            wide_back = strtod(text, NULL);
            assert_memory_equal(&wide, &wide_back, sizeof wide);
        }
        if (isfinite(narrow)) {
            jr_value_print(&(jr_value){JR_F32, {.f32 = narrow}}, text, sizeof text);
            narrow_back = strtof(text, NULL);
            assert_memory_equal(&narrow, &narrow_back, sizeof narrow);
        }
    }
}

/* The header's promise: every value fits into JR_VALUE_TEXT_BYTES, every number into 32, and a text into its own size.
 */
TEST(a_text_fits_into_the_bytes_that_the_header_names) {
    const double ends[] = {-0x1p-1074, -0x1.fffffffffffffp1023, -0x1.123456789abcdp-1022, -123456789012345.6, 1e15 / 3};
    char text[JR_VALUE_TEXT_BYTES], narrow[32];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        assert_int_equal(jr_value_print(&(jr_value){JR_F64, {.f64 = ends[i]}}, narrow, sizeof narrow), JR_OK);
    assert_int_equal(jr_value_print(&(jr_value){JR_STRUCT, {.bytes = {255, 1}}}, text, sizeof text), JR_OK);
    assert_int_equal(strlen(text), JR_VALUE_TEXT_BYTES - 1);
    assert_memory_equal(text, "ff0100", 6);
    assert_int_equal(jr_value_print(&(jr_value){JR_BOOL, {.boolean = 1}}, narrow, sizeof "true"), JR_OK);
    assert_string_equal(narrow, "true");
}

TEST(values_without_type_or_room_are_refused) {
    char text[32] = "untouched";
    const jr_value none = {0}, one = {JR_I32, {.i32 = 1}};
    assert_int_equal(jr_value_print(&none, text, sizeof text), JR_ERROR_INVALID_ARGUMENT);
    assert_told("unknown element type 0");
    assert_int_equal(jr_value_print(&one, text, 1), JR_ERROR_INVALID_ARGUMENT);
    assert_told("the value's text takes 2 bytes, and the buffer has 1: JR_VALUE_TEXT_BYTES (129) are enough");
    assert_int_equal(jr_value_print(&(jr_value){JR_STRUCT, {.i32 = 1}}, text, sizeof text), JR_ERROR_INVALID_ARGUMENT);
    assert_told("the value's text takes 129 bytes, and the buffer has 32");
    assert_int_equal(jr_value_print(NULL, text, sizeof text), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_value_print(&one, NULL, 32), JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(text, "untouched");
}

TEST(every_status_has_its_name_and_its_text) {
#define CHECK_STATUS(name, number, text)                                                                               \
    assert_string_equal(jr_status_name(name), #name);                                                                  \
    assert_string_equal(jr_status_text(name), text);
    JR_STATUSES(CHECK_STATUS)
#undef CHECK_STATUS
    assert_string_equal(jr_status_name((jr_status)-1), "JR_ERROR_UNKNOWN");
    assert_string_equal(jr_status_text((jr_status)1), "unknown status");
}

TEST(the_version_is_the_headers) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d.%d.%d", JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH);
    assert_string_equal(jr_version(), wanted);
}

RUN_TESTS(NULL, NULL)
