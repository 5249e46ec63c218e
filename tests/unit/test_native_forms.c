/* Compiled code gives the bits of the handlers: every simple form that is translated, hostile numbers, all lanes and
 * some. All forms are one function, so that they take one compile. */
#include <stdlib.h>
#include <string.h>

#include "sim/exec/lanes.h"
#include "sim/native/native_compile.h"
#include "sim/native/native_operands.h"
#include "sim/native/native_translate.h"
#include "sim/ptx/handlers.h"
#include "support/fixtures/check.h"

enum { FORMS_MAX = 1024, SLOT_BYTES = JRS_LANES * 8, KINDS = 4, INPUTS = JRS_SOURCES * KINDS, ROUNDS = 48 };
enum { FRAME_BYTES = SLOT_BYTES * (INPUTS + 2 * FORMS_MAX) };

static jrs_instruction code[FORMS_MAX + 1];
static uint32_t count;
static jrs_warp warp;

static uint64_t next_random(void) {
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 32 ^ seed << 32;
}

/* Often a limit, an infinity, a subnormal or a NaN with a payload, of 64 bits or of each half. */
static uint64_t hostile(void) {
    static const uint64_t numbers[] = {0,
                                       1,
                                       UINT64_MAX,
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0x7fffffffffffffff),
                                       UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff8000000001234),
                                       UINT64_C(0x7ff0000000005678),
                                       UINT64_C(0x3ff0000000000000),
                                       UINT64_C(0x000fffffffffffff),
                                       UINT64_C(0x7fc012347f800000),
                                       UINT64_C(0xff800000ffc0abcd),
                                       UINT64_C(0x000000207f805678),
                                       UINT64_C(0x007fffff80000000),
                                       UINT64_C(0x7c007e013c0003ff),
                                       UINT64_C(0x0000001f00000040)};
    const uint64_t random = next_random();
    return random & 1 ? next_random() : numbers[random / 2 % (sizeof numbers / sizeof *numbers)];
}

/* A slot has one width in all of a function. */
static jrs_slot input(unsigned source, unsigned bytes) {
    const unsigned kind = bytes == 0 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return (source * KINDS + kind) * SLOT_BYTES;
}

static void add_form(const jrs_form *form) {
    jrs_native_operands operands;
    jrs_instruction i = {.run = form->run};
    if (count == FORMS_MAX) return;
    for (unsigned k = 0; k < JRS_SOURCES; k++) i.s[k] = input(k, form->bytes[1 + k]);
    i.d = (INPUTS + 2 * count) * SLOT_BYTES;
    i.d2 = i.d + SLOT_BYTES;
    if (!form->bytes[0] && form->types[0]) { /* a comparison */
        i.s[2] = input(2, 0);
        i.has_d2 = true;
        i.arithmetic.boolean = count % 4;
    }
    i.guarded = count % 3 == 0;
    i.guard_negated = count % 2;
    i.guard = input(3, 0);
    if (jrs_native_read(&(jrs_function){0}, &i, &operands)) code[count++] = i;
}

static void add_all(void) {
    static const jrs_form *const tables[] = {
#define ROW(name) jrs_##name##_forms,
        JRS_FORM_TABLES(ROW)
#undef ROW
    };
    count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const jrs_form *form = tables[t]; form->name; form++) add_form(form);
}

static int at_end(jrs_native *native, uint32_t index, uint32_t mask) {
    (void)native, (void)index, (void)mask;
    return JRS_NATIVE_JUMP;
}

static void by_handlers(uint8_t *frame, uint32_t mask) {
    warp.base[JRS_BASE_FRAME] = frame;
    for (uint32_t k = 0; k < count; k++) {
        const jrs_instruction *i = &code[k];
        const uint32_t guard = jrs_predicate(&warp, i->guard);
        const uint32_t lanes = !i->guarded ? mask : mask & (i->guard_negated ? ~guard : guard);
        if (lanes) i->run(&warp, i, lanes);
    }
}

static jrs_native_run *compile(void) {
    static uint32_t no_mentions[FORMS_MAX + 2];
    char why[JRS_NATIVE_WHY_BYTES] = "";
    jr_text text = {0};
    jrs_native_counts counts;
    size_t bytes = 0;
    add_all();
    assert_in_range(count, 200, FORMS_MAX - 1);
    code[count] = (jrs_instruction){.run = jrs_op_ret};
    const jrs_function function = {
        .code = code, .code_count = count + 1, .frame_bytes = FRAME_BYTES, .mention_begin = no_mentions};
    assert_true(jrs_native_translate(&text, &function, &counts));
    assert_int_equal(counts.computed, count);
    void *library = jrs_native_compile(jrs_native_compiler(), jr_text_string(&text), &bytes, why);
    if (!library) fail_msg("%s", why);
    jrs_native_run *run = jrs_native_load(library, bytes, why);
    if (!run) fail_msg("%s", why);
    free(library);
    jr_text_free(&text);
    return run;
}

static void compare(const uint8_t *wanted, const uint8_t *found, uint32_t mask) {
    for (uint32_t k = 0; k < count; k++) {
        const size_t at = code[k].d;
        if (memcmp(wanted + at, found + at, 2 * SLOT_BYTES) == 0) continue;
        jr_text text = {0};
        jrs_native_write(&text, &(jrs_function){0}, &code[k]);
        fail_msg("lanes 0x%08x: %s", mask, jr_text_string(&text));
    }
}

TEST(compiled_forms_give_the_bits_of_handlers) {
    if (!jrs_native_compiler()) skip_because("no C compiler is installed\n");
    jrs_native_run *run = compile();
    uint8_t *wanted = aligned_alloc(64, FRAME_BYTES), *found = aligned_alloc(64, FRAME_BYTES);
    assert_true(wanted && found);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t mask = round % 2 ? UINT32_MAX : (uint32_t)next_random() | 1;
        for (size_t k = 0; k < FRAME_BYTES / 8; k++) {
            const uint64_t value = hostile();
            memcpy(wanted + 8 * k, &value, 8);
        }
        memcpy(found, wanted, FRAME_BYTES);
        by_handlers(wanted, mask);
        jrs_native native = {.frame = found, .mask = mask, .limit = UINT32_MAX, .left = INT32_MAX, .call = at_end};
        assert_int_equal(run(&native), JRS_NATIVE_JUMP);
        compare(wanted, found, mask);
    }
    free(wanted);
    free(found);
}

RUN_TESTS(NULL, NULL)
