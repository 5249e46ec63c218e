/* The handlers of simple forms for CPUs with AVX2 and FMA give the bits of those for every CPU: every form, hostile
 * numbers, all lanes and some. */
#include <string.h>

#include "sim/exec/sim_machine.h"
#include "sim/ptx/handlers.h"
#include "support/fixtures/check.h"

enum { SLOT_BYTES = JRS_LANES * 16, SLOTS = 2 + JRS_SOURCES, FRAME_BYTES = SLOT_BYTES * SLOTS, ROUNDS = 64 };

static uint64_t seed = 1;

static uint64_t next_random(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 32 ^ seed << 32;
}

/* Whole numbers and floats of 2, 4 or 8 bytes: often a limit, an infinity, a subnormal, a NaN with a payload. */
static uint64_t hostile(unsigned bytes) {
    static const uint64_t of_eight[] = {0,
                                        1,
                                        UINT64_MAX,
                                        UINT64_C(0x8000000000000000),
                                        UINT64_C(0x7fffffffffffffff),
                                        UINT64_C(0x7ff0000000000000),
                                        UINT64_C(0xfff0000000000000),
                                        UINT64_C(0x7ff8000000001234),
                                        UINT64_C(0xfff800000000abcd),
                                        UINT64_C(0x7ff0000000005678),
                                        UINT64_C(0x3ff0000000000000),
                                        UINT64_C(0x000fffffffffffff)};
    static const uint32_t of_four[] = {0,          1,          UINT32_MAX, 0x80000000, 0x7fffffff,
                                       0x7f800000, 0xff800000, 0x7fc01234, 0xffc0abcd, 0x7f805678,
                                       0x3f800000, 0x007fffff, 0x7c007e01, 0xff7f3c00};
    static const uint16_t of_two[] = {0,      1,      0xffff, 0x8000, 0x7fff, 0x7c00,
                                      0xfc00, 0x7e01, 0x3c00, 0x03ff, 0x7f80, 0x7fc1};
    const uint64_t random = next_random();
    if (random & 1) return next_random();
    if (bytes == 8) return of_eight[random / 2 % (sizeof of_eight / sizeof *of_eight)];
    if (bytes == 4) return of_four[random / 2 % (sizeof of_four / sizeof *of_four)];
    return of_two[random / 2 % (sizeof of_two / sizeof *of_two)];
}

static void fill(uint8_t *frame, const jrs_form *form) {
    for (unsigned k = 0; k < SLOTS; k++) {
        const unsigned bytes = k < form->source_count ? form->bytes[1 + k] : 4;
        const unsigned step = bytes ? bytes : 4;
        for (unsigned l = 0; l < JRS_LANES; l++) {
            const uint64_t value = hostile(step);
            memcpy(frame + (size_t)k * SLOT_BYTES + (size_t)l * step, &value, step < 8 ? step : 8);
        }
    }
}

/* What a handler makes of a frame: sources first, then the two destinations. */
static void run(jrs_handler *handler, const jrs_form *form, uint32_t mask, unsigned boolean, uint8_t *frame) {
    static jrs_warp warp;
    jrs_instruction i = {.d = JRS_SOURCES * SLOT_BYTES, .d2 = (JRS_SOURCES + 1) * SLOT_BYTES};
    warp.base[JRS_BASE_FRAME] = frame;
    i.has_d2 = !form->bytes[0];
    if (!form->bytes[0]) i.arithmetic.boolean = (uint8_t)boolean;
    for (uint32_t k = 0; k < JRS_SOURCES; k++) i.s[k] = k * SLOT_BYTES;
    assert_int_equal(handler(&warp, &i, mask), JRS_STEP);
}

static void compare(const jrs_form *form) {
    static uint8_t plain[FRAME_BYTES], wide[FRAME_BYTES];
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t mask = round % 2 ? (uint32_t)next_random() | 1 : JRS_ALL_LANES;
        fill(plain, form);
        memcpy(wide, plain, sizeof wide);
        run(form->run, form, mask, round / 2 % 3, plain);
        run(form->wide, form, mask, round / 2 % 3, wide);
        if (memcmp(plain, wide, sizeof wide) != 0) fail_msg("%s differs in round %u", form->name, round);
    }
}

TEST(wide_handlers_give_the_same_bits) {
#define ROW(name) jrs_##name##_forms,
    const jrs_form *const tables[] = {JRS_FORM_TABLES(ROW) NULL};
#undef ROW
    size_t compared = 0;
    for (size_t t = 0; tables[t]; t++) {
        for (const jrs_form *one = tables[t]; one->name; one++) {
            if (!one->wide) continue;
            if (jrs_form_run(one) != one->wide) skip_because("this CPU is not wide\n");
            compare(one);
            compared++;
        }
    }
#ifdef __x86_64__
    assert_true(compared > 100);
#endif
}

RUN_TESTS(NULL, NULL)
