/* Initial values of .global and .const variables. */
#include <string.h>

#include "builder.h"

enum {
    NESTED_MAX = 16, /* { } inside { } */
    FIRST_BYTES = 64
};

typedef struct initial {
    uint8_t *bytes;
    size_t used, capacity, most;
    unsigned depth; /* of { } */
    jrs_type type;
    jrs_global *global;
} initial;

static void put_value(jrs_parser *parser, initial *into, uint64_t bits) {
    size_t bytes = jrs_type_bytes(into->type);
    if (into->used + bytes > into->most) jrs_parse_fail(parser, "more initial values than elements");
    if (into->used + bytes > into->capacity) {
        into->capacity *= 2;
        into->bytes = jrs_parse_grow(parser, into->bytes, into->used, into->capacity);
    }
    memcpy(into->bytes + into->used, &bits, bytes < 8 ? bytes : 8); /* little endian, as the device is */
    into->used += bytes;
}

static void put_address(jrs_parser *parser, initial *into, const char *name) {
    bool generic = strcmp(name, "generic") == 0 && jrs_lex_accept(parser, '(');
    if (generic) name = jrs_lex_expect_name(parser, "a variable");
    if (generic) jrs_lex_expect(parser, ')');
    const int64_t addend = jrs_expression_offset(parser);
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
    relocation->global = symbol->global;
    relocation->bytes = jrs_type_bytes(into->type);
    relocation->addend = addend;
    relocation->next = into->global->relocations;
    into->global->relocations = relocation;
    put_value(parser, into, 0);
}

static void parse_value(jrs_parser *parser, initial *into) {
    if (jrs_lex_accept(parser, '{')) {
        if (into->depth++ == NESTED_MAX) jrs_parse_fail(parser, "more than %d { inside each other", NESTED_MAX);
        do
            if (jrs_lex_peek(parser) != '}') parse_value(parser, into);
        while (jrs_lex_accept(parser, ','));
        jrs_lex_expect(parser, '}');
        into->depth--;
        return;
    }
    const char *const start = (jrs_lex_skip(parser), parser->at);
    const char *name = jrs_lex_name(parser);
    if (name && strcmp(name, "WARP_SZ") != 0) {
        put_address(parser, into, name);
        return;
    }
    jrs_operand literal = {0};
    parser->at = start;
    jrs_expression_parse(parser, &literal);
    put_value(parser, into, jrs_literal_bits(parser, &literal, jrs_type_bytes(into->type)));
}

void jrs_initial_parse(jrs_parser *parser, jrs_global *global, jrs_type type) {
    initial into = {.most = global->bytes, .type = type, .global = global, .capacity = FIRST_BYTES};
    into.bytes = jrs_parse_take(parser, FIRST_BYTES);
    parse_value(parser, &into);
    global->initial = into.bytes;
    global->initial_bytes = into.used;
}
