/* The manual's table of operators is what the library does: in what each accumulates, its result, and what it gives of
 * nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/operator.h"
#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

#define IDENTITY "-77"

enum { CELL_BYTES = 64, ROW_BYTES = 400 };

/* A column of the table: types that an operator treats alike. */
static const struct {
    jr_type types[EVERY_TYPES];
} groups[] = {{{JR_I8, JR_I16, JR_I32, JR_I64}},
              {{JR_BOOL, JR_U8, JR_U16, JR_U32, JR_U64}},
              {{JR_F16, JR_BF16, JR_E4M3, JR_E5M2, JR_F32}},
              {{JR_F64}}};

/* What is combined, in a word or two. */
static void accumulator_print(const jr_operator *row, const jr_dtype *dtype, char cell[CELL_BYTES]) {
    const char *number = jr_type_name(jr_operator_accumulation(row, dtype, JR_TYPE_NONE).number);
    switch (row->accumulates) {
    case JR_ACCUMULATES_ELEMENT: snprintf(cell, CELL_BYTES, "element"); break;
    case JR_ACCUMULATES_CUSTOM: snprintf(cell, CELL_BYTES, "as declared"); break;
    case JR_ACCUMULATES_INDEX: snprintf(cell, CELL_BYTES, "element and index"); break;
    case JR_ACCUMULATES_MEAN:
        snprintf(cell, CELL_BYTES, jr_dtype_is_float(dtype) ? "`%s`" : "exact integer", number);
        break;
    case JR_ACCUMULATES_MOMENTS: snprintf(cell, CELL_BYTES, "moments in `%s`", number); break;
    default: snprintf(cell, CELL_BYTES, "`%s`", number); break;
    }
}

/* "`i64`" when the accumulator is the result, "`f64` → `f32`" when it is not, "–" when the operator takes no such type.
 */
static void cell_print(const jr_operator *row, jr_type type, char cell[CELL_BYTES]) {
    const jr_dtype *dtype = jr_dtype_find(type);
    char accumulator[CELL_BYTES], result[CELL_BYTES];
    jr_type result_type;
    if (jr_result_type(row->op, type, &result_type) != JR_OK) {
        snprintf(cell, CELL_BYTES, "–");
        return;
    }
    accumulator_print(row, dtype, accumulator);
    if (row->accumulates == JR_ACCUMULATES_CUSTOM) result_type = JR_TYPE_NONE;
    snprintf(result, sizeof result, "`%s`", jr_type_name(result_type));
    if (result_type == JR_TYPE_NONE || strcmp(accumulator, result) == 0 ||
        (result_type == type && strcmp(accumulator, "element") == 0))
        snprintf(cell, CELL_BYTES, "%s", accumulator);
    else
        snprintf(cell, CELL_BYTES, "%.28s → %.28s", accumulator, result);
}

static void group_print(const jr_operator *row, size_t group, char cell[CELL_BYTES]) {
    char other[CELL_BYTES];
    cell_print(row, groups[group].types[0], cell);
    for (size_t i = 1; i < EVERY_TYPES && groups[group].types[i] != JR_TYPE_NONE; i++) {
        cell_print(row, groups[group].types[i], other);
        if (strcmp(cell, other) != 0)
            fail_msg("%s treats %s unlike the rest of its column: %s", row->name, jr_type_name(groups[group].types[i]),
                     other);
    }
}

static void nothing_print(const opened *device, jr_op op, char cell[CELL_BYTES]) {
    const bool custom = jr_operator_find(op)->accumulates == JR_ACCUMULATES_CUSTOM;
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = JR_I32, .combine = custom ? "a > b ? a : b" : NULL,
                                 .identity = custom ? IDENTITY : NULL);
    const void *none[] = {NULL, NULL};
    jr_value value;
    const jr_status status =
        jr_work_run_host(device->context, WORK(&spec), DATA(.in = none, .count = 0, .values = &value));
    if (status == JR_ERROR_EMPTY_INPUT) {
        snprintf(cell, CELL_BYTES, "an error");
        return;
    }
    works(status);
    works(jr_value_print(&value, cell, CELL_BYTES));
    if (custom && strcmp(cell, IDENTITY) == 0) snprintf(cell, CELL_BYTES, "its identity");
}

TEST(each_operator_has_the_row_that_the_library_gives_it) {
    const char *source = getenv("JR_TEST_SOURCE");
    char *page = scratch_read(scratch_path(source != NULL ? source : ".", "include/manual/operators.md"), &(size_t){0});
    int wrong = 0;
    for (size_t i = 0; i < EVERY_OPS; i++) {
        char cells[4][CELL_BYTES], nothing[CELL_BYTES], line[ROW_BYTES];
        const jr_operator *row = jr_operator_find(every_op[i]);
        for (size_t group = 0; group < 4; group++) group_print(row, group, cells[group]);
        nothing_print(*state, every_op[i], nothing);
        snprintf(line, sizeof line, "\n| `%s` | %s | %s | %s | %s | %s |\n", row->name, cells[0], cells[1], cells[2],
                 cells[3], nothing);
        if (strstr(page, line) != NULL) continue;
        print_error("operators.md lacks this row:%s", line);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

TEST(each_type_stands_in_a_column) {
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        int columns = 0;
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (size_t i = 0; i < EVERY_TYPES; i++) columns += groups[g].types[i] == every_type[t];
        if (columns != 1)
            fail_msg("%s stands in %d columns of this test's groups", jr_type_name(every_type[t]), columns);
    }
}

RUN_TESTS(open_context, close_context)
