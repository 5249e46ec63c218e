/* Declarations of variables, registers and parameters. */
#include <string.h>

#include "builder.h"

/* What stands before the name: alignment, vector length and type. */
typedef struct layout {
    uint32_t alignment, vector;
    jrs_type type;
    bool opaque; /* a texture, sampler or surface */
} layout;

/* Bytes at most, as the manual and the device have them: of a function's local memory, a kernel's parameters, a block's
 * shared memory, a module's constants. */
enum { LOCAL_MAX = 512 << 10, PARAMETERS_MAX = 32764, SHARED_MAX = 227 << 10, CONSTANT_MAX = 64 << 10 };

bool jrs_space_find(const char *name, jrs_space *space) {
    static const struct {
        const char *name;
        jrs_space space;
    } spaces[] = {{"global", JRS_SPACE_GLOBAL},           {"const", JRS_SPACE_CONST},
                  {"shared", JRS_SPACE_SHARED},           {"shared::cta", JRS_SPACE_SHARED},
                  {"shared::cluster", JRS_SPACE_CLUSTER}, {"local", JRS_SPACE_LOCAL},
                  {"param", JRS_SPACE_PARAMETER},         {"param::entry", JRS_SPACE_PARAMETER},
                  {"param::func", JRS_SPACE_PARAMETER}};
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

static bool is_opaque(const char *word) {
    return strcmp(word, "texref") == 0 || strcmp(word, "samplerref") == 0 || strcmp(word, "surfref") == 0;
}

static layout parse_layout(jrs_parser *parser) {
    layout found = {.vector = 1, .type = JRS_TYPE_COUNT};
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
            found.type = (found.opaque = is_opaque(word)) ? JRS_TYPE_b64 : jrs_type_find(word);
        if (found.type == JRS_TYPE_COUNT && strcmp(word, "align") != 0 && word[0] != 'v' && word[0] != 'a')
            jrs_parse_fail(parser, ".%s is not a type", word);
    }
    uint32_t natural = jrs_type_bytes(found.type) * found.vector;
    if (natural == 0) natural = 1;
    if (found.alignment == 0) found.alignment = natural;
    return found;
}

/* The layout of a variable in memory: of any type but a predicate. */
static layout parse_memory_layout(jrs_parser *parser) {
    const layout found = parse_layout(parser);
    if (jrs_type_bytes(found.type) == 0) jrs_parse_fail(parser, "a predicate is a register and cannot be in memory");
    return found;
}

/* A literal, or the warp's size: ptxas takes no other constants here. */
static uint32_t parse_extent(jrs_parser *parser) {
    const char *name = jrs_lex_name(parser);
    if (!name) return jrs_lex_count(parser, 0, UINT32_MAX, "elements");
    if (strcmp(name, "WARP_SZ") != 0) jrs_parse_fail(parser, "'%s' is not a number of elements", name);
    return JRS_LANES;
}

/* "[2][3]" → element count; *open becomes true for "[]". */
static uint32_t parse_dimensions(jrs_parser *parser, bool *open) {
    uint64_t count = 1;
    *open = false;
    while (jrs_lex_accept(parser, '[')) {
        if (jrs_lex_peek(parser) == ']')
            *open = true;
        else
            count *= parse_extent(parser);
        jrs_lex_expect(parser, ']');
        if (count > UINT32_MAX) jrs_parse_fail(parser, "an array of more than 4 GiB");
    }
    return (uint32_t)count;
}

/* ---- variables ---- */

static void add_constant_bytes(jrs_parser *parser, const jrs_symbol *symbol) {
    const uint64_t sum = (uint64_t)parser->module->constant_bytes + symbol->bytes;
    if (sum > CONSTANT_MAX)
        jrs_parse_fail(parser, "more than %d bytes of .const with '%s'", CONSTANT_MAX, symbol->name);
    parser->module->constant_bytes = (uint32_t)sum;
}

static void add_global(jrs_parser *parser, jrs_symbol *symbol, const layout *shape) {
    jrs_global *global = jrs_parse_take(parser, sizeof *global);
    *global = (jrs_global){.name = symbol->name,
                           .bytes = symbol->bytes,
                           .alignment = shape->alignment,
                           .constant = symbol->space == JRS_SPACE_CONST};
    symbol->global = global;
    *parser->globals_end = global;
    parser->globals_end = &global->next;
    if (global->constant) add_constant_bytes(parser, symbol);
    if (jrs_lex_accept(parser, '=')) jrs_initial_parse(parser, global, shape->type);
}

