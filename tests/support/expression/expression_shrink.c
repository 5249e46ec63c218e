/* Shrinks expression cases, one step after the other. */
#include "expression_shrink.h"

#include <stdlib.h>

#include "support/fixtures/open_context.h"

enum { RUNS_MAX = 300 };

typedef struct shrinking {
    expression_case *now, *next;
    bool (*still_fails)(const expression_case *of, void *user);
    void *user;
    int runs;
} shrinking;

/* Takes the next case if that fails, too. */
static bool take(shrinking *of) {
    if (of->runs >= RUNS_MAX || !expression_case_evaluate(of->next)) return false;
    of->runs++;
    if (!of->still_fails(of->next, of->user)) return false;
    expression_case_copy(of->next, of->now);
    return true;
}

/* An operand in the place of an operator. */
static bool shorten(shrinking *of, c_tree *tree, char *text, int node, int operand) {
    tree->nodes[node] = tree->nodes[tree->nodes[node].operands[operand]];
    if (!c_tree_type_again(tree)) return false;
    c_tree_print(tree, 0, text);
    return take(of);
}

static int operands_of(const c_node *node) {
    switch (node->kind) {
    case C_CALL: return node->function->arguments;
    case C_CHOICE: return 3;
    case C_BINARY: return 2;
    case C_UNARY:
    case C_CAST: return 1;
    default: return 0;
    }
}

/* The tree and the text of an expression: 0 map, 1 where, 2 finish, 3 combine. */
static c_tree *tree_at(expression_case *of, int index, char **text) {
    c_tree *const trees[] = {&of->map, &of->where, &of->finish, &of->combine};
    char *const texts[] = {of->map_text, of->where_text, of->finish_text, of->combine_text};
    *text = texts[index];
    return trees[index];
}

static bool shorten_somewhere(shrinking *of, int index) {
    char *text;
    for (int node = tree_at(of->now, index, &text)->root; node >= 0; node--)
        for (int operand = 0; operand < operands_of(&tree_at(of->now, index, &text)->nodes[node]); operand++) {
            expression_case_copy(of->now, of->next);
            c_tree *tree = tree_at(of->next, index, &text);
            if (shorten(of, tree, text, node, operand)) return true;
        }
    return false;
}

static bool leave_out(shrinking *of, int index) {
    expression_case_copy(of->now, of->next);
    const char **const members[] = {&of->next->spec.map, &of->next->spec.where, &of->next->spec.finish};
    if (*members[index] == NULL) return false;
    *members[index] = NULL;
    if (index == 0) of->next->spec.map_type = JR_TYPE_NONE;
    return take(of);
}

void expression_case_shrink(expression_case *of, bool (*still_fails)(const expression_case *of, void *user),
                            void *user) {
    shrinking all = {.now = of, .next = malloc(sizeof *of), .still_fails = still_fails, .user = user};
    assert_non_null(all.next);
    for (int index = 0; index < 3; index++) (void)leave_out(&all, index);
    const char *const *const members[] = {&of->spec.map, &of->spec.where, &of->spec.finish, &of->spec.combine};
    for (int index = 0; index < 4; index++)
        while (*members[index] != NULL && shorten_somewhere(&all, index)) {
        }
    free(all.next);
}
