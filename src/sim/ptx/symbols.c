/* Names in scope: one hash table whose buckets hold the innermost scope's symbols first. */
#include <string.h>

#include "parser.h"

static uint32_t hash_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static jrs_symbol **bucket_of(jrs_parser *parser, uint32_t hash) {
    return &parser->buckets[hash % JRS_SYMBOL_BUCKETS];
}

static jrs_symbol *find(jrs_parser *parser, const char *name, uint32_t hash) {
    jrs_symbol *symbol = *bucket_of(parser, hash);
    while (symbol && (symbol->hash != hash || strcmp(symbol->name, name) != 0)) symbol = symbol->next;
    return symbol;
}

jrs_symbol *jrs_symbol_find(jrs_parser *parser, const char *name) {
    return find(parser, name, hash_of(name));
}

jrs_symbol *jrs_symbol_add(jrs_parser *parser, const char *name, jrs_symbol_kind kind) {
    const uint32_t hash = hash_of(name);
    jrs_symbol **bucket = bucket_of(parser, hash);
    jrs_symbol *other = find(parser, name, hash);
    if (other && other->scope == parser->scope) jrs_parse_fail(parser, "'%s' is declared twice", name);
    jrs_symbol *symbol = jrs_parse_take(parser, sizeof *symbol);
    symbol->scope = parser->scope;
    symbol->name = name;
    symbol->hash = hash;
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
        jrs_symbol **link = bucket_of(parser, symbol->hash);
        while (*link != symbol) link = &(*link)->next;
        *link = symbol->next;
    }
    parser->scope = parser->scope->parent;
}
