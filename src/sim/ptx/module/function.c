/* .entry and .func: names, parameters, performance directives, bodies. */
#include <string.h>

#include "sim/ptx/builder.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/ptx_source.h"

enum { MAX_PARAMETERS = 1024, MAX_THREADS = 1024, MAX_BLOCKS = 64, MAX_REGISTERS = 1024, MAX_RANKS = 1 << 16 };

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

/* What extents count. */
typedef struct counted {
    uint32_t least, most;
    const char *items, *whole;
} counted;

/* "x[, y[, z]]" → three extents and their product. */
static uint32_t parse_extents(jrs_parser *parser, const counted *what, uint32_t extents[3]) {
    uint64_t product = 1;
    unsigned i = 0;
    extents[0] = extents[1] = extents[2] = 1;
    do {
        if (i == 3) jrs_parse_fail(parser, "more than three extents of a %s", what->whole);
        extents[i] = jrs_lex_count(parser, what->least, what->most, what->items);
        product *= extents[i++];
    } while (jrs_lex_accept(parser, ','));
    if (product > what->most) jrs_parse_fail(parser, "more than %u %s in a %s", what->most, what->items, what->whole);
    return (uint32_t)product;
}

static uint32_t parse_bound(jrs_parser *parser, jrs_function *function, uint32_t extents[3]) {
    static const counted threads = {1, MAX_THREADS, "threads", "block"};
    function->bounded = true;
    return parse_extents(parser, &threads, extents);
}

/* Whether it was a directive of clusters. How many blocks a cluster may have is asked when it is launched; ptxas takes
 * one of 0 blocks for none. */
static bool parse_cluster(jrs_parser *parser, const char *word, jrs_function *function) {
    bool has_extents = function->required_cluster[0] > 0;
    static const counted blocks = {0, MAX_RANKS, "blocks", "cluster"};
    if (strcmp(word, "explicitcluster") == 0)
        function->explicit_cluster = true;
    else if (strcmp(word, "reqnctapercluster") == 0)
        has_extents = parse_extents(parser, &blocks, function->required_cluster) > 0;
    else if (strcmp(word, "maxclusterrank") == 0)
        function->cluster_most = jrs_lex_count(parser, 0, MAX_RANKS, "blocks");
    else
        return false;
    if (!has_extents) memset(function->required_cluster, 0, sizeof function->required_cluster);
    if (function->cluster_most && function->required_cluster[0])
        jrs_parse_fail(parser, ".reqnctapercluster and .maxclusterrank in one function");
    return true;
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
            function->min_blocks = jrs_lex_count(parser, 0, MAX_BLOCKS, "blocks of a multiprocessor");
        else if (strcmp(word, "maxnreg") == 0)
            function->register_limit = jrs_lex_count(parser, 1, MAX_REGISTERS, "registers");
        else if (strcmp(word, "maxnctapersm") == 0)
            jrs_lex_integer(parser);
        else if (strcmp(word, "noreturn") == 0)
            continue;
        else if (!parse_cluster(parser, word, function) && !jrs_lex_aside(parser, word))
            jrs_parse_refuse(parser, "the directive .%s of a function is not supported", word);
    }
}

/* ---- the end: branches lead somewhere, registers are counted, the function owns its code ---- */

enum { REGISTERS_RESERVED = 2, REGISTERS_MIN = 8, REGISTERS_MAX = 255, REGISTER_FILE = 65536, REGISTER_UNIT = 8 };

static void place_shared(jrs_parser *parser) {
    jrs_function *function = parser->builder->function;
    if (parser->builder->own_shared || !function->entry) return;
    if (function->uses_module_shared || function->calls) function->shared_bytes = parser->module->shared_bytes;
}

/* ptxas spills rather than let a block that the kernel is bound to not fit, and so many blocks as it promises. Warps
 * are dealt to the quarters of a multiprocessor, so a number of them that is no multiple of 4 counts as the next one.
 */
static uint32_t allot_registers(const jrs_function *function, uint32_t wanted) {
    uint32_t most = REGISTERS_MAX, warps = (function->max_threads + JRS_LANES - 1) / JRS_LANES;
    uint32_t blocks = function->min_blocks ? function->min_blocks : 1, dealt = (warps * blocks + 3) / 4 * 4;
    uint32_t share = REGISTER_FILE / (dealt * JRS_LANES) / REGISTER_UNIT * REGISTER_UNIT;
    if (function->bounded && share < most) most = share;
    if (function->register_limit && function->register_limit < most) most = function->register_limit;
    if (most < REGISTERS_MIN) most = REGISTERS_MIN;
    return wanted < REGISTERS_MIN ? REGISTERS_MIN : wanted > most ? most : wanted;
}

