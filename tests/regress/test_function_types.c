/* The kinds of functions' values: the host's table is held against the compiler, for arguments of int, float and
 * double. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "expression/functions.h"
#include "support/fixtures/open_context.h"

enum { AT_ONCE = 16, CALL_BYTES = 160 };

static int arguments_of(const char *name) {
    static const char two[] = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot max min umin "
                              "umax llmin llmax ullmin ullmax fdividef ldexp scalbn scalbln";
    const jr_token word = {JR_TOKEN_WORD, name, strlen(name)};
    if (jr_token_is_one_of(word, two)) return 2;
    if (jr_token_is_one_of(word, "fma norm3d rnorm3d")) return 3;
    return jr_token_is_one_of(word, "norm4d rnorm4d") ? 4 : 1;
}

/* Writes a call whose k-th argument is of the k-th digit's type. */
static void print_call(const char *name, unsigned digits, char text[CALL_BYTES]) {
    static const char *const types[] = {"int", "float", "double"};
    int length = snprintf(text, CALL_BYTES, "%s(", name);
    const int count = arguments_of(name);
    for (int k = 0; k < count; k++, digits /= 3)
        length += snprintf(text + length, CALL_BYTES - (size_t)length, "%s(%s)x", k > 0 ? ", " : "", types[digits % 3]);
    snprintf(text + length, CALL_BYTES - (size_t)length, ")");
}

/* What the host makes of it: over i8 elements a float is f32, a double f64, and an integer i8. */
static jr_type type_of(const char *call) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .map = call);
    jr_type type;
    works(jr_reduce_check(&spec, &type));
    return type;
}

static int64_t value_of(const opened *device, const char *map, jr_type map_type) {
    const int8_t one = 1;
    jr_value value;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I8, .map = map, .map_type = map_type);
    works(jr_reduce_host(device->context, &spec, &one, 1, &value));
    return value.as.i64;
}

/* Floats and doubles by their size; of the sum of all integers the kernel asserts that it is one. */
static void compare(const opened *device, char (*calls)[CALL_BYTES], size_t count) {
    jr_text sizes = {0}, integers = {0};
    for (size_t k = 0; k < count; k++) {
        jr_text_append(&sizes, "%s((long long)(sizeof(%s) == 8) << %zu)", k > 0 ? " + " : "", calls[k], k);
        if (type_of(calls[k]) == JR_I8) jr_text_append(&integers, "%s%s", integers.length > 0 ? " + " : "", calls[k]);
    }
    const int64_t doubles = value_of(device, jr_text_string(&sizes), JR_I64);
    for (size_t k = 0; k < count; k++) {
        const jr_type found = type_of(calls[k]);
        if (found != JR_I8 && (found == JR_F64) != (doubles >> k & 1))
            fail_msg("%s is not of type %s", calls[k], jr_type_name(found));
    }
    if (integers.length > 0) (void)value_of(device, jr_text_string(&integers), JR_TYPE_NONE);
    jr_text_free(&sizes);
    jr_text_free(&integers);
}

TEST(every_function_gives_what_the_compiler_says) {
    static const char *const names[] = {
#define NAME(name, weight, single, gives) #name,
        JR_FUNCTIONS(NAME)
#undef NAME
    };
    char calls[AT_ONCE][CALL_BYTES];
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned most = 1;
        for (int k = 0; k < arguments_of(names[i]); k++) most *= 3;
        for (unsigned digits = 0; digits < most; digits++) {
            print_call(names[i], digits, calls[count]);
            if (strcmp(calls[count], "pow((float)x, (int)x)") == 0) continue; /* reduce.h: CUDA has that form alone */
            if (++count < AT_ONCE) continue;
            compare(*state, calls, count);
            count = 0;
        }
    }
    compare(*state, calls, count);
}

RUN_TESTS(open_context, close_context)
