/* Declarations of variables, registers and parameters. */
#include <string.h>

#include "builder.h"

/* What stands before the name: alignment, vector length and type. */
typedef struct layout {
    uint32_t alignment, vector;
    jrs_type type;
} layout;

bool jrs_space_find(const char *name, jrs_space *space) {
    static const struct {
        const char *name;
        jrs_space space;
    } spaces[] = {{"global", JRS_SPACE_GLOBAL}, {"const", JRS_SPACE_CONST},     {"shared", JRS_SPACE_SHARED},
                  {"local", JRS_SPACE_LOCAL},   {"param", JRS_SPACE_PARAMETER}, {"reg", JRS_SPACE_REGISTER}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (strcmp(spaces[i].name, name) != 0) continue;
        *space = spaces[i].space;
        return true;
    }
    return false;
}

static uint32_t round_up(uint32_t offset, uint32_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

static uint32_t parse_alignment(jrs_parser *parser) {
    int64_t alignment = jrs_lex_integer(parser);
    if (alignment < 1 || alignment > 4096 || (alignment & (alignment - 1)))
        jrs_parse_fail(parser, "an alignment of %lld", (long long)alignment);
    return (uint32_t)alignment;
}

static layout parse_layout(jrs_parser *parser) {
    layout found = {0, 1, JRS_TYPE_COUNT};
    jrs_space pointed;
    while (found.type == JRS_TYPE_COUNT || jrs_lex_peek(parser) == '.') {
        const char *word = jrs_lex_directive(parser);
        if (strcmp(word, "align") == 0)
            found.alignment = parse_alignment(parser);
        else if (strcmp(word, "v2") == 0)
            found.vector = 2;
        else if (strcmp(word, "v4") == 0)
            found.vector = 4;
        else if (strcmp(word, "attribute") == 0)
            jrs_lex_until(parser, ')');
        else if (strcmp(word, "ptr") == 0 || jrs_space_find(word, &pointed))
            continue; /* of a parameter: advice */
        else
            found.type = jrs_type_find(word);
        if (found.type == JRS_TYPE_COUNT && strcmp(word, "align") != 0 && word[0] != 'v' && word[0] != 'a')
            jrs_parse_fail(parser, ".%s is not a type", word);
    }
    uint32_t natural = jrs_type_bytes(found.type) * found.vector;
    if (natural == 0) natural = 1;
    if (found.alignment == 0) found.alignment = natural;
    return found;
}

/* "[2][3]" → element count; *open tells "[]". */
static uint32_t parse_dimensions(jrs_parser *parser, bool *open) {
    uint64_t count = 1;
    *open = false;
    while (jrs_lex_accept(parser, '[')) {
        if (jrs_lex_peek(parser) == ']')
            *open = true;
        else
            count *= (uint64_t)jrs_lex_integer(parser);
        jrs_lex_expect(parser, ']');
        if (count > UINT32_MAX) jrs_parse_fail(parser, "an array of more than 4 GiB");
    }
    return (uint32_t)count;
}

/* ---- initial values ---- */

typedef struct initial {
    uint8_t *bytes;
    size_t used, capacity;
    jrs_type type;
    jrs_global_entry *entry;
} initial;

static void put_value(jrs_parser *parser, initial *into, uint64_t bits) {
    size_t bytes = jrs_type_bytes(into->type);
    if (into->used + bytes > into->capacity) jrs_parse_fail(parser, "more initial values than elements");
    memcpy(into->bytes + into->used, &bits, bytes < 8 ? bytes : 8); /* little endian, as the device is */
    into->used += bytes;
}

static void put_address(jrs_parser *parser, initial *into, const char *name) {
    bool generic = strcmp(name, "generic") == 0 && jrs_lex_accept(parser, '(');
    if (generic) name = jrs_lex_expect_name(parser, "a variable");
    if (generic) jrs_lex_expect(parser, ')');
    int64_t addend = jrs_lex_peek(parser) == '+' || jrs_lex_peek(parser) == '-' ? jrs_lex_integer(parser) : 0;
    const jrs_symbol *symbol = jrs_symbol_find(parser, name);
    if (symbol && symbol->kind == JRS_SYMBOL_FUNCTION) {
        put_value(parser, into, jrs_function_address(symbol->function));
        return;
    }
    if (!symbol || symbol->kind != JRS_SYMBOL_VARIABLE ||
        (symbol->space != JRS_SPACE_GLOBAL && symbol->space != JRS_SPACE_CONST))
        jrs_parse_fail(parser, "'%s' is not a variable whose address is known before the launch", name);
    jrs_relocation *relocation = jrs_parse_take(parser, sizeof *relocation);
    relocation->offset = (uint32_t)into->used;
    relocation->global = symbol->offset;
    relocation->bytes = jrs_type_bytes(into->type);
    relocation->addend = addend;
    relocation->next = into->entry->relocations;
    into->entry->relocations = relocation;
    put_value(parser, into, 0);
}

static uint64_t literal_bits(jrs_parser *parser, const jrs_operand *literal, jrs_type type) {
    if (jrs_type_bytes(type) != 4 || literal->kind != JRS_OPERAND_FLOAT64) return literal->bits;
    double wide;
    memcpy(&wide, &literal->bits, sizeof wide);
    float narrow = (float)wide;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    (void)parser;
    return bits;
}

static void parse_value(jrs_parser *parser, initial *into) {
    if (jrs_lex_accept(parser, '{')) {
        do
            if (jrs_lex_peek(parser) != '}') parse_value(parser, into);
        while (jrs_lex_accept(parser, ','));
        jrs_lex_expect(parser, '}');
        return;
    }
    const char *name = jrs_lex_name(parser);
    if (name) {
        put_address(parser, into, name);
        return;
    }
    jrs_operand literal = {0};
    bool negative = jrs_lex_accept(parser, '-');
    if (!jrs_lex_number(parser, &literal)) jrs_parse_fail(parser, "an initial value expected");
    uint64_t bits = literal_bits(parser, &literal, into->type);
    if (negative && literal.kind == JRS_OPERAND_INTEGER)
        bits = -bits;
    else if (negative)
        bits ^= UINT64_C(1) << (jrs_type_bytes(into->type) * 8 - 1);
    put_value(parser, into, bits);
}

/* ---- variables ---- */

static void add_global(jrs_parser *parser, jrs_symbol *symbol, const layout *shape) {
    jrs_global_entry *entry = jrs_parse_take(parser, sizeof *entry);
    entry->index = parser->module->global_count++;
    entry->global = (jrs_global){.name = symbol->name,
                                 .bytes = symbol->bytes,
                                 .alignment = shape->alignment,
                                 .constant = symbol->space == JRS_SPACE_CONST};
    symbol->offset = entry->index;
    *parser->globals_end = entry;
    parser->globals_end = &entry->next;
    if (entry->global.constant) parser->module->constant_bytes += symbol->bytes;
    if (!jrs_lex_accept(parser, '=')) return;
    initial into = {jrs_parse_take(parser, symbol->bytes), 0, symbol->bytes, shape->type, entry};
    parse_value(parser, &into);
    entry->global.initial = into.bytes;
}

static void place(jrs_parser *parser, jrs_symbol *symbol, uint32_t *end, uint32_t alignment) {
    symbol->offset = round_up(*end, alignment);
    if ((uint64_t)symbol->offset + symbol->bytes > UINT32_MAX / 2)
        jrs_parse_fail(parser, "'%s' is too large", symbol->name);
    *end = symbol->offset + symbol->bytes;
}

static void place_shared(jrs_parser *parser, jrs_symbol *symbol, uint32_t alignment) {
    jrs_module *module = parser->module;
    if (parser->builder && parser->builder->function->entry) {
        if (!parser->builder->own_shared) parser->builder->function->shared_bytes = module->shared_bytes;
        parser->builder->own_shared = true;
        symbol->module_scope = false;
        place(parser, symbol, &parser->builder->function->shared_bytes, alignment);
        return;
    }
    for (const jrs_function *function = module->functions; function; function = function->next)
        if (function->entry && function->shared_bytes)
            jrs_parse_fail(parser, ".shared '%s' stands after a kernel with .shared variables of its own",
                           symbol->name);
    symbol->module_scope = true;
    place(parser, symbol, &module->shared_bytes, alignment);
}

static void place_variable(jrs_parser *parser, jrs_symbol *symbol, const layout *shape) {
    switch (symbol->space) {
    case JRS_SPACE_GLOBAL:
    case JRS_SPACE_CONST: add_global(parser, symbol, shape); break;
    case JRS_SPACE_SHARED: place_shared(parser, symbol, shape->alignment); break;
    case JRS_SPACE_LOCAL:
    case JRS_SPACE_FRAME:
        if (!parser->builder) jrs_parse_fail(parser, "'%s' stands outside of any function", symbol->name);
        place(parser, symbol, &parser->builder->function->local_bytes, shape->alignment < 4 ? 4 : shape->alignment);
        break;
    default: jrs_parse_fail(parser, "'%s' cannot be declared here", symbol->name);
    }
}

void jrs_variable_parse(jrs_parser *parser, jrs_space space, bool external) {
    layout shape = parse_layout(parser);
    do {
        const char *name = jrs_lex_expect_name(parser, "a variable's name");
        bool open;
        uint32_t count = parse_dimensions(parser, &open);
        bool dynamic = space == JRS_SPACE_SHARED && external;
        if (open && !dynamic) jrs_parse_fail(parser, "the array '%s' has no size", name);
        uint64_t bytes = (uint64_t)count * shape.vector * jrs_type_bytes(shape.type);
        if (bytes > UINT32_MAX) jrs_parse_fail(parser, "'%s' is too large", name);
        jrs_symbol *symbol = jrs_symbol_add(parser, name, dynamic ? JRS_SYMBOL_DYNAMIC : JRS_SYMBOL_VARIABLE);
        symbol->space = space;
        symbol->type = shape.type;
        symbol->bytes = (uint32_t)bytes;
        if (!dynamic) place_variable(parser, symbol, &shape);
    } while (jrs_lex_accept(parser, ','));
    jrs_lex_expect(parser, ';');
}

/* ---- registers ---- */

static void add_register(jrs_parser *parser, const char *name, jrs_type type) {
    jrs_symbol *symbol = jrs_symbol_add(parser, name, JRS_SYMBOL_REGISTER);
    symbol->type = type;
    symbol->space = JRS_SPACE_REGISTER;
    symbol->bytes = jrs_type_register_bytes(type);
    symbol->id = parser->builder->register_count++;
}

static void add_registers(jrs_parser *parser, const char *prefix, int64_t count, jrs_type type) {
    char name[256];
    if (count < 1 || count > 1000000) jrs_parse_fail(parser, "%lld registers", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "%s%lld", prefix, (long long)i);
        if (length >= (int)sizeof name) jrs_parse_fail(parser, "the register name '%s' is too long", prefix);
        add_register(parser, jrs_parse_string(parser, name, (size_t)length), type);
    }
}

