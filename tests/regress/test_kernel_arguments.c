/* Arguments of kernels are what their parameters are: numbers of another type were passed by their bytes, so that a
 * float of 4 bytes was 0 from a double of 2. */
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"

/* A kernel with 10 parameters of different kinds. */
static const char taken[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry _ZN1a4takeIfEEvT_(.param .u32 i, .param .f32 f, .param .u64 p, .param .f64 d, .param .u8 b,\n"
    "  .param .align 2 .b8 h[2], .param .align 8 .b8 s[16], .param .s16 w, .param .b32 x, .param .f16 e) { ret; }\n"
    ".visible .entry nothing() { ret; }\n";

enum { COUNT = 10 };

typedef struct world {
    jr_context *context;
    jr_kernel *kernel, *empty;
    unsigned char room[512];
    void *pointers[COUNT];
} world;

static jr_kernel *kernel_of(jr_context *context, const char *entry) {
    jr_image *image = NULL;
    jr_kernel *kernel = NULL;
    assert_int_equal(jr_image_read_ptx(taken, entry, &image), JR_OK);
    if (jr_kernel_load(context, image, &kernel) != JR_OK) fail_msg("%s", jr_last_error()->message);
    jr_image_destroy(image);
    return kernel;
}

static int open_world(void **state) {
    static world made;
    const jr_options options = JR_INIT(jr_options);
    assert_int_equal(jr_context_open(&options, &made.context), JR_OK);
    made.kernel = kernel_of(made.context, "_ZN1a4takeIfEEvT_");
    made.empty = kernel_of(made.context, "nothing");
    *state = &made;
    return 0;
}

static int close_world(void **state) {
    jr_context_close(((world *)*state)->context);
    return 0;
}

static const uint64_t zeros[2];

static jr_argument number(jr_argument_kind kind, const jr_value *value) {
    return (jr_argument){.kind = kind, .type = value->type, .bytes = &value->as};
}

/* One argument is given, and the others are what fits. */
static jr_status give(world *w, size_t index, const jr_argument *argument) {
    static const jr_value word = {.type = JR_U32}, half = {.type = JR_F16}, whole = {.type = JR_I64};
    jr_argument all[COUNT];
    for (size_t i = 0; i < COUNT; i++) all[i] = number(JR_ARGUMENT_LITERAL, &whole);
    all[2] = (jr_argument){.kind = JR_ARGUMENT_POINTER, .bytes = zeros};
    all[5] = number(JR_ARGUMENT_NUMBER, &half);
    all[6] = (jr_argument){.kind = JR_ARGUMENT_BYTES, .bytes = zeros, .count = 16};
    all[8] = number(JR_ARGUMENT_NUMBER, &word);
    all[index] = *argument;
    return jr_kernel_arguments(w->kernel, all, COUNT, w->room, sizeof w->room, w->pointers);
}

typedef struct number_row {
    size_t index;
    jr_argument_kind kind;
    jr_value value;
    uint64_t bits;     /* as the kernel reads them */
    const char *words; /* of a refusal; NULL: it is taken */
} number_row;

#define LITERAL JR_ARGUMENT_LITERAL
#define NUMBER  JR_ARGUMENT_NUMBER
#define I64(x)                                                                                                         \
    { .type = JR_I64, .as.i64 = (x) }
#define F64(x)                                                                                                         \
    { .type = JR_F64, .as.f64 = (x) }
#define REFUSED_FLOAT "a float is not converted to an integer"
#define NOT_HELD      "which does not hold it"

static const number_row rows[] = {
    {0, LITERAL, I64(-1), 0xffffffff, NULL},
    {0, LITERAL, I64(-2147483648LL), 0x80000000, NULL},
    {0, LITERAL, I64(4294967295), 0xffffffff, NULL},
    {0, LITERAL, I64(4294967296), 0,
     "argument 1 of a::take is 4294967296: the parameter is an integer of 32 bits, " NOT_HELD},
    {0, NUMBER, I64(-2147483649LL), 0, "is -2147483649 (i64): "},
    {0, NUMBER, {.type = JR_I8, .as.i8 = -3}, 0xfffffffd, NULL},
    {0, NUMBER, {.type = JR_BOOL, .as.boolean = 1}, 1, NULL},
    {0, LITERAL, F64(2), 0, "argument 1 of a::take is 2.0: the parameter is an integer of 32 bits; " REFUSED_FLOAT},
    {0, NUMBER, {.type = JR_F32, .as.f32 = 2}, 0, "is 2 (f32): the parameter is an integer of 32 bits; " REFUSED_FLOAT},
    {1, LITERAL, F64(2), 0x40000000, NULL},
    {1, LITERAL, I64(2), 0x40000000, NULL},
    {1, NUMBER, {.type = JR_F16, .as.f16 = 0x4000}, 0x40000000, NULL},
    {1, NUMBER, {.type = JR_F32, .as.u32 = 0x7fc12345}, 0x7fc12345, NULL},
    {1, LITERAL, F64(1e300), 0, "is 1e+300: the parameter is f32, a float, " NOT_HELD},
    {1, LITERAL, F64(__builtin_inf()), 0x7f800000, NULL},
    {1, LITERAL, I64(16777217), 0x4b800000, NULL},
    {1, NUMBER, {.type = JR_U64, .as.u64 = UINT64_MAX}, 0x5f800000, NULL},
    {2, LITERAL, I64(-1), UINT64_MAX, NULL},
    {2, NUMBER, {.type = JR_U64, .as.u64 = UINT64_MAX}, UINT64_MAX, NULL},
    {2, LITERAL, F64(0), 0, "an integer of 64 bits, or a pointer; " REFUSED_FLOAT},
    {3, LITERAL, I64(-2), 0xc000000000000000, NULL},
    {3, NUMBER, {.type = JR_F32, .as.f32 = 0.5F}, 0x3fe0000000000000, NULL},
    {4, LITERAL, I64(255), 255, NULL},
    {4, LITERAL, I64(-128), 128, NULL},
    {4, LITERAL, I64(256), 0, "an integer of 8 bits, " NOT_HELD},
    {5, LITERAL, F64(1), 0, "2 bytes, a struct or an array; give a number that has a type of this size"},
    {5, NUMBER, {.type = JR_BF16, .as.bf16 = 0x3f80}, 0x3f80, NULL},
    {6, LITERAL, I64(1), 0, "16 bytes, a struct or an array"},
    {7, LITERAL, I64(-32768), 0x8000, NULL},
    {7, LITERAL, I64(32768), 0, "an integer of 16 bits, " NOT_HELD},
    {8, LITERAL, I64(1), 0, "4 bytes, which may be an integer or a float: the type is unknown; give a number"},
    {8, NUMBER, {.type = JR_F32, .as.f32 = 1}, 0x3f800000, NULL},
    {8, NUMBER, F64(1), 0, "is 1 (f64): the parameter is 4 bytes"},
    {9, LITERAL, F64(1), 0x3c00, NULL},
    {9, LITERAL, I64(100000), 0, "f16, a float, " NOT_HELD},
    {0, NUMBER, {.type = (jr_type)77}, 0, "the unknown type 77"},
};

TEST(a_number_becomes_what_the_parameter_is) {
    world *w = *state;
    static const size_t sizes[COUNT] = {4, 4, 8, 8, 1, 2, 16, 2, 4, 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const number_row *row = &rows[i];
        const jr_argument argument = number(row->kind, &row->value);
        const jr_status status = give(w, row->index, &argument);
        uint64_t bits = 0;
        if ((status == JR_OK) != (row->words == NULL))
            fail_msg("row %zu: %s", i, status == JR_OK ? "taken" : jr_last_error()->message);
        if (row->words != NULL && strstr(jr_last_error()->message, row->words) == NULL)
            fail_msg("row %zu: '%s' is not in '%s'", i, row->words, jr_last_error()->message);
        if (row->words != NULL) continue;
        memcpy(&bits, w->pointers[row->index], sizes[row->index]);
        if (bits != row->bits) fail_msg("row %zu: %llx", i, (unsigned long long)bits);
    }
}

static void is_refused(world *w, size_t index, jr_argument argument, const char *words) {
    const jr_status status = give(w, index, &argument);
    if (status != JR_ERROR_INVALID_ARGUMENT && status != JR_ERROR_UNSUPPORTED_TYPE) fail_msg("status %d", status);
    if (strstr(jr_last_error()->message, words) == NULL) fail_msg("%s", jr_last_error()->message);
}

TEST(a_pointer_and_a_struct_are_none_for_another_parameter) {
    world *w = *state;
    const jr_argument pointer = {.kind = JR_ARGUMENT_POINTER, .bytes = zeros};
    const jr_argument bytes = {.kind = JR_ARGUMENT_BYTES, .bytes = zeros, .count = 15};
    is_refused(w, 0, pointer, "argument 1 of a::take is a pointer: the parameter is an integer of 32 bits");
    is_refused(w, 3, pointer, "is a pointer: the parameter is f64, a float");
    is_refused(w, 6, pointer, "is a pointer: the parameter is 16 bytes, a struct");
    is_refused(w, 6, bytes,
               "a struct of 15 bytes: the parameter is 16 bytes, a struct or an array; both need the same");
    is_refused(w, 6, (jr_argument){.kind = JR_ARGUMENT_BYTES, .count = 16}, "has no bytes");
    is_refused(w, 6, (jr_argument){.kind = (jr_argument_kind)9, .bytes = zeros}, "unknown kind 9");
}

TEST(another_number_of_arguments_is_told) {
    world *w = *state;
    static const jr_value whole = {.type = JR_I64};
    const jr_argument one = number(JR_ARGUMENT_LITERAL, &whole);
    assert_int_equal(jr_kernel_arguments(w->kernel, &one, 1, w->room, sizeof w->room, w->pointers),
                     JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(jr_last_error()->message, "the kernel a::take has 10 parameters, and 1 argument was given: the "
                                                  "next parameter is f32, a float");
    assert_int_equal(jr_kernel_arguments(w->empty, &one, 1, w->room, sizeof w->room, w->pointers),
                     JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_kernel_arguments(w->empty, NULL, 0, NULL, 0, NULL), JR_OK);
}

/* 0.1 as a float, rounded to nearest whatever the caller's mode is, which stays. */
TEST(the_callers_rounding_changes_no_number) {
    world *w = *state;
    const jr_value tenth = {.type = JR_F64, .as.f64 = 0.1}, large = {.type = JR_I64, .as.i64 = (1 << 24) + 1};
    const jr_argument given = number(JR_ARGUMENT_NUMBER, &tenth), integer = number(JR_ARGUMENT_NUMBER, &large);
    const float nearest[] = {0.1F, 1 << 24};
    const int modes[] = {FE_UPWARD, FE_DOWNWARD};
    for (size_t i = 0; i < 2; i++) {
        float got[2];
        fesetround(modes[i]);
        const jr_status first = give(w, 1, &given);
        memcpy(&got[0], w->pointers[1], sizeof got[0]);
        const jr_status second = give(w, 1, &integer);
        memcpy(&got[1], w->pointers[1], sizeof got[1]);
        const int after = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(first, JR_OK);
        assert_int_equal(second, JR_OK);
        assert_int_equal(after, modes[i]);
        assert_memory_equal(got, nearest, sizeof nearest);
    }
}

TEST(too_little_room_is_told) {
    world *w = *state;
    jr_argument all[COUNT];
    for (size_t i = 0; i < COUNT; i++) all[i] = (jr_argument){.kind = JR_ARGUMENT_POINTER, .bytes = zeros};
    assert_int_equal(jr_kernel_arguments(w->kernel, all, COUNT, w->room, 3, w->pointers), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "the room of 3 bytes does not hold argument 1"));
}

TEST(a_launch_refuses_null_where_a_parameter_is) {
    world *w = *state;
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    void *none[COUNT] = {(void *)zeros};
    assert_int_equal(jr_kernel_launch(w->kernel, &launch, NULL), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "has 10 parameters, and 0 arguments were given"));
    assert_int_equal(jr_kernel_launch(w->kernel, &launch, none), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "argument 2 of"));
    assert_int_equal(jr_kernel_launch(w->empty, &launch, NULL), JR_OK);
    assert_int_equal(jr_context_wait(w->context), JR_OK);
}

TEST(a_loaded_kernel_tells_its_parameters) {
    world *w = *state;
    jr_kernel_parameter found[2];
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    size_t count = 0;
    assert_int_equal(jr_kernel_parameters(w->kernel, found, 2, &count), JR_OK);
    assert_int_equal(count, COUNT);
    assert_string_equal(found[1].type, "f32");
    assert_int_equal(jr_kernel_parameters(NULL, found, 2, &count), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_kernel_info_get(w->kernel, &info), JR_OK);
    assert_int_equal(info.parameter_count, COUNT);
    assert_int_equal(info.parameter_bytes, 58);
}

RUN_TESTS(open_world, close_world)
