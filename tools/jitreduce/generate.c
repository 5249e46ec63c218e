/* Generates elements: 0 to N-1, or random ones that depend on seed and index alone, so that every machine, and any part
 * of the run, gives the same. */
#include "input.h"

/* splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): output number index + 1 of
 * the generator seeded with seed. */
static uint64_t random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The top 24 (f32) or 53 (f64) bits, spread over [-1, 1); 21 bits over [-2^20, 2^20); 20 bits over [0, 2^20). */
#define RANDOM_F32(bits) ((float)(bits >> 40) * 0x1p-23f - 1.0f)
#define RANDOM_F64(bits) ((double)(bits >> 11) * 0x1p-52 - 1.0)
/* f16 and bf16: the sign and an exponent and fraction below one. */
#define RANDOM_F16(bits)  ((uint16_t)((bits >> 63) << 15 | (bits >> 40) % 0x3c00))
#define RANDOM_BF16(bits) ((uint16_t)((bits >> 63) << 15 | (0x3c00 + (bits >> 40) % 0x380)))
#define RANDOM_BOOL(bits) ((uint8_t)(bits >> 63))
#define RANDOM_I8(bits)   ((int8_t)(bits >> 56))
#define RANDOM_U8(bits)   ((uint8_t)(bits >> 56))
#define RANDOM_I16(bits)  ((int16_t)(bits >> 48))
#define RANDOM_U16(bits)  ((uint16_t)(bits >> 48))
#define RANDOM_I32(bits)  ((int32_t)(bits >> 43) - (1 << 20))
#define RANDOM_I64(bits)  ((int64_t)(bits >> 43) - (1 << 20))
#define RANDOM_U32(bits)  ((uint32_t)(bits >> 44))
#define RANDOM_U64(bits)  ((uint64_t)(bits >> 44))

#define FILLERS(name, c_type)                                                                                          \
    static void random_##name(void *to, uint64_t count, uint64_t seed) {                                               \
        c_type *elements = to;                                                                                         \
        for (uint64_t i = 0; i < count; i++) elements[i] = RANDOM_##name(random_bits(seed, i));                        \
    }                                                                                                                  \
    static void iota_##name(void *to, uint64_t count, uint64_t seed) {                                                 \
        c_type *elements = to;                                                                                         \
        (void)seed;                                                                                                    \
        for (uint64_t i = 0; i < count; i++) elements[i] = (c_type)i;                                                  \
    }
FILLERS(I32, int32_t)
FILLERS(U32, uint32_t)
FILLERS(I64, int64_t)
FILLERS(U64, uint64_t)
FILLERS(I8, int8_t)
FILLERS(U8, uint8_t)
FILLERS(I16, int16_t)
FILLERS(U16, uint16_t)
FILLERS(F16, uint16_t)
FILLERS(BF16, uint16_t)
FILLERS(BOOL, uint8_t)
FILLERS(F32, float)
FILLERS(F64, double)

static const struct {
    jr_type type;
    void (*random)(void *to, uint64_t count, uint64_t seed);
    void (*iota)(void *to, uint64_t count, uint64_t seed);
} fillers[] = {
#define FILLER_ROW(name, number, text) {JR_##name, random_##name, iota_##name},
    JR_TYPES(FILLER_ROW)
#undef FILLER_ROW
};

static bool holds(jr_type type, uint64_t number) {
    char kind = jr_type_name(type)[0];
    unsigned bits = 8 * (unsigned)jr_type_size(type) - (kind == 'i');
    return kind == 'f' || bits >= 64 || number >> bits == 0;
}

cli_exit cli_generate(const cli_options *options, cli_data *data, cli_error *error) {
    uint64_t count = options->generated_count;
    jr_type type = options->spec.type;
    if (type == JR_TYPE_NONE) type = options->random ? JR_F32 : JR_I64;
    if (options->iota && count > 0 && !holds(type, count - 1))
        return cli_fail(error, CLI_FAILURE, "--iota: %llu does not fit %s", (unsigned long long)(count - 1),
                        jr_type_name(type));
    cli_exit code = cli_data_create(data, type, count, options->random ? "--random" : "--iota", error);
    if (code != CLI_OK) return code;
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        if (fillers[i].type == type)
            (options->random ? fillers[i].random : fillers[i].iota)(data->owned, count, options->seed);
    return CLI_OK;
}