/* Behind *end, which is moved. bytes: in which there must be room, at most. */
static void place(jrs_parser *parser, jrs_symbol *symbol, uint32_t *end, uint32_t alignment, uint32_t most) {
    symbol->offset = round_up(*end, alignment);
    if ((uint64_t)symbol->offset + symbol->bytes > most)
        jrs_parse_fail(parser, "with '%s' the total is more than the %u bytes that are available", symbol->name, most);
    *end = symbol->offset + symbol->bytes;
}

uint32_t jrs_frame_reserve(jrs_parser *parser, uint32_t bytes) {
    jrs_symbol room = {.name = "a parameter", .bytes = bytes};
    place(parser, &room, &parser->builder->function->local_bytes, bytes, LOCAL_MAX);
    return room.offset;
}

static void place_shared(jrs_parser *parser, jrs_symbol *symbol, uint32_t alignment) {
    jrs_module *module = parser->module;
    if (parser->builder && parser->builder->function->entry) {
        if (!parser->builder->own_shared) parser->builder->function->shared_bytes = module->shared_bytes;
        parser->builder->own_shared = true;
        symbol->module_scope = false;
        place(parser, symbol, &parser->builder->function->shared_bytes, alignment, SHARED_MAX);
        return;
    }
    for (const jrs_function *function = module->functions; function; function = function->next)
        if (function->entry && function->shared_bytes)
            jrs_parse_fail(parser, ".shared '%s' follows a kernel with .shared variables of its own", symbol->name);
    symbol->module_scope = true;
    place(parser, symbol, &module->shared_bytes, alignment, SHARED_MAX);
}

static void place_variable(jrs_parser *parser, jrs_symbol *symbol, const layout *shape) {
    switch (symbol->space) {
    case JRS_SPACE_GLOBAL:
    case JRS_SPACE_CONST: add_global(parser, symbol, shape); break;
    case JRS_SPACE_SHARED: place_shared(parser, symbol, shape->alignment); break;
    case JRS_SPACE_LOCAL:
    case JRS_SPACE_FRAME:
        if (!parser->builder) jrs_parse_fail(parser, "'%s' is outside of a function", symbol->name);
        place(parser, symbol, &parser->builder->function->local_bytes, shape->alignment < 4 ? 4 : shape->alignment,
              LOCAL_MAX);
        break;
    default: jrs_parse_fail(parser, "'%s' cannot be declared here", symbol->name);
    }
}

/* "name[...] = ..." */
static void parse_variable(jrs_parser *parser, const layout *shape, jrs_space space, bool external) {
    const char *name = jrs_lex_expect_name(parser, "a variable's name");
    const bool dynamic = space == JRS_SPACE_SHARED && external;
    bool open;
    const uint64_t bytes = parse_dimensions(parser, &open) * (uint64_t)shape->vector * jrs_type_bytes(shape->type);
    if (open && !dynamic) jrs_parse_fail(parser, "the array '%s' has no size", name);
    if (bytes > UINT32_MAX) jrs_parse_fail(parser, "'%s' is too large", name);
    jrs_symbol *symbol = jrs_symbol_add(parser, name, dynamic ? JRS_SYMBOL_DYNAMIC : JRS_SYMBOL_VARIABLE);
    symbol->space = space;
    symbol->type = shape->type;
    symbol->bytes = (uint32_t)bytes;
    if (!dynamic) place_variable(parser, symbol, shape);
}

void jrs_variable_parse(jrs_parser *parser, jrs_space space, bool external) {
    const layout shape = parse_memory_layout(parser);
    if (shape.opaque) {
        jrs_symbol_add(parser, jrs_lex_expect_name(parser, "a variable's name"), JRS_SYMBOL_OPAQUE);
        jrs_lex_until(parser, ';');
        return;
    }
    do parse_variable(parser, &shape, space, external);
    while (jrs_lex_accept(parser, ','));
    jrs_lex_expect(parser, ';');
}

