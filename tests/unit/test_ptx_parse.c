/* The parser of PTX, and the rows of its forms. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/module/rows.h"
#include "support/cases/machine_case.h"

/* PTX texts: what is understood, what is refused with its line and text, what a module says of itself. */
TEST(refusals_name_line_and_text) {
    machine_lacks(KERNEL " wgmma.fence.sync.aligned;\n ret;\n}\n",
                  "unsupported PTX: line 9 'wgmma.fence.sync.aligned': the instruction 'wgmma.fence.sync.aligned' is "
                  "not supported");
    machine_refuses(KERNEL " add.s32 %r1,\n   %r2, %r99;\n ret;\n}\n",
                    "line 9 'add.s32 %r1, %r2, %r99': '%r99' is neither a register in scope");
    machine_refuses(KERNEL " add.s32 %r1, %r2, %d3;\n}\n", "the register '%d3' has 64 bits where 32 are needed");
    machine_refuses(KERNEL " add.s32 %r1, %r2;\n}\n", "'add.s32' takes 3 operands, 2 found");
    machine_refuses(KERNEL " add.s32 %p1, %r2, %r3;\n}\n", "the predicate '%p1' is used where a value is needed");
    machine_refuses(KERNEL " bra NOWHERE;\n}\n", "there is no label 'NOWHERE'");
    machine_refuses(KERNEL " add.s32 %r1, %r2, 3\n}\n", "';' expected");
    machine_lacks(KERNEL " cvt.rn.s32.s32 %r1, %r2;\n}\n", "not supported");
    machine_refuses(KERNEL " cvt.f32.s32 %r1, %r2;\n}\n", "lacks a rounding mode");
    machine_lacks(KERNEL " ld.global.v3.u32 {%r1,%r2,%r3}, [%w];\n}\n", "the modifier .v3");
    machine_refuses(KERNEL " ld.global.v2.u32 {%r1,%r2,%r3}, [%w];\n}\n", "3 registers for 2 elements");
    machine_refuses(KERNEL " st.const.u32 [%w], %r1;\n}\n", "kernels cannot write");
    machine_refuses(KERNEL " ret;\n", "the text ends");
    machine_refuses("hello", "'.' expected");
    machine_refuses("", ".version is missing");
    machine_refuses(PTX ".global .u32 a[2] = {1, 2, 3};\n", "line 4: more initial values than elements");
    machine_refuses(PTX ".func f;\n.visible .entry k()\n{\n call f;\n}\n", "the function 'f' is not defined");
    machine_refuses(PTX "/* no end", "a comment without an end");
}

static jrs_module *parse(const char *ptx) {
    jrs_report report;
    jrs_module *module = jrs_module_parse(ptx, strlen(ptx), &report);
    if (!module) fail_msg("%s", report.message);
    return module;
}

TEST(a_kernel_describes_itself) {
    jrs_module *module = parse(
        PTX
        ".const .align 8 .b8 c[24];\n.visible .entry k(.param .u8 a, .param .align 16 .b8 b[20], .param .u64 c)\n"
        ".maxntid 128, 2, 1\n.minnctapersm 3\n{\n .shared .align 4 .b8 s[100];\n .local .b8 l[40];\n .reg .b32 %r<9>;\n"
        " mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3;\n ret;\n}\n");
    const jrs_function *function = jrs_module_function(module, "k");
    assert_string_equal(function->name, "k");
    assert_int_equal(function->shared_bytes, 100);
    assert_int_equal(function->local_bytes, 48);
    assert_int_equal(module->constant_bytes, 24);
    assert_int_equal(function->max_threads, 256);
    assert_int_equal(function->min_blocks, 3);
    assert_int_equal(module->version, 90);
    assert_int_equal(module->target, 90);
    assert_int_equal(function->registers, 8);
    assert_int_equal(function->parameter_count, 3);
    assert_int_equal(function->parameters[1].offset, 16);
    assert_int_equal(function->parameters[1].bytes, 20);
    assert_int_equal(function->parameters[2].offset, 40);
    assert_int_equal(function->parameter_bytes, 48);
    assert_null(jrs_module_function(module, "c"));
    jrs_module_destroy(module);
}

