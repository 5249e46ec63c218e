/* How expressions are written: in C's grammar, with as few brackets as it allows, or more. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "c_tree.h"
#include "support/fixtures/open_context.h"

typedef struct printer {
    const c_tree *tree;
    uint64_t seed;
    char *text;
    size_t length;
} printer;

static const struct {
    char sign;
    const char *spelled;
    int level; /* C's levels of binding, the loosest 1 */
} binaries[] = {{'o', "||", 4},  {'a', "&&", 5}, {'|', "|", 6},  {'^', "^", 7},   {'&', "&", 8},   {'=', "==", 9},
                {'n', "!=", 9},  {'<', "<", 10}, {'>', ">", 10}, {'l', "<=", 10}, {'g', ">=", 10}, {'L', "<<", 11},
                {'R', ">>", 11}, {'+', "+", 12}, {'-', "-", 12}, {'*', "*", 13},  {'/', "/", 13},  {'%', "%", 13}};
enum {
    CHOICE = 3,
    ASSIGNS = 2,
    MASKS = 6,
    EQUAL = 9,
    ORDER = 10,
    PREFIX = 14,
    PRIMARY = 16,
    BLANKS_OF_8 = 2,
    BRACKETS_OF_16 = 2
};

static int row_of(char sign) {
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (binaries[i].sign == sign) return (int)i;
    fail_msg("no operator %c", sign);
    return 0;
}

static bool happens(printer *to, uint64_t of, uint64_t times) {
    return to->seed != 0 && random_below(&to->seed, of) < times;
}

/* A blank where two signs would become another one ("- -x", "a & &b"), or two words one; else now and then. */
static void put(printer *to, const char *word) {
    const char last = to->length > 0 ? to->text[to->length - 1] : ' ';
    const bool words = strchr("()!~,?: ", last) == NULL && strchr("()!~,?:", *word) == NULL;
    const bool joined = words && ((strchr("+-*/%&|^<>=", last) != NULL) == (strchr("+-*/%&|^<>=", *word) != NULL));
    const char *blank = joined ? " " : happens(to, 8, BLANKS_OF_8) ? " " : "";
    const int added = snprintf(to->text + to->length, C_TEXT_BYTES - to->length, "%s%s", blank, word);
    to->length += (size_t)added;
    assert_in_range(to->length, 0, C_TEXT_BYTES - 1);
}

static int level_of(const c_node *node) {
    if (node->kind == C_CHOICE) return CHOICE;
    if (node->kind == C_BINARY) return binaries[row_of(node->sign)].level;
    return node->kind == C_UNARY || (node->kind == C_CAST && node->number == 0) ? PREFIX : PRIMARY;
}

static void print_at(printer *to, int number, int least);

static void print_call(printer *to, const c_node *node) {
    char name[24];
    snprintf(name, sizeof name, "%s%s", node->function->name, node->single ? "f" : "");
    put(to, name);
    put(to, "(");
    for (int i = 0; i < node->function->arguments; i++) {
        if (i > 0) put(to, ",");
        print_at(to, node->operands[i], ASSIGNS);
    }
    put(to, ")");
    if (node->function->member != '\0') put(to, (char[]){'.', node->function->member, '\0'});
}

/* 0: (type)x; 1: type(x), of a single word; 2: static_cast<type>(x). (signed(bool(x))) would be the type of a function.
 */
static void print_cast(printer *to, const c_node *node) {
    const c_node *operand = &to->tree->nodes[node->operands[0]];
    const int form = node->number == 1 && operand->kind == C_CAST && operand->number == 1 ? 2 : node->number;
    char opening[40];
    snprintf(opening, sizeof opening,
             form == 0   ? "(%s)"
             : form == 1 ? "%s"
                         : "static_cast<%s>",
             node->sign == 's' ? c_type_other_name(node->type) : c_type_name(node->type));
    put(to, opening);
    if (form > 0) put(to, "(");
    print_at(to, node->operands[0], form > 0 ? ASSIGNS : PREFIX);
    if (form > 0) put(to, ")");
}

/* A comparison stands in brackets where it is compared or masked, and so does ! before a comparison: what is left
 * without them is refused as a slip. */
static int least_of(const printer *to, int operand, int level) {
    const c_node *node = &to->tree->nodes[operand];
    const bool compares = level == EQUAL || level == ORDER, masks = level >= MASKS && level < EQUAL;
    const int own = level_of(node);
    if (compares && node->kind == C_UNARY && node->sign == '!') return PRIMARY;
    return (compares || masks) && (own == EQUAL || own == ORDER) ? ORDER + 1 : level;
}

static void print_binary(printer *to, const c_node *node) {
    const int row = row_of(node->sign), level = binaries[row].level;
    const int first = least_of(to, node->operands[0], level), second = least_of(to, node->operands[1], level);
    print_at(to, node->operands[0], first);
    put(to, binaries[row].spelled);
    print_at(to, node->operands[1], second > level + 1 ? second : level + 1);
}

static void print_choice(printer *to, const c_node *node) {
    print_at(to, node->operands[0], CHOICE + 1);
    put(to, "?");
    print_at(to, node->operands[1], 1);
    put(to, ":");
    print_at(to, node->operands[2], CHOICE);
}

static void print_bare(printer *to, const c_node *node) {
    const char sign[2] = {node->sign, '\0'};
    switch (node->kind) {
    case C_VARIABLE: put(to, to->tree->variables[node->number].name); break;
    case C_LITERAL: put(to, node->text); break;
    case C_CALL: print_call(to, node); break;
    case C_CAST: print_cast(to, node); break;
    case C_BINARY: print_binary(to, node); break;
    case C_CHOICE: print_choice(to, node); break;
    case C_UNARY:
        put(to, sign);
        print_at(to, node->operands[0], PREFIX);
        break;
    }
}

/* In brackets where it binds looser than its place asks. */
static void print_at(printer *to, int number, int least) {
    const c_node *node = &to->tree->nodes[number];
    const bool brackets = level_of(node) < least || happens(to, 16, BRACKETS_OF_16);
    if (brackets) put(to, "(");
    print_bare(to, node);
    if (brackets) put(to, ")");
}

void c_tree_print(const c_tree *tree, uint64_t seed, char text[C_TEXT_BYTES]) {
    printer to = {.tree = tree, .seed = seed, .text = text};
    *text = '\0';
    print_at(&to, tree->root, 1);
}
