/* PTX that nobody writes in good faith: it is refused or taken in little time and memory, and never ends the process.
 * Lookups of labels and constants took time that grew with the square of the text, and nested vectors, initial values
 * and scopes took stack without bound. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "support/cases/machine_case.h"
#include "support/ptx/ptx_forms.h"

enum { SECONDS_MAX = 20, LINES = 100000 };

#define OPEN PTX ".visible .entry k(.param .u64 w)\n{ .reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n"

/* A line with its number for each #. */
static void append_line(jr_text *text, const char *line, size_t number) {
    for (; *line; line++) {
        if (*line == '#')
            jr_text_append(text, "%zu", number);
        else
            jr_text_append_bytes(text, line, 1);
    }
}

static char *repeat(const char *head, const char *line, size_t count, const char *tail) {
    jr_text text = {0};
    jr_text_append(&text, "%s", head);
    for (size_t k = 0; k < count; k++) append_line(&text, line, k);
    jr_text_append(&text, "%s", tail);
    char *whole = strdup(jr_text_string(&text));
    jr_text_free(&text);
    assert_non_null(whole);
    return whole;
}

static void refuses_repeated(const char *head, const char *line, const char *words) {
    char *text = repeat(head, line, LINES, "");
    machine_refuses(text, words);
    free(text);
}

TEST(nesting_is_bounded) {
    refuses_repeated(OPEN, "{", "more than 64 { inside each other");
    refuses_repeated(OPEN " mov.b64 %d1, ", "{", "an operand expected");
    refuses_repeated(OPEN " call (", "(", "more than 100 operators inside each other");
    refuses_repeated(OPEN " ld.global.u32 %r1, ", "[", "an operand expected");
    refuses_repeated(PTX ".global .u32 a[4] = ", "{", "line 4: more than 16 { inside each other");
    refuses_repeated(OPEN " mov.b32 %r1, ", "-", "more than 100 operators inside each other");
    refuses_repeated(OPEN " frob;\n", "{ .pragma \"}\";", "the text ends");
    refuses_repeated(PTX ".section x {", "{", "the text ends");
}

TEST(lists_are_bounded) {
    refuses_repeated(OPEN " mov.b64 %d1, {", "%r1, ", "more than 64 operands in a list");
    refuses_repeated(OPEN " add.u32 ", "%r1, ", "too many operands");
    refuses_repeated(OPEN " add", ".u32", "an instruction expected");
    refuses_repeated(OPEN " L: .branchtargets ", "A, ", "more than 4096 branch targets");
    refuses_repeated(PTX ".visible .entry k(", ".param .u8 p#, ", "more than 1024 parameters");
    refuses_repeated(OPEN " @%p1 ", "@%p1 ", "an instruction expected");
    refuses_repeated(PTX ".visible ", ".visible ", "'.' expected");
}

/* Far less than the time of squares. */
static void takes(char *text) {
    jrs_report report = {0};
    const clock_t begin = clock();
    jrs_module *module = jrs_module_parse(text, strlen(text), &report);
    if (!module) fail_msg("%s", report.message);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > SECONDS_MAX) fail_msg("%.1f s", seconds);
    jrs_module_destroy(module);
    free(text);
}

TEST(many_labels_constants_registers_and_functions_take_little_time) {
    takes(repeat(OPEN, " @%p1 bra L#; L#: mov.u32 %r1, #;\n", LINES, " ret;\n}\n"));
    char *labels = repeat("", " L#: ret;\n", LINES, "}\n");
    takes(repeat(OPEN, " @%p1 bra L#; mov.u32 %r1, %tid.x;\n", LINES, labels));
    free(labels);
    takes(repeat(OPEN, " { .reg .b32 %x; L: mov.u32 %x, 7; @%p1 bra L; }\n", LINES, " ret;\n}\n"));
    takes(repeat(OPEN " .reg .b32 %x<400000>;\n", " add.u32 %x#, %x3, %x#; bra N#; N#:\n", 20000, " ret;\n}\n"));
    takes(repeat(PTX, ".func f#\n{ ret; }\n.func g#\n{ call f#; ret; }\n", 20000, ""));
    takes(repeat(PTX, ".global .u32 v# = #;\n", 20000, ""));
}

