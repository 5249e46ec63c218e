/* Prints expression cases. */
#include "expression_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/fixtures/open_context.h"

static const char *const layouts[CASE_LAYOUTS] = {"flat", "rows", "offsets", "keys", "axis", "scan", "scan_rows"};

void expression_number_print(c_number number, char *text, size_t bytes) {
    if (c_is_float(number.type))
        snprintf(text, bytes, isnan(number.floating) ? "nan" : "%.17g", number.floating);
    else if (c_is_signed(number.type))
        snprintf(text, bytes, "%" PRId64, (int64_t)number.integer);
    else
        snprintf(text, bytes, "%" PRIu64, number.integer);
}

static void tell_array(const char *name, jr_type type, const void *data, uint64_t count) {
    print_error("  %s (%s):", name, jr_type_name(type));
    for (uint64_t i = 0; i < count; i++) {
        char text[40];
        expression_number_print(c_element_read(type, data, i), text, sizeof text);
        print_error(" %s", text);
    }
    print_error("\n");
}

static void tell_text(const char *name, const char *text) {
    if (text != NULL) print_error("  %s: %s\n", name, text);
}

void expression_case_tell(const expression_case *of) {
    static const char *const letters[] = {"x", "y", "z", "w"};
    print_error("seed %" PRIu64 ": %s%s of", of->seed, of->exclusive ? "exclusive (of scans) " : "",
                layouts[of->layout]);
    for (int op = 0; op < of->op_count; op++) print_error(" %s", jr_op_name(of->ops[op]));
    print_error(", length %" PRIu64 ", inner %" PRIu64
                ", nan %d, accuracy %d, commutative %d, map_type %s, result %s\n",
                of->length, of->inner, of->spec.nan, of->spec.accuracy, of->spec.commutative,
                jr_type_name(of->spec.map_type), jr_type_name(of->spec.result));
    tell_text("map", of->spec.map);
    tell_text("where", of->spec.where);
    tell_text("combine", of->spec.combine);
    tell_text("identity", of->spec.identity);
    tell_text("finish", of->spec.finish);
    for (int i = 0; i < of->spec.parameter_count; i++)
        tell_array(of->parameters[i].name, of->parameters[i].value.type, &of->parameters[i].value.as, 1);
    for (int i = 0; i < of->spec.input_count; i++) tell_array(letters[i], of->types[i], of->data[i], of->count);
    print_error("  wanted of %s (%s):", jr_op_name(of->ops[0]), jr_type_name(of->result_types[0]));
    for (uint64_t r = 0; r < of->result_count && !of->is_empty; r++) {
        char text[40];
        expression_number_print(of->results[0][r], text, sizeof text);
        print_error(" %s", text);
    }
    print_error("\n  segments:");
    for (uint64_t i = 0; i < of->count; i++) print_error(" %" PRIu64 "%s", of->segment_of[i], of->kept[i] ? "" : "-");
    print_error("\n");
}

/* ---- for scripts ---- */

static void write_texts(const expression_case *of) {
    const struct {
        const char *name, *text;
    } rows[] = {{"map", of->spec.map},
                {"where", of->spec.where},
                {"combine", of->spec.combine},
                {"identity", of->spec.identity},
                {"finish", of->spec.finish}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].text == NULL) continue;
        printf("\"%s\": \"", rows[i].name);
        for (const char *at = rows[i].text; *at != '\0'; at++) printf(*at == '\t' ? "\\t" : "%c", *at);
        printf("\", ");
    }
}

static void write_bytes(const void *data, size_t bytes) {
    putchar('"');
    for (size_t i = 0; i < bytes; i++) printf("%02x", ((const unsigned char *)data)[i]);
    putchar('"');
}

static void write_inputs(const expression_case *of) {
    printf("\"inputs\": [");
    for (int i = 0; i < of->spec.input_count; i++) {
        printf("%s{\"type\": \"%s\", \"bytes\": ", i > 0 ? ", " : "", jr_type_name(of->types[i]));
        write_bytes(of->data[i], of->count * jr_type_size(of->types[i]));
        printf("}");
    }
    printf("], \"parameters\": [");
    for (int i = 0; i < of->spec.parameter_count; i++) {
        char text[40];
        const jr_value *value = &of->parameters[i].value;
        expression_number_print(c_element_read(value->type, &value->as, 0), text, sizeof text);
        printf("%s{\"name\": \"%s\", \"type\": \"%s\", \"value\": \"%s\"}", i > 0 ? ", " : "", of->parameters[i].name,
               jr_type_name(value->type), text);
    }
    printf("], ");
}

static void write_segments(const expression_case *of) {
    printf("\"offsets\": [");
    for (uint64_t s = 0; of->layout == CASE_OFFSETS && s <= of->segment_count; s++)
        printf("%s%" PRIu64, s > 0 ? ", " : "", of->offsets[s]);
    printf("], \"keys\": [");
    for (uint64_t i = 0; of->layout == CASE_KEYS && i < of->count; i++)
        printf("%s%" PRId32, i > 0 ? ", " : "", of->keys[i]);
    printf("], ");
}

static void write_results(const expression_case *of) {
    printf("\"results\": [");
    for (int op = 0; op < of->op_count; op++) {
        printf("%s{\"op\": \"%s\", \"type\": \"%s\", \"values\": [", op > 0 ? ", " : "", jr_op_name(of->ops[op]),
               jr_type_name(of->result_types[op]));
        for (uint64_t r = 0; r < of->result_count && !of->is_empty; r++) {
            char text[40];
            expression_number_print(of->results[op][r], text, sizeof text);
            printf("%s\"%s\"", r > 0 ? ", " : "", text);
        }
        printf("]}");
    }
    printf("]");
}

void expression_case_write(const expression_case *of) {
    printf("{\"seed\": %" PRIu64 ", \"layout\": \"%s\", \"exclusive\": %d, \"length\": %" PRIu64 ", \"inner\": %" PRIu64
           ", \"count\": %" PRIu64 ", ",
           of->seed, layouts[of->layout], of->exclusive, of->length, of->inner, of->count);
    printf("\"inexact\": %d, \"empty\": %d, \"nan\": %d, \"accuracy\": %d, \"commutative\": %d, ", of->is_inexact,
           of->is_empty, of->spec.nan, of->spec.accuracy, of->spec.commutative);
    if (of->spec.map_type != JR_TYPE_NONE) printf("\"map_type\": \"%s\", ", jr_type_name(of->spec.map_type));
    if (of->spec.result != JR_TYPE_NONE) printf("\"result\": \"%s\", ", jr_type_name(of->spec.result));
    write_texts(of);
    write_inputs(of);
    write_segments(of);
    write_results(of);
    printf("}\n");
}

/* Shrinks expression cases, one step after the other. */
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