/* ---- registers ---- */

/* Fails before any of them is added. */
static void check_register_count(jrs_parser *parser, uint32_t more) {
    if (more > JRS_REGISTER_COUNT - parser->register_count)
        jrs_parse_fail(parser, "more than %d registers in a module", JRS_REGISTER_COUNT);
}

static jrs_symbol *add_register(jrs_parser *parser, const char *name, jrs_type type) {
    check_register_count(parser, 1);
    parser->register_count++;
    jrs_symbol *symbol = jrs_symbol_add(parser, name, JRS_SYMBOL_REGISTER);
    symbol->type = type;
    symbol->bytes = jrs_type_register_bytes(type);
    return symbol;
}

static void add_registers(jrs_parser *parser, const char *prefix, uint32_t count, jrs_type type) {
    char name[256];
    check_register_count(parser, count);
    for (uint32_t i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "%s%u", prefix, i);
        if (length >= (int)sizeof name) jrs_parse_fail(parser, "the register name '%s' is too long", prefix);
        add_register(parser, jrs_parse_string(parser, name, (size_t)length), type);
    }
}

void jrs_register_parse(jrs_parser *parser) {
    if (!parser->builder) jrs_parse_fail(parser, ".reg is outside of a function");
    layout shape = parse_layout(parser);
    if (shape.vector != 1) jrs_parse_refuse(parser, "vector registers are not supported");
    do {
        const char *name = jrs_lex_expect_name(parser, "a register's name");
        if (jrs_lex_accept(parser, '<')) {
            add_registers(parser, name, jrs_lex_count(parser, 1, JRS_REGISTER_COUNT, "registers"), shape.type);
            jrs_lex_expect(parser, '>');
        } else {
            add_register(parser, name, shape.type);
        }
    } while (jrs_lex_accept(parser, ','));
    jrs_lex_expect(parser, ';');
}

/* ---- parameters ---- */

/* A parameter that is a register: its value has a place in memory while it is handed over. */
static void parse_register_parameter(jrs_parser *parser, uint32_t *end, jrs_parameter *parameter) {
    const layout shape = parse_layout(parser);
    const char *name = jrs_lex_expect_name(parser, "a register's name");
    if (shape.vector != 1) jrs_parse_refuse(parser, "vector registers are not supported");
    if (shape.type == JRS_TYPE_pred) jrs_parse_refuse(parser, "a predicate as a parameter is not supported");
    jrs_symbol *symbol = add_register(parser, name, shape.type);
    jrs_symbol room = {.name = name, .bytes = symbol->bytes};
    place(parser, &room, end, room.bytes, LOCAL_MAX);
    *parameter = (jrs_parameter){room.offset, room.bytes, symbol};
}

void jrs_parameter_parse(jrs_parser *parser, jrs_space space, uint32_t *end, jrs_parameter *parameter) {
    const char *word = jrs_lex_directive(parser);
    if (space == JRS_SPACE_FRAME && strcmp(word, "reg") == 0) {
        parse_register_parameter(parser, end, parameter);
        return;
    }
    if (strcmp(word, "param") != 0) jrs_parse_fail(parser, ".param expected, .%s found", word);
    const layout shape = parse_memory_layout(parser);
    const char *name = jrs_lex_expect_name(parser, "a parameter's name");
    bool open;
    const uint64_t bytes = parse_dimensions(parser, &open) * (uint64_t)shape.vector * jrs_type_bytes(shape.type);
    const uint32_t most = space == JRS_SPACE_PARAMETER ? PARAMETERS_MAX : LOCAL_MAX;
    if (shape.opaque) jrs_parse_refuse(parser, "the parameter '%s' is a texture, sampler or surface", name);
    if (bytes > most) jrs_parse_fail(parser, "the parameter '%s' has more than %u bytes", name, most);
    jrs_symbol *symbol = jrs_symbol_add(parser, name, JRS_SYMBOL_VARIABLE);
    symbol->space = space;
    symbol->type = shape.type;
    symbol->bytes = open ? 0 : (uint32_t)bytes;
    place(parser, symbol, end, shape.alignment, most);
    *parameter = (jrs_parameter){symbol->offset, symbol->bytes, NULL};
}
