/* The rows of instructions: each is written in the notation that rows.h explains, and finds its shortest opcode. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/module/rows.h"
#include "support/cases/machine_case.h"

static const jrs_row *const tables[] = {
#define ROW(name) jrs_##name##_rows,
    JRS_ROW_TABLES(ROW)
#undef ROW
};

typedef void looker(const jrs_row *row);

static void look_at_all(looker *look) {
    size_t count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const jrs_row *row = tables[t]; row->syntax; row++, count++) look(row);
    assert_true(count > 80);
}

static void check_syntax(const jrs_row *row) {
    static const char *const empty[] = {"..", "{}", ",,", "{,", ",}", ".,", ".}"};
    bool open = false;
    for (const char *at = row->syntax; *at; at++) {
        if (*at == '{' || *at == '}') {
            if (open == (*at == '{')) fail_msg("%s: a brace inside of braces, or none to close", row->syntax);
            open = *at == '{';
        } else if (!isalnum((unsigned char)*at) && !strchr("_.:*", *at) && !(open && *at == ',')) {
            fail_msg("%s: '%c' means nothing", row->syntax, *at);
        }
    }
    for (size_t k = 0; k < sizeof empty / sizeof empty[0]; k++)
        if (strstr(row->syntax, empty[k])) fail_msg("%s: an empty word in '%s'", row->syntax, empty[k]);
    if (open) fail_msg("%s: a brace is not closed", row->syntax);
    if (!row->run && !row->make) fail_msg("%s does nothing", row->syntax);
    if (!row->operands && !row->make) fail_msg("%s: nobody takes the operands", row->syntax);
}

TEST(rows_are_written_in_their_notation) {
    look_at_all(check_syntax);
}

/* The opcode with the first of each choice, and without optional parts. */
static void shortest(const char *syntax, char opcode[128]) {
    static const struct { const char *name, *word; } classes[] = {{"TYPE", "u32"}, {"SPACE", "global"}, {"WORD", "eq"}};
    char *to = opcode;
    for (const char *at = syntax; *at;) {
        if (*at == '{') {
            at = strchr(at, '}') + 1;
            at += *at == '*';
            continue;
        }
        const bool group = at[0] == '.' && at[1] == '{';
        const char *begin = at + (*at == '.') + group, *word = begin;
        size_t length = strcspn(begin, ".{,}"), written = length;
        for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
            if (strncmp(begin, classes[k].name, length) == 0) word = classes[k].word, written = strlen(word);
        to += snprintf(to, 64, "%s%.*s", at == syntax ? "" : ".", (int)written, word);
        at = group ? strchr(at, '}') + 1 : begin + length;
    }
}

static void check_found(const jrs_row *row) {
    char opcode[128], text[1024];
    jrs_report report = {0};
    shortest(row->syntax, opcode);
    snprintf(text, sizeof text, PTX ".visible .entry k()\n{\n %s;\n ret;\n}\n", opcode);
    jrs_module *module = jrs_module_parse(text, strlen(text), &report);
    const char *refusal = module ? jrs_module_function(module, "k")->refusal : NULL;
    if (refusal) fail_msg("%s: %s", row->syntax, refusal);
    if (!module && !strstr(report.message, "operands, 0 found")) fail_msg("%s: %s", row->syntax, report.message);
    if (module && row->operands && *row->operands) fail_msg("%s was taken without operands", opcode);
    jrs_module_destroy(module);
}

TEST(every_row_finds_its_shortest_opcode) {
    look_at_all(check_found);
}

RUN_TESTS(NULL, NULL)
