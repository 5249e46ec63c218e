/* Generates elements so that every machine, and any part of the run, gives the same. */
#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014. */
uint64_t cli_random_bits(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The top 24 (f32) or 53 (f64) bits, spread over [-1, 1): each value is exact. 21 bits over [-2^20, 2^20); 20 bits over
 * [0, 2^20). Smaller types: as many bits as they have. */
#define RANDOM_F32(bits)  ((float)(bits >> 40) * 0x1p-23f - 1.0f)
#define RANDOM_F64(bits)  ((double)(bits >> 11) * 0x1p-52 - 1.0)
#define RANDOM_BOOL(bits) ((uint8_t)(bits >> 63))
#define RANDOM_I8(bits)   ((int8_t)(bits >> 56))
#define RANDOM_U8(bits)   ((uint8_t)(bits >> 56))
#define RANDOM_I16(bits)  ((int16_t)(bits >> 48))
#define RANDOM_U16(bits)  ((uint16_t)(bits >> 48))
#define RANDOM_I32(bits)  ((int32_t)(bits >> 43) - (1 << 20))
#define RANDOM_I64(bits)  ((int64_t)(bits >> 43) - (1 << 20))
#define RANDOM_U32(bits)  ((uint32_t)(bits >> 44))
#define RANDOM_U64(bits)  ((uint64_t)(bits >> 44))

/* The types that C has, and their types in C. */
#define FILLERS(XX)                                                                                                    \
    XX(I8, int8_t)                                                                                                     \
    XX(U8, uint8_t)                                                                                                    \
    XX(I16, int16_t)                                                                                                   \
    XX(U16, uint16_t)                                                                                                  \
    XX(I32, int32_t)                                                                                                   \
    XX(U32, uint32_t)                                                                                                  \
    XX(I64, int64_t)                                                                                                   \
    XX(U64, uint64_t)                                                                                                  \
    XX(BOOL, uint8_t)                                                                                                  \
    XX(F32, float)                                                                                                     \
    XX(F64, double)

#define FILLER(name, c_type)                                                                                           \
    static void random_##name(void *to, uint64_t count, uint64_t seed) {                                               \
        c_type *elements = to;                                                                                         \
        for (uint64_t i = 0; i < count; i++) elements[i] = RANDOM_##name(cli_random_bits(seed, i));                    \
    }                                                                                                                  \
    static void iota_##name(void *to, uint64_t count, uint64_t seed) {                                                 \
        c_type *elements = to;                                                                                         \
        (void)seed;                                                                                                    \
        for (uint64_t i = 0; i < count; i++) elements[i] = (c_type)i;                                                  \
    }
FILLERS(FILLER)

/* How one type is filled. */
typedef struct filler {
    jr_type type;
    void (*random)(void *to, uint64_t count, uint64_t seed);
    void (*iota)(void *to, uint64_t count, uint64_t seed);
} filler;

static const filler fillers[] = {
#define FILLER_ROW(name, c_type) {JR_##name, random_##name, iota_##name},
    FILLERS(FILLER_ROW)
#undef FILLER_ROW
};

/* The bits of a narrow float's significand. */
static int significand_bits(jr_type type) {
    return jr_type_fraction_bits(type) + 1;
}

/* Narrow floats: as many of the top bits as the significand has, spread over [-1, 1), or the numbers from 0 on. */
static void fill_narrow(const cli_options *options, cli_data *data) {
    enum { BITS_MAX = 11 }; /* of f16 */
    unsigned char numbers[((1 << BITS_MAX) + 1) * sizeof(uint16_t)];
    const int bits = significand_bits(data->type);
    const size_t bytes = jr_type_size(data->type);
    unsigned char *to = data->owned;
    for (int i = 0; i <= 1 << bits; i++) {
        jr_value value;
        if (jr_value_of_number(data->type, options->random ? ldexp(i, 1 - bits) - 1 : i, &value) == JR_OK)
            memcpy(numbers + (size_t)i * bytes, &value.as, bytes);
    }
    for (uint64_t i = 0; i < data->count; i++) {
        const uint64_t number = options->random ? cli_random_bits(options->seed, i) >> (64 - bits) : i;
        memcpy(to + i * bytes, numbers + number * bytes, bytes);
    }
}

static void fill(const cli_options *options, cli_data *data) {
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        if (fillers[i].type == data->type) {
            (options->random ? fillers[i].random : fillers[i].iota)(data->owned, data->count, options->seed);
            return;
        }
    fill_narrow(options, data);
}

uint64_t cli_whole_numbers(jr_type type) {
    const size_t bits = 8 * jr_type_size(type);
    switch (jr_type_class_of(type)) {
    case JR_CLASS_SIGNED: return UINT64_C(1) << (bits - 1);
    case JR_CLASS_UNSIGNED: return bits < 64 ? UINT64_C(1) << bits : 0;
    case JR_CLASS_BOOLEAN: return 2;
    case JR_CLASS_FLOAT: return (UINT64_C(1) << significand_bits(type)) + 1;
    case JR_CLASS_NONE: break;
    }
    return 0;
}

/* Elements that are made: those after --offset and --count are not. */
static uint64_t count_made(const cli_options *options) {
    uint64_t end;
    const bool all = __builtin_add_overflow(options->offset, options->count, &end) || end > options->generated_count;
    return all ? options->generated_count : end;
}

cli_exit cli_generate(const cli_options *options, cli_data *data, cli_error *error) {
    const uint64_t count = count_made(options);
    const char *option = options->random ? "--random" : "--iota";
    jr_type type = options->spec.type;
    if (type == JR_TYPE_NONE) type = options->random ? JR_F32 : cli_options_read_floats(options) ? JR_F64 : JR_I64;
    const uint64_t numbers = cli_whole_numbers(type);
    if (options->iota && numbers > 0 && count > numbers)
        return cli_fail(error, CLI_FAILURE,
                        "--iota: %s does not hold %llu exactly: give %llu elements at most, or --type %s",
                        jr_type_name(type), (unsigned long long)numbers, (unsigned long long)numbers,
                        type == JR_I64 ? "u64" : "i64");
    const cli_exit code = cli_data_create(data, type, jr_type_size(type), count, option, error);
    const size_t used = strlen(error->message);
    if (code == CLI_OK)
        fill(options, data);
    else
        snprintf(error->message + used, sizeof error->message - used, "; all of them are made at once: give fewer");
    return code;
}
