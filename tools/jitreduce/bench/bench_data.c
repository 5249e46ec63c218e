/* Fills device memory by a kernel string of the command's own, and deals it out. */
#include "bench_data.h"

#include <stdio.h>

/* splitmix64, as generate.c has it: an element depends on its number alone. */
static const char source[] =
    "extern \"C\" __global__ void __launch_bounds__(256) bench_fill(ELEMENT *data, unsigned long long count,\n"
    "                                                                 unsigned long long first) {\n"
    "    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;\n"
    "    unsigned long long at = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    for (; at < count; at += step) {\n"
    "        const unsigned long long i = first + at;\n"
    "        unsigned long long bits = (i + 1) * 0x9e3779b97f4a7c15ull;\n"
    "        bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;\n"
    "        bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;\n"
    "        bits ^= bits >> 31;\n"
    "        data[at] = VALUE;\n"
    "    }\n"
    "}\n";

/* How elements of a type are made: the device's type of the same size, and the element, of 64 random bits. */
typedef struct recipe {
    jr_type type;
    const char *element;
    char value[128];
} recipe;

/* The types that C has. */
static const recipe rows[] = {
    {JR_I8, "signed char", "(signed char)(bits >> 56)"},
    {JR_U8, "unsigned char", "(unsigned char)(bits >> 56)"},
    {JR_I16, "short", "(short)(bits >> 48)"},
    {JR_U16, "unsigned short", "(unsigned short)(bits >> 48)"},
    {JR_I32, "int", "(int)(bits >> 43) - (1 << 20)"},
    {JR_U32, "unsigned", "(unsigned)(bits >> 44)"},
    {JR_I64, "long long", "(long long)(bits >> 43) - (1 << 20)"},
    {JR_U64, "unsigned long long", "bits >> 44"},
    {JR_BOOL, "unsigned char", "(unsigned char)(bits >> 63)"},
    {JR_F32, "float", "(float)(bits >> 40) * 5.9604644775390625e-8f"},
    {JR_F64, "double", "(double)(bits >> 11) * 1.1102230246251565e-16"},
};

/* Narrow floats: those from 0.5 to 1, whose exponent is the bias less one, with a random fraction. */
static recipe narrow_recipe(jr_type type) {
    const int fraction = jr_type_fraction_bits(type), bits = 8 * (int)jr_type_size(type);
    recipe made = {.type = type, .element = bits == 8 ? "unsigned char" : "unsigned short"};
    snprintf(made.value, sizeof made.value, "(ELEMENT)(%#x | bits >> %d)",
             ((1u << (bits - 2 - fraction)) - 2) << fraction, 64 - fraction);
    return made;
}

/* A sign, an exponent of all but the greatest, and a fraction. */
static const recipe hostile_rows[] = {
    {JR_F32, "float", "__uint_as_float((unsigned)bits & 0x807fffffu | (1 + (unsigned)(bits >> 32) % 230) << 23)"},
    {JR_F64, "double",
     "__longlong_as_double(bits & 0x800fffffffffffffull | (1 + (i * 0xd1342543de82ef95ull >> 32) % 2006) << 52)"},
};

static recipe find_recipe(jr_type type, bool hostile) {
    for (size_t i = 0; hostile && i < sizeof hostile_rows / sizeof *hostile_rows; i++)
        if (hostile_rows[i].type == type) return hostile_rows[i];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == type) return rows[i];
    return narrow_recipe(type);
}

jr_status cli_bench_data_fill(cli_bench_data *data, jr_type type, bool hostile) {
    enum { BLOCK = 256, GRID_MAX = 4096 };
    if (data->type == type && data->hostile == hostile) return JR_OK;
    const recipe made = find_recipe(type, hostile);
    const jr_named_text constants[] = {{"ELEMENT", made.element}, {"VALUE", made.value}};
    const jr_program program = JR_INIT(jr_program, .name = "bench_fill", .source = source, .entry = "bench_fill",
                                       .constants = constants, .constant_count = 2);
    uint64_t count = data->bytes / jr_type_size(type), blocks = count / BLOCK + 1;
    const jr_launch launch =
        JR_INIT(jr_launch, .grid = {(unsigned)(blocks < GRID_MAX ? blocks : GRID_MAX)}, .block = {BLOCK});
    unsigned char first;
    jr_kernel *kernel;
    jr_status status = jr_kernel_get(data->context, &program, &kernel);
    if (status == JR_OK) status = jr_kernel_launch(kernel, &launch, (void *[]){&data->memory, &count, &data->first});
    if (status == JR_OK) status = jr_memory_read(data->context, &first, data->memory, 1); /* waits for it */
    if (status != JR_OK) return status;
    data->type = type;
    data->hostile = hostile;
    return status;
}

static uint64_t aligned(uint64_t bytes) {
    return (bytes + CLI_SLOT_ALIGNMENT - 1) / CLI_SLOT_ALIGNMENT * CLI_SLOT_ALIGNMENT;
}

uint64_t cli_bench_slot_bytes(jr_type type, uint64_t count, uint64_t offset, int arrays) {
    return aligned((count + offset) * jr_type_size(type)) * (uint64_t)arrays;
}

void cli_bench_data_cut(cli_bench_data *data, uint64_t count, uint64_t offset, int arrays, uint64_t span_bytes) {
    data->count = count;
    data->offset = offset;
    data->array_bytes = cli_bench_slot_bytes(data->type, count, offset, 1);
    data->slot_bytes = data->array_bytes * (uint64_t)arrays;
    const uint64_t most = data->bytes / data->slot_bytes, wanted = span_bytes / data->slot_bytes;
    data->slot_count = wanted > 2 ? wanted : span_bytes > 0 ? 2 : 1;
    if (data->slot_count > most) data->slot_count = most;
}

const void *cli_bench_slot(const cli_bench_data *data, uint64_t run) {
    return (const char *)data->memory + run % data->slot_count * data->slot_bytes;
}

const void *cli_bench_array(const cli_bench_data *data, uint64_t run, int array, bool is_aligned) {
    const char *begin = (const char *)cli_bench_slot(data, run) + (uint64_t)array * data->array_bytes;
    return begin + (is_aligned ? 0 : data->offset * jr_type_size(data->type));
}
