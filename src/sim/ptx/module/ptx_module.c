/* Modules: parsing whole PTX texts, placing and linking their variables, describing their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_module.h"
#include "sim/ptx/builder.h"
#include "sim/ptx/sim_text.h"

enum { MAX_NUMBER = 9999 }; /* of a version or target */

/* ---- parsing ---- */

/* The text ends with a 0. */
static int parse_number(jrs_parser *parser) {
    int number = 0;
    if (!jrs_text_number(&parser->at, MAX_NUMBER, &number)) jrs_parse_fail(parser, ".version needs major.minor");
    return number;
}

static void parse_version(jrs_parser *parser) {
    jrs_lex_skip(parser);
    const int major = parse_number(parser);
    jrs_lex_expect(parser, '.');
    parser->module->version = major * 10 + parse_number(parser);
}

static void parse_target(jrs_parser *parser) {
    do {
        const char *name = jrs_lex_expect_name(parser, "a target");
        if (strncmp(name, "sm_", 3) != 0) continue;
        const char *digits = name + 3;
        if (!jrs_text_number(&digits, MAX_NUMBER, &parser->module->target))
            jrs_parse_fail(parser, "the target '%s' has no number", name);
        parser->module->exact_target = *digits == 'a';
    } while (jrs_lex_accept(parser, ','));
}

