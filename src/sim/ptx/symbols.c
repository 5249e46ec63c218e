/* Names in scope: one hash table whose buckets hold the innermost scope's symbols first. */
#include <string.h>

#include "parser.h"

static jrs_symbol **bucket_of(jrs_parser *parser, const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return &parser->buckets[hash % JRS_SYMBOL_BUCKETS];
}

jrs_symbol *jrs_symbol_find(jrs_parser *parser, const char *name) {
    jrs_symbol *symbol = *bucket_of(parser, name);
    while (symbol && strcmp(symbol->name, name) != 0) symbol = symbol->next;
    return symbol;
}

jrs_symbol *jrs_symbol_add(jrs_parser *parser, const char *name, jrs_symbol_kind kind) {
    jrs_symbol **bucket = bucket_of(parser, name);
    jrs_symbol *other = jrs_symbol_find(parser, name);
    if (other && other->scope == parser->scope) jrs_parse_fail(parser, "'%s' is declared twice", name);
    jrs_symbol *symbol = jrs_parse_take(parser, sizeof *symbol);
    symbol->scope = parser->scope;
    symbol->name = name;
    symbol->kind = kind;
    symbol->module_scope = parser->scope->parent == NULL;
    symbol->next = *bucket;
    *bucket = symbol;
    symbol->scope_next = parser->scope->symbols;
    parser->scope->symbols = symbol;
    return symbol;
}

void jrs_scope_open(jrs_parser *parser) {
    jrs_scope *scope = jrs_parse_take(parser, sizeof *scope);
    scope->parent = parser->scope;
    scope->depth = parser->scope ? parser->scope->depth + 1 : 0;
    if (scope->depth > JRS_SCOPE_DEPTH) jrs_parse_fail(parser, "more than %d { inside each other", JRS_SCOPE_DEPTH);
    parser->scope = scope;
}

void jrs_scope_close(jrs_parser *parser) {
    for (jrs_symbol *symbol = parser->scope->symbols; symbol; symbol = symbol->scope_next) {
        jrs_symbol **link = bucket_of(parser, symbol->name);
        while (*link != symbol) link = &(*link)->next;
        *link = symbol->next;
    }
    parser->scope = parser->scope->parent;
}