TEST(a_branch_to_nowhere_names_its_line) {
    machine_refuses(OPEN " bra M;\n { M: mov.u32 %r1, 1; }\n ret;\n}\n", "line 6 'bra M': there is no label 'M'");
    machine_refuses(OPEN " bra %r1;\n ret;\n}\n", "there is no label '%r1'");
    machine_refuses(OPEN " M: mov.u32 %r1, 1;\n M: ret;\n}\n", "line 7: 'M' is declared twice");
    machine_refuses(OPEN " T: .branchtargets A, B;\n brx.idx %r1, T;\n A: ret;\n}\n", "there is no label 'B'");
    machine_refuses(OPEN " brx.idx %r1, T;\n ret;\n}\n", "a .branchtargets list is needed");
    machine_refuses(OPEN " @%r1 bra M;\n M: ret;\n}\n", "is not a predicate register");
}

/* ---- texts that were changed here and there ---- */

static uint64_t random_of(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* One place is replaced by another piece of the text or by a significant character, or deleted. */
static void change(char *text, size_t length, uint64_t *state) {
    static const char marks[] = "{}[]()<>,;:.@!|%-+=\"/*\n 0123456789abcdefxuLs_$";
    const size_t at = random_of(state) % length, from = random_of(state) % length, most = 1 + random_of(state) % 40;
    const size_t room = length - (at > from ? at : from), bytes = most < room ? most : room;
    switch (random_of(state) % 3) {
    case 0: memmove(text + at, text + from, bytes); break;
    case 1: text[at] = marks[random_of(state) % (sizeof marks - 1)]; break;
    default: memset(text + at, ' ', bytes);
    }
}

static void parse_changed(const char *ptx, uint64_t seed) {
    char *text = strdup(ptx);
    assert_non_null(text);
    const size_t length = strlen(text);
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (uint64_t k = 0; k <= seed % 6; k++) change(text, length, &state);
    jrs_report report = {0};
    jrs_module *module = jrs_module_parse(text, length, &report);
    if (!module && (report.error == 0 || !strstr(report.message, "PTX"))) fail_msg("'%s' of: %s", report.message, text);
    const jrs_function *function = module ? jrs_module_function(module, "form") : NULL;
    const char *refusal = function ? function->refusal : NULL;
    if (refusal && !strstr(refusal, "line ")) fail_msg("'%s' of: %s", refusal, text);
    jrs_module_destroy(module);
    free(text);
}

TEST(changed_texts_are_taken_or_refused_with_a_reason) {
    uint64_t seed = 0;
    form_case form;
    for (size_t f = 0; f < form_family_count; f++) {
        for (size_t i = 0; i < *form_families[f].count; i++) {
            form_make(&form_families[f].rows[i], 0, &form);
            for (unsigned k = 0; k < 12; k++) parse_changed(form.ptx, ++seed);
        }
    }
    assert_true(seed > 5000);
}

/* For a predicate's size of 0 bytes, the sign was computed by a shift by a negative number, and the value was lost. */
TEST(predicates_are_registers_only) {
    static const char *const declarations[] = {".global .pred x = -1;", ".const .pred x = 1;", ".global .pred x;",
                                               ".global .v2 .pred x;", ".shared .pred x[4];"};
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        char text[256];
        snprintf(text, sizeof text, PTX "%s\n", declarations[i]);
        machine_refuses(text, "a predicate is a register");
    }
    machine_refuses(PTX ".visible .entry k(.param .pred x) { ret; }\n", "a predicate is a register");
}

RUN_TESTS(NULL, NULL)