static bool is_linkage(const char *word) {
    static const char *const words[] = {"visible", "extern", "weak", "common"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

static void parse_declaration(jrs_parser *parser, const char *word) {
    jrs_space space;
    bool external = false;
    while (is_linkage(word)) {
        external |= strcmp(word, "extern") == 0;
        word = jrs_lex_directive(parser);
    }
    if (strcmp(word, "entry") == 0)
        jrs_function_parse(parser, true);
    else if (strcmp(word, "func") == 0)
        jrs_function_parse(parser, false);
    else if (jrs_space_find(word, &space))
        jrs_variable_parse(parser, space, external);
    else
        jrs_lex_pass(parser); /* a directive that is not known concerns whoever needs what it declares */
}

static void parse_top_level(jrs_parser *parser) {
    const char *word = jrs_lex_directive(parser);
    if (strcmp(word, "version") == 0)
        parse_version(parser);
    else if (strcmp(word, "target") == 0)
        parse_target(parser);
    else if (strcmp(word, "address_size") == 0) {
        if (jrs_lex_integer(parser) != 64) jrs_parse_fail(parser, "only 64-bit addresses are supported");
    } else if (!jrs_lex_aside(parser, word))
        parse_declaration(parser, word);
}

static bool same_sizes(const jrs_parameter *ours, uint32_t count, const jrs_parameter *theirs, uint32_t their_count) {
    bool same = count == their_count;
    for (uint32_t i = 0; same && i < count; i++) same = ours[i].bytes == theirs[i].bytes;
    return same;
}

static void check_calls(jrs_parser *parser) {
    for (const jrs_called *called = parser->called; called; called = called->next) {
        const jrs_call_site *call = called->call;
        const jrs_function *function = call->callee;
        if (function->refusal) continue;
        parser->statement = &called->statement;
        if (!function->defined) jrs_parse_fail(parser, "the function '%s' is not defined", function->name);
        if (!same_sizes(call->arguments, call->argument_count, function->parameters, function->parameter_count) ||
            !same_sizes(call->results, call->result_count, function->results, function->result_count))
            jrs_parse_fail(parser, "the call does not match the parameters of '%s'", function->name);
    }
    parser->statement = NULL;
}

/* Who calls what the simulator cannot execute cannot be executed either. */
static void spread_refusals(jrs_parser *parser) {
    jrs_function *pending = NULL;
    for (jrs_called *called = parser->called; called; called = called->next) {
        called->next_of_callee = called->call->callee->callers;
        called->call->callee->callers = called;
    }
    for (jrs_function *function = parser->module->functions; function; function = function->next) {
        if (!function->refusal) continue;
        function->next_refused = pending;
        pending = function;
    }
    while (pending) {
        const jrs_function *callee = pending;
        pending = pending->next_refused;
        for (const jrs_called *called = callee->callers; called; called = called->next_of_callee) {
            if (called->caller->refusal) continue;
            called->caller->refusal = callee->refusal;
            called->caller->next_refused = pending;
            pending = called->caller;
        }
    }
}

static void fill_table(jrs_parser *parser) {
    jrs_module *module = parser->module;
    module->function_table = jrs_parse_take(parser, module->function_count * sizeof(jrs_function *));
    for (jrs_function *function = module->functions; function; function = function->next)
        module->function_table[function->index] = function;
}

/* Leaves through longjmp on failure. */
static void parse_all(jrs_parser *parser, const char *ptx, size_t length) {
    jrs_module *module = parser->module;
    module->text = jrs_parse_take(parser, length + 1);
    memcpy(module->text, ptx, length);
    module->text_bytes = length;
    parser->at = module->text;
    parser->end = module->text + strnlen(module->text, length);
    jrs_scope_open(parser);
    while (jrs_lex_peek(parser)) {
        if (!jrs_lex_accept(parser, ';')) parse_top_level(parser);
    }
    if (!module->version) jrs_parse_fail(parser, "this is not PTX: .version is missing");
    check_calls(parser);
    spread_refusals(parser);
    fill_table(parser);
}

static jrs_parser *new_parser(jrs_module *module, jrs_report *report) {
    jrs_parser *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    parser->module = module;
    parser->report = report;
    parser->line = 1;
    parser->globals_end = &module->globals;
    parser->functions_end = &module->functions;
    return parser;
}

/* The one place that failures come back to. */
static bool parse_guarded(jrs_parser *parser, const char *ptx, size_t length) {
    jmp_buf here;
    parser->failed = &here;
    if (setjmp(here)) {
        parser->failed = NULL;
        return false;
    }
    parse_all(parser, ptx, length);
    parser->failed = NULL;
    return true;
}

jrs_module *jrs_module_parse(const char *ptx, size_t length, jrs_report *report) {
    jrs_module *module = calloc(1, sizeof *module);
    jrs_parser *parser = module ? new_parser(module, report) : NULL;
    if (!parser) {
        report->error = 2;
        snprintf(report->message, sizeof report->message, "out of memory");
    }
    if (!parser || !parse_guarded(parser, ptx, length)) {
        jrs_module_destroy(module);
        module = NULL;
    }
    free(parser);
    return module;
}

void jrs_module_destroy(jrs_module *module) {
    if (!module) return;
    jrs_arena_free(&module->arena);
    free(module);
}

/* ---- variables ---- */

static uint64_t target_of(const jrs_relocation *relocation) {
    return relocation->global->address + (uint64_t)relocation->addend;
}

/* A global's address is a host address. */
static void write_initial(const jrs_global *global) {
    if (!global->bytes) return;
    uint8_t *at = (uint8_t *)(uintptr_t)global->address;
    memset(at, 0, global->bytes);
    if (global->initial_bytes) memcpy(at, global->initial, global->initial_bytes);
    for (const jrs_relocation *relocation = global->relocations; relocation; relocation = relocation->next) {
        uint64_t target = target_of(relocation);
        memcpy(at + relocation->offset, &target, relocation->bytes < 8 ? relocation->bytes : 8);
    }
}

void jrs_module_link(jrs_module *module) {
    for (const jrs_global *global = module->globals; global; global = global->next) write_initial(global);
    for (jrs_function *function = module->functions; function; function = function->next) {
        if (function->refusal) continue; /* it has no constants */
        for (const jrs_relocation *relocation = function->relocations; relocation; relocation = relocation->next) {
            uint64_t target = target_of(relocation);
            for (size_t lane = 0; lane < JRS_LANES; lane++)
                memcpy(function->constants + relocation->offset + lane * 8, &target, sizeof target);
        }
    }
}

/* ---- kernels ---- */

jrs_function *jrs_module_function(const jrs_module *module, const char *name) {
    for (jrs_function *function = module->functions; function; function = function->next)
        if (function->entry && function->defined && strcmp(function->name, name) == 0) return function;
    return NULL;
}