void jrs_register_parse(jrs_parser *parser) {
    if (!parser->builder) jrs_parse_fail(parser, ".reg stands outside of any function");
    layout shape = parse_layout(parser);
    if (shape.vector != 1) jrs_parse_fail(parser, "vector registers are not supported");
    do {
        const char *name = jrs_lex_expect_name(parser, "a register's name");
        if (jrs_lex_accept(parser, '<')) {
            add_registers(parser, name, jrs_lex_integer(parser), shape.type);
            jrs_lex_expect(parser, '>');
        } else {
            add_register(parser, name, shape.type);
        }
    } while (jrs_lex_accept(parser, ','));
    jrs_lex_expect(parser, ';');
}

/* ---- parameters ---- */

jrs_symbol *jrs_parameter_parse(jrs_parser *parser, jrs_space space, uint32_t *end, jrs_parameter *parameter) {
    const char *word = jrs_lex_directive(parser);
    if (strcmp(word, "param") != 0) jrs_parse_fail(parser, ".param expected, .%s found", word);
    layout shape = parse_layout(parser);
    const char *name = jrs_lex_expect_name(parser, "a parameter's name");
    bool open;
    uint32_t count = parse_dimensions(parser, &open);
    jrs_symbol *symbol = jrs_symbol_add(parser, name, JRS_SYMBOL_VARIABLE);
    symbol->space = space;
    symbol->type = shape.type;
    symbol->bytes = open ? 0 : count * shape.vector * jrs_type_bytes(shape.type);
    place(parser, symbol, end, shape.alignment);
    *parameter = (jrs_parameter){symbol->offset, symbol->bytes};
    return symbol;
}
