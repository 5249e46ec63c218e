/* Generates elements: 0 to N-1, or random ones that depend on seed and index alone, so that every machine, and any part
 * of the run, gives the same. */
#include "input.h"
#include "number.h"

/* splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): output number index + 1 of
 * the generator seeded with seed. */
static uint64_t random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The top 24 (f32), 53 (f64), 11 (f16) or 8 (bf16) bits, spread over [-1, 1): each value is exact. 21 bits over
 * [-2^20, 2^20); 20 bits over [0, 2^20). Smaller types: as many bits as they have. */
#define RANDOM_F32(bits)  ((float)(bits >> 40) * 0x1p-23f - 1.0f)
#define RANDOM_F64(bits)  ((double)(bits >> 11) * 0x1p-52 - 1.0)
#define RANDOM_F16(bits)  (cli_f16_bits((double)(bits >> 53) * 0x1p-10 - 1.0))
#define RANDOM_BF16(bits) (cli_bf16_bits((double)(bits >> 56) * 0x1p-7 - 1.0))
#define RANDOM_BOOL(bits) ((uint8_t)(bits >> 63))
#define RANDOM_I8(bits)   ((int8_t)(bits >> 56))
#define RANDOM_U8(bits)   ((uint8_t)(bits >> 56))
#define RANDOM_I16(bits)  ((int16_t)(bits >> 48))
#define RANDOM_U16(bits)  ((uint16_t)(bits >> 48))
#define RANDOM_I32(bits)  ((int32_t)(bits >> 43) - (1 << 20))
#define RANDOM_I64(bits)  ((int64_t)(bits >> 43) - (1 << 20))
#define RANDOM_U32(bits)  ((uint32_t)(bits >> 44))
#define RANDOM_U64(bits)  ((uint64_t)(bits >> 44))

/* Type, the type in C, its element that is the number i, and how many numbers from 0 on it holds exactly (0: all). */
#define FILLERS(XX)                                                                                                    \
    XX(I8, int8_t, (int8_t)i, INT8_MAX + UINT64_C(1))                                                                  \
    XX(U8, uint8_t, (uint8_t)i, UINT8_MAX + UINT64_C(1))                                                               \
    XX(I16, int16_t, (int16_t)i, INT16_MAX + UINT64_C(1))                                                              \
    XX(U16, uint16_t, (uint16_t)i, UINT16_MAX + UINT64_C(1))                                                           \
    XX(I32, int32_t, (int32_t)i, INT32_MAX + UINT64_C(1))                                                              \
    XX(U32, uint32_t, (uint32_t)i, UINT32_MAX + UINT64_C(1))                                                           \
    XX(I64, int64_t, (int64_t)i, INT64_MAX + UINT64_C(1))                                                              \
    XX(U64, uint64_t, i, 0)                                                                                            \
    XX(BOOL, uint8_t, (uint8_t)i, 2)                                                                                   \
    XX(F16, uint16_t, cli_f16_bits((double)i), (UINT64_C(1) << 11) + 1)                                                \
    XX(BF16, uint16_t, cli_bf16_bits((double)i), (UINT64_C(1) << 8) + 1)                                               \
    XX(F32, float, (float)i, (UINT64_C(1) << 24) + 1)                                                                  \
    XX(F64, double, (double)i, (UINT64_C(1) << 53) + 1)

#define FILLER(name, c_type, number, numbers)                                                                          \
    static void random_##name(void *to, uint64_t count, uint64_t seed) {                                               \
        c_type *elements = to;                                                                                         \
        for (uint64_t i = 0; i < count; i++) elements[i] = RANDOM_##name(random_bits(seed, i));                        \
    }                                                                                                                  \
    static void iota_##name(void *to, uint64_t count, uint64_t seed) {                                                 \
        c_type *elements = to;                                                                                         \
        (void)seed;                                                                                                    \
        for (uint64_t i = 0; i < count; i++) elements[i] = number;                                                     \
    }
FILLERS(FILLER)

/* How one type is filled. */
typedef struct filler {
    jr_type type;
    void (*random)(void *to, uint64_t count, uint64_t seed);
    void (*iota)(void *to, uint64_t count, uint64_t seed);
    uint64_t numbers;
} filler;

static const filler fillers[] = {
#define FILLER_ROW(name, c_type, number, numbers) {JR_##name, random_##name, iota_##name, numbers},
    FILLERS(FILLER_ROW)
#undef FILLER_ROW
};

#define TYPE_ONE(name, number, text) +1
_Static_assert(sizeof fillers / sizeof *fillers == 0 JR_TYPES(TYPE_ONE), "a type that cannot be generated");
#undef TYPE_ONE

/* Every type has a row. */
static const filler *find_filler(jr_type type) {
    const filler *row = fillers;
    while (row->type != type) row++;
    return row;
}

cli_exit cli_generate(const cli_options *options, cli_data *data, cli_error *error) {
    uint64_t count = options->generated_count;
    jr_type type = options->spec.type;
    if (type == JR_TYPE_NONE) type = options->random ? JR_F32 : JR_I64;
    const filler *row = find_filler(type);
    if (options->iota && row->numbers && count > row->numbers)
        return cli_fail(error, CLI_FAILURE, "--iota: %s does not hold %llu exactly", jr_type_name(type),
                        (unsigned long long)row->numbers);
    cli_exit code =
        cli_data_create(data, type, jr_type_size(type), count, options->random ? "--random" : "--iota", error);
    if (code == CLI_OK) (options->random ? row->random : row->iota)(data->owned, count, options->seed);
    return code;
}
