/* Expressions and structs of a spec: the checker, and the program text that is written of what passes. Nothing is
 * compiled. Lines of the input: map, where, combine, finish, struct. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "spec/expressions.h"

enum { PART_COUNT = 5 };

/* Cuts a text at its newlines; parts that are not there are NULL. */
static void cut(char *text, const char *parts[PART_COUNT]) {
    for (int i = 0; i < PART_COUNT; i++) {
        parts[i] = text;
        if (text == NULL) continue;
        text = i + 1 < PART_COUNT ? strchr(text, '\n') : NULL;
        if (text != NULL) *text++ = '\0';
    }
}

static void make(const jr_spec *spec) {
    jr_reduction *reduction;
    jr_expressions written;
    if (jr_reduction_create(spec, &reduction) != JR_OK) return;
    if (jr_expressions_make(reduction, 4, &written) == JR_OK) jr_expressions_free(&written);
    jr_reduction_destroy(reduction);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *parts[PART_COUNT];
    char *text = fuzz_text(data, size);
    cut(text, parts);
    const jr_structure structure =
        JR_INIT(jr_structure, .name = "item", .source = parts[4], .bytes = 8, .alignment = 4);
    make(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = parts[0], .where = parts[1], .finish = parts[3]));
    make(&JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = parts[4] != NULL ? JR_STRUCT : JR_I64, .combine = parts[2],
                  .identity = parts[0], .where = parts[1], .structure = parts[4] != NULL ? &structure : NULL));
    free(text);
    return 0;
}
