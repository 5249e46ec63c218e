/* .entry and .func: names, parameters, performance directives, bodies. */
#include <string.h>

#include "builder.h"

enum { MAX_PARAMETERS = 1024, MAX_THREADS = 1024 };

static jrs_function *add_function(jrs_parser *parser, const char *name, bool entry) {
    jrs_function *function = jrs_parse_take(parser, sizeof *function);
    function->name = name;
    function->module = parser->module;
    function->entry = entry;
    function->index = parser->module->function_count++;
    function->max_threads = MAX_THREADS;
    *parser->functions_end = function;
    parser->functions_end = &function->next;
    return function;
}

/* The function of this name; declared now unless it was before. The symbol belongs to the module's scope. */
static jrs_function *declare(jrs_parser *parser, const char *name, bool entry) {
    jrs_symbol *symbol = jrs_symbol_find(parser, name);
    if (!symbol) {
        symbol = jrs_symbol_add(parser, name, JRS_SYMBOL_FUNCTION);
        symbol->function = add_function(parser, name, entry);
    }
    if (symbol->kind != JRS_SYMBOL_FUNCTION || symbol->function->entry != entry)
        jrs_parse_fail(parser, "'%s' is declared twice, as different things", name);
    return symbol->function;
}

static jrs_parameter *parse_parameters(jrs_parser *parser, jrs_space space, uint32_t *end, uint32_t *count) {
    jrs_parameter found[MAX_PARAMETERS];
    *count = 0;
    jrs_lex_expect(parser, '(');
    while (jrs_lex_peek(parser) != ')') {
        if (*count == MAX_PARAMETERS) jrs_parse_fail(parser, "more than %d parameters", MAX_PARAMETERS);
        jrs_parameter_parse(parser, space, end, &found[(*count)++]);
        if (!jrs_lex_accept(parser, ',')) break;
    }
    jrs_lex_expect(parser, ')');
    return jrs_parse_grow(parser, found, *count * sizeof *found, *count * sizeof *found);
}

/* "x[, y[, z]]" → three extents and their product. */
static uint32_t parse_extents(jrs_parser *parser, uint32_t extents[3]) {
    uint64_t product = 1;
    unsigned i = 0;
    extents[0] = extents[1] = extents[2] = 1;
    do {
        int64_t extent = jrs_lex_integer(parser);
        if (extent < 1 || extent > UINT32_MAX || i == 3) jrs_parse_fail(parser, "a bad number of threads");
        extents[i++] = (uint32_t)extent;
        product *= (uint64_t)extent;
    } while (jrs_lex_accept(parser, ','));
    if (product > MAX_THREADS) jrs_parse_fail(parser, "more than %d threads in a block", MAX_THREADS);
    return (uint32_t)product;
}

static uint32_t parse_bound(jrs_parser *parser, jrs_function *function, uint32_t extents[3]) {
    function->bounded = true;
    return parse_extents(parser, extents);
}

static void parse_performance(jrs_parser *parser, jrs_function *function) {
    uint32_t extents[3];
    while (jrs_lex_peek(parser) == '.') {
        const char *word = jrs_lex_directive(parser);
        if (strcmp(word, "maxntid") == 0)
            function->max_threads = parse_bound(parser, function, extents);
        else if (strcmp(word, "reqntid") == 0)
            function->max_threads = parse_bound(parser, function, function->required);
        else if (strcmp(word, "minnctapersm") == 0)
            function->min_blocks = (uint32_t)jrs_lex_integer(parser);
        else if (strcmp(word, "maxnreg") == 0)
            function->register_limit = (uint32_t)jrs_lex_integer(parser);
        else if (strcmp(word, "maxnctapersm") == 0)
            jrs_lex_integer(parser);
        else if (strcmp(word, "noreturn") == 0)
            continue;
        else if (strcmp(word, "pragma") == 0)
            jrs_lex_until(parser, ';');
        else
            jrs_parse_fail(parser, "the directive .%s of a function is not supported", word);
    }
}

void jrs_function_parse(jrs_parser *parser, bool entry) {
    jrs_scope *outer = parser->scope;
    uint32_t local_bytes = 0, parameter_bytes = 0, count = 0;
    jrs_parameter *results = NULL;
    uint32_t result_count = 0;
    jrs_space space = entry ? JRS_SPACE_PARAMETER : JRS_SPACE_FRAME;
    jrs_scope_open(parser);
    jrs_scope *inner = parser->scope;
    if (!entry && jrs_lex_peek(parser) == '(') results = parse_parameters(parser, space, &local_bytes, &result_count);
    const char *name = jrs_lex_expect_name(parser, "a function's name");
    parser->scope = outer;
    jrs_function *function = declare(parser, name, entry);
    parser->scope = inner;
    jrs_parameter *parameters = NULL;
    if (jrs_lex_peek(parser) == '(')
        parameters = parse_parameters(parser, space, entry ? &parameter_bytes : &local_bytes, &count);
    parse_performance(parser, function);
    if (!jrs_lex_accept(parser, ';')) {
        if (function->defined) jrs_parse_fail(parser, "'%s' is defined twice", name);
        jrs_lex_expect(parser, '{');
        function->parameters = parameters;
        function->parameter_count = count;
        function->results = results;
        function->result_count = result_count;
        function->parameter_bytes = parameter_bytes;
        function->local_bytes = local_bytes;
        function->defined = true;
        jrs_builder_begin(parser, function);
        jrs_body_parse(parser);
        jrs_builder_end(parser);
    }
    jrs_scope_close(parser);
}