/* More live values than a block of 1024 threads can have registers for: ptxas would spill. */
TEST(registers_let_the_bound_block_fit) {
    char text[16384];
    const char *bounds[] = {"", ".maxntid 1024, 1, 1", ".maxntid 256, 1, 1\n.minnctapersm 4", ".maxnreg 40"};
    const int registers[] = {104, 64, 64, 40};
    for (size_t b = 0; b < 4; b++) {
        size_t used = (size_t)snprintf(
            text, sizeof text,
            PTX ".visible .entry k(.param .u64 w)\n%s\n{ .reg .b32 %%r<101>; .reg .b64 %%w; ld.param.u64 %%w, [w];\n",
            bounds[b]);
        for (int i = 0; i < 100; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "ld.global.u32 %%r%d, [%%w+%d];\n", i, 4 * i);
        for (int i = 0; i < 100; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "st.global.u32 [%%w+%d], %%r%d;\n", 4 * i, i);
        snprintf(text + used, sizeof text - used, "ret;\n}\n");
        jrs_module *module = parse(text);
        assert_int_equal(jrs_module_function(module, "k")->registers, registers[b]);
        jrs_module_destroy(module);
    }
}

TEST(directives_and_scopes_are_understood) {
    machine_case test = {
        .ptx = "// comment\n.version 8.5\n.target sm_75, debug\n.address_size 64\n.file 1 \"a.cu\"\n"
               ".section .debug_info { .b32 1 \n.b8 2,3 }\n"
               ".global .align 4 .u32 h[2] = {7, -1};\n.global .align 8 .u64 g[3] = {generic(h)+4, h, 0x10};\n"
               ".visible .entry k(\n .param .u64 words\n)\n.reqntid 32\n{\n"
               " .reg .b64 \t%w;\n .reg .b32 %r<4>;\n .loc 1 3 5, function_name $L__info, inlined_at 1 2 3\n .pragma "
               "\"nounroll\";\n"
               " ld.param.u64 %w, [words]; /* here */\n"
               " { .reg .b32 %r1; { .reg .b32 %r1; mov.b32 %r1, 5; } mov.b32 %r1, 0b101; st.global.b32 [%w], %r1; }\n"
               " mov.u32 %r1, 0777; st.global.u32 [%w+4], %r1;\n st.global.f32 [%w+8], 1.5;\n mov.f32 %r2, 0f40490FDB; "
               "st.global.f32 [%w+12], %r2;\n"
               " {\n .reg .b64 %d<4>;\n mov.u64 %d1, g; ld.global.u64 %d2, [%d1]; ld.u32 %r3, [%d2]; st.global.u32 "
               "[%w+16], %r3;\n"
               " ld.global.u64 %d2, [g+8]; ld.global.u32 %r3, [%d2+0]; st.global.u32 [%w+20], %r3; ld.global.u32 %r3, "
               "[g+16]; st.global.u32 [%w+24], %r3;\n}\n"
               " bra.uni $L__1;\n trap;\n$L__1:\n ret;\n}\n"};
    machine_good(&test);
    const uint32_t expected[] = {5, 0777, 0x3fc00000, 0x40490fdb, 0xffffffff, 7, 16};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_int_equal(test.words[i], expected[i]);
}

TEST(launches_of_a_wrong_shape_are_refused) {
    machine_case test = {.ptx = PTX ".visible .entry k(.param .u64 words)\n.reqntid 64\n{ ret; }\n", .block = 32};
    machine_fails(&test, 1, "the block is not the one .reqntid requires");
}

/* The rows of instructions: each is written in the notation that rows.h explains, and finds its shortest opcode. */
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