static void finish(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    jrs_function *function = builder->function;
    jrs_pass_return(parser);
    jrs_emit(parser, &(jrs_instruction){.run = jrs_op_ret}); /* falling off the end returns */
    jrs_builder_leave_last(parser);
    const uint32_t live = jrs_liveness_peak(parser);
    function->registers = allot_registers(function, live < REGISTERS_MAX ? live + REGISTERS_RESERVED : live);
    function->code = builder->code;
    function->code_count = builder->code_count;
    function->mentions = builder->mentions;
    function->frame_bytes = (builder->frame_bytes + 63) / 64 * 64;
    function->constants = builder->constants;
    function->constant_bytes = builder->constant_bytes;
    function->local_bytes = (function->local_bytes + 15) / 16 * 16;
    place_shared(parser);
    parser->builder = NULL;
}

/* ---- one function ---- */

/* The parts of a function's declaration before its name. */
typedef struct head {
    jrs_parameter *results;
    uint32_t result_count, local_bytes;
} head;

/* Parses a function after its name, up to and including ";" or the closing "}". */
static void parse_rest(jrs_parser *parser, jrs_function *function, head *begun) {
    const jrs_space space = function->entry ? JRS_SPACE_PARAMETER : JRS_SPACE_FRAME;
    uint32_t parameter_bytes = 0, count = 0;
    uint32_t *end = function->entry ? &parameter_bytes : &begun->local_bytes;
    jrs_parameter *parameters = NULL;
    if (jrs_lex_peek(parser) == '(') parameters = parse_parameters(parser, space, end, &count);
    parse_performance(parser, function);
    const bool declaration = jrs_lex_accept(parser, ';');
    if (declaration && function->defined) return;
    if (function->defined) jrs_parse_fail(parser, "'%s' is defined twice", function->name);
    if (!declaration) jrs_lex_expect(parser, '{');
    function->defined = !declaration;
    function->parameters = parameters;
    function->parameter_count = count;
    function->parameter_bytes = parameter_bytes;
    function->results = begun->results;
    function->result_count = begun->result_count;
    function->local_bytes = begun->local_bytes;
    if (declaration) return;
    jrs_builder_begin(parser, function);
    jrs_pass_begin(parser);
    jrs_body_parse(parser);
    finish(parser);
}

/* A function that the simulator cannot execute is kept with the reason and passed over; wrong text leaves on. */
static void parse_guarded(jrs_parser *parser, jrs_function *function, head *begun) {
    jmp_buf here, *const outer = parser->failed;
    jrs_scope *const scope = parser->scope;
    jrs_called *const called = parser->called;
    const char *const at = parser->at;
    const uint32_t line = parser->line;
    parser->failed = &here;
    if (!setjmp(here)) {
        parse_rest(parser, function, begun);
        parser->failed = outer;
        return;
    }
    parser->failed = outer;
    if (!parser->unsupported) longjmp(*outer, 1);
    function->refusal = jrs_parse_string(parser, parser->report->message, strlen(parser->report->message));
    while (parser->scope != scope) jrs_scope_close(parser);
    parser->called = called;
    parser->at = at;
    parser->line = line;
    parser->builder = NULL;
    parser->statement = NULL;
    function->defined |= jrs_lex_pass(parser);
}

void jrs_function_parse(jrs_parser *parser, bool entry) {
    jrs_scope *outer = parser->scope;
    head begun = {0};
    jrs_scope_open(parser);
    jrs_scope *inner = parser->scope;
    if (!entry && jrs_lex_peek(parser) == '(')
        begun.results = parse_parameters(parser, JRS_SPACE_FRAME, &begun.local_bytes, &begun.result_count);
    const char *name = jrs_lex_expect_name(parser, "a function's name");
    jrs_source_end(parser);
    parser->scope = outer;
    jrs_function *function = declare(parser, name, entry);
    parser->scope = inner;
    parse_guarded(parser, function, &begun);
    jrs_scope_close(parser);
}
